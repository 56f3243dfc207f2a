/* Messages without data: they match, keep their order, and change nothing. */
#include "check.h"

static void expect_empty(const char *what, const MPI_Status *status, int source, int tag)
{
    int count = -1;
    MPI_Get_count(status, MPI_DOUBLE, &count);
    expect(what, source, status->MPI_SOURCE);
    expect(what, tag, status->MPI_TAG);
    expect(what, 0, count);
}

static void ring(void)
{
    int next = (rank + 1) % size, last = (rank + size - 1) % size, guards[3] = {42, 42, 42};
    MPI_Request requests[6];
    MPI_Status statuses[6];
    for (int i = 0; i < 3; i++) {
        MPI_Irecv(i ? &guards[i] : NULL, i ? 1 : 0, MPI_INT, last, MPI_ANY_TAG, MPI_COMM_WORLD,
                  &requests[i]);
        MPI_Isend(NULL, 0, MPI_INT, next, i, MPI_COMM_WORLD, &requests[3 + i]);
    }
    MPI_Waitall(6, requests, statuses);
    for (int i = 0; i < 3; i++)
        expect_empty("ring", &statuses[i], last, i);
    expect("guards", 3 * 42, guards[0] + guards[1] + guards[2]);
}

static void empty_type(void)
{
    int next = (rank + 1) % size, last = (rank + size - 1) % size, out = 1, in = 5, bytes = -1;
    MPI_Datatype nothing;
    MPI_Type_contiguous(0, MPI_INT, &nothing);
    MPI_Type_commit(&nothing);
    MPI_Type_size(nothing, &bytes);
    expect("size of an empty type", 0, bytes);
    MPI_Sendrecv(&out, 3, nothing, next, 0, &in, 2, nothing, last, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    expect("data", 5, in);
    MPI_Type_free(&nothing);
}

static void synchronous(void)
{
    int partner = rank ^ 1;
    MPI_Status status;
    if (partner >= size)
        return;
    if (rank < partner) {
        MPI_Ssend(NULL, 0, MPI_CHAR, partner, 9, MPI_COMM_WORLD);
    } else {
        MPI_Probe(partner, 9, MPI_COMM_WORLD, &status);
        expect_empty("probe", &status, partner, 9);
        MPI_Recv(NULL, 0, MPI_CHAR, partner, 9, MPI_COMM_WORLD, &status);
        expect_empty("synchronous", &status, partner, 9);
    }
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    ring();
    empty_type();
    synchronous();
    return finish("zero_length");
}
