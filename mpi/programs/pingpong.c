/*
 * Half a round trip between rank 0 and another one.
 *
 *   pingpong [BYTES [PARTNER [ROUNDS]]]
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int bytes = argc > 1 ? atoi(argv[1]) : 1, partner = argc > 2 ? atoi(argv[2]) : 1;
    int rounds = argc > 3 ? atoi(argv[3]) : 100, rank;
    char *data = calloc((size_t)bytes + 1, 1);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Barrier(MPI_COMM_WORLD);
    double start = MPI_Wtime();
    for (int i = 0; i < rounds; i++) {
        if (rank == 0) {
            MPI_Send(data, bytes, MPI_BYTE, partner, 0, MPI_COMM_WORLD);
            MPI_Recv(data, bytes, MPI_BYTE, partner, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        } else if (rank == partner) {
            MPI_Recv(data, bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Send(data, bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
        }
    }
    double half = (MPI_Wtime() - start) / rounds / 2;
    if (rank == 0) {
        printf("%d bytes: %.3f us, %.2f MB/s\n", bytes, 1e6 * half, 1e-6 * bytes / half);
        MPIX_Figure("half_round_trip_us", 1e6 * half);
    }
    MPI_Finalize();
    free(data);
    return 0;
}
