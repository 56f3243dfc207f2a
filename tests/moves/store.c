/* All write a short and a long piece of a file: for the costs of I/O nodes. */
#include <mpi.h>

int main(int argc, char **argv)
{
    static char out[20000];
    MPI_File file;
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_File_open(MPI_COMM_WORLD, "store.data",
                  MPI_MODE_CREATE | MPI_MODE_WRONLY | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL,
                  &file);
    MPI_File_write_at(file, 20001 * rank, out, 1, MPI_BYTE, MPI_STATUS_IGNORE);
    MPI_File_write_at(file, 20001 * rank + 1, out, 20000, MPI_BYTE, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
