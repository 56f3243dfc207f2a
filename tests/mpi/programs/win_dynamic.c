/* Memory that is attached to a window later; addresses take the place of displacements. */
#include "check.h"

int main(int argc, char **argv)
{
    int data[8], next, before;
    double other[4] = {0};
    begin(&argc, &argv);
    next = (rank + 1) % size, before = (rank + size - 1) % size;
    MPI_Aint mine[2], *all = allocate((size_t)(2 * size) * sizeof(*all));
    MPI_Win win;
    MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    memset(data, 0, sizeof(data));
    MPI_Win_attach(win, data, sizeof(data));
    MPI_Win_attach(win, other, sizeof(other));
    MPI_Get_address(data, &mine[0]);
    MPI_Get_address(other, &mine[1]);
    MPI_Allgather(mine, 2, MPI_AINT, all, 2, MPI_AINT, MPI_COMM_WORLD);
    MPI_Win_lock_all(0, win);
    for (int i = 0; i < 8; i++) {
        int value = pattern(rank, i);
        MPI_Put(&value, 1, MPI_INT, next, MPI_Aint_add(all[2 * next], i * (MPI_Aint)sizeof(int)), 1,
                MPI_INT, win);
    }
    for (int i = 0; i < size; i++) {
        double one = 1;
        MPI_Accumulate(&one, 1, MPI_DOUBLE, i, all[2 * i + 1] + 8, 1, MPI_DOUBLE, MPI_SUM, win);
    }
    MPI_Win_unlock_all(win);
    MPI_Barrier(MPI_COMM_WORLD);
    expect_pattern("attached", data, 8, before);
    expect_real("accumulated", size, other[1]);
    expect_real("not touched", 0, other[0] + other[2] + other[3]);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_detach(win, data);
    MPI_Win_detach(win, other);
    MPI_Win_free(&win);
    free(all);
    return finish("win_dynamic");
}
