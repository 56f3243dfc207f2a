/* Error handlers: own functions are called, inherited by copies, and put back. */
#include "check.h"

static int calls, last_class;
static MPI_Comm last_comm;

static void handle(MPI_Comm *comm, int *code, ...)
{
    calls++;
    last_comm = *comm;
    MPI_Error_class(*code, &last_class);
}

static void wrong_send(MPI_Comm comm)
{
    int value = 0;
    MPI_Send(&value, 1, MPI_INT, size + 5, 0, comm);
}

static void own_function(MPI_Comm comm)
{
    MPI_Comm copy;
    calls = 0;
    wrong_send(comm);
    expect("calls", 1, calls);
    expect("class", MPI_ERR_RANK, last_class);
    expect("communicator", 1, last_comm == comm);
    MPI_Comm_call_errhandler(comm, MPI_ERR_OTHER);
    expect("calls by the program", 2, calls);
    expect("class of the program", MPI_ERR_OTHER, last_class);
    MPI_Comm_dup(comm, &copy);
    wrong_send(copy);
    expect("calls on a copy", 3, calls);
    expect("communicator of a copy", 1, last_comm == copy);
    MPI_Comm_free(&copy);
}

static void get_and_set(MPI_Comm comm)
{
    MPI_Errhandler before, own, now;
    MPI_Comm_get_errhandler(comm, &before);
    expect("first handler", 1, before == MPI_ERRORS_ARE_FATAL);
    MPI_Comm_create_errhandler(handle, &own);
    MPI_Comm_set_errhandler(comm, own);
    MPI_Comm_get_errhandler(comm, &now);
    expect("own handler", 1, now == own);
    MPI_Errhandler_free(&now);
    MPI_Errhandler_free(&own); /* it stays as long as the communicator has it */
    expect("freed handle", 1, own == MPI_ERRHANDLER_NULL);
    own_function(comm);
    calls = 0;
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    wrong_send(comm);
    expect("calls after it was replaced", 0, calls);
    MPI_Comm_set_errhandler(comm, before);
    MPI_Errhandler_free(&before);
}

int main(int argc, char **argv)
{
    MPI_Comm comm;
    begin(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    get_and_set(comm);
    MPI_Comm_free(&comm);
    return finish("errhandlers");
}
