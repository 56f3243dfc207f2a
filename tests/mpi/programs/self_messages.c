/* Messages of a process to itself: on the world and on MPI_COMM_SELF, posted first or late. */
#include "check.h"

enum { COUNT = 5000 };

static int out[COUNT], in[COUNT];

static void receive_first(MPI_Comm comm, int me)
{
    MPI_Request request;
    MPI_Status status;
    memset(in, 0, sizeof(in));
    MPI_Irecv(in, COUNT, MPI_INT, me, 1, comm, &request);
    MPI_Send(out, COUNT, MPI_INT, me, 1, comm);
    MPI_Wait(&request, &status);
    expect("source", me, status.MPI_SOURCE);
    expect_pattern("posted first", in, COUNT, rank);
}

static void receive_late(MPI_Comm comm, int me)
{
    MPI_Request request;
    memset(in, 0, sizeof(in));
    MPI_Isend(out, COUNT, MPI_INT, me, 2, comm, &request);
    MPI_Recv(in, COUNT, MPI_INT, MPI_ANY_SOURCE, 2, comm, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    expect_pattern("posted late", in, COUNT, rank);
    MPI_Issend(out, 1, MPI_INT, me, 3, comm, &request);
    MPI_Recv(in, 1, MPI_INT, me, 3, comm, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    expect("synchronous", out[0], in[0]);
}

static void at_once(MPI_Comm comm, int me)
{
    memset(in, 0, sizeof(in));
    MPI_Sendrecv(out, COUNT, MPI_INT, me, 4, in, COUNT, MPI_INT, me, 4, comm, MPI_STATUS_IGNORE);
    expect_pattern("Sendrecv", in, COUNT, rank);
    MPI_Sendrecv_replace(in, COUNT, MPI_INT, me, 5, me, 5, comm, MPI_STATUS_IGNORE);
    expect_pattern("Sendrecv_replace", in, COUNT, rank);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    fill(out, COUNT, rank);
    receive_first(MPI_COMM_WORLD, rank);
    receive_first(MPI_COMM_SELF, 0);
    receive_late(MPI_COMM_WORLD, rank);
    receive_late(MPI_COMM_SELF, 0);
    at_once(MPI_COMM_WORLD, rank);
    at_once(MPI_COMM_SELF, 0);
    return finish("self_messages");
}
