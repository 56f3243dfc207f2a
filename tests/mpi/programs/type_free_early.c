/* Types that are freed while messages of them are under way still describe those messages. */
#include "check.h"

enum { COUNT = 2000 };

static MPI_Datatype every_other(void)
{
    MPI_Datatype pair, type;
    MPI_Type_create_resized(MPI_INT, 0, 2 * sizeof(int), &pair);
    MPI_Type_contiguous(COUNT, pair, &type);
    MPI_Type_free(&pair);
    MPI_Type_commit(&type);
    return type;
}

int main(int argc, char **argv)
{
    static int out[2 * COUNT], in[2 * COUNT];
    MPI_Request requests[2], persistent;
    begin(&argc, &argv);
    int next = (rank + 1) % size, last = (rank + size - 1) % size;
    fill(out, 2 * COUNT, rank);
    MPI_Datatype type = every_other();
    MPI_Irecv(in, 1, type, last, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(out, 1, type, next, 0, MPI_COMM_WORLD, &requests[1]);
    MPI_Type_free(&type);
    expect("handle", 1, type == MPI_DATATYPE_NULL);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    for (int i = 0; i < 2 * COUNT; i++)
        expect("data", i % 2 ? 0 : pattern(last, i), in[i]);
    memset(in, 0, sizeof(in));
    type = every_other();
    MPI_Recv_init(in, 1, type, last, 1, MPI_COMM_WORLD, &persistent);
    MPI_Type_free(&type);
    for (int round = 0; round < 2; round++) {
        MPI_Start(&persistent);
        fill(out, COUNT, rank + round);
        MPI_Send(out, COUNT, MPI_INT, next, 1, MPI_COMM_WORLD);
        MPI_Wait(&persistent, MPI_STATUS_IGNORE);
        for (int i = 0; i < COUNT; i++)
            expect("persistent data", pattern(last + round, i), in[2 * i]);
    }
    MPI_Request_free(&persistent);
    return finish("type_free_early");
}
