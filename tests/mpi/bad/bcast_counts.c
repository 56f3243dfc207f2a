/* Wrong: the root broadcasts 100 integers, the others expect 10. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, data[100] = {0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Bcast(data, rank == 0 ? 100 : 10, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
