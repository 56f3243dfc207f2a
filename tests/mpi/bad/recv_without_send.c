/* Wrong: rank 0 waits for a message with tag 7, but rank 1 sends one with tag 8. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, data = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        MPI_Recv(&data, 1, MPI_INT, 1, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    else if (rank == 1)
        MPI_Send(&data, 1, MPI_INT, 0, 8, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
