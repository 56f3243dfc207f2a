/* Wrong: MPI_Init is called twice. */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Init(&argc, &argv);
    MPI_Finalize();
    return 0;
}
