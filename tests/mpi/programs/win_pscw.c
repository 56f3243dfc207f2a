/* Post, start, complete, wait: each rank exposes to its neighbours and accesses them. */
#include "check.h"

static MPI_Group neighbours(void)
{
    MPI_Group all, some;
    int ranks[2] = {(rank + 1) % size, (rank + size - 1) % size};
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_incl(all, size > 2 ? 2 : 1, ranks, &some);
    MPI_Group_free(&all);
    return some;
}

static void exchange(int rounds)
{
    int window[2] = {-1, -1}, flag = 0;
    int next = (rank + 1) % size, before = (rank + size - 1) % size;
    MPI_Group group = neighbours();
    MPI_Win win;
    MPI_Win_create(window, sizeof(window), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    for (int i = 0; i < rounds; i++) {
        int value = pattern(rank, i);
        MPI_Win_post(group, 0, win);
        MPI_Win_start(group, 0, win);
        MPI_Put(&value, 1, MPI_INT, next, 0, 1, MPI_INT, win);
        MPI_Put(&value, 1, MPI_INT, before, 1, 1, MPI_INT, win);
        MPI_Win_complete(win);
        if (i % 2)
            MPI_Win_wait(win);
        else
            for (flag = 0; !flag;)
                MPI_Win_test(win, &flag);
        expect("from the one before", pattern(before, i), window[0]);
        expect("from the next one", pattern(next, i), window[1]);
    }
    MPI_Group_free(&group);
    MPI_Win_free(&win);
}

/* Only rank 0 exposes, and all others access. */
static void gather(void)
{
    int *window = allocate((size_t)size * sizeof(int)), value = pattern(rank, 5), root = 0;
    MPI_Group all, others, first;
    MPI_Win win;
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_incl(all, 1, &root, &first);
    MPI_Group_excl(all, 1, &root, &others);
    MPI_Win_create(window, rank ? 0 : size * (MPI_Aint)sizeof(int), sizeof(int), MPI_INFO_NULL,
                   MPI_COMM_WORLD, &win);
    if (rank == 0) {
        MPI_Win_post(others, 0, win);
        MPI_Win_wait(win);
        for (int i = 1; i < size; i++)
            expect("gathered", pattern(i, 5), window[i]);
    } else {
        MPI_Win_start(first, 0, win);
        MPI_Put(&value, 1, MPI_INT, 0, rank, 1, MPI_INT, win);
        MPI_Win_complete(win);
    }
    MPI_Win_free(&win);
    MPI_Group_free(&first);
    MPI_Group_free(&others);
    MPI_Group_free(&all);
    free(window);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    exchange(4);
    gather();
    return finish("win_pscw");
}
