/* Halo exchange on a periodic box with subarray types: a smooth wave decays as it must. */
#include "check.h"

enum { SIDE = 4, WIDTH = SIDE + 2, STEPS = 6 };

typedef double box[WIDTH][WIDTH][WIDTH];

static const double pi = 3.14159265358979323846;

static int dims[3], coords[3], lower[3], upper[3];
static MPI_Datatype faces[3][4]; /* of a dimension: first and last inside, then of the halo */

static void create_faces(void)
{
    static const int places[4] = {1, SIDE, 0, SIDE + 1};
    int sizes[3] = {WIDTH, WIDTH, WIDTH};
    for (int d = 0; d < 3; d++)
        for (int which = 0; which < 4; which++) {
            int lengths[3] = {SIDE, SIDE, SIDE}, from[3] = {1, 1, 1};
            lengths[d] = 1;
            from[d] = places[which];
            MPI_Type_create_subarray(3, sizes, lengths, from, MPI_ORDER_C, MPI_DOUBLE,
                                     &faces[d][which]);
            MPI_Type_commit(&faces[d][which]);
        }
}

static void exchange(MPI_Comm grid, box u)
{
    for (int d = 0; d < 3; d++) {
        MPI_Sendrecv(u, 1, faces[d][0], lower[d], 0, u, 1, faces[d][3], upper[d], 0, grid,
                     MPI_STATUS_IGNORE);
        MPI_Sendrecv(u, 1, faces[d][1], upper[d], 1, u, 1, faces[d][2], lower[d], 1, grid,
                     MPI_STATUS_IGNORE);
    }
}

/* One wave in each dimension: the mean of neighbours multiplies each by the same factor. */
static double wave(int d, int place)
{
    return cos(2 * pi * (coords[d] * SIDE + place - 1) / (dims[d] * SIDE));
}

static double factor(int d)
{
    return cos(2 * pi / (dims[d] * SIDE));
}

static void sweep(box to, box from)
{
    for (int i = 1; i <= SIDE; i++)
        for (int j = 1; j <= SIDE; j++)
            for (int k = 1; k <= SIDE; k++)
                to[i][j][k] = (from[i - 1][j][k] + from[i + 1][j][k] + from[i][j - 1][k] +
                               from[i][j + 1][k] + from[i][j][k - 1] + from[i][j][k + 1]) /
                              6;
}

/* The sum of three waves, each lower after every step. */
static double solution(int steps, int i, int j, int k)
{
    double value = 0;
    int at[3] = {i, j, k};
    for (int d = 0; d < 3; d++)
        value += pow((2 + factor(d)) / 3, steps) * wave(d, at[d]);
    return value;
}

static void each_cell(box u, int steps, int check)
{
    for (int i = 1; i <= SIDE; i++)
        for (int j = 1; j <= SIDE; j++)
            for (int k = 1; k <= SIDE; k++) {
                if (check)
                    expect_real("cell", solution(steps, i, j, k), u[i][j][k]);
                else
                    u[i][j][k] = solution(steps, i, j, k);
            }
}

int main(int argc, char **argv)
{
    static box u, next;
    int periods[3] = {1, 1, 1};
    MPI_Comm grid;
    begin(&argc, &argv);
    MPI_Dims_create(size, 3, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 3, dims, periods, 0, &grid);
    MPI_Cart_coords(grid, rank, 3, coords);
    for (int d = 0; d < 3; d++)
        MPI_Cart_shift(grid, d, 1, &lower[d], &upper[d]);
    create_faces();
    each_cell(u, 0, 0);
    for (int step = 0; step < STEPS; step++) {
        exchange(grid, u);
        sweep(next, u);
        memcpy(u, next, sizeof(box));
    }
    each_cell(u, STEPS, 1);
    for (int i = 0; i < 12; i++)
        MPI_Type_free(&faces[i / 4][i % 4]);
    MPI_Comm_free(&grid);
    return finish("jacobi3d");
}
