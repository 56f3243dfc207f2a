/* Nonblocking neighbourhood operations, several under way at once, and alltoallw with types. */
#include "check.h"

static MPI_Comm ring; /* periodic and at least three long, or open */
static int left, right;

static void create(void)
{
    int periods = size >= 3;
    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &periods, 0, &ring);
    MPI_Cart_shift(ring, 0, 1, &left, &right);
}

static void expect_from(const char *what, int neighbour, int expected, int got)
{
    expect(what, neighbour == MPI_PROC_NULL ? -1 : expected, got);
}

static void at_once(void)
{
    int all[2] = {-1, -1}, allv[2] = {-1, -1}, each[2] = {-1, -1}, eachv[2] = {-1, -1};
    int ones[2] = {1, 1}, places[2] = {0, 1}, swapped[2] = {1, 0};
    int out[2] = {10 * rank, 10 * rank + 1};
    MPI_Request requests[4];
    MPI_Ineighbor_allgather(&rank, 1, MPI_INT, all, 1, MPI_INT, ring, &requests[0]);
    MPI_Ineighbor_allgatherv(&rank, 1, MPI_INT, allv, ones, swapped, MPI_INT, ring, &requests[1]);
    MPI_Ineighbor_alltoall(out, 1, MPI_INT, each, 1, MPI_INT, ring, &requests[2]);
    MPI_Ineighbor_alltoallv(out, ones, places, MPI_INT, eachv, ones, swapped, MPI_INT, ring,
                            &requests[3]);
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    expect_from("allgather left", left, left, all[0]);
    expect_from("allgather right", right, right, all[1]);
    expect_from("allgatherv left", left, left, allv[1]);
    expect_from("allgatherv right", right, right, allv[0]);
    expect_from("alltoall left", left, 10 * left + 1, each[0]);
    expect_from("alltoall right", right, 10 * right, each[1]);
    expect_from("alltoallv left", left, 10 * left + 1, eachv[1]);
    expect_from("alltoallv right", right, 10 * right, eachv[0]);
}

/* The outer columns of a table go into the halo of the neighbours. */
static void halo(int blocking)
{
    enum { ROWS = 3, COLUMNS = 6 };
    int table[ROWS][COLUMNS], counts[2] = {1, 1};
    MPI_Aint from[2] = {sizeof(int), (COLUMNS - 2) * sizeof(int)};
    MPI_Aint to[2] = {0, (COLUMNS - 1) * sizeof(int)};
    MPI_Datatype column, types[2];
    MPI_Request request;
    MPI_Type_vector(ROWS, 1, COLUMNS, MPI_INT, &column);
    MPI_Type_commit(&column);
    types[0] = types[1] = column;
    for (int i = 0; i < ROWS * COLUMNS; i++) {
        int column_of = i % COLUMNS, inner = column_of > 0 && column_of < COLUMNS - 1;
        table[i / COLUMNS][column_of] = inner ? pattern(rank, i) : -1;
    }
    if (blocking) {
        MPI_Neighbor_alltoallw(table, counts, from, types, table, counts, to, types, ring);
    } else {
        MPI_Ineighbor_alltoallw(table, counts, from, types, table, counts, to, types, ring,
                                &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    for (int i = 0; i < ROWS; i++) {
        expect_from("left halo", left, pattern(left, i * COLUMNS + COLUMNS - 2), table[i][0]);
        expect_from("right halo", right, pattern(right, i * COLUMNS + 1), table[i][COLUMNS - 1]);
        expect("inside", pattern(rank, i * COLUMNS + 2), table[i][2]);
    }
    MPI_Type_free(&column);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    create();
    at_once();
    halo(0);
    halo(1);
    MPI_Comm_free(&ring);
    return finish("ineighbor");
}
