/* Accesses with requests, and accumulates that keep their order, however long they are. */
#include "check.h"

enum { COUNT = 3000 };

static void with_requests(void)
{
    int *window = allocate(COUNT * sizeof(int)), *data = allocate(COUNT * sizeof(int));
    int *old = allocate(COUNT * sizeof(int)), next = (rank + 1) % size,
        before = (rank + size - 1) % size;
    MPI_Request request[2], nobody;
    MPI_Win win;
    MPI_Win_create(window, COUNT * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    fill(data, COUNT, rank);
    MPI_Win_lock_all(0, win);
    MPI_Rput(data, COUNT, MPI_INT, next, 0, COUNT, MPI_INT, win, &request[0]);
    MPI_Rput(data, 1, MPI_INT, MPI_PROC_NULL, 0, 1, MPI_INT, win, &nobody);
    MPI_Wait(&nobody, MPI_STATUS_IGNORE);
    MPI_Wait(&request[0], MPI_STATUS_IGNORE);
    expect("over", 1, request[0] == MPI_REQUEST_NULL);
    MPI_Win_flush_all(win);
    MPI_Barrier(MPI_COMM_WORLD);
    expect_pattern("put with a request", window, COUNT, before);
    MPI_Barrier(MPI_COMM_WORLD);
    memset(data, 0, COUNT * sizeof(int));
    MPI_Rget(data, COUNT, MPI_INT, next, 0, COUNT, MPI_INT, win, &request[0]);
    MPI_Wait(&request[0], MPI_STATUS_IGNORE);
    expect_pattern("got with a request", data, COUNT, rank);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < COUNT; i++)
        data[i] = 1;
    MPI_Raccumulate(data, COUNT, MPI_INT, next, 0, COUNT, MPI_INT, MPI_SUM, win, &request[0]);
    MPI_Rget_accumulate(data, COUNT, MPI_INT, old, COUNT, MPI_INT, next, 0, COUNT, MPI_INT, MPI_SUM,
                        win, &request[1]);
    for (int flag = 0; !flag;)
        MPI_Testall(2, request, &flag, MPI_STATUSES_IGNORE);
    for (int i = 0; i < COUNT; i++)
        expect("old value", pattern(rank, i) + 1, old[i]);
    MPI_Win_unlock_all(win);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < COUNT; i++)
        expect("sum", pattern(before, i) + 2, window[i]);
    MPI_Win_free(&win);
    free(old);
    free(data);
    free(window);
}

/* A long one and a short one behind it: the last one stays. */
static void in_order(void)
{
    int *window = allocate(COUNT * sizeof(int)), *data = allocate(COUNT * sizeof(int));
    int next = (rank + 1) % size, old = -1;
    MPI_Win win;
    MPI_Win_create(window, COUNT * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
    for (int i = 1; i <= 10; i++) {
        int last = COUNT - 1;
        for (int k = 0; k < COUNT; k++)
            data[k] = 2 * i;
        MPI_Accumulate(data, COUNT, MPI_INT, next, 0, COUNT, MPI_INT, MPI_REPLACE, win);
        data[0] = 2 * i + 1;
        MPI_Accumulate(data, 1, MPI_INT, next, last, 1, MPI_INT, MPI_REPLACE, win);
    }
    MPI_Fetch_and_op(&old, &old, MPI_INT, next, COUNT - 1, MPI_NO_OP, win);
    MPI_Win_fence(0, win);
    expect("first", 20, window[0]);
    expect("last", 21, window[COUNT - 1]);
    expect("fetched", 21, old);
    MPI_Win_free(&win);
    free(data);
    free(window);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    with_requests();
    in_order();
    return finish("win_requests");
}
