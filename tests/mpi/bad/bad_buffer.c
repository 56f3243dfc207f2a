/* Wrong: rank 1 receives to an address that it does not have, while it sends. */
#include <mpi.h>

int main(int argc, char **argv)
{
    static int data[1000];
    int rank;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Irecv(rank == 1 ? (void *)16 : data, 1000, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &request);
    MPI_Send(data, 1000, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
