/* Resized types: neighbours may overlap, be apart, or interleave as the columns of a matrix. */
#include "check.h"

enum { N = 6 };

/* Columns with the extent of one number: several can be sent at once. */
static void columns(void)
{
    int next = (rank + 1) % size, last = (rank + size - 1) % size;
    int matrix[N][N], transposed[N][N];
    MPI_Datatype column, slim;
    MPI_Type_vector(N, 1, N, MPI_INT, &column);
    MPI_Type_create_resized(column, 0, sizeof(int), &slim);
    MPI_Type_commit(&slim);
    MPI_Type_free(&column);
    fill(matrix[0], N * N, rank);
    MPI_Sendrecv(matrix, N, slim, next, 0, transposed, N * N, MPI_INT, last, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            expect("transposed", pattern(last, j * N + i), transposed[i][j]);
    MPI_Type_free(&slim);
}

/* One integer of every three, by an extent that is larger than the data. */
static void sparse(void)
{
    int next = (rank + 1) % size, last = (rank + size - 1) % size, out[N], in[3 * N];
    MPI_Datatype wide;
    MPI_Type_create_resized(MPI_INT, 0, 3 * sizeof(int), &wide);
    MPI_Type_commit(&wide);
    fill(out, N, rank);
    memset(in, 0, sizeof(in));
    MPI_Sendrecv(out, N, MPI_INT, next, 0, in, N, wide, last, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; i < 3 * N; i++)
        expect("sparse", i % 3 ? 0 : pattern(last, i / 3), in[i]);
    MPI_Type_free(&wide);
}

/* A scatter of columns: block i of the send buffer begins one number behind block i - 1. */
static void scattered(void)
{
    int *matrix = allocate(N * size * sizeof(int)), in[N];
    MPI_Datatype column, slim;
    MPI_Type_vector(N, 1, size, MPI_INT, &column);
    MPI_Type_create_resized(column, 0, sizeof(int), &slim);
    MPI_Type_commit(&slim);
    fill(matrix, N * size, 0);
    MPI_Scatter(matrix, 1, slim, in, N, MPI_INT, 0, MPI_COMM_WORLD);
    for (int i = 0; i < N; i++)
        expect("scattered", pattern(0, i * size + rank), in[i]);
    MPI_Type_free(&column);
    MPI_Type_free(&slim);
    free(matrix);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    columns();
    sparse();
    scattered();
    return finish("type_resized");
}
