/* A communicator that is freed while collective operations are under way: they still end. */
#include "check.h"

enum { COUNT = 200 };

int main(int argc, char **argv)
{
    static int data[COUNT];
    MPI_Request requests[3];
    MPI_Comm comm;
    int sum = 0;
    begin(&argc, &argv);
    for (int round = 0; round < 3; round++) {
        int root = round % size;
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        if (rank == root)
            fill(data, COUNT, round);
        MPI_Iallreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, comm, &requests[0]);
        MPI_Ibcast(data, COUNT, MPI_INT, root, comm, &requests[1]);
        MPI_Ibarrier(comm, &requests[2]);
        MPI_Comm_free(&comm);
        expect("freed handle", 1, comm == MPI_COMM_NULL);
        MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
        expect("sum", size * (size - 1) / 2, sum);
        expect_pattern("data", data, COUNT, round);
    }
    return finish("comm_free_icoll");
}
