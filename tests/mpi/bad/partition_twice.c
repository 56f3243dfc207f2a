/* Says twice that a partition is ready. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, data[4];
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Psend_init(data, 2, 2, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    MPI_Start(&request);
    MPI_Pready(0, request);
    MPI_Pready(0, request);
    MPI_Finalize();
    return 0;
}
