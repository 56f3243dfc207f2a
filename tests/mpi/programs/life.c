/* Game of life on a torus, rows spread over processes: a glider and an R-pentomino. */
#include "check.h"

enum { ROWS = 6, COLUMNS = 24, STEPS = 30 };

typedef unsigned char row[COLUMNS];

static int alive_at_start(int i, int j)
{
    static const int cells[10][2] = {{0, 1},  {1, 2},  {2, 0},  {2, 1},  {2, 2},
                                     {3, 15}, {3, 16}, {4, 14}, {4, 15}, {5, 15}};
    for (int k = 0; k < 10; k++)
        if (cells[k][0] == i && cells[k][1] == j)
            return 1;
    return 0;
}

/* One generation of rows 1 to count; those around them are the halo. */
static void generation(row *to, row *from, int count)
{
    for (int i = 1; i <= count; i++)
        for (int j = 0; j < COLUMNS; j++) {
            int around = -from[i][j];
            for (int k = 0; k < 9; k++)
                around += from[i + k / 3 - 1][(j + k % 3 - 1 + COLUMNS) % COLUMNS];
            to[i][j] = around == 3 || (around == 2 && from[i][j]);
        }
}

static void evolve(row *u, int count, int together)
{
    int up = (rank + size - 1) % size, down = (rank + 1) % size;
    row *next = allocate((count + 2) * sizeof(row));
    for (int step = 0; step < STEPS; step++) {
        if (together) {
            MPI_Sendrecv(u[1], COLUMNS, MPI_UNSIGNED_CHAR, up, 0, u[count + 1], COLUMNS,
                         MPI_UNSIGNED_CHAR, down, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Sendrecv(u[count], COLUMNS, MPI_UNSIGNED_CHAR, down, 1, u[0], COLUMNS,
                         MPI_UNSIGNED_CHAR, up, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        } else {
            memcpy(u[0], u[count], sizeof(row));
            memcpy(u[count + 1], u[1], sizeof(row));
        }
        generation(next, u, count);
        memcpy(u[1], next[1], count * sizeof(row));
    }
    free(next);
}

/* The same without messages, compared with what all processes have. */
static void verify(row *mine)
{
    row *all = allocate((ROWS * size + 2) * sizeof(row)),
        *got = allocate(ROWS * size * sizeof(row));
    int living = 0;
    MPI_Gather(mine[1], ROWS * COLUMNS, MPI_UNSIGNED_CHAR, got, ROWS * COLUMNS, MPI_UNSIGNED_CHAR,
               0, MPI_COMM_WORLD);
    for (int i = 0; i < ROWS * size * COLUMNS; i++)
        all[i / COLUMNS + 1][i % COLUMNS] = (unsigned char)alive_at_start(i / COLUMNS, i % COLUMNS);
    if (rank == 0)
        evolve(all, ROWS * size, 0);
    for (int i = 0; rank == 0 && i < ROWS * size * COLUMNS; i++) {
        expect("cell", all[i / COLUMNS + 1][i % COLUMNS], got[i / COLUMNS][i % COLUMNS]);
        living += got[i / COLUMNS][i % COLUMNS];
    }
    if (rank == 0)
        printf("alive: %d\n", living);
    free(all);
    free(got);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    row *mine = allocate((ROWS + 2) * sizeof(row));
    for (int i = 0; i < ROWS * COLUMNS; i++)
        mine[i / COLUMNS + 1][i % COLUMNS] =
            (unsigned char)alive_at_start(rank * ROWS + i / COLUMNS, i % COLUMNS);
    evolve(mine, ROWS, 1);
    verify(mine);
    free(mine);
    return finish("life");
}
