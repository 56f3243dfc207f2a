/* Reduce_scatter and Reduce_scatter_block: everybody gets a part of the sum, in place too. */
#include "check.h"

static int term(int who, int i)
{
    return who + 2 * i;
}

static int sum(int i)
{
    return size * (size - 1) / 2 + 2 * i * size;
}

static void check(const char *what, const int *in, int count, int place)
{
    for (int i = 0; i < count; i++)
        expect(what, sum(place + i), in[i]);
}

static int *terms(int count)
{
    int *out = allocate(count * sizeof(int));
    for (int i = 0; i < count; i++)
        out[i] = term(rank, i);
    return out;
}

static void blocks(int count)
{
    int *out = terms(count * size), *in = allocate(count * sizeof(int));
    MPI_Reduce_scatter_block(out, in, count, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    check("block", in, count, rank * count);
    MPI_Reduce_scatter_block(MPI_IN_PLACE, out, count, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    check("block in place", out, count, rank * count);
    free(out);
    free(in);
}

/* Process i gets `step` * (i % 4) elements: some get none. */
static void uneven(int step)
{
    int *counts = allocate(size * sizeof(int)), place = 0, total = 0;
    for (int i = 0; i < size; i++) {
        counts[i] = step * (i % 4);
        place += i < rank ? counts[i] : 0;
        total += counts[i];
    }
    int *out = terms(total), *in = allocate(3 * step * sizeof(int));
    MPI_Reduce_scatter(out, in, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    check("uneven", in, counts[rank], place);
    MPI_Reduce_scatter(MPI_IN_PLACE, out, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    check("uneven in place", out, counts[rank], place);
    free(counts);
    free(out);
    free(in);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    blocks(0);
    blocks(1);
    blocks(7);
    blocks(100);
    blocks(50000 / size / 4);
    uneven(0);
    uneven(1);
    uneven(50);
    return finish("reduce_scatter");
}
