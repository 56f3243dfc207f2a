/*
 * Every rank exchanges messages with its neighbours on a grid, over as many links as it is told,
 * several messages each way at a time.
 *
 *   exchange [BYTES [LINKS [ROUNDS [WINDOW]]]]
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { LINKS_MOST = 6 };

static void exchange(MPI_Comm grid, const int *neighbour, int links, int bytes, int window,
                     char *out, char *in)
{
    MPI_Request *request = malloc(2 * (size_t)(links * window) * sizeof(*request));
    int count = 0;
    for (int w = 0; w < window; w++)
        for (int i = 0; i < links; i++)
            MPI_Irecv(in + (size_t)i * (size_t)bytes, bytes, MPI_BYTE, neighbour[i], i, grid,
                      &request[count++]);
    for (int w = 0; w < window; w++)
        for (int i = 0; i < links; i++)
            MPI_Isend(out, bytes, MPI_BYTE, neighbour[i], i, grid, &request[count++]);
    MPI_Waitall(count, request, MPI_STATUSES_IGNORE);
    free(request);
}

int main(int argc, char **argv)
{
    int bytes = argc > 1 ? atoi(argv[1]) : 1000, links = argc > 2 ? atoi(argv[2]) : 6;
    int rounds = argc > 3 ? atoi(argv[3]) : 10, window = argc > 4 ? atoi(argv[4]) : 1;
    int size, rank, dims[3] = {0, 0, 0}, wraps[3] = {1, 1, 1}, at[3], neighbour[LINKS_MOST];
    char *out = calloc((size_t)bytes + 1, 1), *in = calloc(LINKS_MOST * (size_t)bytes + 1, 1);
    MPI_Comm grid;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Dims_create(size, 3, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 3, dims, wraps, 1, &grid);
    MPI_Comm_rank(grid, &rank);
    MPI_Cart_coords(grid, rank, 3, at);
    for (int i = 0; i < LINKS_MOST; i++) { /* both ends of a link give it the same number */
        int back, forth, odd = at[i / 2] % 2;
        MPI_Cart_shift(grid, i / 2, 1, &back, &forth);
        neighbour[i] = (i + odd) % 2 ? back : forth;
    }
    MPI_Barrier(grid);
    double start = MPI_Wtime();
    for (int i = 0; i < rounds; i++)
        exchange(grid, neighbour, links, bytes, window, out, in);
    double time = (MPI_Wtime() - start) / rounds, slowest;
    MPI_Reduce(&time, &slowest, 1, MPI_DOUBLE, MPI_MAX, 0, grid);
    if (rank == 0) {
        double both = 2e-6 * links * window * (double)bytes / slowest;
        printf("%d bytes over %d links: %.3f us, %.1f MB/s in and out of a node\n", bytes, links,
               1e6 * slowest, both);
        MPIX_Figure("exchange_us", 1e6 * slowest);
        MPIX_Figure("exchange_mb_per_s", both);
    }
    MPI_Finalize();
    free(in);
    free(out);
    return 0;
}
