/* Wrong: a datatype that is not committed. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    int window[4] = {0}, data[2] = {0};
    MPI_Datatype type;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(window, sizeof(window), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Type_vector(2, 1, 2, MPI_INT, &type);
    MPI_Win_fence(0, win);
    MPI_Put(data, 2, MPI_INT, 0, 0, 1, type, win);
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
