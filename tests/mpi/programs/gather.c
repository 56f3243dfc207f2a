/* Gather and Gatherv to every root, with gaps, different lengths and in place. */
#include "check.h"

static void even(int root, int count)
{
    int *out = allocate(count * sizeof(int)), *in = allocate((size_t)count * size * sizeof(int));
    fill(out, count, rank + root);
    MPI_Gather(out, count, MPI_INT, in, count, MPI_INT, root, MPI_COMM_WORLD);
    for (int from = 0; rank == root && from < size; from++)
        expect_pattern("gather", in + from * count, count, from + root);
    memset(in, 0, (size_t)count * size * sizeof(int));
    if (rank == root) {
        fill(in + root * count, count, root);
        MPI_Gather(MPI_IN_PLACE, 0, MPI_INT, in, count, MPI_INT, root, MPI_COMM_WORLD);
    } else {
        fill(out, count, rank);
        MPI_Gather(out, count, MPI_INT, NULL, 0, MPI_INT, root, MPI_COMM_WORLD);
    }
    for (int from = 0; rank == root && from < size; from++)
        expect_pattern("in place", in + from * count, count, from);
    free(out);
    free(in);
}

static int length_of(int who)
{
    return who * 7 % 13;
}

/* Parts lie in the opposite order, each with a free element behind it. */
static void uneven(int root)
{
    int out[13], *counts = allocate(size * sizeof(int)), *places = allocate(size * sizeof(int));
    int *in = allocate(14 * size * sizeof(int));
    for (int i = 0; i < size; i++) {
        counts[i] = length_of(i);
        places[i] = 14 * (size - 1 - i);
    }
    for (int i = 0; i < 14 * size; i++)
        in[i] = -1;
    fill(out, length_of(rank), rank);
    MPI_Gatherv(out, length_of(rank), MPI_INT, in, counts, places, MPI_INT, root, MPI_COMM_WORLD);
    for (int from = 0; rank == root && from < size; from++) {
        expect_pattern("gatherv", in + places[from], counts[from], from);
        expect("gap", -1, in[places[from] + counts[from]]);
    }
    free(counts);
    free(places);
    free(in);
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
    return finish("gather");
}
