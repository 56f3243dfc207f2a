/* Groups: incl, excl, union, intersection, difference, translation of ranks, empty groups. */
#include "check.h"

static MPI_Group world;

/* That a group has the processes `expected` in this order; frees it. */
static void check(const char *what, MPI_Group group, const int *expected, int count)
{
    int *ranks = allocate((count + 1) * sizeof(int)), *there = allocate((count + 1) * sizeof(int));
    int got, me, right = MPI_UNDEFINED;
    MPI_Group_size(group, &got);
    expect(what, count, got);
    for (int i = 0; i < count; i++) {
        ranks[i] = i;
        right = expected[i] == rank ? i : right;
    }
    MPI_Group_rank(group, &me);
    expect(what, right, me);
    if (got == count)
        MPI_Group_translate_ranks(group, count, ranks, world, there);
    for (int i = 0; got == count && i < count; i++)
        expect(what, expected[i], there[i]);
    if (group != MPI_GROUP_EMPTY)
        MPI_Group_free(&group);
    free(ranks);
    free(there);
}

static void lists(void)
{
    int *list = allocate(size * sizeof(int)), *rest = allocate(size * sizeof(int)), n = 0, m = 0;
    MPI_Group group;
    for (int i = size - 1; i >= 0; i -= 3)
        list[n++] = i;
    for (int i = 0; i < size; i++)
        if ((size - 1 - i) % 3)
            rest[m++] = i;
    MPI_Group_incl(world, n, list, &group);
    check("incl", group, list, n);
    MPI_Group_excl(world, n, list, &group);
    check("excl", group, rest, m);
    free(list);
    free(rest);
}

/* Of the processes up to the middle and those from the middle on, which share one. */
static void sets(void)
{
    int *all = allocate((size + 1) * sizeof(int)), middle = size / 2, n = 0;
    MPI_Group low, high, group;
    for (int i = 0; i < size; i++)
        all[i] = i;
    MPI_Group_incl(world, middle + 1, all, &low);
    MPI_Group_incl(world, size - middle, all + middle, &high);
    MPI_Group_union(low, high, &group);
    check("union", group, all, size);
    MPI_Group_intersection(low, high, &group);
    check("intersection", group, &middle, 1);
    MPI_Group_difference(low, high, &group);
    check("difference", group, all, middle);
    for (int i = middle; i < size; i++)
        all[n++] = i;
    for (int i = 0; i < middle; i++)
        all[n++] = i;
    MPI_Group_union(high, low, &group);
    check("union the other way round", group, all, size);
    MPI_Group_difference(low, world, &group);
    expect("nothing left", 1, group == MPI_GROUP_EMPTY);
    MPI_Group_free(&low);
    MPI_Group_free(&high);
    free(all);
}

static void translation(void)
{
    int last = size - 1, here[2] = {0, MPI_PROC_NULL}, there[2] = {0, 0}, zero = 0;
    MPI_Group one;
    MPI_Group_incl(world, 1, &last, &one);
    MPI_Group_translate_ranks(one, 2, here, world, there);
    expect("last process", last, there[0]);
    expect("no process", MPI_PROC_NULL, there[1]);
    MPI_Group_translate_ranks(world, 1, &zero, one, there);
    expect("process outside", size > 1 ? MPI_UNDEFINED : 0, there[0]);
    MPI_Group_free(&one);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    lists();
    sets();
    translation();
    check("empty", MPI_GROUP_EMPTY, NULL, 0);
    MPI_Group_free(&world);
    expect("freed handle", 1, world == MPI_GROUP_NULL);
    return finish("group_ops");
}
