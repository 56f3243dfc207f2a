/* Alltoall of several lengths, in place too. */
#include "check.h"

static int pair_of(int from, int to)
{
    return from * 1000 + to;
}

static void fill_blocks(int *data, int count)
{
    for (int to = 0; to < size; to++)
        fill(data + to * count, count, pair_of(rank, to));
}

static void check_blocks(const char *what, const int *data, int count)
{
    for (int from = 0; from < size; from++)
        expect_pattern(what, data + from * count, count, pair_of(from, rank));
}

static void exchange(int count)
{
    size_t bytes = (size_t)count * size * sizeof(int);
    int *out = allocate(bytes), *in = allocate(bytes);
    fill_blocks(out, count);
    MPI_Alltoall(out, count, MPI_INT, in, count, MPI_INT, MPI_COMM_WORLD);
    check_blocks("alltoall", in, count);
    fill_blocks(in, count);
    MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, in, count, MPI_INT, MPI_COMM_WORLD);
    check_blocks("in place", in, count);
    free(out);
    free(in);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    exchange(0);
    exchange(1);
    exchange(7);
    exchange(64);
    exchange(50000 / size / 2);
    return finish("alltoall");
}
