/* Wrong: rank 1 raises the signal of a wrong calculation, as a division by zero does elsewhere. */
#include <mpi.h>
#include <signal.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1)
        raise(SIGFPE);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
