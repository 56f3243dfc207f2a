/* Wrong: ranks open a file in different ways. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_File file;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_ARE_FATAL);
    MPI_File_open(MPI_COMM_WORLD, "/dev/null", rank ? MPI_MODE_RDONLY : MPI_MODE_WRONLY,
                  MPI_INFO_NULL, &file);
    MPI_Finalize();
    return 0;
}
