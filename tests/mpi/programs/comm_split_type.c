/* Comm_split_type: processes that share memory form groups that do not overlap. */
#include "check.h"

int main(int argc, char **argv)
{
    MPI_Comm shared, leaders;
    int me, count, sum = 0, total = 0;
    begin(&argc, &argv);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &shared);
    MPI_Comm_rank(shared, &me);
    MPI_Comm_size(shared, &count);
    expect("rank below size", 1, me >= 0 && me < count && count <= size);
    MPI_Allreduce(&count, &sum, 1, MPI_INT, MPI_SUM, shared);
    expect("same size for all", count * count, sum);
    /* One leader for each group: their sizes add up. */
    MPI_Comm_split(MPI_COMM_WORLD, me == 0 ? 0 : MPI_UNDEFINED, rank, &leaders);
    if (me == 0) {
        MPI_Allreduce(&count, &total, 1, MPI_INT, MPI_SUM, leaders);
        expect("sizes of all groups", size, total);
        MPI_Comm_free(&leaders);
    }
    /* Keys give the order inside a group. */
    int *ranks = allocate(count * sizeof(int));
    MPI_Allgather(&rank, 1, MPI_INT, ranks, 1, MPI_INT, shared);
    for (int i = 1; i < count; i++)
        expect("order", 1, ranks[i - 1] < ranks[i]);
    free(ranks);
    MPI_Comm_free(&shared);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_UNDEFINED, 0, MPI_INFO_NULL, &shared);
    expect("undefined type", 1, shared == MPI_COMM_NULL);
    return finish("comm_split_type");
}
