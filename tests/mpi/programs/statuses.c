/* Statuses: Get_count and Get_elements of what was set, and counts that cannot be said. */
#include "check.h"

static void set_elements(void)
{
    MPI_Status status;
    int count;
    MPI_Count large;
    memset(&status, 0, sizeof(status));
    MPI_Status_set_elements(&status, MPI_DOUBLE, 12);
    MPI_Get_count(&status, MPI_DOUBLE, &count);
    expect("doubles", 12, count);
    MPI_Get_count(&status, MPI_BYTE, &count);
    expect("bytes", 96, count);
    MPI_Status_set_elements_x(&status, MPI_INT, 9);
    MPI_Get_elements_x(&status, MPI_INT, &large);
    expect("integers", 9, large);
    MPI_Get_count(&status, MPI_DOUBLE, &count);
    expect("nine integers as doubles", MPI_UNDEFINED, count);
}

static void set_cancelled(void)
{
    MPI_Status status;
    int flag;
    memset(&status, 0, sizeof(status));
    MPI_Status_set_cancelled(&status, 1);
    MPI_Test_cancelled(&status, &flag);
    expect("cancelled", 1, flag);
    MPI_Status_set_cancelled(&status, 0);
    MPI_Test_cancelled(&status, &flag);
    expect("not cancelled", 0, flag);
}

/* Copies of a status are as good as the status. */
static void copies(void)
{
    int next = (rank + 1) % size, last = (rank + size - 1) % size, count;
    char out[6] = "hello", in[20];
    MPI_Status status, copy;
    MPI_Sendrecv(out, 6, MPI_CHAR, next, 1, in, 20, MPI_CHAR, last, 1, MPI_COMM_WORLD, &status);
    copy = status;
    memset(&status, 0, sizeof(status));
    MPI_Get_count(&copy, MPI_CHAR, &count);
    expect("characters", 6, count);
    expect("source of a copy", last, copy.MPI_SOURCE);
    expect_text("text", "hello", in);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    set_elements();
    set_cancelled();
    copies();
    return finish("statuses");
}
