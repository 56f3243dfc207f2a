/* Locks, flushes and atomic operations: counters that all ranks change. */
#include "check.h"

enum { ROUNDS = 5 };

/* Read, change, write under an exclusive lock: nothing is lost. */
static void exclusive(void)
{
    long counter = 0;
    MPI_Win win;
    MPI_Win_create(&counter, sizeof(counter), sizeof(counter), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    for (int i = 0; i < ROUNDS; i++) {
        long value = -1;
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
        MPI_Get(&value, 1, MPI_LONG, 0, 0, 1, MPI_LONG, win);
        MPI_Win_flush(0, win);
        value++;
        MPI_Put(&value, 1, MPI_LONG, 0, 0, 1, MPI_LONG, win);
        MPI_Win_unlock(0, win);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, win);
    if (rank == 0)
        expect("exclusive counter", (long long)size * ROUNDS, counter);
    MPI_Win_unlock(rank, win);
    MPI_Win_free(&win);
}

/* Tickets of fetch-and-add are all different, and no one is missing. */
static void tickets(void)
{
    long *base, *taken = allocate((size_t)(size * ROUNDS) * sizeof(long));
    MPI_Win win;
    MPI_Win_allocate(rank ? 0 : sizeof(long), sizeof(long), MPI_INFO_NULL, MPI_COMM_WORLD, &base,
                     &win);
    if (rank == 0)
        *base = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(0, win);
    for (int i = 0; i < ROUNDS; i++) {
        long one = 1, ticket = -1;
        MPI_Fetch_and_op(&one, &ticket, MPI_LONG, 0, 0, MPI_SUM, win);
        MPI_Win_flush(0, win);
        if (ticket >= 0 && ticket < size * ROUNDS)
            taken[ticket] = 1;
        else
            expect("ticket in range", 0, ticket);
    }
    MPI_Win_unlock_all(win);
    MPI_Allreduce(MPI_IN_PLACE, taken, size * ROUNDS, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    for (int i = 0; i < size * ROUNDS; i++)
        expect("a ticket is taken once", 1, taken[i]);
    MPI_Win_free(&win);
    free(taken);
}

/* The same by compare-and-swap; reads by MPI_NO_OP. */
static void swaps(void)
{
    int *base, tries = 0;
    MPI_Win win;
    MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
    *base = 100;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(0, win);
    for (int done = 0; !done; tries++) {
        int old = -1, next, seen = -1;
        MPI_Fetch_and_op(NULL, &old, MPI_INT, size - 1, 0, MPI_NO_OP, win);
        MPI_Win_flush_local(size - 1, win);
        MPI_Win_flush(size - 1, win);
        next = old + 1;
        MPI_Compare_and_swap(&next, &old, &seen, MPI_INT, size - 1, 0, win);
        MPI_Win_flush_all(win);
        done = seen == old;
    }
    MPI_Win_unlock_all(win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == size - 1)
        expect("swapped counter", 100 + size, *base);
    expect("tries", 1, tries >= 1);
    MPI_Win_free(&win);
}

/* Shared locks of several targets at a time. */
static void shared(void)
{
    int window = pattern(rank, 1), got[2] = {0, 0};
    int next = (rank + 1) % size, second = (rank + 2) % size;
    MPI_Win win;
    MPI_Win_create(&window, sizeof(window), 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_lock(MPI_LOCK_SHARED, next, 0, win);
    if (second != next)
        MPI_Win_lock(MPI_LOCK_SHARED, second, MPI_MODE_NOCHECK, win);
    MPI_Get(&got[0], 1, MPI_INT, next, 0, 1, MPI_INT, win);
    MPI_Get(&got[1], 1, MPI_INT, second, 0, 1, MPI_INT, win);
    if (second != next)
        MPI_Win_unlock(second, win);
    MPI_Win_unlock(next, win);
    expect("next", pattern(next, 1), got[0]);
    expect("second", pattern(second, 1), got[1]);
    MPI_Win_free(&win);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    exclusive();
    tickets();
    swaps();
    shared();
    return finish("win_lock");
}
