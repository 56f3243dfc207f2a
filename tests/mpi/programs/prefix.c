/* Parallel prefix by recursive doubling with messages, compared with Scan. */
#include "check.h"

enum { COUNT = 16 };

/* After step k a process has the sum over its 2^k nearest lower ranks and itself. */
static void doubling(const long *mine, long *prefix)
{
    long in[COUNT], out[COUNT];
    memcpy(prefix, mine, COUNT * sizeof(long));
    for (int distance = 1; distance < size; distance *= 2) {
        int from = rank >= distance ? rank - distance : MPI_PROC_NULL;
        int to = rank + distance < size ? rank + distance : MPI_PROC_NULL;
        memcpy(out, prefix, sizeof(out));
        MPI_Sendrecv(out, COUNT, MPI_LONG, to, distance, in, COUNT, MPI_LONG, from, distance,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int i = 0; from != MPI_PROC_NULL && i < COUNT; i++)
            prefix[i] += in[i];
    }
}

int main(int argc, char **argv)
{
    long mine[COUNT], prefix[COUNT], scanned[COUNT];
    begin(&argc, &argv);
    for (int i = 0; i < COUNT; i++)
        mine[i] = pattern(rank, i) % 1000;
    doubling(mine, prefix);
    MPI_Scan(mine, scanned, COUNT, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    for (int i = 0; i < COUNT; i++) {
        long right = 0;
        for (int who = 0; who <= rank; who++)
            right += pattern(who, i) % 1000;
        expect("doubling", right, prefix[i]);
        expect("scan", right, scanned[i]);
    }
    long last = prefix[0];
    MPI_Bcast(&last, 1, MPI_LONG, size - 1, MPI_COMM_WORLD);
    if (rank == 0)
        printf("sum: %ld\n", last);
    return finish("prefix");
}
