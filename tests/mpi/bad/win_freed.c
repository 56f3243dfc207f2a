/* Wrong: a window is used after it was freed. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    int window = 0;
    MPI_Win copy;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(&window, sizeof(window), 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    copy = win;
    MPI_Win_free(&win);
    MPI_Win_fence(0, copy);
    win = copy;
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
