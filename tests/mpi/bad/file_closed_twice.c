/* Wrong: a file is closed twice. */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_File file, kept;
    MPI_Init(&argc, &argv);
    MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_ARE_FATAL);
    MPI_File_open(MPI_COMM_WORLD, "file_closed_twice.data",
                  MPI_MODE_CREATE | MPI_MODE_WRONLY | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL,
                  &file);
    kept = file;
    MPI_File_close(&file);
    MPI_File_close(&kept);
    MPI_Finalize();
    return 0;
}
