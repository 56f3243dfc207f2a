/* Scatter and Scatterv from every root, with gaps, different lengths and in place. */
#include "check.h"

static void even(int root, int count)
{
    int *out = allocate((size_t)count * size * sizeof(int)), *in = allocate(count * sizeof(int));
    for (int to = 0; rank == root && to < size; to++)
        fill(out + to * count, count, to + root);
    MPI_Scatter(out, count, MPI_INT, in, count, MPI_INT, root, MPI_COMM_WORLD);
    expect_pattern("scatter", in, count, rank + root);
    memset(in, 0, count * sizeof(int));
    if (rank == root)
        MPI_Scatter(out, count, MPI_INT, MPI_IN_PLACE, 0, MPI_INT, root, MPI_COMM_WORLD);
    else
        MPI_Scatter(NULL, 0, MPI_INT, in, count, MPI_INT, root, MPI_COMM_WORLD);
    expect_pattern("in place", rank == root ? out + root * count : in, count, rank + root);
    free(out);
    free(in);
}

static int length_of(int who)
{
    return who * 5 % 11;
}

static void uneven(int root)
{
    int in[12], *counts = allocate(size * sizeof(int)), *places = allocate(size * sizeof(int));
    int *out = allocate(11 * size * sizeof(int));
    for (int i = 0; i < size; i++) {
        counts[i] = length_of(i);
        places[i] = 11 * (size - 1 - i);
        fill(out + places[i], counts[i], root + i);
    }
    for (int i = 0; i < 12; i++)
        in[i] = -1;
    MPI_Scatterv(out, counts, places, MPI_INT, in, length_of(rank), MPI_INT, root, MPI_COMM_WORLD);
    expect_pattern("scatterv", in, length_of(rank), root + rank);
    expect("element behind", -1, in[length_of(rank)]);
    free(counts);
    free(places);
    free(out);
}

/* All receive the same part: reading it twice is allowed. */
static void overlapping(void)
{
    int *counts = allocate(size * sizeof(int)), *places = allocate(size * sizeof(int));
    int out[5], in[5];
    fill(out, 5, 9);
    for (int i = 0; i < size; i++)
        counts[i] = 5;
    MPI_Scatterv(out, counts, places, MPI_INT, in, 5, MPI_INT, size - 1, MPI_COMM_WORLD);
    expect_pattern("overlapping", in, 5, 9);
    free(counts);
    free(places);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    for (int root = 0; root < size; root++) {
        even(root, 1);
        uneven(root);
    }
    even(0, 0);
    even(size / 2, 7);
    even(size - 1, 1000);
    overlapping();
    return finish("scatter");
}
