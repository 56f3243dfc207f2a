/* Points in a circle: every process has random numbers of its own, the hits are counted. */
#include "check.h"
#include <stdint.h>

enum { POINTS = 5000 };

static double draw(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) / (double)(1ull << 53);
}

static long hits_of(int who)
{
    uint64_t state = 88172645463325252u + 7919u * (uint64_t)who;
    long hits = 0;
    for (int i = 0; i < POINTS; i++) {
        double x = draw(&state), y = draw(&state);
        hits += x * x + y * y <= 1;
    }
    return hits;
}

int main(int argc, char **argv)
{
    long total = 0, expected = 0;
    begin(&argc, &argv);
    long hits = hits_of(rank);
    MPI_Allreduce(&hits, &total, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    for (int i = 0; rank == 0 && i < size; i++)
        expected += hits_of(i);
    if (rank == 0) {
        expect("hits", expected, total);
        printf("hits: %ld of %ld\n", total, (long)size * POINTS);
    }
    double pi = 4.0 * (double)total / ((double)size * POINTS);
    expect("near pi", 1, pi > 3.0 && pi < 3.3);
    return finish("monte_carlo");
}
