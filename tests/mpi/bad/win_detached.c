/* Wrong: memory that the target has not attached. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    int data = 1;
    MPI_Aint at, others[2];
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Get_address(&data, &at);
    MPI_Allgather(&at, 1, MPI_AINT, others, 1, MPI_AINT, MPI_COMM_WORLD);
    MPI_Win_fence(0, win);
    if (rank == 0)
        MPI_Put(&rank, 1, MPI_INT, 1, others[1], 1, MPI_INT, win);
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
