/* Ranks that do not agree on the operation of a reduction. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value = 1, sum;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Allreduce(&value, &sum, 1, MPI_INT, rank ? MPI_SUM : MPI_MAX, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
