/* Group_range_incl and Group_range_excl: ranges upwards, downwards and with strides. */
#include "check.h"

static int *expected, count;

/* Adds the ranks of a range to what is expected. */
static void add(const int *range)
{
    for (int i = range[0]; range[2] > 0 ? i <= range[1] : i >= range[1]; i += range[2])
        expected[count++] = i;
}

static void check(const char *what, MPI_Group world, MPI_Group group)
{
    int got, back;
    MPI_Group_size(group, &got);
    expect(what, count, got);
    for (int i = 0; i < count && got == count; i++) {
        MPI_Group_translate_ranks(group, 1, &i, world, &back);
        expect(what, expected[i], back);
    }
    count = 0;
}

int main(int argc, char **argv)
{
    MPI_Group world, group;
    begin(&argc, &argv);
    int last = size - 1;
    expected = allocate(2 * size * sizeof(int));
    MPI_Comm_group(MPI_COMM_WORLD, &world);

    int down[1][3] = {{last, 0, -1}};
    MPI_Group_range_incl(world, 1, down, &group);
    add(down[0]);
    check("all downwards", world, group);
    MPI_Group_free(&group);

    int two[2][3] = {{0, last, 2}, {1, last, 2}};
    int ranges = size > 1 ? 2 : 1; /* the second one would begin outside */
    MPI_Group_range_incl(world, ranges, two, &group);
    for (int i = 0; i < ranges; i++)
        add(two[i]);
    check("even, then odd", world, group);
    MPI_Group_free(&group);

    if (size > 1) {
        int third[1][3] = {{0, last, 3}};
        MPI_Group_range_excl(world, 1, third, &group);
        for (int i = 0; i < size; i++)
            if (i % 3)
                expected[count++] = i;
        check("without every third", world, group);
        MPI_Group_free(&group);
    }

    MPI_Group_range_excl(world, 0, down, &group);
    add((int[]){0, last, 1});
    check("without nobody", world, group);
    MPI_Group_free(&group);
    MPI_Group_free(&world);
    free(expected);
    return finish("group_ranges");
}
