/* Messages of different communicators never mix, though ranks and tags are the same. */
#include "check.h"

enum { COMMS = 3 };

int main(int argc, char **argv)
{
    MPI_Comm comms[COMMS] = {MPI_COMM_WORLD, MPI_COMM_NULL, MPI_COMM_NULL};
    MPI_Request requests[COMMS];
    int out[COMMS], in[COMMS], sum[COMMS], flag;
    begin(&argc, &argv);
    int next = (rank + 1) % size, last = (rank + size - 1) % size;
    for (int i = 1; i < COMMS; i++)
        MPI_Comm_dup(comms[i - 1], &comms[i]);
    for (int i = 0; i < COMMS; i++) {
        out[i] = 10 * rank + i;
        MPI_Isend(&out[i], 1, MPI_INT, next, 0, comms[i], &requests[i]);
    }
    for (int i = COMMS - 1; i >= 0; i--) {
        /* A collective operation does not take the message that waits. */
        MPI_Allreduce(&out[i], &sum[i], 1, MPI_INT, MPI_SUM, comms[i]);
        expect("sum", 10 * size * (size - 1) / 2 + i * size, sum[i]);
        MPI_Recv(&in[i], 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comms[i], MPI_STATUS_IGNORE);
        expect("message", 10 * last + i, in[i]);
        MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comms[i], &flag, MPI_STATUS_IGNORE);
        expect("another message", 0, flag);
    }
    MPI_Waitall(COMMS, requests, MPI_STATUSES_IGNORE);
    for (int i = 1; i < COMMS; i++)
        MPI_Comm_free(&comms[i]);
    return finish("contexts");
}
