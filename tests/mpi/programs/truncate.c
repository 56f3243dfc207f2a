/* A message that is longer than its receive gives MPI_ERR_TRUNCATE, and the next one is fine. */
#include "check.h"

enum { GUARD = -99 };

static void send_long(int to)
{
    int data[8];
    fill(data, 8, rank);
    MPI_Send(data, 8, MPI_INT, to, 1, MPI_COMM_WORLD);
    MPI_Send(data, 8, MPI_INT, to, 2, MPI_COMM_WORLD);
    MPI_Send(data, 8, MPI_INT, to, 3, MPI_COMM_WORLD);
    MPI_Send(data, 8, MPI_INT, to, 4, MPI_COMM_WORLD);
}

static void receive_short(int from)
{
    int data[8];
    for (int i = 0; i < 8; i++)
        data[i] = GUARD;
    int code = MPI_Recv(data, 4, MPI_INT, from, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    expect_class("Recv", MPI_ERR_TRUNCATE, code);
    expect("element behind the buffer", GUARD, data[4]);
    code = MPI_Recv(data, 8, MPI_INT, from, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    expect_class("next Recv", MPI_SUCCESS, code);
    expect_pattern("next data", data, 8, from);
}

static void receive_short_with_waitall(int from)
{
    int small[2], data[8];
    MPI_Request requests[2];
    MPI_Status statuses[2];
    MPI_Irecv(small, 2, MPI_INT, from, 3, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(data, 8, MPI_INT, from, 4, MPI_COMM_WORLD, &requests[1]);
    int code = MPI_Waitall(2, requests, statuses);
    expect_class("Waitall", MPI_ERR_IN_STATUS, code);
    expect_class("status of the short one", MPI_ERR_TRUNCATE, statuses[0].MPI_ERROR);
    if (statuses[1].MPI_ERROR == MPI_ERR_PENDING)
        MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
    else
        expect_class("status of the other", MPI_SUCCESS, statuses[1].MPI_ERROR);
    expect_pattern("other data", data, 8, from);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    int partner = rank ^ 1;
    if (partner < size && rank < partner) {
        send_long(partner);
    } else if (partner < size) {
        receive_short(partner);
        receive_short_with_waitall(partner);
    }
    return finish("truncate");
}
