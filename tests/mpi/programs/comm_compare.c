/* Comm_compare and Group_compare: identical, congruent, similar, unequal. */
#include "check.h"

static void compare(const char *what, MPI_Comm a, MPI_Comm b, int expected)
{
    int result = -1;
    MPI_Comm_compare(a, b, &result);
    expect(what, expected, result);
    MPI_Comm_compare(b, a, &result);
    expect(what, expected, result);
}

static void compare_groups(const char *what, MPI_Comm a, MPI_Comm b, int expected)
{
    MPI_Group first, second;
    int result = -1;
    MPI_Comm_group(a, &first);
    MPI_Comm_group(b, &second);
    MPI_Group_compare(first, second, &result);
    expect(what, expected, result);
    MPI_Group_free(&first);
    MPI_Group_free(&second);
}

int main(int argc, char **argv)
{
    MPI_Comm copy, reversed, part;
    begin(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &reversed);
    MPI_Comm_split(MPI_COMM_WORLD, rank == 0, rank, &part);
    int other_order = size > 1 ? MPI_SIMILAR : MPI_CONGRUENT;
    int fewer = size > 1 ? MPI_UNEQUAL : MPI_CONGRUENT;
    compare("itself", MPI_COMM_WORLD, MPI_COMM_WORLD, MPI_IDENT);
    compare("a copy and itself", copy, copy, MPI_IDENT);
    compare("a copy", MPI_COMM_WORLD, copy, MPI_CONGRUENT);
    compare("reversed", MPI_COMM_WORLD, reversed, other_order);
    compare("a part", MPI_COMM_WORLD, part, fewer);
    compare("self", MPI_COMM_WORLD, MPI_COMM_SELF, fewer);
    compare_groups("group of a copy", MPI_COMM_WORLD, copy, MPI_IDENT);
    compare_groups("group reversed", copy, reversed, size > 1 ? MPI_SIMILAR : MPI_IDENT);
    compare_groups("group of a part", part, reversed, size > 1 ? MPI_UNEQUAL : MPI_IDENT);
    MPI_Comm_free(&copy);
    MPI_Comm_free(&reversed);
    MPI_Comm_free(&part);
    return finish("comm_compare");
}
