/* Wrong: rank 0 broadcasts while the others reduce. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, data = 1, sum;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        MPI_Bcast(&data, 1, MPI_INT, 0, MPI_COMM_WORLD);
    else
        MPI_Reduce(&data, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
