/* Collective operations on derived types: gaps are left alone, both sides may differ. */
#include "check.h"

enum { ROWS = 4, COLUMNS = 5 };

static MPI_Datatype column_type(void)
{
    MPI_Datatype column, slim;
    MPI_Type_vector(ROWS, 1, COLUMNS, MPI_INT, &column);
    MPI_Type_create_resized(column, 0, sizeof(int), &slim);
    MPI_Type_free(&column);
    MPI_Type_commit(&slim);
    return slim;
}

static void bcast_columns(MPI_Datatype column)
{
    int table[ROWS][COLUMNS] = {{0}};
    int root = size / 2;
    if (rank == root)
        fill(table[0], ROWS * COLUMNS, 3);
    MPI_Bcast(&table[0][1], 2, column, root, MPI_COMM_WORLD);
    for (int i = 0; i < ROWS * COLUMNS; i++) {
        int sent = i % COLUMNS == 1 || i % COLUMNS == 2 || rank == root;
        expect("bcast", sent ? pattern(3, i) : 0, table[i / COLUMNS][i % COLUMNS]);
    }
}

/* Everybody's column, received as a row of a table. */
static void gather_columns(MPI_Datatype column)
{
    int table[ROWS][COLUMNS], *rows = allocate(ROWS * size * sizeof(int));
    fill(table[0], ROWS * COLUMNS, rank);
    MPI_Gather(&table[0][2], 1, column, rows, ROWS, MPI_INT, 0, MPI_COMM_WORLD);
    for (int i = 0; rank == 0 && i < ROWS * size; i++)
        expect("gather", pattern(i / ROWS, i % ROWS * COLUMNS + 2), rows[i]);
    MPI_Allgather(&table[0][4], 1, column, rows, ROWS, MPI_INT, MPI_COMM_WORLD);
    for (int i = 0; i < ROWS * size; i++)
        expect("allgather", pattern(i / ROWS, i % ROWS * COLUMNS + 4), rows[i]);
    free(rows);
}

/* Rows of ROWS integers arrive as columns of one wide table. */
static void alltoall_columns(void)
{
    int *out = allocate(ROWS * size * sizeof(int)), *wide = allocate(ROWS * size * sizeof(int));
    MPI_Datatype column, slim;
    MPI_Type_vector(ROWS, 1, size, MPI_INT, &column);
    MPI_Type_create_resized(column, 0, sizeof(int), &slim);
    MPI_Type_commit(&slim);
    for (int to = 0; to < size; to++)
        fill(out + to * ROWS, ROWS, 100 * rank + to);
    MPI_Alltoall(out, ROWS, MPI_INT, wide, 1, slim, MPI_COMM_WORLD);
    for (int i = 0; i < ROWS * size; i++)
        expect("alltoall", pattern(100 * (i % size) + rank, i / size), wide[i]);
    MPI_Type_free(&column);
    MPI_Type_free(&slim);
    free(out);
    free(wide);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    MPI_Datatype column = column_type();
    bcast_columns(column);
    gather_columns(column);
    alltoall_columns();
    MPI_Type_free(&column);
    return finish("coll_derived");
}
