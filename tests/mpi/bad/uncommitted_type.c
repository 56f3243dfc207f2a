/* Wrong: a type is used that was not committed. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int data[4] = {0};
    MPI_Datatype pair;
    MPI_Init(&argc, &argv);
    MPI_Type_vector(2, 1, 2, MPI_INT, &pair);
    MPI_Bcast(data, 1, pair, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
