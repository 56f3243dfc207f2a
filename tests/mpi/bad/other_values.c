/* Wrong: rank 1 receives integers as reals. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, integers[4] = {1, 2, 3, 4};
    float reals[4];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        MPI_Send(integers, 4, MPI_INT, 1, 7, MPI_COMM_WORLD);
    else
        MPI_Recv(reals, 4, MPI_FLOAT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
