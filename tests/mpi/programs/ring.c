/* A token goes around the ring several times; each process adds its rank. */
#include "check.h"

enum { LAPS = 3 };

int main(int argc, char **argv)
{
    long token = 0;
    begin(&argc, &argv);
    int next = (rank + 1) % size, last = (rank + size - 1) % size;
    for (int lap = 0; lap < LAPS && size > 1; lap++) {
        if (rank > 0 || lap > 0)
            MPI_Recv(&token, 1, MPI_LONG, last, lap, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        token += rank;
        long sum = (long)size * (size - 1) / 2;
        expect("token", lap * sum + (long)rank * (rank + 1) / 2, token);
        MPI_Send(&token, 1, MPI_LONG, next, rank == size - 1 ? lap + 1 : lap, MPI_COMM_WORLD);
    }
    if (rank == 0 && size > 1)
        MPI_Recv(&token, 1, MPI_LONG, last, LAPS, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 0) {
        expect("sum of all laps", (long)LAPS * size * (size - 1) / 2, token);
        printf("token: %ld\n", token);
    }
    return finish("ring");
}
