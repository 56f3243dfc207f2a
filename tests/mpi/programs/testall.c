/* Test and Testall: false while something is missing and requests stay, then true for all. */
#include "check.h"

enum { MESSAGES = 4, GO = 99 };

static void receiver(int partner)
{
    int data[MESSAGES], flag, count;
    MPI_Request requests[MESSAGES];
    MPI_Status statuses[MESSAGES];
    for (int i = 0; i < MESSAGES; i++)
        MPI_Irecv(&data[i], 1, MPI_INT, partner, i, MPI_COMM_WORLD, &requests[i]);
    MPI_Wait(&requests[0], &statuses[0]); /* the last one cannot have been sent */
    MPI_Test(&requests[MESSAGES - 1], &flag, MPI_STATUS_IGNORE);
    expect("Test too early", 0, flag);
    MPI_Testall(MESSAGES, requests, &flag, statuses);
    expect("Testall too early", 0, flag);
    expect("request stays", 1, requests[MESSAGES - 1] != MPI_REQUEST_NULL);
    MPI_Send(NULL, 0, MPI_INT, partner, GO, MPI_COMM_WORLD);
    for (flag = 0; !flag;)
        MPI_Testall(MESSAGES, requests, &flag, statuses);
    for (int i = 0; i < MESSAGES; i++) {
        MPI_Get_count(&statuses[i], MPI_INT, &count);
        expect("request is null", 1, requests[i] == MPI_REQUEST_NULL);
        expect("count", i == 0 ? 0 : 1, count); /* the first was waited for before */
    }
    expect_pattern("data", data, MESSAGES, partner);
}

static void sender(int partner)
{
    int data[MESSAGES];
    fill(data, MESSAGES, rank);
    for (int i = 0; i < MESSAGES - 1; i++)
        MPI_Send(&data[i], 1, MPI_INT, partner, i, MPI_COMM_WORLD);
    MPI_Recv(NULL, 0, MPI_INT, partner, GO, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Request request;
    MPI_Isend(&data[MESSAGES - 1], 1, MPI_INT, partner, MESSAGES - 1, MPI_COMM_WORLD, &request);
    for (int flag = 0; !flag;)
        MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
    expect("request of the send", 1, request == MPI_REQUEST_NULL);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    int partner = rank ^ 1;
    if (partner < size && rank < partner)
        receiver(partner);
    else if (partner < size)
        sender(partner);
    return finish("testall");
}
