/* Wrong: a receive that nothing was sent for is still under way at the end. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, in;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Irecv(&in, 1, MPI_INT, 1 - rank, 7, MPI_COMM_WORLD, &request);
    MPI_Finalize();
    return 0;
}
