/* Wrong: a message that nobody receives is still under way at the end. */
#include <mpi.h>

static int out[100000];

int main(int argc, char **argv)
{
    int rank;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1)
        MPI_Issend(out, 100000, MPI_INT, 0, 7, MPI_COMM_WORLD, &request);
    MPI_Finalize();
    return 0;
}
