/* Wrong: rank 1 writes to address zero. */
#include <mpi.h>
#include <stddef.h>

static int *volatile nowhere = NULL;

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1)
        *nowhere = 1;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
