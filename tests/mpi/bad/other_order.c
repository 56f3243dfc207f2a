/* Two communicators of all ranks, of which each rank uses another one first. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value[2] = {1, 2};
    MPI_Comm comm[2];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm[0]);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm[1]);
    for (int i = 0; i < 2; i++)
        MPI_Allreduce(MPI_IN_PLACE, &value[i], 1, MPI_INT, MPI_SUM, comm[(rank + i) % 2]);
    MPI_Finalize();
    return 0;
}
