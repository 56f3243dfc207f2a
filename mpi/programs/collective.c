/*
 * The time of a collective operation of all ranks, and the rate of its data.
 *
 *   collective barrier|broadcast|allreduce|alltoall|pairs [BYTES [ROUNDS]]     BYTES: of each rank,
 * to each other one for alltoall
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* An all-to-all by hand: a message to each other rank, one after the other. */
static void exchange_pairs(int bytes, void *out, void *in)
{
    int size, rank;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 1; i < size; i++)
        MPI_Sendrecv(out, bytes, MPI_BYTE, (rank + i) % size, 0, in, bytes, MPI_BYTE,
                     (rank + size - i) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void perform(const char *what, int bytes, void *out, void *in)
{
    if (strcmp(what, "broadcast") == 0)
        MPI_Bcast(out, bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
    else if (strcmp(what, "allreduce") == 0)
        MPI_Allreduce(out, in, bytes / 8, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    else if (strcmp(what, "alltoall") == 0)
        MPI_Alltoall(out, bytes, MPI_BYTE, in, bytes, MPI_BYTE, MPI_COMM_WORLD);
    else if (strcmp(what, "pairs") == 0)
        exchange_pairs(bytes, out, in);
    else
        MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "barrier";
    int bytes = argc > 2 ? atoi(argv[2]) : 0, rounds = argc > 3 ? atoi(argv[3]) : 10, size, rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int blocks = strcmp(what, "alltoall") == 0 ? size : 1;
    size_t all = (size_t)bytes * (size_t)blocks;
    void *out = calloc(all + 1, 1), *in = calloc(all + 1, 1);
    MPI_Barrier(MPI_COMM_WORLD);
    double start = MPI_Wtime(), slowest;
    for (int i = 0; i < rounds; i++)
        perform(what, bytes, out, in);
    double time = (MPI_Wtime() - start) / rounds;
    MPI_Reduce(&time, &slowest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        printf("%s of %d bytes, %d ranks: %.3f us, %.2f MB/s\n", what, bytes, size, 1e6 * slowest,
               1e-6 * (double)all / slowest);
        MPIX_Figure("operation_us", 1e6 * slowest);
        MPIX_Figure("operation_mb_per_s", 1e-6 * (double)all / slowest);
    }
    MPI_Finalize();
    free(in);
    free(out);
    return 0;
}
