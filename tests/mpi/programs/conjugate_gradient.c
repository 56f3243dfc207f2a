/* Conjugate gradients for a line of springs: halo messages and two sums in each step. */
#include "check.h"

enum { COUNT = 6 }; /* unknowns of each process */

static double dot(const double *a, const double *b)
{
    double part = 0, sum;
    for (int i = 1; i <= COUNT; i++)
        part += a[i] * b[i];
    MPI_Allreduce(&part, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return sum;
}

/* y = A x, where A has 3 on the diagonal and -1 beside it; x has a halo of one. */
static void apply(double *x, double *y)
{
    int left = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    int right = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
    MPI_Sendrecv(&x[1], 1, MPI_DOUBLE, left, 0, &x[COUNT + 1], 1, MPI_DOUBLE, right, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(&x[COUNT], 1, MPI_DOUBLE, right, 1, &x[0], 1, MPI_DOUBLE, left, 1, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    for (int i = 1; i <= COUNT; i++)
        y[i] = 3 * x[i] - x[i - 1] - x[i + 1];
}

static int solve(double *x, const double *b)
{
    double r[COUNT + 2] = {0}, p[COUNT + 2] = {0}, q[COUNT + 2] = {0};
    int steps = 0;
    for (int i = 1; i <= COUNT; i++)
        r[i] = p[i] = b[i];
    double rho = dot(r, r);
    for (; rho > 1e-24 && steps < COUNT * size + 100; steps++) {
        apply(p, q);
        double alpha = rho / dot(p, q);
        for (int i = 1; i <= COUNT; i++) {
            x[i] += alpha * p[i];
            r[i] -= alpha * q[i];
        }
        double before = rho;
        rho = dot(r, r);
        for (int i = 1; i <= COUNT; i++)
            p[i] = r[i] + rho / before * p[i];
    }
    return steps;
}

int main(int argc, char **argv)
{
    double right[COUNT + 2] = {0}, b[COUNT + 2] = {0}, x[COUNT + 2] = {0};
    begin(&argc, &argv);
    for (int i = 1; i <= COUNT; i++)
        right[i] = pattern(rank, i) % 100 / 10.0;
    apply(right, b);
    int steps = solve(x, b);
    for (int i = 1; i <= COUNT; i++)
        expect_real("unknown", right[i], x[i]);
    expect("converged", 1, steps <= 60);
    return finish("conjugate_gradient");
}
