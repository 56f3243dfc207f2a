/* Wrong: one of the messages that MPI_Waitall() waits for is too long. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, data[9] = {0};
    MPI_Request request[2];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Send(data, 9, MPI_INT, 1, 1, MPI_COMM_WORLD);
        MPI_Send(data, 9, MPI_INT, 1, 7, MPI_COMM_WORLD);
    } else {
        MPI_Irecv(data, 9, MPI_INT, 0, 1, MPI_COMM_WORLD, &request[0]);
        MPI_Irecv(data, 2, MPI_INT, 0, 7, MPI_COMM_WORLD, &request[1]);
        MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
