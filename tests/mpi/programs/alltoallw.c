/* Alltoallw: types differ from pair to pair; with it a matrix is transposed block by block. */
#include "check.h"

enum { SIDE = 3 }; /* of the square block that a process has of each other's columns */

/* Rows are spread over processes. Block j of my rows goes, transposed, to process j. */
static void transpose(void)
{
    int n = SIDE * size;
    int *rows = allocate(SIDE * n * sizeof(int)), *turned = allocate(SIDE * n * sizeof(int));
    int *counts = allocate(size * sizeof(int)), *places = allocate(size * sizeof(int));
    MPI_Datatype *columns = allocate(size * sizeof(MPI_Datatype));
    MPI_Datatype *blocks = allocate(size * sizeof(MPI_Datatype)), column, slim, block;
    MPI_Type_vector(SIDE, 1, n, MPI_INT, &column);
    MPI_Type_create_resized(column, 0, sizeof(int), &slim);
    MPI_Type_contiguous(SIDE, slim, &column);
    MPI_Type_vector(SIDE, SIDE, n, MPI_INT, &block);
    MPI_Type_commit(&column);
    MPI_Type_commit(&block);
    for (int i = 0; i < size; i++) {
        counts[i] = 1;
        places[i] = i * SIDE * (int)sizeof(int); /* in bytes */
        columns[i] = column;
        blocks[i] = block;
    }
    for (int i = 0; i < SIDE * n; i++)
        rows[i] = (rank * SIDE + i / n) * 10000 + i % n;
    MPI_Alltoallw(rows, counts, places, columns, turned, counts, places, blocks, MPI_COMM_WORLD);
    for (int i = 0; i < SIDE * n; i++)
        expect("transposed", i % n * 10000 + rank * SIDE + i / n, turned[i]);
    MPI_Type_free(&slim);
    MPI_Type_free(&column);
    MPI_Type_free(&block);
    free(rows);
    free(turned);
    free(counts);
    free(places);
    free(columns);
    free(blocks);
}

/* Even processes are sent doubles, odd ones are sent two integers each. */
static void mixed(void)
{
    int *out_counts = allocate(size * sizeof(int)), *in_counts = allocate(size * sizeof(int));
    int *places = allocate(size * sizeof(int)), mine = rank % 2 ? 2 : 1;
    MPI_Datatype *out_types = allocate(size * sizeof(MPI_Datatype));
    MPI_Datatype *in_types = allocate(size * sizeof(MPI_Datatype));
    double *out = allocate(size * sizeof(double)), *in = allocate(size * sizeof(double));
    for (int i = 0; i < size; i++) {
        int numbers[2] = {rank, i};
        out_counts[i] = i % 2 ? 2 : 1;
        out_types[i] = i % 2 ? MPI_INT : MPI_DOUBLE;
        in_counts[i] = mine;
        in_types[i] = rank % 2 ? MPI_INT : MPI_DOUBLE;
        places[i] = i * (int)sizeof(double);
        out[i] = rank + i * 0.5;
        if (i % 2)
            memcpy(&out[i], numbers, sizeof(numbers));
    }
    MPI_Alltoallw(out, out_counts, places, out_types, in, in_counts, places, in_types,
                  MPI_COMM_WORLD);
    for (int from = 0; from < size; from++) {
        int numbers[2];
        memcpy(numbers, &in[from], sizeof(numbers));
        if (rank % 2 == 0)
            expect_real("double", from + rank * 0.5, in[from]);
        else
            expect("integers", from * 100000LL + rank, numbers[0] * 100000LL + numbers[1]);
    }
    free(out_counts);
    free(in_counts);
    free(places);
    free(out_types);
    free(in_types);
    free(out);
    free(in);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    transpose();
    mixed();
    return finish("alltoallw");
}
