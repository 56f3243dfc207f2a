/* A pipeline: items pass through all processes, each of which changes them, several under way. */
#include "check.h"

enum { ITEMS = 40, LENGTH = 16, SLOTS = 3 };

static unsigned change(unsigned value, int stage)
{
    return value * 1664525u + 1013904223u + (unsigned)stage;
}

int main(int argc, char **argv)
{
    unsigned item[LENGTH], slots[SLOTS][LENGTH], sum = 0;
    MPI_Request requests[SLOTS];
    begin(&argc, &argv);
    int from = rank > 0 ? rank - 1 : MPI_PROC_NULL, to = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
    for (int i = 0; i < SLOTS; i++)
        requests[i] = MPI_REQUEST_NULL;
    for (int n = 0; n < ITEMS; n++) {
        for (int i = 0; i < LENGTH; i++)
            item[i] = (unsigned)(n * LENGTH + i);
        MPI_Recv(item, LENGTH, MPI_UNSIGNED, from, n, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Wait(&requests[n % SLOTS], MPI_STATUS_IGNORE);
        for (int i = 0; i < LENGTH; i++) {
            unsigned right = (unsigned)(n * LENGTH + i);
            for (int stage = 0; stage < rank; stage++)
                right = change(right, stage);
            expect("item", right, item[i]);
            slots[n % SLOTS][i] = change(item[i], rank);
            sum += slots[n % SLOTS][i] % 1000;
        }
        MPI_Isend(slots[n % SLOTS], LENGTH, MPI_UNSIGNED, to, n, MPI_COMM_WORLD,
                  &requests[n % SLOTS]);
    }
    MPI_Waitall(SLOTS, requests, MPI_STATUSES_IGNORE);
    MPI_Bcast(&sum, 1, MPI_UNSIGNED, size - 1, MPI_COMM_WORLD);
    if (rank == 0)
        printf("sum of what came out: %u\n", sum);
    return finish("pipeline");
}
