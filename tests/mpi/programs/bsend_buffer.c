/* Bsend: all processes send first and receive later; detaching gives the buffer back, empty. */
#include "check.h"

enum { COUNT = 300, MESSAGES = 6 };

static int buffer_size(void)
{
    int bytes;
    MPI_Pack_size(COUNT, MPI_INT, MPI_COMM_WORLD, &bytes);
    return MESSAGES * (bytes + MPI_BSEND_OVERHEAD);
}

static void send_then_receive(int round)
{
    int next = (rank + 1) % size, last = (rank + size - 1) % size, data[COUNT];
    for (int i = 0; i < MESSAGES; i++) {
        fill(data, COUNT, rank + i + round);
        MPI_Bsend(data, COUNT, MPI_INT, next, i, MPI_COMM_WORLD);
        memset(data, -1, sizeof(data)); /* the buffer is the program's again at once */
    }
    for (int i = MESSAGES - 1; i >= 0; i--) {
        MPI_Recv(data, COUNT, MPI_INT, last, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        expect_pattern("data", data, COUNT, last + i + round);
    }
}

/* Detaching waits until what is in the buffer has left. */
static void detach_with_messages(void *buffer)
{
    int next = (rank + 1) % size, last = (rank + size - 1) % size, bytes, out = rank, in;
    void *got;
    MPI_Request request;
    MPI_Irecv(&in, 1, MPI_INT, last, 30, MPI_COMM_WORLD, &request);
    MPI_Bsend(&out, 1, MPI_INT, next, 30, MPI_COMM_WORLD);
    MPI_Buffer_detach(&got, &bytes);
    expect("detached buffer", 1, got == buffer);
    expect("detached bytes", buffer_size(), bytes);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    expect("data after detaching", last, in);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    void *buffer = allocate(buffer_size());
    for (int round = 0; round < 3; round++) {
        MPI_Buffer_attach(buffer, buffer_size());
        send_then_receive(round);
        MPI_Barrier(MPI_COMM_WORLD);
        detach_with_messages(buffer);
    }
    free(buffer);
    return finish("bsend_buffer");
}
