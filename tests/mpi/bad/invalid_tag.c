/* Wrong: rank 0 sends with a negative tag. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, data = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        MPI_Send(&data, 1, MPI_INT, 0, -3, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
