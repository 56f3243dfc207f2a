/* Types made of types made of types: a block of a lattice whose cells are structures. */
#include "check.h"
#include <stddef.h>

enum { SIDE = 4 };

struct cell {
    int id;
    char tag;
    double field[2];
};

static MPI_Datatype cell_type(void)
{
    int lengths[3] = {1, 1, 2};
    MPI_Aint places[3] = {offsetof(struct cell, id), offsetof(struct cell, tag),
                          offsetof(struct cell, field)};
    MPI_Datatype types[3] = {MPI_INT, MPI_CHAR, MPI_DOUBLE}, raw, type;
    MPI_Type_create_struct(3, lengths, places, types, &raw);
    MPI_Type_create_resized(raw, 0, sizeof(struct cell), &type);
    MPI_Type_free(&raw);
    return type;
}

/* Every other cell of every other row: vectors of vectors of structures, two layers of them. */
static MPI_Datatype lattice_type(void)
{
    MPI_Datatype cell = cell_type(), row, layer, lattice;
    int lengths[2] = {1, 1};
    MPI_Aint places[2] = {0, SIDE * SIDE * sizeof(struct cell)};
    MPI_Type_vector(SIDE / 2, 1, 2, cell, &row);
    MPI_Type_create_hvector(SIDE / 2, 1, 2 * SIDE * sizeof(struct cell), row, &layer);
    MPI_Type_create_hindexed(2, lengths, places, layer, &lattice);
    MPI_Type_commit(&lattice);
    MPI_Type_free(&cell); /* what is made of them stays */
    MPI_Type_free(&row);
    MPI_Type_free(&layer);
    return lattice;
}

static void set(struct cell *cell, int who, int i)
{
    cell->id = pattern(who, i);
    cell->tag = (char)(i % 100);
    cell->field[0] = who + i;
    cell->field[1] = who - i;
}

int main(int argc, char **argv)
{
    struct cell out[2][SIDE][SIDE], in[2][SIDE][SIDE], right;
    begin(&argc, &argv);
    int next = (rank + 1) % size, last = (rank + size - 1) % size, bytes;
    MPI_Datatype lattice = lattice_type();
    MPI_Type_size(lattice, &bytes);
    expect("size", 2 * SIDE / 2 * SIDE / 2 * (4 + 1 + 16), bytes);
    memset(in, 0, sizeof(in));
    for (int i = 0; i < 2 * SIDE * SIDE; i++)
        set(&out[0][0][0] + i, rank, i);
    MPI_Sendrecv(out, 1, lattice, next, 0, in, 1, lattice, last, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    for (int i = 0; i < 2 * SIDE * SIDE; i++) {
        struct cell *cell = &in[0][0][0] + i;
        int used = i / SIDE % 2 == 0 && i % 2 == 0;
        memset(&right, 0, sizeof(right));
        if (used)
            set(&right, last, i);
        expect("id", right.id, cell->id);
        expect("tag", right.tag, cell->tag);
        expect_real("field", right.field[1], cell->field[1]);
    }
    MPI_Type_free(&lattice);
    return finish("type_nested");
}
