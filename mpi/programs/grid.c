/*
 * Ranks on a square grid, row by row, exchange messages with their four neighbours: the
 * communication of NAS BT.
 *
 *   grid [BYTES [ROUNDS]]
 */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { SIDES = 4 };

int main(int argc, char **argv)
{
    int bytes = argc > 1 ? atoi(argv[1]) : 10000, rounds = argc > 2 ? atoi(argv[2]) : 5, size, rank;
    char *out = calloc((size_t)bytes + 1, 1), *in = calloc(SIDES * (size_t)bytes + 1, 1);
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int side = (int)(sqrt(size) + 0.5), row = rank / side, column = rank % side;
    if (side * side != size) {
        if (rank == 0)
            fprintf(stderr, "grid: %d ranks are not a square\n", size);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    int neighbour[SIDES] = {
        row * side + (column + side - 1) % side, row * side + (column + 1) % side,
        (row + side - 1) % side * side + column, (row + 1) % side * side + column};
    MPI_Barrier(MPI_COMM_WORLD);
    double start = MPI_Wtime(), slowest;
    for (int i = 0; i < rounds; i++) {
        MPI_Request request[2 * SIDES];
        for (int k = 0; k < SIDES; k++)
            MPI_Irecv(in + (size_t)k * (size_t)bytes, bytes, MPI_BYTE, neighbour[k], k ^ 1,
                      MPI_COMM_WORLD, &request[k]);
        for (int k = 0; k < SIDES; k++)
            MPI_Isend(out, bytes, MPI_BYTE, neighbour[k], k, MPI_COMM_WORLD, &request[SIDES + k]);
        MPI_Waitall(2 * SIDES, request, MPI_STATUSES_IGNORE);
    }
    double time = (MPI_Wtime() - start) / rounds;
    MPI_Reduce(&time, &slowest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        printf("%d ranks, %d bytes to each of four: %.3f us\n", size, bytes, 1e6 * slowest);
        MPIX_Figure("exchange_us", 1e6 * slowest);
        MPIX_Figure("exchange_mb_per_s", 1e-6 * SIDES * bytes / slowest);
    }
    MPI_Finalize();
    free(in);
    free(out);
    return 0;
}
