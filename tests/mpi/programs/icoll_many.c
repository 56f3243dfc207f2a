/* Many nonblocking collective operations under way at once on one communicator. */
#include "check.h"

enum { WAVES = 6, KINDS = 5, LONG = 3000 };

static int root_of[WAVES], value[WAVES], sum[WAVES], prefix[WAVES], *all[WAVES];
static int longer[WAVES][LONG];

/* All processes start the same operations in the same order. */
static void start(int wave, MPI_Request *requests)
{
    root_of[wave] = wave * 3 % size;
    value[wave] = rank == root_of[wave] ? 10 + wave : -1;
    for (int i = 0; i < LONG; i++)
        longer[wave][i] = rank + i + wave;
    MPI_Ibcast(&value[wave], 1, MPI_INT, root_of[wave], MPI_COMM_WORLD, &requests[0]);
    MPI_Iallreduce(&rank, &sum[wave], 1, MPI_INT, wave % 2 ? MPI_SUM : MPI_MAX, MPI_COMM_WORLD,
                   &requests[1]);
    MPI_Iallgather(&rank, 1, MPI_INT, all[wave], 1, MPI_INT, MPI_COMM_WORLD, &requests[2]);
    MPI_Iscan(&rank, &prefix[wave], 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &requests[3]);
    MPI_Iallreduce(MPI_IN_PLACE, longer[wave], wave < 2 ? LONG : 10, MPI_INT, MPI_SUM,
                   MPI_COMM_WORLD, &requests[4]);
}

static void check(int wave)
{
    int total = size * (size - 1) / 2;
    expect("broadcast", 10 + wave, value[wave]);
    expect("reduction", wave % 2 ? total : size - 1, sum[wave]);
    expect("scan", rank * (rank + 1) / 2, prefix[wave]);
    for (int i = 0; i < size; i++)
        expect("gathered", i, all[wave][i]);
    for (int i = 0; i < (wave < 2 ? LONG : 10); i++)
        expect("long reduction", total + size * (i + wave), longer[wave][i]);
}

int main(int argc, char **argv)
{
    MPI_Request requests[WAVES * KINDS];
    begin(&argc, &argv);
    for (int wave = 0; wave < WAVES; wave++) {
        all[wave] = allocate(size * sizeof(int));
        start(wave, &requests[wave * KINDS]);
    }
    /* Each process waits in an order of its own. */
    for (int i = 0; i < WAVES * KINDS; i++)
        MPI_Wait(&requests[(i * 7 + rank) % (WAVES * KINDS)], MPI_STATUS_IGNORE);
    for (int wave = 0; wave < WAVES; wave++) {
        check(wave);
        free(all[wave]);
    }
    return finish("icoll_many");
}
