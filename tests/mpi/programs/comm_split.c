/* Comm_split: colours, keys that turn the order round, ties, MPI_UNDEFINED, splits of splits. */
#include "check.h"

static int rank_in(MPI_Comm comm)
{
    int me;
    MPI_Comm_rank(comm, &me);
    return me;
}

static int size_of(MPI_Comm comm)
{
    int count;
    MPI_Comm_size(comm, &count);
    return count;
}

static void colours(int number)
{
    MPI_Comm part;
    MPI_Comm_split(MPI_COMM_WORLD, rank % number, rank, &part);
    expect("rank", rank / number, rank_in(part));
    expect("size", (size - rank % number + number - 1) / number, size_of(part));
    MPI_Comm_free(&part);
}

static void keys(void)
{
    MPI_Comm part;
    MPI_Comm_split(MPI_COMM_WORLD, 7, size - rank, &part);
    expect("reversed", size - 1 - rank, rank_in(part));
    MPI_Comm_free(&part);
    MPI_Comm_split(MPI_COMM_WORLD, 7, 3, &part); /* the old order breaks ties */
    expect("same keys", rank, rank_in(part));
    MPI_Comm_free(&part);
    MPI_Comm_split(MPI_COMM_WORLD, 0, rank % 2, &part);
    expect("even ones first", rank % 2 ? (size + 1) / 2 + rank / 2 : rank / 2, rank_in(part));
    MPI_Comm_free(&part);
}

static void undefined(void)
{
    MPI_Comm part;
    MPI_Comm_split(MPI_COMM_WORLD, rank == 0 ? MPI_UNDEFINED : 1, rank, &part);
    expect("nothing for the first", rank == 0, part == MPI_COMM_NULL);
    if (part != MPI_COMM_NULL) {
        expect("rank of others", rank - 1, rank_in(part));
        MPI_Comm_free(&part);
    }
}

/* Halves of halves, down to one process. */
static void recursive(void)
{
    MPI_Comm comm, half;
    int depth = 0, least = 0;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    while (size_of(comm) > 1) {
        int upper = rank_in(comm) >= size_of(comm) / 2, sum, one = 1;
        MPI_Comm_split(comm, upper, rank, &half);
        MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, half);
        expect("sum in a half", size_of(half), sum);
        MPI_Comm_free(&comm);
        comm = half;
        depth++;
    }
    for (int count = size; count > 1; count /= 2)
        least++;
    expect("depth", 1, depth == least || depth == least + 1);
    MPI_Comm_free(&comm);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    for (int number = 1; number <= 4; number++)
        colours(number);
    keys();
    undefined();
    recursive();
    return finish("comm_split");
}
