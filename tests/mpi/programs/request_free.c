/* Request_free of requests under way: the messages still arrive. */
#include "check.h"

enum { MESSAGES = 8, COUNT = 2000, DONE = 50 };

static int out[MESSAGES][COUNT], in[COUNT];

static void send_and_forget(int to)
{
    MPI_Request request;
    for (int i = 0; i < MESSAGES; i++) {
        fill(out[i], COUNT, rank + i);
        MPI_Isend(out[i], COUNT, MPI_INT, to, i, MPI_COMM_WORLD, &request);
        MPI_Request_free(&request);
        expect("request is null", 1, request == MPI_REQUEST_NULL);
    }
}

static void forget_a_started_one(int to)
{
    MPI_Request request;
    MPI_Send_init(out[0], COUNT, MPI_INT, to, MESSAGES, MPI_COMM_WORLD, &request);
    MPI_Start(&request);
    MPI_Request_free(&request);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    int next = (rank + 1) % size, last = (rank + size - 1) % size;
    send_and_forget(next);
    forget_a_started_one(next);
    for (int i = MESSAGES; i >= 0; i--) {
        MPI_Recv(in, COUNT, MPI_INT, last, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        expect_pattern("data", in, COUNT, last + i % MESSAGES);
    }
    /* The sent buffers may be used again when the receiver says so. */
    MPI_Sendrecv(NULL, 0, MPI_INT, last, DONE, NULL, 0, MPI_INT, next, DONE, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    memset(out, 0, sizeof(out));
    return finish("request_free");
}
