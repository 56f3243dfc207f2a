/* A communicator that is freed while messages are under way: they still arrive. */
#include "check.h"

enum { COUNT = 3000 };

int main(int argc, char **argv)
{
    static int out[COUNT], in[COUNT];
    MPI_Request requests[2];
    MPI_Comm comm;
    begin(&argc, &argv);
    int next = (rank + 1) % size, last = (rank + size - 1) % size;
    for (int round = 0; round < 3; round++) {
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        fill(out, COUNT, rank + round);
        MPI_Irecv(in, COUNT, MPI_INT, last, 0, comm, &requests[0]);
        MPI_Isend(out, COUNT, MPI_INT, next, 0, comm, &requests[1]);
        MPI_Comm_free(&comm);
        expect("freed handle", 1, comm == MPI_COMM_NULL);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        expect_pattern("data", in, COUNT, last + round);
    }
    return finish("comm_free_pending");
}
