/* Comm_create and Comm_create_group: of chosen processes in a chosen order. */
#include "check.h"

/* The processes of even rank, the highest first. */
static MPI_Group even_ones(void)
{
    int count = (size + 1) / 2, *ranks = allocate(count * sizeof(int));
    MPI_Group world, even;
    for (int i = 0; i < count; i++)
        ranks[i] = 2 * (count - 1 - i);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, count, ranks, &even);
    MPI_Group_free(&world);
    free(ranks);
    return even;
}

static void check(const char *what, MPI_Comm comm)
{
    int me, count, first = rank;
    MPI_Comm_rank(comm, &me);
    MPI_Comm_size(comm, &count);
    expect(what, (size + 1) / 2, count);
    expect(what, count - 1 - rank / 2, me);
    MPI_Bcast(&first, 1, MPI_INT, 0, comm);
    expect(what, 2 * (count - 1), first);
}

/* Different groups at once, of processes that call at the same time. */
static void disjoint(void)
{
    MPI_Group world, part;
    MPI_Comm comm;
    int side = rank >= size / 2, range[1][3] = {{0, size / 2 - 1, 1}}, me;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    if (side)
        MPI_Group_range_excl(world, size > 1, range, &part);
    else
        MPI_Group_range_incl(world, 1, range, &part);
    MPI_Comm_create(MPI_COMM_WORLD, part, &comm);
    MPI_Comm_rank(comm, &me);
    expect("disjoint", side ? rank - size / 2 : rank, me);
    MPI_Comm_free(&comm);
    MPI_Group_free(&part);
    MPI_Group_free(&world);
}

int main(int argc, char **argv)
{
    MPI_Comm comm;
    begin(&argc, &argv);
    MPI_Group even = even_ones();
    MPI_Comm_create(MPI_COMM_WORLD, even, &comm);
    expect("member", rank % 2 == 0, comm != MPI_COMM_NULL);
    if (comm != MPI_COMM_NULL) {
        check("create", comm);
        MPI_Comm_free(&comm);
    }
    if (rank % 2 == 0) { /* only the group calls */
        MPI_Comm_create_group(MPI_COMM_WORLD, even, 5, &comm);
        check("create_group", comm);
        MPI_Comm_free(&comm);
    }
    MPI_Group_free(&even);
    MPI_Comm_create(MPI_COMM_WORLD, MPI_GROUP_EMPTY, &comm);
    expect("of an empty group", 1, comm == MPI_COMM_NULL);
    disjoint();
    return finish("comm_create");
}
