/* Bitonic sort over a power of two of processes: each exchange keeps the lower or upper half. */
#include "check.h"

enum { COUNT = 32 };

static int compare(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

static void keep_half(MPI_Comm comm, int *data, int partner, int lower)
{
    int both[2 * COUNT];
    memcpy(both, data, COUNT * sizeof(int));
    MPI_Sendrecv(data, COUNT, MPI_INT, partner, 0, both + COUNT, COUNT, MPI_INT, partner, 0, comm,
                 MPI_STATUS_IGNORE);
    qsort(both, 2 * COUNT, sizeof(int), compare);
    memcpy(data, lower ? both : both + COUNT, COUNT * sizeof(int));
}

static void sort(MPI_Comm comm, int me, int used, int *data)
{
    qsort(data, COUNT, sizeof(int), compare);
    for (int length = 2; length <= used; length *= 2)
        for (int distance = length / 2; distance > 0; distance /= 2) {
            int partner = me ^ distance, upwards = (me & length) == 0;
            keep_half(comm, data, partner, (me < partner) == upwards);
        }
}

static void verify(MPI_Comm comm, int me, int used, const int *data, long before)
{
    int below = -1;
    long sum = 0, after;
    int right = me < used - 1 ? me + 1 : MPI_PROC_NULL, left = me > 0 ? me - 1 : MPI_PROC_NULL;
    MPI_Sendrecv(&data[COUNT - 1], 1, MPI_INT, right, 0, &below, 1, MPI_INT, left, 0, comm,
                 MPI_STATUS_IGNORE);
    expect("order between processes", 1, below <= data[0]);
    for (int i = 0; i < COUNT; i++) {
        expect("order", 1, i == 0 || data[i - 1] <= data[i]);
        sum += data[i];
    }
    MPI_Allreduce(&sum, &after, 1, MPI_LONG, MPI_SUM, comm);
    expect("sum", before, after);
    if (me == 0)
        printf("least: %d\n", data[0]);
}

int main(int argc, char **argv)
{
    int used = 1, data[COUNT];
    long sum = 0, before = 0;
    MPI_Comm comm;
    begin(&argc, &argv);
    while (2 * used <= size)
        used *= 2;
    MPI_Comm_split(MPI_COMM_WORLD, rank < used ? 0 : MPI_UNDEFINED, rank, &comm);
    for (int i = 0; i < COUNT; i++) {
        data[i] = pattern(rank, i) % 10000;
        sum += data[i];
    }
    if (comm != MPI_COMM_NULL) {
        MPI_Allreduce(&sum, &before, 1, MPI_LONG, MPI_SUM, comm);
        sort(comm, rank, used, data);
        verify(comm, rank, used, data, before);
        MPI_Comm_free(&comm);
    }
    return finish("bitonic_sort");
}
