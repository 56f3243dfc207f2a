/* Sample sort: splitters from samples, Alltoallv, and a result that is sorted over all ranks. */
#include "check.h"

enum { COUNT = 200, SAMPLES = 8 };

static int compare(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

static void choose_splitters(const int *mine, int *splitters)
{
    int samples[SAMPLES], *all = allocate(SAMPLES * size * sizeof(int));
    for (int i = 0; i < SAMPLES; i++)
        samples[i] = mine[i * COUNT / SAMPLES];
    MPI_Allgather(samples, SAMPLES, MPI_INT, all, SAMPLES, MPI_INT, MPI_COMM_WORLD);
    qsort(all, SAMPLES * size, sizeof(int), compare);
    for (int i = 1; i < size; i++)
        splitters[i - 1] = all[i * SAMPLES];
    free(all);
}

/* How many of my sorted numbers go to each process. */
static void count_parts(const int *mine, const int *splitters, int *counts)
{
    int to = 0;
    for (int i = 0; i < COUNT; i++) {
        while (to < size - 1 && mine[i] >= splitters[to])
            to++;
        counts[to]++;
    }
}

static int *places_of(const int *counts, int *total)
{
    int *places = allocate(size * sizeof(int));
    *total = 0;
    for (int i = 0; i < size; i++) {
        places[i] = *total;
        *total += counts[i];
    }
    return places;
}

static void verify(const int *sorted, int count, long long sum_before)
{
    long long sum = 0, total = 0;
    int all, last = count ? sorted[count - 1] : -1, below = -1;
    for (int i = 0; i < count; i++) {
        expect("order", 1, i == 0 || sorted[i - 1] <= sorted[i]);
        sum += sorted[i];
    }
    MPI_Exscan(&last, &below, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    expect("order between processes", 1, rank == 0 || count == 0 || below <= sorted[0]);
    MPI_Allreduce(&sum, &total, 1, MPI_LONG_LONG, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(&count, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    expect("sum", sum_before, total);
    expect("count", COUNT * size, all);
    if (rank == 0)
        printf("sum of the numbers: %lld\n", total);
}

int main(int argc, char **argv)
{
    int mine[COUNT], total_out, total_in;
    long long sum = 0, sum_before;
    begin(&argc, &argv);
    int *splitters = allocate(size * sizeof(int)), *out = allocate(size * sizeof(int));
    int *in = allocate(size * sizeof(int));
    for (int i = 0; i < COUNT; i++) {
        mine[i] = pattern(rank, i) % 100000;
        sum += mine[i];
    }
    MPI_Allreduce(&sum, &sum_before, 1, MPI_LONG_LONG, MPI_SUM, MPI_COMM_WORLD);
    qsort(mine, COUNT, sizeof(int), compare);
    choose_splitters(mine, splitters);
    count_parts(mine, splitters, out);
    MPI_Alltoall(out, 1, MPI_INT, in, 1, MPI_INT, MPI_COMM_WORLD);
    int *out_places = places_of(out, &total_out), *in_places = places_of(in, &total_in);
    int *sorted = allocate(total_in * sizeof(int));
    MPI_Alltoallv(mine, out, out_places, MPI_INT, sorted, in, in_places, MPI_INT, MPI_COMM_WORLD);
    qsort(sorted, total_in, sizeof(int), compare);
    verify(sorted, total_in, sum_before);
    free(splitters);
    free(out);
    free(in);
    free(out_places);
    free(in_places);
    free(sorted);
    return finish("sample_sort");
}
