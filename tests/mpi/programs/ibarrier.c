/* Ibarrier: not over before the last process has entered, over for all after that. */
#include "check.h"

enum { ENTERED = 1 };

static void all_wait_for(int late)
{
    MPI_Request request;
    int flag = 0;
    if (rank == late) {
        for (int i = 1; i < size; i++)
            MPI_Recv(NULL, 0, MPI_INT, MPI_ANY_SOURCE, ENTERED, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Ibarrier(MPI_COMM_WORLD, &request);
    } else {
        MPI_Ibarrier(MPI_COMM_WORLD, &request);
        for (int i = 0; i < 5; i++) {
            MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
            expect("over too early", 0, flag);
        }
        MPI_Send(NULL, 0, MPI_INT, late, ENTERED, MPI_COMM_WORLD);
    }
    while (!flag)
        MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
}

/* Messages of unknown number: an end is agreed upon by a barrier that goes on meanwhile. */
static void sparse_exchange(void)
{
    MPI_Request sends[3], barrier = MPI_REQUEST_NULL;
    int count = rank % 3 + 1, received = 0, expected = 0, flag, done = 0, value, entered = 0;
    for (int i = 0; i < count; i++)
        MPI_Issend(&rank, 1, MPI_INT, (rank + i * i) % size, 2, MPI_COMM_WORLD, &sends[i]);
    while (!done) {
        MPI_Status status;
        MPI_Iprobe(MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, &flag, &status);
        if (flag) {
            MPI_Recv(&value, 1, MPI_INT, status.MPI_SOURCE, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            expect("value", status.MPI_SOURCE, value);
            received++;
        }
        if (entered) {
            MPI_Test(&barrier, &done, MPI_STATUS_IGNORE);
        } else {
            MPI_Testall(count, sends, &entered, MPI_STATUSES_IGNORE);
            if (entered)
                MPI_Ibarrier(MPI_COMM_WORLD, &barrier);
        }
    }
    for (int from = 0; from < size; from++)
        for (int i = 0; i < from % 3 + 1; i++)
            expected += (from + i * i) % size == rank;
    expect("messages", expected, received);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    all_wait_for(0);
    all_wait_for(size - 1);
    all_wait_for(size / 2);
    sparse_exchange();
    return finish("ibarrier");
}
