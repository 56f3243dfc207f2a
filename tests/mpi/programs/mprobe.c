/* Mprobe and Improbe take a message out of matching; Mrecv and Imrecv receive it later. */
#include "check.h"

enum { COUNT = 20 };

static void send_two(int to)
{
    int data[2][COUNT];
    MPI_Request requests[2];
    for (int tag = 0; tag < 2; tag++) {
        fill(data[tag], COUNT, rank + tag);
        MPI_Isend(data[tag], COUNT, MPI_INT, to, tag, MPI_COMM_WORLD, &requests[tag]);
    }
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
}

/* The message that was found first is received last. */
static void receive_two(int from)
{
    int data[COUNT], count;
    MPI_Message first, second;
    MPI_Request request;
    MPI_Status status;
    MPI_Mprobe(from, MPI_ANY_TAG, MPI_COMM_WORLD, &first, &status);
    expect("tag of the first", 0, status.MPI_TAG);
    for (int flag = 0; !flag;)
        MPI_Improbe(MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &flag, &second, &status);
    expect("source of the second", from, status.MPI_SOURCE);
    MPI_Imrecv(data, COUNT, MPI_INT, &second, &request);
    expect("handle after Imrecv", 1, second == MPI_MESSAGE_NULL);
    MPI_Wait(&request, &status);
    expect("tag of the second", 1, status.MPI_TAG);
    expect_pattern("second", data, COUNT, from + 1);
    MPI_Mrecv(data, COUNT, MPI_INT, &first, &status);
    MPI_Get_count(&status, MPI_INT, &count);
    expect("handle after Mrecv", 1, first == MPI_MESSAGE_NULL);
    expect("count", COUNT, count);
    expect_pattern("first", data, COUNT, from);
}

static void from_nobody(void)
{
    MPI_Message message;
    MPI_Status status;
    int flag = 0, data = 5;
    MPI_Mprobe(MPI_PROC_NULL, 0, MPI_COMM_WORLD, &message, &status);
    expect("message of no process", 1, message == MPI_MESSAGE_NO_PROC);
    MPI_Mrecv(&data, 1, MPI_INT, &message, &status);
    expect("source", MPI_PROC_NULL, status.MPI_SOURCE);
    MPI_Improbe(MPI_PROC_NULL, 0, MPI_COMM_WORLD, &flag, &message, &status);
    expect("Improbe of no process", 1, flag && message == MPI_MESSAGE_NO_PROC);
    MPI_Mrecv(&data, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
    expect("data", 5, data);
}

int main(int argc, char **argv)
{
    int flag;
    MPI_Message message;
    begin(&argc, &argv);
    MPI_Improbe(MPI_ANY_SOURCE, 99, MPI_COMM_WORLD, &flag, &message, MPI_STATUS_IGNORE);
    expect("message that nobody sends", 0, flag);
    int partner = rank ^ 1;
    if (partner < size && rank < partner)
        receive_two(partner);
    else if (partner < size)
        send_two(partner);
    from_nobody();
    return finish("mprobe");
}
