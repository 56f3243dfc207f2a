/* Request_get_status: says how a request stands and leaves it as it is. */
#include "check.h"

enum { COUNT = 5, TAG = 3, GO = 4 };

static void receiver(int partner)
{
    int data[COUNT], flag, count;
    MPI_Request request;
    MPI_Status status;
    MPI_Irecv(data, COUNT, MPI_INT, partner, TAG, MPI_COMM_WORLD, &request);
    MPI_Request_get_status(request, &flag, &status);
    expect("too early", 0, flag);
    MPI_Send(NULL, 0, MPI_INT, partner, GO, MPI_COMM_WORLD);
    while (!flag)
        MPI_Request_get_status(request, &flag, &status);
    for (int again = 0; again < 2; again++) {
        MPI_Request_get_status(request, &flag, &status);
        MPI_Get_count(&status, MPI_INT, &count);
        expect("flag", 1, flag);
        expect("source", partner, status.MPI_SOURCE);
        expect("count", COUNT, count);
        expect("request stays", 1, request != MPI_REQUEST_NULL);
    }
    expect_pattern("data", data, COUNT, partner);
    MPI_Wait(&request, &status);
    expect("tag", TAG, status.MPI_TAG);
    expect("request is null", 1, request == MPI_REQUEST_NULL);
}

static void sender(int partner)
{
    int data[COUNT];
    fill(data, COUNT, rank);
    MPI_Recv(NULL, 0, MPI_INT, partner, GO, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(data, COUNT, MPI_INT, partner, TAG, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    int partner = rank ^ 1;
    if (partner < size && rank < partner)
        receiver(partner);
    else if (partner < size)
        sender(partner);
    return finish("request_get_status");
}
