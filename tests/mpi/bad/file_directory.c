/* Wrong: a folder is opened as a file. */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_File file;
    MPI_Init(&argc, &argv);
    MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_ARE_FATAL);
    MPI_File_open(MPI_COMM_WORLD, ".", MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    MPI_Finalize();
    return 0;
}
