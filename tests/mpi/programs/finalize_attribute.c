/* Attributes of MPI_COMM_SELF are deleted first thing in Finalize, when MPI still works. */
#include "check.h"

static int calls;

static int discard(MPI_Comm comm, int key, void *value, void *state)
{
    int finalized = 1, in = -1;
    (void)key;
    (void)state;
    calls++;
    MPI_Finalized(&finalized);
    expect("finalized", 0, finalized);
    MPI_Sendrecv(value, 1, MPI_INT, 0, 0, &in, 1, MPI_INT, 0, 0, comm, MPI_STATUS_IGNORE);
    expect("message", 5, in);
    return MPI_SUCCESS;
}

int main(int argc, char **argv)
{
    int key, value = 5, finalized = 0;
    begin(&argc, &argv);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, discard, &key, NULL);
    MPI_Comm_set_attr(MPI_COMM_SELF, key, &value);
    MPI_Comm_free_keyval(&key);
    MPI_Finalize();
    MPI_Finalized(&finalized);
    expect("calls", 1, calls);
    expect("finalized at the end", 1, finalized);
    if (rank == 0 && errors == 0) /* of its own: nothing can be summed up any more */
        printf("finalize_attribute: ok\n");
    else if (rank == 0)
        printf("finalize_attribute: %d errors\n", errors);
    return errors > 0;
}
