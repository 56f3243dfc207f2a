/* Wrong: rank 1 sends itself a signal that it has no handler for any more. */
#include <mpi.h>
#include <signal.h>
#include <unistd.h>

static void ignore(int number)
{
    (void)number;
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    signal(SIGTERM, ignore);
    kill(getpid(), SIGTERM);
    signal(SIGTERM, SIG_DFL);
    if (rank == 1)
        kill(getpid(), SIGTERM);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
