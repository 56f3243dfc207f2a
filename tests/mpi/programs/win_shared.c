/* Ranks of a node see one memory: each writes its own part, and reads all. */
#include "check.h"

int main(int argc, char **argv)
{
    MPI_Comm node;
    MPI_Win win;
    MPI_Aint bytes;
    int here, ranks, unit, *mine, *theirs;
    begin(&argc, &argv);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &node);
    MPI_Comm_rank(node, &here);
    MPI_Comm_size(node, &ranks);
    MPI_Win_allocate_shared((here + 1) * (MPI_Aint)sizeof(int), sizeof(int), MPI_INFO_NULL, node,
                            &mine, &win);
    MPI_Win_lock_all(MPI_MODE_NOCHECK, win);
    fill(mine, here + 1, here);
    MPI_Win_sync(win);
    MPI_Barrier(node);
    MPI_Win_sync(win);
    for (int i = 0; i < ranks; i++) {
        MPI_Win_shared_query(win, i, &bytes, &unit, &theirs);
        expect("size", (i + 1) * (long long)sizeof(int), bytes);
        expect("unit", sizeof(int), unit);
        expect_pattern("shared", theirs, i + 1, i);
    }
    MPI_Win_shared_query(win, MPI_PROC_NULL, &bytes, &unit, &theirs);
    expect_pattern("first", theirs, 1, 0);
    MPI_Win_unlock_all(win);
    MPI_Barrier(node);
    MPI_Win_fence(0, win); /* and by calls */
    int value = pattern(here, 77);
    MPI_Put(&value, 1, MPI_INT, (here + 1) % ranks, 0, 1, MPI_INT, win);
    MPI_Win_fence(0, win);
    expect("put", pattern((here + ranks - 1) % ranks, 77), mine[0]);
    MPI_Win_free(&win);
    MPI_Comm_free(&node);
    return finish("win_shared");
}
