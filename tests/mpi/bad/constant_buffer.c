/* Wrong: rank 1 gets a broadcast into memory that cannot be written to. The root's need not be. */
#include <mpi.h>

static const int data[1000] = {1};

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Bcast((void *)data, 1000, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
