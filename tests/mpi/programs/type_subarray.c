/* Subarray types in two and three dimensions, in the order of C and of Fortran. */
#include "check.h"

enum { X = 5, Y = 6, Z = 7, CELLS = X * Y * Z };

/* Where the cell (x, y, z) of an array is in memory. */
static int place(int order, const int *sizes, const int *at)
{
    if (order == MPI_ORDER_C)
        return (at[0] * sizes[1] + at[1]) * sizes[2] + at[2];
    return (at[2] * sizes[1] + at[1]) * sizes[0] + at[0];
}

static int inside(const int *at, const int *from, const int *lengths)
{
    for (int d = 0; d < 3; d++)
        if (at[d] < from[d] || at[d] >= from[d] + lengths[d])
            return 0;
    return 1;
}

static void block(int order, const int *lengths, const int *from)
{
    static const int sizes[3] = {X, Y, Z};
    int next = (rank + 1) % size, last = (rank + size - 1) % size, at[3], bytes;
    int out[CELLS], in[CELLS] = {0};
    MPI_Aint lower, extent;
    MPI_Datatype type;
    MPI_Type_create_subarray(3, sizes, lengths, from, order, MPI_INT, &type);
    MPI_Type_commit(&type);
    MPI_Type_size(type, &bytes);
    MPI_Type_get_extent(type, &lower, &extent);
    expect("size", lengths[0] * lengths[1] * lengths[2] * (int)sizeof(int), bytes);
    expect("lower bound", 0, lower);
    expect("extent", CELLS * (int)sizeof(int), extent);
    fill(out, CELLS, rank);
    MPI_Sendrecv(out, 1, type, next, 0, in, 1, type, last, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (at[0] = 0; at[0] < X; at[0]++)
        for (at[1] = 0; at[1] < Y; at[1]++)
            for (at[2] = 0; at[2] < Z; at[2]++) {
                int cell = place(order, sizes, at);
                expect("cell", inside(at, from, lengths) ? pattern(last, cell) : 0, in[cell]);
            }
    MPI_Type_free(&type);
}

/* A column of one array lands in a row of another. */
static void column_to_row(void)
{
    int next = (rank + 1) % size, last = (rank + size - 1) % size;
    int out[4][4], in[4][4] = {{0}};
    int sizes[2] = {4, 4}, column[2] = {4, 1}, row[2] = {1, 4}, from[2] = {0, 2}, to[2] = {3, 0};
    MPI_Datatype send, receive;
    MPI_Type_create_subarray(2, sizes, column, from, MPI_ORDER_C, MPI_INT, &send);
    MPI_Type_create_subarray(2, sizes, row, to, MPI_ORDER_C, MPI_INT, &receive);
    MPI_Type_commit(&send);
    MPI_Type_commit(&receive);
    fill(out[0], 16, rank);
    MPI_Sendrecv(out, 1, send, next, 0, in, 1, receive, last, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; i < 4; i++)
        expect("column in a row", pattern(last, 4 * i + 2), in[3][i]);
    expect("row before", 0, in[2][3]);
    MPI_Type_free(&send);
    MPI_Type_free(&receive);
}

int main(int argc, char **argv)
{
    static const int lengths[3] = {2, 3, 4}, from[3] = {1, 2, 3};
    static const int all[3] = {X, Y, Z}, origin[3] = {0, 0, 0}, face[3] = {X, 1, Z};
    begin(&argc, &argv);
    for (int i = 0; i < 2; i++) {
        int order = i ? MPI_ORDER_FORTRAN : MPI_ORDER_C;
        block(order, lengths, from);
        block(order, all, origin);
        block(order, face, origin);
    }
    column_to_row();
    return finish("type_subarray");
}
