/* Wrong: one of the messages that MPI_Testsome() finds is too long. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, done = 0, some, index[2], data[9] = {0};
    MPI_Request request[2];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Send(data, 9, MPI_INT, 1, 1, MPI_COMM_WORLD);
        MPI_Send(data, 9, MPI_INT, 1, 7, MPI_COMM_WORLD);
    } else {
        MPI_Irecv(data, 9, MPI_INT, 0, 1, MPI_COMM_WORLD, &request[0]);
        MPI_Irecv(data, 2, MPI_INT, 0, 7, MPI_COMM_WORLD, &request[1]);
        for (; done < 2; done += some)
            MPI_Testsome(2, request, &some, index, MPI_STATUSES_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
