/* Probe: learns source, tag and length of a message before receiving it; twice gives the same. */
#include "check.h"

enum { LARGEST = 1000 };

static int length_of(int from)
{
    return 3 * (from % LARGEST) + 1;
}

static void receive_probed(int source, int tag)
{
    MPI_Status first, second;
    int count, data[3 * LARGEST];
    MPI_Probe(source, tag, MPI_COMM_WORLD, &first);
    MPI_Probe(first.MPI_SOURCE, first.MPI_TAG, MPI_COMM_WORLD, &second);
    expect("source of a second probe", first.MPI_SOURCE, second.MPI_SOURCE);
    expect("tag of a second probe", first.MPI_TAG, second.MPI_TAG);
    expect("tag", first.MPI_SOURCE + 10, first.MPI_TAG);
    MPI_Get_count(&first, MPI_INT, &count);
    expect("count", length_of(first.MPI_SOURCE), count);
    MPI_Recv(data, count, MPI_INT, first.MPI_SOURCE, first.MPI_TAG, MPI_COMM_WORLD, &second);
    expect("received source", first.MPI_SOURCE, second.MPI_SOURCE);
    expect_pattern("data", data, count, first.MPI_SOURCE);
}

static void collect(void)
{
    for (int from = size - 1; from > size / 2; from--)
        receive_probed(from, MPI_ANY_TAG);
    for (int from = 1; from <= size / 2; from++)
        receive_probed(MPI_ANY_SOURCE, MPI_ANY_TAG);
}

int main(int argc, char **argv)
{
    int data[3 * LARGEST];
    begin(&argc, &argv);
    if (rank == 0) {
        collect();
    } else {
        fill(data, length_of(rank), rank);
        MPI_Send(data, length_of(rank), MPI_INT, 0, rank + 10, MPI_COMM_WORLD);
    }
    return finish("probe");
}
