/* Receives that meet their messages, and that nobody waits for. */
#include "check.h"

enum { TAG = 5, FREED = 6, DONE = 7 };

static int in[2][4];

int main(int argc, char **argv)
{
    MPI_Request request;
    begin(&argc, &argv);
    int next = (rank + 1) % size, last = (rank + size - 1) % size, out = rank;
    MPI_Irecv(in[0], 4, MPI_INT, MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, &request);
    MPI_Irecv(in[1], 4, MPI_INT, MPI_ANY_SOURCE, FREED, MPI_COMM_WORLD, &request);
    MPI_Request_free(&request);
    MPI_Send(&out, 1, MPI_INT, next, TAG, MPI_COMM_WORLD);
    MPI_Send(&out, 1, MPI_INT, next, FREED, MPI_COMM_WORLD);
    MPI_Sendrecv(NULL, 0, MPI_INT, next, DONE, NULL, 0, MPI_INT, last, DONE, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    expect("data", last, in[0][0]);
    expect("data of a freed request", last, in[1][0]);
    return finish("unwaited");
}
