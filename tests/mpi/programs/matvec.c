/* A matrix, spread over processes by rows, times a vector, again and again. */
#include "check.h"

enum { ROWS = 4, STEPS = 3, MODULUS = 10007 };

static long entry(int i, int j)
{
    return (i * 31 + j * 17 + i * j) % 100;
}

/* The same on one process. */
static void alone(long *x, int n)
{
    long *y = allocate(n * sizeof(long));
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            y[i] = (y[i] + entry(i, j) * x[j]) % MODULUS;
    memcpy(x, y, n * sizeof(long));
    free(y);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    int n = ROWS * size;
    long *x = allocate(n * sizeof(long)), *check = allocate(n * sizeof(long)), y[ROWS], sum = 0;
    for (int j = 0; j < n; j++)
        x[j] = check[j] = j + 1;
    for (int step = 0; step < STEPS; step++) {
        for (int i = 0; i < ROWS; i++) {
            y[i] = 0;
            for (int j = 0; j < n; j++)
                y[i] = (y[i] + entry(rank * ROWS + i, j) * x[j]) % MODULUS;
        }
        MPI_Allgather(y, ROWS, MPI_LONG, x, ROWS, MPI_LONG, MPI_COMM_WORLD);
        if (rank == 0)
            alone(check, n);
    }
    for (int i = 0; rank == 0 && i < n; i++) {
        expect("element", check[i], x[i]);
        sum += x[i];
    }
    if (rank == 0)
        printf("sum of the vector: %ld\n", sum);
    free(x);
    free(check);
    return finish("matvec");
}
