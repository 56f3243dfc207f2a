/* Neighbourhood operations on a grid: order of neighbours, and borders that are left alone. */
#include "check.h"

enum { GUARD = -5 };

static int neighbours[4]; /* lower and upper one of each dimension */

static MPI_Comm create(int periodic)
{
    int dims[2] = {0, 0}, periods[2] = {periodic, periodic};
    MPI_Comm grid;
    MPI_Dims_create(size, 2, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
    MPI_Cart_shift(grid, 0, 1, &neighbours[0], &neighbours[1]);
    MPI_Cart_shift(grid, 1, 1, &neighbours[2], &neighbours[3]);
    return grid;
}

static void allgathers(MPI_Comm grid)
{
    int in[4] = {GUARD, GUARD, GUARD, GUARD}, counts[4] = {1, 1, 1, 1}, places[4] = {3, 2, 1, 0};
    MPI_Neighbor_allgather(&rank, 1, MPI_INT, in, 1, MPI_INT, grid);
    for (int i = 0; i < 4; i++)
        expect("allgather", neighbours[i] == MPI_PROC_NULL ? GUARD : neighbours[i], in[i]);
    for (int i = 0; i < 4; i++)
        in[i] = GUARD;
    MPI_Neighbor_allgatherv(&rank, 1, MPI_INT, in, counts, places, MPI_INT, grid);
    for (int i = 0; i < 4; i++)
        expect("allgatherv", neighbours[i] == MPI_PROC_NULL ? GUARD : neighbours[i], in[places[i]]);
}

/* What I send to my lower neighbour arrives there as the part of its upper one. */
static int part(int from, int direction)
{
    return 10 * from + direction;
}

static void alltoalls(MPI_Comm grid)
{
    int out[8], in[8], counts[4] = {2, 1, 2, 1}, places[4] = {0, 2, 4, 6};
    int in_counts[4] = {1, 2, 1, 2};
    for (int i = 0; i < 8; i++) {
        out[i] = part(rank, i / 2);
        in[i] = GUARD;
    }
    MPI_Neighbor_alltoall(out, 2, MPI_INT, in, 2, MPI_INT, grid);
    for (int i = 0; i < 8; i++) {
        int from = neighbours[i / 2];
        expect("alltoall", from == MPI_PROC_NULL ? GUARD : part(from, i / 2 ^ 1), in[i]);
        in[i] = GUARD;
    }
    MPI_Neighbor_alltoallv(out, counts, places, MPI_INT, in, in_counts, places, MPI_INT, grid);
    for (int i = 0; i < 8; i++) {
        int from = neighbours[i / 2], used = i % 2 < in_counts[i / 2];
        int right = from == MPI_PROC_NULL || !used ? GUARD : part(from, i / 2 ^ 1);
        expect("alltoallv", right, in[i]);
    }
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    for (int periodic = 0; periodic < 2; periodic++) {
        MPI_Comm grid = create(periodic);
        allgathers(grid);
        alltoalls(grid);
        MPI_Comm_free(&grid);
    }
    return finish("neighbor_cart");
}
