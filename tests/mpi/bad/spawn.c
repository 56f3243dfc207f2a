/* Wants more processes. */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Comm others;
    MPI_Init(&argc, &argv);
    MPI_Comm_spawn("./other", MPI_ARGV_NULL, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &others, MPI_ERRCODES_IGNORE);
    MPI_Finalize();
    return 0;
}
