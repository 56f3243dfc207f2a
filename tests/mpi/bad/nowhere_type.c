/* Wrong: a datatype that was not committed, though the message goes nowhere. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int number[4] = {0};
    MPI_Datatype pair;
    MPI_Init(&argc, &argv);
    MPI_Send(number, 4, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Send(number, 1, pair, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
