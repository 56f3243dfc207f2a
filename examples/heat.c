/*
 * Heat spreads over a square plate whose upper edge is hot: an MPI program as any other, for `weft
 * mpirun` and for a real machine.
 *
 *   weft mpicc -O2 heat.c -o heat
 *   weft mpirun -np 512 -m bluegene-l ./heat 100
 *
 * Ranks form a grid and hold a square of cells each, with a rim for the cells next to it. In every
 * step they exchange their edges with four neighbours, and every hundred steps they find out how
 * much still changes anywhere.
 */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CELLS = 32, SIDE = CELLS + 2, EVERY = 100 };

static double cell[SIDE][SIDE], next[SIDE][SIDE];

/* Sends the edges in one dimension, and receives those of the neighbours into the rim. */
static void exchange(MPI_Comm grid, int dimension, MPI_Datatype edge)
{
    int before, after;
    double *inner = &cell[1][1];
    int last = dimension == 0 ? (CELLS - 1) * SIDE : CELLS - 1;
    int rim = dimension == 0 ? SIDE : 1;
    MPI_Cart_shift(grid, dimension, 1, &before, &after);
    MPI_Sendrecv(inner, 1, edge, before, 0, inner + last + rim, 1, edge, after, 0, grid,
                 MPI_STATUS_IGNORE);
    MPI_Sendrecv(inner + last, 1, edge, after, 0, inner - rim, 1, edge, before, 0, grid,
                 MPI_STATUS_IGNORE);
}

/* Every cell becomes the mean of its neighbours; returns the largest change. */
static double step(void)
{
    double change = 0;
    for (int y = 1; y <= CELLS; y++)
        for (int x = 1; x <= CELLS; x++) {
            next[y][x] = (cell[y - 1][x] + cell[y + 1][x] + cell[y][x - 1] + cell[y][x + 1]) / 4;
            double difference = fabs(next[y][x] - cell[y][x]);
            change = difference > change ? difference : change;
        }
    for (int y = 1; y <= CELLS; y++)
        memcpy(&cell[y][1], &next[y][1], CELLS * sizeof(double));
    return change;
}

int main(int argc, char **argv)
{
    int ranks, rank, sides[2] = {0, 0}, open[2] = {0, 0}, place[2];
    double mine = 0, change = 0;
    MPI_Comm grid;
    MPI_Datatype row, column;
    MPI_Init(&argc, &argv);
    int steps = argc > 1 ? atoi(argv[1]) : 1000;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Dims_create(ranks, 2, sides);
    MPI_Cart_create(MPI_COMM_WORLD, 2, sides, open, 1, &grid);
    MPI_Comm_rank(grid, &rank);
    MPI_Cart_coords(grid, rank, 2, place);
    MPI_Type_contiguous(CELLS, MPI_DOUBLE, &row);
    MPI_Type_vector(CELLS, 1, SIDE, MPI_DOUBLE, &column);
    MPI_Type_commit(&row);
    MPI_Type_commit(&column);
    for (int x = 0; x < SIDE && place[0] == 0; x++)
        cell[0][x] = 1;
    double start = MPI_Wtime();
    for (int i = 1; i <= steps; i++) {
        exchange(grid, 0, row);
        exchange(grid, 1, column);
        mine = step();
        if (i % EVERY == 0 || i == steps)
            MPI_Allreduce(&mine, &change, 1, MPI_DOUBLE, MPI_MAX, grid);
    }
    if (rank == 0)
        printf("%d ranks as %d x %d, %d steps: the last changed %.3e; %.3f us per step\n", ranks,
               sides[0], sides[1], steps, change, 1e6 * (MPI_Wtime() - start) / steps);
    MPI_Type_free(&row);
    MPI_Type_free(&column);
    MPI_Comm_free(&grid);
    return MPI_Finalize();
}
