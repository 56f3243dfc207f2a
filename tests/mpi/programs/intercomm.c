/* Intercomm_create and Intercomm_merge: groups of any sizes, either order, and comparisons. */
#include "check.h"

static void merge(MPI_Comm inter, int side, int low, int high_first)
{
    MPI_Comm all;
    int me, count, sum, first = rank;
    int me_first = high_first ? side : !side; /* this side comes first */
    MPI_Intercomm_merge(inter, !me_first, &all);
    MPI_Comm_rank(all, &me);
    MPI_Comm_size(all, &count);
    expect("size of all", size, count);
    expect("rank", high_first ? (rank + size - low) % size : rank, me);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, all);
    expect("sum", size * (size - 1) / 2, sum);
    MPI_Bcast(&first, 1, MPI_INT, 0, all);
    expect("first", high_first ? low : 0, first);
    MPI_Comm_free(&all);
}

static void compare(MPI_Comm inter)
{
    MPI_Comm copy;
    int relation;
    MPI_Comm_dup(inter, &copy);
    MPI_Comm_compare(inter, copy, &relation);
    expect("copy", MPI_CONGRUENT, relation);
    MPI_Comm_compare(inter, MPI_COMM_WORLD, &relation);
    expect("the world", MPI_UNEQUAL, relation);
    MPI_Comm_free(&copy);
}

/* The leaders are the last processes of both groups. */
static void create(int low)
{
    MPI_Comm half, inter;
    int side = rank >= low, mine = side ? size - low : low;
    MPI_Comm_split(MPI_COMM_WORLD, side, rank, &half);
    MPI_Intercomm_create(half, mine - 1, MPI_COMM_WORLD, side ? low - 1 : size - 1, 4, &inter);
    merge(inter, side, low, 0);
    merge(inter, side, low, 1);
    compare(inter);
    MPI_Comm_free(&inter);
    MPI_Comm_free(&half);
}

/* Splitting an inter-communicator splits both sides. */
static void split(void)
{
    MPI_Comm half, inter, part;
    int side = rank % 2, me = rank / 2, local, remote;
    MPI_Comm_split(MPI_COMM_WORLD, side, rank, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - side, 4, &inter);
    MPI_Comm_split(inter, me % 2, me, &part);
    if (part != MPI_COMM_NULL) {
        MPI_Comm_size(part, &local);
        MPI_Comm_remote_size(part, &remote);
        int mine = side ? size / 2 : (size + 1) / 2, others = size - mine;
        expect("local size of a split", (mine + 1 - me % 2) / 2, local);
        expect("remote size of a split", (others + 1 - me % 2) / 2, remote);
    }
    if (part != MPI_COMM_NULL)
        MPI_Comm_free(&part);
    MPI_Comm_free(&inter);
    MPI_Comm_free(&half);
}

int main(int argc, char **argv)
{
    MPI_Comm parent;
    int inter = -1;
    begin(&argc, &argv);
    MPI_Comm_test_inter(MPI_COMM_WORLD, &inter);
    expect("the world is none", 0, inter);
    MPI_Comm_get_parent(&parent);
    expect("no parent", 1, parent == MPI_COMM_NULL);
    if (size > 1) {
        create(1);
        create(size / 2);
        create(size - 1);
    }
    if (size > 3)
        split();
    return finish("intercomm");
}
