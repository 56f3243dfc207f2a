/* Wrong: one target is locked twice. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    int window = 0;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(&window, sizeof(window), 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    if (rank == 1) {
        MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
        MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
    }
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
