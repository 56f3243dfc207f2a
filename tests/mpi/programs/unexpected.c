/* Many messages wait at a process that receives them in the opposite order of sending. */
#include "check.h"

enum { PER_PROCESS = 20, DONE = 1000 };

static int length_of(int i)
{
    return i * i % 37;
}

static void take(int from)
{
    int data[37], count;
    MPI_Status status;
    for (int i = PER_PROCESS - 1; i >= 0; i--) {
        MPI_Recv(data, 37, MPI_INT, from, i, MPI_COMM_WORLD, &status);
        MPI_Get_count(&status, MPI_INT, &count);
        expect("count", length_of(i), count);
        expect_pattern("data", data, length_of(i), from * PER_PROCESS + i);
    }
}

static void give(void)
{
    static int data[PER_PROCESS][37];
    MPI_Request requests[PER_PROCESS];
    for (int i = 0; i < PER_PROCESS; i++) {
        fill(data[i], length_of(i), rank * PER_PROCESS + i);
        MPI_Isend(data[i], length_of(i), MPI_INT, 0, i, MPI_COMM_WORLD, &requests[i]);
    }
    if (rank == 1) /* arrives behind everything else of rank 1 */
        MPI_Send(NULL, 0, MPI_INT, 0, DONE, MPI_COMM_WORLD);
    MPI_Waitall(PER_PROCESS, requests, MPI_STATUSES_IGNORE);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    if (rank > 0) {
        give();
    } else if (size > 1) {
        MPI_Recv(NULL, 0, MPI_INT, 1, DONE, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int from = size - 1; from > 0; from--)
            take(from);
    }
    return finish("unexpected");
}
