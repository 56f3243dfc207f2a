/* Distributed arrays: block and cyclic parts of all processes tile the array exactly once. */
#include "check.h"

enum { ROWS = 12, COLUMNS = 10, CELLS = ROWS * COLUMNS };

/* Which of `parts` has element i of `length`. */
static int owner(int i, int length, int kind, int argument, int parts)
{
    if (kind == MPI_DISTRIBUTE_NONE)
        return 0;
    if (argument == MPI_DISTRIBUTE_DFLT_DARG)
        argument = kind == MPI_DISTRIBUTE_BLOCK ? (length + parts - 1) / parts : 1;
    return kind == MPI_DISTRIBUTE_BLOCK ? i / argument : i / argument % parts;
}

/* Sends this process's part of a full array to itself as integers, and looks at which came. */
static int own_part(const int *kinds, const int *arguments, const int *parts)
{
    static const int lengths[2] = {ROWS, COLUMNS};
    int out[CELLS], in[CELLS], count, position = 0;
    MPI_Datatype type;
    MPI_Status status;
    MPI_Type_create_darray(parts[0] * parts[1], rank, 2, lengths, kinds, arguments, parts,
                           MPI_ORDER_C, MPI_INT, &type);
    MPI_Type_commit(&type);
    fill(out, CELLS, 0);
    MPI_Sendrecv(out, 1, type, 0, 0, in, CELLS, MPI_INT, 0, 0, MPI_COMM_SELF, &status);
    MPI_Get_count(&status, MPI_INT, &count);
    for (int i = 0; i < CELLS; i++) {
        int row = owner(i / COLUMNS, ROWS, kinds[0], arguments[0], parts[0]);
        int column = owner(i % COLUMNS, COLUMNS, kinds[1], arguments[1], parts[1]);
        if (row * parts[1] + column == rank && position < count)
            expect("cell", pattern(0, i), in[position++]);
    }
    expect("cells of this part", position, count);
    MPI_Type_free(&type);
    return count;
}

static void distribution(const int *kinds, const int *arguments, const int *parts)
{
    int cells = 0, all = 0;
    if (rank < parts[0] * parts[1])
        cells = own_part(kinds, arguments, parts);
    MPI_Allreduce(&cells, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    expect("cells of all parts", CELLS, all);
}

int main(int argc, char **argv)
{
    int block = MPI_DISTRIBUTE_BLOCK, cyclic = MPI_DISTRIBUTE_CYCLIC, none = MPI_DISTRIBUTE_NONE;
    int usual = MPI_DISTRIBUTE_DFLT_DARG;
    begin(&argc, &argv);
    int columns = size >= 2 ? 2 : 1, rows = size / columns < 4 ? size / columns : 4;
    int grid[2] = {rows, columns}, line[2] = {rows, 1};
    distribution((int[]){block, block}, (int[]){usual, usual}, grid);
    distribution((int[]){cyclic, cyclic}, (int[]){usual, usual}, grid);
    distribution((int[]){cyclic, block}, (int[]){2, usual}, grid);
    distribution((int[]){block, cyclic}, (int[]){usual, 3}, grid);
    distribution((int[]){block, none}, (int[]){usual, usual}, line);
    distribution((int[]){cyclic, none}, (int[]){2, usual}, line);
    return finish("type_darray");
}
