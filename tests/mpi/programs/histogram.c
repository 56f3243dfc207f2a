/* A histogram: counted by each, summed up by Reduce_scatter_block, found again by Bcast. */
#include "check.h"

enum { VALUES = 500, PER_PROCESS = 4 };

static int bin_of(int who, int i, int bins)
{
    return pattern(who, i) % bins;
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    int bins = PER_PROCESS * size, mine[PER_PROCESS], right[PER_PROCESS] = {0};
    int *counts = allocate(bins * sizeof(int));
    for (int i = 0; i < VALUES; i++)
        counts[bin_of(rank, i, bins)]++;
    MPI_Reduce_scatter_block(counts, mine, PER_PROCESS, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    for (int who = 0; who < size; who++)
        for (int i = 0; i < VALUES; i++) {
            int bin = bin_of(who, i, bins);
            if (bin / PER_PROCESS == rank)
                right[bin % PER_PROCESS]++;
        }
    for (int i = 0; i < PER_PROCESS; i++)
        expect("count", right[i], mine[i]);
    struct {
        int count, bin;
    } best = {mine[0], rank * PER_PROCESS}, fullest;
    for (int i = 1; i < PER_PROCESS; i++)
        if (mine[i] > best.count) {
            best.count = mine[i];
            best.bin = rank * PER_PROCESS + i;
        }
    MPI_Allreduce(&best, &fullest, 1, MPI_2INT, MPI_MAXLOC, MPI_COMM_WORLD);
    int owner = fullest.bin / PER_PROCESS, check = mine[fullest.bin % PER_PROCESS];
    MPI_Bcast(&check, 1, MPI_INT, owner, MPI_COMM_WORLD);
    expect("fullest", fullest.count, check);
    if (rank == 0)
        printf("fullest: %d with %d\n", fullest.bin, fullest.count);
    free(counts);
    return finish("histogram");
}
