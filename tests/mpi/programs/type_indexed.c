/* Indexed, hindexed, indexed_block and hindexed_block: the same places described four ways. */
#include "check.h"

enum { CELLS = 60, BLOCKS = 5, LENGTH = 3 };

static const int places[BLOCKS] = {30, 2, 20, 8, 50}; /* not in the order of memory */

static void transfer(const char *what, MPI_Datatype type, const int *lengths)
{
    int next = (rank + 1) % size, last = (rank + size - 1) % size, position = 0;
    int out[CELLS], packed[CELLS], in[CELLS];
    MPI_Request request;
    MPI_Type_commit(&type);
    fill(out, CELLS, rank);
    MPI_Isend(out, 1, type, next, 1, MPI_COMM_WORLD, &request);
    MPI_Recv(packed, CELLS, MPI_INT, last, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    for (int block = 0; block < BLOCKS; block++) /* in the order of the description */
        for (int i = 0; i < lengths[block]; i++)
            expect(what, pattern(last, places[block] + i), packed[position++]);
    MPI_Isend(packed, position, MPI_INT, next, 2, MPI_COMM_WORLD, &request);
    memset(in, 0, sizeof(in));
    MPI_Recv(in, 1, type, last, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    for (int block = 0; block < BLOCKS; block++)
        for (int i = 0; i < lengths[block]; i++)
            expect(what, pattern((last + size - 1) % size, places[block] + i),
                   in[places[block] + i]);
    expect("cell between", 0, in[0]);
    MPI_Type_free(&type);
}

int main(int argc, char **argv)
{
    static const int same[BLOCKS] = {LENGTH, LENGTH, LENGTH, LENGTH, LENGTH};
    static const int mixed[BLOCKS] = {1, 4, 0, 7, 2};
    MPI_Aint bytes[BLOCKS];
    MPI_Datatype type;
    begin(&argc, &argv);
    for (int i = 0; i < BLOCKS; i++)
        bytes[i] = places[i] * (MPI_Aint)sizeof(int);
    MPI_Type_indexed(BLOCKS, mixed, places, MPI_INT, &type);
    transfer("indexed", type, mixed);
    MPI_Type_create_hindexed(BLOCKS, mixed, bytes, MPI_INT, &type);
    transfer("hindexed", type, mixed);
    MPI_Type_create_indexed_block(BLOCKS, LENGTH, places, MPI_INT, &type);
    transfer("indexed_block", type, same);
    MPI_Type_create_hindexed_block(BLOCKS, LENGTH, bytes, MPI_INT, &type);
    transfer("hindexed_block", type, same);
    return finish("type_indexed");
}
