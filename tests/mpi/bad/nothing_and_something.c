/* Wrong: the root broadcasts an integer, the others expect nothing, and leave. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, data = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Bcast(&data, rank == 0, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
