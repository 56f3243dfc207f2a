/* Wrong: a communicator is used after it was freed. */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Comm comm, kept;
    MPI_Init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    kept = comm;
    MPI_Comm_free(&comm);
    MPI_Barrier(kept);
    MPI_Finalize();
    return 0;
}
