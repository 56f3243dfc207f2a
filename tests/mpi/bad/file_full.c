/* Wrong: a file is written on a device that is full. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int data = 1;
    MPI_File file;
    MPI_Init(&argc, &argv);
    MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_ARE_FATAL);
    MPI_File_open(MPI_COMM_WORLD, "/dev/full", MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
    MPI_File_write_at(file, 0, &data, 1, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
