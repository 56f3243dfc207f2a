/* Wrong: nobody sends. Reports have ranks of MPI_COMM_WORLD: this communicator's rank 0 is rank 1.
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, in;
    MPI_Comm backwards;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &backwards);
    MPI_Recv(&in, 1, MPI_INT, 0, 4, backwards, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
