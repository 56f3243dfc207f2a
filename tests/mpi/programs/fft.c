/* A Fourier transform in two dimensions: rows, a transposition by Alltoall, rows again. */
#include "check.h"
#include <complex.h>

static const double pi = 3.14159265358979323846;

static int n, rows; /* a square of n by n numbers, `rows` of them on each process */

/* In place, by splitting into even and odd places; n is a power of two. */
static void transform(double complex *x, int count, int stride, double complex *work)
{
    if (count == 1)
        return;
    int half = count / 2;
    transform(x, half, 2 * stride, work);
    transform(x + stride, half, 2 * stride, work);
    for (int k = 0; k < half; k++) {
        double complex even = x[2 * k * stride], odd = x[(2 * k + 1) * stride];
        double complex turned = cexp(-2 * pi * I * k / count) * odd;
        work[k] = even + turned;
        work[k + half] = even - turned;
    }
    for (int k = 0; k < count; k++)
        x[k * stride] = work[k];
}

/* Columns go out as blocks and are put into rows. */
static void transpose(MPI_Comm comm, double complex *x)
{
    double complex *out = allocate(rows * n * sizeof(*out)), *in = allocate(rows * n * sizeof(*in));
    int block = rows * rows;
    for (int i = 0; i < rows * n; i++) {
        int row = i / n, column = i % n;
        out[column / rows * block + column % rows * rows + row] = x[i];
    }
    MPI_Alltoall(out, block, MPI_C_DOUBLE_COMPLEX, in, block, MPI_C_DOUBLE_COMPLEX, comm);
    for (int i = 0; i < rows * n; i++)
        x[i / rows % rows * n + i / block * rows + i % rows] = in[i];
    free(out);
    free(in);
}

/* The sum of two waves: the transform has two peaks, at (1, 2) and at (3, 0), and zeros. */
static double complex input(int i, int j)
{
    return cexp(2 * pi * I * (1 * i + 2 * j) / n) + 0.5 * cexp(2 * pi * I * 3 * i / n);
}

static void run(MPI_Comm comm, int me)
{
    double complex *x = allocate(rows * n * sizeof(*x)), *work = allocate(n * sizeof(*work));
    for (int i = 0; i < rows * n; i++)
        x[i] = input(me * rows + i / n, i % n);
    for (int dimension = 0; dimension < 2; dimension++) {
        for (int row = 0; row < rows; row++)
            transform(x + row * n, n, 1, work);
        transpose(comm, x);
    }
    for (int i = 0; i < rows * n; i++) {
        int row = me * rows + i / n, column = i % n;
        double peak = row == 1 && column == 2 ? 1 : row == 3 && column == 0 ? 0.5 : 0;
        expect_real("real part", peak, creal(x[i]) / n / n);
        expect_real("imaginary part", 0, cimag(x[i]) / n / n);
    }
    free(x);
    free(work);
}

int main(int argc, char **argv)
{
    MPI_Comm comm;
    int used = 1;
    begin(&argc, &argv);
    while (2 * used <= size)
        used *= 2;
    n = used < 8 ? 8 : used;
    rows = n / used;
    MPI_Comm_split(MPI_COMM_WORLD, rank < used ? 0 : MPI_UNDEFINED, rank, &comm);
    if (comm != MPI_COMM_NULL) {
        run(comm, rank);
        MPI_Comm_free(&comm);
    }
    return finish("fft");
}
