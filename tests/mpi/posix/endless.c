/* The last rank computes for ever, as the first word says, while the others wait. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static volatile int counter;

int main(int argc, char **argv)
{
    int rank, ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    while (rank == ranks - 1) {
        counter++;
        if (strcmp(argv[1], "memory") == 0)
            free(malloc(100 + (size_t)counter % 100));
    }
    return MPI_Finalize();
}
