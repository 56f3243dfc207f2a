/* Cartesian grids of one to four dimensions: coordinates and ranks, all ways to ask. */
#include "check.h"

enum { MOST = 4 };

static int rank_of(int ndims, const int *dims, const int *coords)
{
    int result = 0;
    for (int d = 0; d < ndims; d++)
        result = result * dims[d] + coords[d];
    return result;
}

static void ask(MPI_Comm grid, int ndims, const int *dims, const int *periods)
{
    int got, kind, me, got_dims[MOST], got_periods[MOST], coords[MOST], own[MOST];
    MPI_Topo_test(grid, &kind);
    expect("kind", MPI_CART, kind);
    MPI_Cartdim_get(grid, &got);
    expect("dimensions", ndims, got);
    MPI_Comm_rank(grid, &me);
    MPI_Cart_get(grid, ndims, got_dims, got_periods, own);
    for (int d = 0; d < ndims; d++) {
        expect("extent", dims[d], got_dims[d]);
        expect("period", periods[d], got_periods[d]);
    }
    expect("own coordinates", me, rank_of(ndims, dims, own));
    for (int i = 0; i < size; i++) {
        MPI_Cart_coords(grid, i, ndims, coords);
        expect("coordinates", i, rank_of(ndims, dims, coords));
        MPI_Cart_rank(grid, coords, &got);
        expect("rank", i, got);
    }
}

/* Coordinates outside a periodic dimension come in again on the other side. */
static void wrap(MPI_Comm grid, int ndims, const int *dims, const int *periods)
{
    int coords[MOST], got, me;
    MPI_Comm_rank(grid, &me);
    MPI_Cart_coords(grid, me, ndims, coords);
    for (int d = 0; d < ndims; d++)
        if (periods[d])
            coords[d] += d % 2 ? dims[d] : -2 * dims[d];
    MPI_Cart_rank(grid, coords, &got);
    expect("wrapped", me, got);
}

static void create(int ndims, int reorder)
{
    int dims[MOST] = {0}, periods[MOST] = {1, 0, 1, 1}, sum, me;
    MPI_Comm grid;
    MPI_Dims_create(size, ndims, dims);
    MPI_Cart_create(MPI_COMM_WORLD, ndims, dims, periods, reorder, &grid);
    ask(grid, ndims, dims, periods);
    wrap(grid, ndims, dims, periods);
    MPI_Comm_rank(grid, &me);
    if (!reorder)
        expect("same rank", rank, me);
    MPI_Allreduce(&me, &sum, 1, MPI_INT, MPI_SUM, grid);
    expect("every rank once", size * (size - 1) / 2, sum);
    MPI_Comm_free(&grid);
}

/* A grid that is smaller than the communicator leaves processes over. */
static void smaller(void)
{
    int dims[2] = {1, size > 1 ? size - 1 : 1}, periods[2] = {0, 0};
    MPI_Comm grid;
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
    expect("part of the grid", rank < dims[1], grid != MPI_COMM_NULL);
    if (grid != MPI_COMM_NULL)
        MPI_Comm_free(&grid);
}

int main(int argc, char **argv)
{
    int kind;
    begin(&argc, &argv);
    for (int ndims = 1; ndims <= MOST; ndims++) {
        create(ndims, 0);
        create(ndims, 1);
    }
    smaller();
    MPI_Topo_test(MPI_COMM_WORLD, &kind);
    expect("no topology", MPI_UNDEFINED, kind);
    return finish("cart");
}
