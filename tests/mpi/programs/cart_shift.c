/* Cart_shift: by any distance, over borders and around, with data that goes along. */
#include "check.h"

static int dims[2], periods[2] = {1, 0}, coords[2];

/* The process `distance` away in a dimension, or MPI_PROC_NULL. */
static int at(int dimension, int distance)
{
    int there[2] = {coords[0], coords[1]};
    there[dimension] += distance;
    if (periods[dimension])
        there[dimension] = (there[dimension] % dims[dimension] + dims[dimension]) % dims[dimension];
    if (there[dimension] < 0 || there[dimension] >= dims[dimension])
        return MPI_PROC_NULL;
    return there[0] * dims[1] + there[1];
}

static void shift(MPI_Comm grid, int dimension, int distance)
{
    int source, dest, in = -1;
    MPI_Cart_shift(grid, dimension, distance, &source, &dest);
    expect("source", at(dimension, -distance), source);
    expect("destination", at(dimension, distance), dest);
    MPI_Sendrecv(&rank, 1, MPI_INT, dest, 0, &in, 1, MPI_INT, source, 0, grid, MPI_STATUS_IGNORE);
    expect("data", source == MPI_PROC_NULL ? -1 : source, in);
}

int main(int argc, char **argv)
{
    MPI_Comm grid;
    begin(&argc, &argv);
    MPI_Dims_create(size, 2, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
    MPI_Cart_coords(grid, rank, 2, coords);
    for (int distance = -3; distance <= 3; distance++) {
        shift(grid, 0, distance);
        if (distance != 0)
            shift(grid, 1, distance);
    }
    MPI_Comm_free(&grid);
    return finish("cart_shift");
}
