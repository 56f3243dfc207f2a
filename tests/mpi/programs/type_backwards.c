/* Negative strides and displacements: data is sent from the end of an array to its beginning. */
#include "check.h"

enum { COUNT = 50 };

static void reversed(const char *what, MPI_Datatype type)
{
    int next = (rank + 1) % size, last = (rank + size - 1) % size, out[COUNT], in[COUNT];
    MPI_Type_commit(&type);
    fill(out, COUNT, rank);
    MPI_Sendrecv(&out[COUNT - 1], 1, type, next, 0, in, COUNT, MPI_INT, last, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    for (int i = 0; i < COUNT; i++)
        expect(what, pattern(last, COUNT - 1 - i), in[i]);
    MPI_Sendrecv(out, COUNT, MPI_INT, next, 0, &in[COUNT - 1], 1, type, last, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    for (int i = 0; i < COUNT; i++)
        expect(what, pattern(last, COUNT - 1 - i), in[i]);
    MPI_Type_free(&type);
}

int main(int argc, char **argv)
{
    int places[COUNT];
    MPI_Aint bytes[COUNT];
    MPI_Datatype type;
    begin(&argc, &argv);
    for (int i = 0; i < COUNT; i++) {
        places[i] = -i;
        bytes[i] = -i * (MPI_Aint)sizeof(int);
    }
    MPI_Type_vector(COUNT, 1, -1, MPI_INT, &type);
    reversed("vector", type);
    MPI_Type_create_hvector(COUNT, 1, -(MPI_Aint)sizeof(int), MPI_INT, &type);
    reversed("hvector", type);
    MPI_Type_create_indexed_block(COUNT, 1, places, MPI_INT, &type);
    reversed("indexed_block", type);
    MPI_Type_create_hindexed_block(COUNT, 1, bytes, MPI_INT, &type);
    reversed("hindexed_block", type);
    return finish("type_backwards");
}
