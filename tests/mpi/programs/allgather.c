/* Allgather and Allgatherv of several lengths, in place too. */
#include "check.h"

static void even(int count)
{
    int *out = allocate(count * sizeof(int)), *in = allocate((size_t)count * size * sizeof(int));
    fill(out, count, rank);
    MPI_Allgather(out, count, MPI_INT, in, count, MPI_INT, MPI_COMM_WORLD);
    for (int from = 0; from < size; from++)
        expect_pattern("allgather", in + from * count, count, from);
    memset(in, 0, (size_t)count * size * sizeof(int));
    fill(in + rank * count, count, rank + 1);
    MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, in, count, MPI_INT, MPI_COMM_WORLD);
    for (int from = 0; from < size; from++)
        expect_pattern("in place", in + from * count, count, from + 1);
    free(out);
    free(in);
}

static int length_of(int who, int largest)
{
    return (who + 1) * 31 % (largest + 1);
}

static void uneven(int largest, int in_place)
{
    int *counts = allocate(size * sizeof(int)), *places = allocate(size * sizeof(int)), total = 0;
    for (int i = size - 1; i >= 0; i--) { /* the last process's part comes first */
        counts[i] = length_of(i, largest);
        places[i] = total;
        total += counts[i];
    }
    int *in = allocate((total + 1) * sizeof(int)), *out = allocate(largest * sizeof(int));
    in[total] = -1;
    fill(in_place ? in + places[rank] : out, counts[rank], rank);
    if (in_place)
        MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, in, counts, places, MPI_INT,
                       MPI_COMM_WORLD);
    else
        MPI_Allgatherv(out, counts[rank], MPI_INT, in, counts, places, MPI_INT, MPI_COMM_WORLD);
    for (int from = 0; from < size; from++)
        expect_pattern("allgatherv", in + places[from], counts[from], from);
    expect("element behind", -1, in[total]);
    free(counts);
    free(places);
    free(in);
    free(out);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    even(0);
    even(1);
    even(7);
    even(300);
    even(50000 / size / 8);
    for (int in_place = 0; in_place < 2; in_place++) {
        uneven(0, in_place);
        uneven(6, in_place);
        uneven(500, in_place);
    }
    return finish("allgather");
}
