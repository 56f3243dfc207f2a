/* Wrong: rank 1 writes to address zero. It has a handler for that, which is not called. */
#include <mpi.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>

static int *volatile nowhere = NULL;

static void leave(int number)
{
    exit(number + 20);
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    signal(SIGSEGV, leave);
    if (rank == 1)
        *nowhere = 1;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
