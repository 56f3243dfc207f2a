/* Cancel of a receive: one that nothing matches is cancelled, and the message goes to the next. */
#include "check.h"

static void cancelled_by(int use_test)
{
    int data = 3, flag = 0;
    MPI_Request request;
    MPI_Status status;
    MPI_Irecv(&data, 1, MPI_INT, MPI_ANY_SOURCE, 50, MPI_COMM_WORLD, &request);
    MPI_Cancel(&request);
    if (use_test)
        while (!flag)
            MPI_Test(&request, &flag, &status);
    else
        MPI_Wait(&request, &status);
    MPI_Test_cancelled(&status, &flag);
    expect("cancelled", 1, flag);
    expect("request is null", 1, request == MPI_REQUEST_NULL);
    expect("data", 3, data);
}

/* A receive is cancelled before the message is sent that would have matched it. */
static void message_goes_to_next(void)
{
    int next = (rank + 1) % size, last = (rank + size - 1) % size, wrong = -1, right = -1, flag;
    MPI_Request request;
    MPI_Status status;
    MPI_Irecv(&wrong, 1, MPI_INT, last, 7, MPI_COMM_WORLD, &request);
    MPI_Cancel(&request);
    MPI_Wait(&request, &status);
    MPI_Test_cancelled(&status, &flag);
    expect("cancelled in time", 1, flag);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Sendrecv(&rank, 1, MPI_INT, next, 7, &right, 1, MPI_INT, last, 7, MPI_COMM_WORLD, &status);
    MPI_Test_cancelled(&status, &flag);
    expect("not cancelled", 0, flag);
    expect("cancelled buffer", -1, wrong);
    expect("received", last, right);
}

static void persistent(void)
{
    int data = 0, flag;
    MPI_Request request;
    MPI_Status status;
    MPI_Recv_init(&data, 1, MPI_INT, 0, 60, MPI_COMM_SELF, &request);
    MPI_Start(&request);
    MPI_Cancel(&request);
    MPI_Wait(&request, &status);
    MPI_Test_cancelled(&status, &flag);
    expect("persistent cancelled", 1, flag);
    MPI_Start(&request);
    MPI_Send(&rank, 1, MPI_INT, 0, 60, MPI_COMM_SELF);
    MPI_Wait(&request, &status);
    MPI_Test_cancelled(&status, &flag);
    expect("persistent started again", 0, flag);
    expect("persistent data", rank, data);
    MPI_Request_free(&request);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    cancelled_by(0);
    cancelled_by(1);
    message_goes_to_next();
    persistent();
    return finish("cancel_recv");
}
