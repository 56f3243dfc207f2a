/* Rank 1 fails, as the first word says: in a function that is inlined, in the C library, by
 * abort().
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int *volatile nowhere;
static char *volatile no_text;

static inline __attribute__((always_inline)) void store(void)
{
    *nowhere = 1;
}

static __attribute__((noinline)) void measure(void)
{
    printf("%zu\n", strlen(no_text));
}

static __attribute__((noinline)) void give_up(void)
{
    abort();
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1 && strcmp(argv[1], "inlined") == 0)
        store();
    if (rank == 1 && strcmp(argv[1], "library") == 0)
        measure();
    if (rank == 1 && strcmp(argv[1], "failure") == 0)
        give_up();
    return MPI_Finalize();
}
