/* Reduce to every root, of nothing up to 50000 elements, in place too. */
#include "check.h"

enum { LONGEST = 50000 };

static int out[LONGEST], in[LONGEST];

static int term(int who, int i)
{
    return who * 3 + i % 1000;
}

static int sum(int i)
{
    return 3 * size * (size - 1) / 2 + size * (i % 1000);
}

static void check(const char *what, int count, int root)
{
    for (int i = 0; i < count; i++)
        expect(what, rank == root ? sum(i) : -1, in[i]);
}

static void to(int root, int count)
{
    for (int i = 0; i < count; i++) {
        out[i] = term(rank, i);
        in[i] = -1;
    }
    MPI_Reduce(out, in, count, MPI_INT, MPI_SUM, root, MPI_COMM_WORLD);
    check("sum", count, root);
    for (int i = 0; i < count; i++)
        expect("send buffer", term(rank, i), out[i]);
    if (rank == root) {
        memcpy(in, out, count * sizeof(int));
        MPI_Reduce(MPI_IN_PLACE, in, count, MPI_INT, MPI_SUM, root, MPI_COMM_WORLD);
    } else {
        MPI_Reduce(out, NULL, count, MPI_INT, MPI_SUM, root, MPI_COMM_WORLD);
    }
    check("in place", count, root);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    for (int root = 0; root < size; root++) {
        to(root, 1);
        to(root, 7);
    }
    to(0, 0);
    to(size / 2, 1000);
    to(size - 1, LONGEST);
    return finish("reduce");
}
