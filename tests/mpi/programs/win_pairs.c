/* Accumulates of pairs with a gap between them, and of all operations on integers. */
#include "check.h"

static void largest(void)
{
    struct pair {
        double value;
        int place;
    } best[3], mine[3];
    MPI_Win win;
    for (int i = 0; i < 3; i++) {
        best[i] = (struct pair){.value = -1, .place = -1};
        mine[i] = (struct pair){.value = (rank + i) % size, .place = rank};
    }
    MPI_Win_create(best, sizeof(best), sizeof(best[0]), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
    MPI_Accumulate(mine, 3, MPI_DOUBLE_INT, 0, 0, 3, MPI_DOUBLE_INT, MPI_MAXLOC, win);
    MPI_Win_fence(0, win);
    for (int i = 0; i < 3 && rank == 0; i++) {
        expect_real("largest", size - 1, best[i].value);
        expect("its place", size - 1, (best[i].place + i) % size);
    }
    MPI_Win_free(&win);
}

static void operations(void)
{
    const MPI_Op op[] = {MPI_SUM, MPI_PROD, MPI_MIN, MPI_MAX,  MPI_BAND,
                         MPI_BOR, MPI_BXOR, MPI_LOR, MPI_LAND, MPI_LXOR};
    enum { OPS = sizeof(op) / sizeof(op[0]) };
    int window[OPS], value = rank % 3 + 1, reduced;
    MPI_Win win;
    MPI_Win_create(window, sizeof(window), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    for (int i = 0; i < OPS; i++)
        window[i] = 1; /* as rank 0 would add it */
    MPI_Win_fence(0, win);
    for (int i = 0; i < OPS && rank; i++)
        MPI_Accumulate(&value, 1, MPI_INT, 0, i, 1, MPI_INT, op[i], win);
    MPI_Win_fence(0, win);
    for (int i = 0; i < OPS; i++) {
        MPI_Reduce(&value, &reduced, 1, MPI_INT, op[i], 0, MPI_COMM_WORLD);
        if (rank == 0 && size > 1)
            expect("accumulated", reduced, window[i]);
    }
    MPI_Win_free(&win);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    largest();
    operations();
    return finish("win_pairs");
}
