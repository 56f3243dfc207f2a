/* Collective operations between wildcard receives and messages under way: they never mix. */
#include "check.h"

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    int next = (rank + 1) % size, last = (rank + size - 1) % size;
    for (int round = 0; round < 10; round++) {
        int in = -1, out = 100 * rank + round, sum, from_root = rank == 0 ? round : -1;
        int *all = allocate(size * sizeof(int));
        MPI_Request requests[2];
        MPI_Status statuses[2];
        MPI_Irecv(&in, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &requests[0]);
        MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        MPI_Bcast(&from_root, 1, MPI_INT, 0, MPI_COMM_WORLD);
        MPI_Isend(&out, 1, MPI_INT, next, round, MPI_COMM_WORLD, &requests[1]);
        MPI_Allgather(&out, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD);
        MPI_Waitall(2, requests, statuses);
        MPI_Barrier(MPI_COMM_WORLD);
        expect("sum", size * (size - 1) / 2, sum);
        expect("broadcast", round, from_root);
        expect("message", 100 * last + round, in);
        expect("source", last, statuses[0].MPI_SOURCE);
        for (int i = 0; i < size; i++)
            expect("gathered", 100 * i + round, all[i]);
        free(all);
    }
    return finish("coll_and_messages");
}
