/* Wrong: nobody posts. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    int window = 0;
    MPI_Group group;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(&window, sizeof(window), 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Comm_group(MPI_COMM_WORLD, &group);
    MPI_Win_start(group, 0, win);
    MPI_Win_complete(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
