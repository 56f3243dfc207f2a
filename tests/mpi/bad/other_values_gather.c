/* Wrong: rank 0 gathers integers, and rank 1 gives reals. */
#include <mpi.h>
#include <stddef.h>

int main(int argc, char **argv)
{
    int rank, all[2] = {0, 0};
    float real = 2;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        MPI_Gather(MPI_IN_PLACE, 1, MPI_INT, all, 1, MPI_INT, 0, MPI_COMM_WORLD);
    else
        MPI_Gather(&real, 1, MPI_FLOAT, NULL, 0, MPI_DATATYPE_NULL, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
