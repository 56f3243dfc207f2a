/* Waitany and Testany: each of many receives is reported once, then there is none left. */
#include "check.h"

enum { MESSAGES = 10 };

static int in[MESSAGES], out[MESSAGES];

static void start(MPI_Request *receives, MPI_Request *sends)
{
    int next = (rank + 1) % size, last = (rank + size - 1) % size;
    for (int i = 0; i < MESSAGES; i++)
        MPI_Irecv(&in[i], 1, MPI_INT, last, i, MPI_COMM_WORLD, &receives[i]);
    for (int i = 0; i < MESSAGES; i++) {
        out[i] = pattern(rank, i);
        MPI_Isend(&out[i], 1, MPI_INT, next, i, MPI_COMM_WORLD, &sends[i]);
    }
}

static int next_done(int wait, MPI_Request *receives, MPI_Status *status)
{
    int index = -1, flag = 0;
    if (wait) {
        MPI_Waitany(MESSAGES, receives, &index, status);
        return index;
    }
    while (!flag)
        MPI_Testany(MESSAGES, receives, &index, &flag, status);
    return index;
}

static void receive_each(int wait)
{
    MPI_Request receives[MESSAGES], sends[MESSAGES];
    int seen[MESSAGES] = {0}, last = (rank + size - 1) % size;
    MPI_Status status;
    start(receives, sends);
    for (int i = 0; i < MESSAGES; i++) {
        int index = next_done(wait, receives, &status);
        expect("index in range", 1, index >= 0 && index < MESSAGES);
        expect("tag", index, status.MPI_TAG);
        expect("request is null", 1, receives[index] == MPI_REQUEST_NULL);
        expect("data", pattern(last, index), in[index]);
        seen[index]++;
    }
    for (int i = 0; i < MESSAGES; i++)
        expect("times reported", 1, seen[i]);
    expect("none left", MPI_UNDEFINED, next_done(wait, receives, &status));
    MPI_Waitall(MESSAGES, sends, MPI_STATUSES_IGNORE);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    receive_each(1);
    receive_each(0);
    return finish("waitany");
}
