/* Nonblocking collective operations whose parts differ: Igatherv, Iscatterv, Ialltoallw and so on.
 */
#include "check.h"

enum { MOST = 5 };

static int *counts, *places, *bytes, *out, *in;
static MPI_Datatype *types;

static int length_of(int who)
{
    return (who + 1) % (MOST + 1);
}

static void prepare(int symmetric)
{
    for (int i = 0; i < size; i++) {
        counts[i] = symmetric ? length_of(rank + i) : length_of(i);
        places[i] = MOST * i;
        bytes[i] = MOST * i * (int)sizeof(int);
        types[i] = MPI_INT;
        fill(out + MOST * i, MOST, 100 * rank + i);
        memset(in + MOST * i, 0, MOST * sizeof(int));
    }
}

static void rooted(int root)
{
    MPI_Request request;
    prepare(0);
    MPI_Igatherv(out, counts[rank], MPI_INT, in, counts, places, MPI_INT, root, MPI_COMM_WORLD,
                 &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    for (int i = 0; rank == root && i < size; i++)
        expect_pattern("igatherv", in + places[i], counts[i], 100 * i);
    MPI_Iscatterv(out, counts, places, MPI_INT, in, counts[rank], MPI_INT, root, MPI_COMM_WORLD,
                  &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    expect_pattern("iscatterv", in, counts[rank], 100 * root + rank);
}

static void everywhere(void)
{
    MPI_Request request;
    prepare(0);
    MPI_Iallgatherv(out, counts[rank], MPI_INT, in, counts, places, MPI_INT, MPI_COMM_WORLD,
                    &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    for (int i = 0; i < size; i++)
        expect_pattern("iallgatherv", in + places[i], counts[i], 100 * i);
    prepare(1);
    MPI_Ialltoallv(out, counts, places, MPI_INT, in, counts, places, MPI_INT, MPI_COMM_WORLD,
                   &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    for (int i = 0; i < size; i++)
        expect_pattern("ialltoallv", in + places[i], counts[i], 100 * i + rank);
    prepare(1);
    MPI_Ialltoallw(out, counts, bytes, types, in, counts, bytes, types, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    for (int i = 0; i < size; i++)
        expect_pattern("ialltoallw", in + places[i], counts[i], 100 * i + rank);
}

static void reduction(void)
{
    MPI_Request request;
    int place = 0;
    prepare(0);
    for (int i = 0; i < MOST * size; i++)
        out[i] = rank + i;
    for (int i = 0; i < rank; i++)
        place += counts[i];
    MPI_Ireduce_scatter(out, in, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    for (int i = 0; i < counts[rank]; i++)
        expect("ireduce_scatter", size * (size - 1) / 2 + size * (place + i), in[i]);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    counts = allocate(size * sizeof(int));
    places = allocate(size * sizeof(int));
    bytes = allocate(size * sizeof(int));
    types = allocate(size * sizeof(MPI_Datatype));
    out = allocate(MOST * size * sizeof(int));
    in = allocate(MOST * size * sizeof(int));
    rooted(0);
    rooted(size - 1);
    everywhere();
    reduction();
    free(counts);
    free(places);
    free(bytes);
    free(types);
    free(out);
    free(in);
    return finish("icoll_vectors");
}
