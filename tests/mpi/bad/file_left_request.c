/* Wrong: a file is closed while it is written. */
#include <mpi.h>

int main(int argc, char **argv)
{
    static char data[100000];
    int rank;
    MPI_File file;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_ARE_FATAL);
    MPI_File_open(MPI_COMM_WORLD, "file_left_request.data",
                  MPI_MODE_CREATE | MPI_MODE_WRONLY | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL,
                  &file);
    MPI_File_iwrite_at(file, rank * 100000, data, 100000, MPI_BYTE, &request);
    MPI_File_close(&file);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
