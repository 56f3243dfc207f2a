/* Puts, gets and accumulates between fences, short and long, with gaps at either side. */
#include "check.h"

enum { LONG = 5000 };

/* Everybody puts to the next one and gets from the one before. */
static void ring(int count)
{
    int *window = allocate((size_t)count * sizeof(int)),
        *out = allocate((size_t)count * sizeof(int));
    int *in = allocate((size_t)count * sizeof(int));
    int next = (rank + 1) % size, before = (rank + size - 1) % size;
    MPI_Win win;
    MPI_Win_create(window, count * (MPI_Aint)sizeof(int), sizeof(int), MPI_INFO_NULL,
                   MPI_COMM_WORLD, &win);
    fill(out, count, rank);
    MPI_Win_fence(MPI_MODE_NOPRECEDE, win);
    MPI_Put(out, count, MPI_INT, next, 0, count, MPI_INT, win);
    fill(out, count, -1); /* the data have left */
    MPI_Win_fence(0, win);
    expect_pattern("put", window, count, before);
    MPI_Get(in, count, MPI_INT, before, 0, count, MPI_INT, win);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
    expect_pattern("got", in, count, (before + size - 1) % size);
    MPI_Win_free(&win);
    expect("freed", 1, win == MPI_WIN_NULL);
    free(in);
    free(out);
    free(window);
}

/* All put one element each into everybody's window. */
static void all_to_all(void)
{
    int *window = allocate((size_t)size * sizeof(int));
    MPI_Win win;
    MPI_Win_create(window, size * (MPI_Aint)sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD,
                   &win);
    MPI_Win_fence(0, win);
    for (int i = 0; i < size; i++) {
        int value = pattern(rank, i);
        MPI_Put(&value, 1, MPI_INT, i, rank, 1, MPI_INT, win);
    }
    MPI_Win_fence(0, win);
    for (int i = 0; i < size; i++)
        expect("element of everybody", pattern(i, rank), window[i]);
    MPI_Win_free(&win);
    free(window);
}

/* A row here is a column there: types with gaps at the origin, at the target, at both. */
static void columns(int n)
{
    int *window = allocate((size_t)(n * n) * sizeof(int)), *row = allocate((size_t)n * sizeof(int));
    int *matrix = allocate((size_t)(n * n) * sizeof(int));
    int next = (rank + 1) % size, before = (rank + size - 1) % size;
    MPI_Datatype column;
    MPI_Win win;
    MPI_Type_vector(n, 1, n, MPI_INT, &column);
    MPI_Type_commit(&column);
    MPI_Win_create(window, n * n * (MPI_Aint)sizeof(int), sizeof(int), MPI_INFO_NULL,
                   MPI_COMM_WORLD, &win);
    fill(row, n, rank);
    MPI_Win_fence(0, win);
    MPI_Put(row, n, MPI_INT, next, 2, 1, column, win);
    MPI_Win_fence(0, win);
    for (int i = 0; i < n; i++)
        expect("column", pattern(before, i), window[i * n + 2]);
    MPI_Get(matrix + 1, 1, column, next, 2, 1, column, win);
    MPI_Get(row, n, MPI_INT, next, 2, 1, column, win);
    MPI_Type_free(&column); /* it is in use */
    MPI_Win_fence(0, win);
    expect_pattern("row", row, n, rank);
    for (int i = 0; i < n; i++)
        expect("column of a column", pattern(rank, i), matrix[i * n + 1]);
    for (int i = 0; i < n; i++)
        expect("a column that nobody touched", 0, window[i * n + 1]);
    MPI_Win_free(&win);
    free(matrix);
    free(row);
    free(window);
}

/* All accumulate at rank 0, into every second element. */
static void sums(void)
{
    double sum[4] = {0}, ones[2] = {1, rank};
    MPI_Datatype second;
    MPI_Win win;
    MPI_Type_vector(2, 1, 2, MPI_DOUBLE, &second);
    MPI_Type_commit(&second);
    MPI_Win_create(sum, sizeof(sum), sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
    MPI_Accumulate(ones, 2, MPI_DOUBLE, 0, 1, 1, second, MPI_SUM, win);
    MPI_Win_fence(0, win);
    if (rank == 0) {
        expect_real("count", size, sum[1]);
        expect_real("sum of ranks", size * (size - 1) / 2, sum[3]);
        expect_real("element between", 0, sum[2]);
    }
    MPI_Type_free(&second);
    MPI_Win_free(&win);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    ring(1);
    ring(100);
    ring(LONG);
    all_to_all();
    columns(10);
    sums();
    return finish("win_fence");
}
