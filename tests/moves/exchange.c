/* Two neighbours exchange a short, a longer and a long message, then all a byte with all: for the
 * costs of MPI. */
#include <mpi.h>

int main(int argc, char **argv)
{
    static char out[20000], in[20000];
    static const int bytes[] = {1, 500, 20000};
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < 3; i++)
        MPI_Sendrecv(out, bytes[i], MPI_BYTE, (rank + 1) % size, 0, in, bytes[i], MPI_BYTE,
                     (rank + size - 1) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Alltoall(out, 1, MPI_BYTE, in, 1, MPI_BYTE, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
