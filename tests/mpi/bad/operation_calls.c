/* Wrong: an operation of the program's own sends a message. */
#include <mpi.h>

static void add(void *in, void *inout, int *count, MPI_Datatype *type)
{
    int data = 0;
    (void)in, (void)inout, (void)count, (void)type;
    MPI_Allreduce(MPI_IN_PLACE, &data, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    int data = 1, sum;
    MPI_Op op;
    MPI_Init(&argc, &argv);
    MPI_Op_create(add, 1, &op);
    MPI_Allreduce(&data, &sum, 1, MPI_INT, op, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
