/* Sendrecv: around a ring both ways, with different counts, and along an open line. */
#include "check.h"

enum { COUNT = 256 };

static void shift(int distance)
{
    int to = (rank + distance) % size, from = (rank - distance + size) % size, count;
    int out[COUNT], in[COUNT + 1];
    MPI_Status status;
    fill(out, COUNT, rank);
    in[COUNT] = -1;
    MPI_Sendrecv(out, COUNT, MPI_INT, to, distance, in, COUNT + 1, MPI_INT, from, distance,
                 MPI_COMM_WORLD, &status);
    MPI_Get_count(&status, MPI_INT, &count);
    expect("source", from, status.MPI_SOURCE);
    expect("count", COUNT, count);
    expect_pattern("ring", in, COUNT, from);
    expect("element behind the message", -1, in[COUNT]);
}

/* Along a line, whose ends have no neighbour. */
static void line(void)
{
    int right = rank + 1 < size ? rank + 1 : MPI_PROC_NULL;
    int left = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    double out[3] = {rank, rank + 0.5, -rank}, in[3] = {-7, -7, -7};
    MPI_Status status;
    MPI_Sendrecv(out, 3, MPI_DOUBLE, right, 5, in, 3, MPI_DOUBLE, left, MPI_ANY_TAG, MPI_COMM_WORLD,
                 &status);
    expect("source", left, status.MPI_SOURCE);
    expect("tag", rank > 0 ? 5 : MPI_ANY_TAG, status.MPI_TAG);
    expect_real("line", rank > 0 ? rank - 0.5 : -7, in[1]);
}

/* Counts may differ by direction: the lower process of a pair sends more. */
static void uneven(void)
{
    int partner = size - 1 - rank, mine = rank < partner ? 100 : 3;
    int theirs = partner < rank ? 100 : 3, count;
    int out[100], in[100];
    MPI_Status status;
    fill(out, mine, rank);
    MPI_Sendrecv(out, mine, MPI_INT, partner, rank, in, 100, MPI_INT, partner, partner,
                 MPI_COMM_WORLD, &status);
    MPI_Get_count(&status, MPI_INT, &count);
    expect("uneven count", theirs, count);
    expect_pattern("uneven", in, theirs, partner);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    for (int distance = 0; distance < size && distance < 4; distance++)
        shift(distance);
    shift(size - 1);
    line();
    uneven();
    return finish("sendrecv");
}
