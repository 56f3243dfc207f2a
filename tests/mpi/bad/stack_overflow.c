/* Wrong: rank 1 calls a function that calls itself without end. */
#include <mpi.h>

static volatile int depth;

static int deeper(const volatile char *above)
{
    volatile char block[1024];
    block[0] = above[0];
    depth++;
    if (depth < 0) /* never: so that compilers see an end */
        return 0;
    return deeper(block) + block[0];
}

int main(int argc, char **argv)
{
    int rank;
    volatile char first[1] = {1};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1)
        deeper(first);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
