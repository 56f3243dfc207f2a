/* Wrong: a view begins before its file. */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_File file;
    MPI_Init(&argc, &argv);
    MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_ARE_FATAL);
    MPI_File_open(MPI_COMM_WORLD, "file_negative_view.data",
                  MPI_MODE_CREATE | MPI_MODE_WRONLY | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL,
                  &file);
    MPI_File_set_view(file, -4, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
    MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
