/* Cart_sub: the rows, columns and planes of a grid, which are grids again. */
#include "check.h"

static void check(MPI_Comm grid, const int *dims, const int *coords, const int *remain)
{
    int ndims, got_dims[3], periods[3], got_coords[3], count, expected = 1, kept = 0;
    MPI_Comm part;
    MPI_Cart_sub(grid, remain, &part);
    MPI_Comm_size(part, &count);
    for (int d = 0; d < 3; d++)
        expected *= remain[d] ? dims[d] : 1;
    expect("size", expected, count);
    MPI_Cartdim_get(part, &ndims);
    MPI_Cart_get(part, 3, got_dims, periods, got_coords);
    for (int d = 0; d < 3; d++) {
        if (!remain[d])
            continue;
        expect("extent", dims[d], got_dims[kept]);
        expect("period", d == 1, periods[kept]);
        expect("coordinate", coords[d], got_coords[kept]);
        kept++;
    }
    expect("dimensions", kept, ndims);
    /* All members have the same coordinates in the dimensions that were dropped. */
    for (int d = 0; d < 3; d++) {
        int least, most;
        MPI_Allreduce(&coords[d], &least, 1, MPI_INT, MPI_MIN, part);
        MPI_Allreduce(&coords[d], &most, 1, MPI_INT, MPI_MAX, part);
        expect("spread", remain[d] ? dims[d] - 1 : 0, most - least);
    }
    MPI_Comm_free(&part);
}

int main(int argc, char **argv)
{
    int dims[3] = {0}, periods[3] = {0, 1, 0}, coords[3];
    MPI_Comm grid;
    begin(&argc, &argv);
    MPI_Dims_create(size, 3, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 3, dims, periods, 0, &grid);
    MPI_Cart_coords(grid, rank, 3, coords);
    for (int mask = 1; mask < 8; mask++) {
        int remain[3] = {mask & 1, mask >> 1 & 1, mask >> 2 & 1};
        check(grid, dims, coords, remain);
    }
    MPI_Comm_free(&grid);
    return finish("cart_sub");
}
