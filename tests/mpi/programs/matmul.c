/* Cannon's algorithm: blocks of two matrices go around the rows and columns of a square grid. */
#include "check.h"

enum { BLOCK = 4 };

static long a_entry(int i, int j)
{
    return (i * 3 + j) % 11 - 5;
}

static long b_entry(int i, int j)
{
    return (i - 2 * j) % 7;
}

static void multiply_add(const long *a, const long *b, long *c)
{
    for (int i = 0; i < BLOCK; i++)
        for (int j = 0; j < BLOCK; j++)
            for (int k = 0; k < BLOCK; k++)
                c[i * BLOCK + j] += a[i * BLOCK + k] * b[k * BLOCK + j];
}

static void shift(MPI_Comm grid, int dimension, int distance, long *block)
{
    int source, dest;
    MPI_Cart_shift(grid, dimension, distance, &source, &dest);
    MPI_Sendrecv_replace(block, BLOCK * BLOCK, MPI_LONG, dest, dimension, source, dimension, grid,
                         MPI_STATUS_IGNORE);
}

static void verify(const long *c, const int *at, int side)
{
    for (int i = 0; i < BLOCK * BLOCK; i++) {
        int row = at[0] * BLOCK + i / BLOCK, column = at[1] * BLOCK + i % BLOCK;
        long right = 0;
        for (int k = 0; k < side * BLOCK; k++)
            right += a_entry(row, k) * b_entry(k, column);
        expect("element", right, c[i]);
    }
}

static void multiply(MPI_Comm grid, int side)
{
    long a[BLOCK * BLOCK], b[BLOCK * BLOCK], c[BLOCK * BLOCK] = {0};
    int me, at[2];
    MPI_Comm_rank(grid, &me);
    MPI_Cart_coords(grid, me, 2, at);
    for (int i = 0; i < BLOCK * BLOCK; i++) {
        a[i] = a_entry(at[0] * BLOCK + i / BLOCK, at[1] * BLOCK + i % BLOCK);
        b[i] = b_entry(at[0] * BLOCK + i / BLOCK, at[1] * BLOCK + i % BLOCK);
    }
    shift(grid, 1, -at[0], a);
    shift(grid, 0, -at[1], b);
    for (int step = 0; step < side; step++) {
        multiply_add(a, b, c);
        shift(grid, 1, -1, a);
        shift(grid, 0, -1, b);
    }
    verify(c, at, side);
}

int main(int argc, char **argv)
{
    int side = 1, periods[2] = {1, 1};
    MPI_Comm grid;
    begin(&argc, &argv);
    while ((side + 1) * (side + 1) <= size)
        side++;
    int dims[2] = {side, side}; /* the processes that are left over have no part */
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 1, &grid);
    if (grid != MPI_COMM_NULL) {
        multiply(grid, side);
        MPI_Comm_free(&grid);
    }
    return finish("matmul");
}
