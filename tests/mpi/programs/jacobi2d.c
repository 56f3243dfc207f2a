/* Jacobi iteration on a plane with halo exchange, compared cell by cell with one process. */
#include "check.h"

enum { SIDE = 8, STEPS = 20, WIDTH = SIDE + 2 };

typedef double block[WIDTH][WIDTH]; /* with a halo of one cell */

static int dims[2], coords[2], lower[2], upper[2];

/* Fixed at the border of the plane: a hot left edge. */
static double start(int row, int column)
{
    (void)row;
    return column == 0 ? 100 : 0;
}

static void exchange(MPI_Comm grid, MPI_Datatype column, block u)
{
    MPI_Request r[8];
    MPI_Irecv(&u[0][1], SIDE, MPI_DOUBLE, lower[0], 0, grid, &r[0]);
    MPI_Irecv(&u[SIDE + 1][1], SIDE, MPI_DOUBLE, upper[0], 1, grid, &r[1]);
    MPI_Irecv(&u[1][0], 1, column, lower[1], 2, grid, &r[2]);
    MPI_Irecv(&u[1][SIDE + 1], 1, column, upper[1], 3, grid, &r[3]);
    MPI_Isend(&u[SIDE][1], SIDE, MPI_DOUBLE, upper[0], 0, grid, &r[4]);
    MPI_Isend(&u[1][1], SIDE, MPI_DOUBLE, lower[0], 1, grid, &r[5]);
    MPI_Isend(&u[1][SIDE], 1, column, upper[1], 2, grid, &r[6]);
    MPI_Isend(&u[1][1], 1, column, lower[1], 3, grid, &r[7]);
    MPI_Waitall(8, r, MPI_STATUSES_IGNORE);
}

/* Cells at the border of a plane of `rows` by `columns` stay as they are. */
static void sweep(double *to, const double *from, int rows, int columns)
{
    for (int i = 1; i < rows - 1; i++)
        for (int j = 1; j < columns - 1; j++) {
            const double *c = from + i * columns + j;
            to[i * columns + j] = (c[-1] + c[1] + c[-columns] + c[columns]) / 4;
        }
}

static void alone(double *u, int rows, int columns)
{
    double *other = allocate(rows * columns * sizeof(double));
    for (int i = 0; i < rows * columns; i++)
        u[i] = other[i] = start(i / columns, i % columns);
    for (int step = 0; step < STEPS; step++) {
        sweep(other, u, rows, columns);
        memcpy(u, other, rows * columns * sizeof(double));
    }
    free(other);
}

static void verify(block u)
{
    int rows = dims[0] * SIDE + 2, columns = dims[1] * SIDE + 2;
    double *plane = allocate(rows * columns * sizeof(double)), sum = 0, total;
    alone(plane, rows, columns);
    for (int i = 1; i <= SIDE; i++)
        for (int j = 1; j <= SIDE; j++) {
            int cell = (coords[0] * SIDE + i) * columns + coords[1] * SIDE + j;
            expect_real("cell", plane[cell], u[i][j]);
            sum += u[i][j];
        }
    MPI_Reduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("heat: %.6f\n", total);
    free(plane);
}

int main(int argc, char **argv)
{
    static block u, next;
    int periods[2] = {0, 0};
    MPI_Comm grid;
    MPI_Datatype column;
    begin(&argc, &argv);
    MPI_Dims_create(size, 2, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
    MPI_Cart_coords(grid, rank, 2, coords);
    for (int d = 0; d < 2; d++)
        MPI_Cart_shift(grid, d, 1, &lower[d], &upper[d]);
    MPI_Type_vector(SIDE, 1, WIDTH, MPI_DOUBLE, &column);
    MPI_Type_commit(&column);
    for (int i = 0; i < WIDTH; i++)
        for (int j = 0; j < WIDTH; j++)
            u[i][j] = next[i][j] = start(coords[0] * SIDE + i, coords[1] * SIDE + j);
    for (int step = 0; step < STEPS; step++) {
        exchange(grid, column, u);
        sweep(next[0], u[0], WIDTH, WIDTH);
        for (int i = 1; i <= SIDE; i++)
            memcpy(&u[i][1], &next[i][1], SIDE * sizeof(double));
    }
    verify(u);
    MPI_Type_free(&column);
    MPI_Comm_free(&grid);
    return finish("jacobi2d");
}
