/* Pi by the midpoint rule: intervals are dealt out, partial sums reduced. */
#include "check.h"

enum { INTERVALS = 20000 };

int main(int argc, char **argv)
{
    int intervals = 0;
    double sum = 0, pi = 0;
    begin(&argc, &argv);
    if (rank == 0)
        intervals = INTERVALS;
    MPI_Bcast(&intervals, 1, MPI_INT, 0, MPI_COMM_WORLD);
    for (int i = rank; i < intervals; i += size) {
        double x = (i + 0.5) / intervals;
        sum += 4 / (1 + x * x) / intervals;
    }
    MPI_Reduce(&sum, &pi, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        expect_real("pi", 3.14159265358979323846, pi);
        printf("pi: %.8f\n", pi);
    }
    return finish("pi");
}
