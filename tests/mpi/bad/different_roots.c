/* Wrong: every rank names itself as the root of a broadcast. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, data;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    data = rank;
    MPI_Bcast(&data, 1, MPI_INT, rank, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
