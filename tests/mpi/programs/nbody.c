/* Forces between all particles: their positions travel around a ring of persistent requests. */
#include "check.h"

enum { COUNT = 5 };

/* Integers, so that the order of the sums does not matter. */
static long position(int who, int i)
{
    return pattern(who, i) % 1000;
}

static long force(long a, long b)
{
    long distance = b - a;
    return distance > 0 ? 1000 - distance : distance < 0 ? -1000 - distance : 0;
}

int main(int argc, char **argv)
{
    long mine[COUNT], forces[COUNT] = {0}, travelling[COUNT], arriving[COUNT];
    MPI_Request requests[2];
    begin(&argc, &argv);
    int next = (rank + 1) % size, last = (rank + size - 1) % size;
    MPI_Send_init(travelling, COUNT, MPI_LONG, next, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Recv_init(arriving, COUNT, MPI_LONG, last, 0, MPI_COMM_WORLD, &requests[1]);
    for (int i = 0; i < COUNT; i++)
        mine[i] = travelling[i] = position(rank, i);
    for (int step = 0; step < size; step++) {
        MPI_Startall(2, requests);
        for (int i = 0; i < COUNT; i++)
            for (int j = 0; j < COUNT; j++)
                forces[i] += force(mine[i], travelling[j]);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        memcpy(travelling, arriving, sizeof(travelling));
    }
    MPI_Request_free(&requests[0]);
    MPI_Request_free(&requests[1]);
    for (int i = 0; i < COUNT; i++) {
        long right = 0;
        for (int other = 0; other < COUNT * size; other++)
            right += force(mine[i], position(other / COUNT, other % COUNT));
        expect("force", right, forces[i]);
        expect("home again", mine[i], travelling[i]);
    }
    long sum = 0, total;
    for (int i = 0; i < COUNT; i++)
        sum += forces[i];
    MPI_Allreduce(&sum, &total, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    expect("forces cancel", 0, total);
    return finish("nbody");
}
