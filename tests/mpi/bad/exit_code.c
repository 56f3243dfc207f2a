/* Wrong: rank 0 ends with an exit status of its own, after MPI_Finalize. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Finalize();
    return rank == 0 ? 3 : 0;
}
