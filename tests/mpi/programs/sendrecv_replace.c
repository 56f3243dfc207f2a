/* Sendrecv_replace around a ring until every buffer is home again, with and without gaps. */
#include "check.h"

enum { COUNT = 40 };

static void contiguous(void)
{
    int next = (rank + 1) % size, last = (rank + size - 1) % size, data[COUNT];
    MPI_Status status;
    fill(data, COUNT, rank);
    for (int step = 1; step <= size; step++) {
        MPI_Sendrecv_replace(data, COUNT, MPI_INT, next, step, last, step, MPI_COMM_WORLD, &status);
        expect("source", last, status.MPI_SOURCE);
        expect("tag", step, status.MPI_TAG);
        expect_pattern("after a step", data, COUNT, (rank - step + size) % size);
    }
}

static void strided(void)
{
    int next = (rank + 1) % size, last = (rank + size - 1) % size, data[2 * COUNT];
    MPI_Datatype odd;
    MPI_Type_vector(COUNT, 1, 2, MPI_INT, &odd);
    MPI_Type_commit(&odd);
    fill(data, 2 * COUNT, rank);
    MPI_Sendrecv_replace(data + 1, 1, odd, next, 0, last, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; i < 2 * COUNT; i++)
        expect("every other element", pattern(i % 2 ? last : rank, i), data[i]);
    MPI_Type_free(&odd);
}

static void with_nobody(void)
{
    int data = 77;
    MPI_Status status;
    MPI_Sendrecv_replace(&data, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_PROC_NULL, 0, MPI_COMM_WORLD,
                         &status);
    expect("data", 77, data);
    expect("source", MPI_PROC_NULL, status.MPI_SOURCE);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    contiguous();
    strided();
    with_nobody();
    return finish("sendrecv_replace");
}
