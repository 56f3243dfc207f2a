/* Send, Bsend, Ssend and Rsend of several lengths between pairs of processes. */
#include "check.h"

enum { LONGEST = 3000, READY_TAG = 90 };

static const int lengths[] = {0, 1, 7, 100, LONGEST};
static int data[LONGEST];

typedef int sender(const void *, int, MPI_Datatype, int, int, MPI_Comm);

static void send_all(sender *send, int tag, int partner)
{
    for (int i = 0; i < 5; i++) {
        fill(data, lengths[i], rank + tag);
        if (send == MPI_Rsend)
            MPI_Recv(NULL, 0, MPI_INT, partner, READY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        send(data, lengths[i], MPI_INT, partner, tag, MPI_COMM_WORLD);
    }
}

static void receive_all(sender *send, int tag, int partner)
{
    for (int i = 0; i < 5; i++) {
        MPI_Request request;
        MPI_Status status;
        int count;
        MPI_Irecv(data, LONGEST, MPI_INT, partner, tag, MPI_COMM_WORLD, &request);
        if (send == MPI_Rsend)
            MPI_Send(NULL, 0, MPI_INT, partner, READY_TAG, MPI_COMM_WORLD);
        MPI_Wait(&request, &status);
        MPI_Get_count(&status, MPI_INT, &count);
        expect("source", partner, status.MPI_SOURCE);
        expect("tag", tag, status.MPI_TAG);
        expect("count", lengths[i], count);
        expect_pattern("data", data, lengths[i], partner + tag);
    }
}

/* The even process of a pair sends first, then the odd one. */
static void both_ways(sender *send, int tag)
{
    int partner = rank ^ 1;
    if (partner >= size)
        return;
    if (rank % 2 == 0) {
        send_all(send, tag, partner);
        receive_all(send, tag, partner);
    } else {
        receive_all(send, tag, partner);
        send_all(send, tag, partner);
    }
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    int bytes = 5 * (LONGEST * (int)sizeof(int) + MPI_BSEND_OVERHEAD);
    void *buffer = allocate(bytes);
    MPI_Buffer_attach(buffer, bytes);
    both_ways(MPI_Send, 1);
    both_ways(MPI_Bsend, 2);
    both_ways(MPI_Ssend, 3);
    both_ways(MPI_Rsend, 4);
    MPI_Buffer_detach(&buffer, &bytes);
    free(buffer);
    return finish("send_modes");
}
