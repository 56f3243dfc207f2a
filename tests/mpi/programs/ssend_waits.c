/* A synchronous send cannot end before the receive has begun; one that is matched ends. */
#include "check.h"

enum { DATA = 1, GO = 2 };

static void sender(int partner, int count, const int *data)
{
    MPI_Request request;
    int flag;
    MPI_Issend(data, count, MPI_INT, partner, DATA, MPI_COMM_WORLD, &request);
    for (int i = 0; i < 20; i++) {
        MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
        expect("ended without a receive", 0, flag);
    }
    MPI_Send(NULL, 0, MPI_INT, partner, GO, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void receiver(int partner, int count, int *data)
{
    MPI_Recv(NULL, 0, MPI_INT, partner, GO, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(data, count, MPI_INT, partner, DATA, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    expect_pattern("data", data, count, partner);
}

int main(int argc, char **argv)
{
    static const int counts[] = {0, 1, 100, 10000};
    static int data[10000];
    begin(&argc, &argv);
    int partner = rank ^ 1;
    for (int i = 0; partner < size && i < 4; i++) {
        fill(data, counts[i], rank);
        if (rank < partner)
            sender(partner, counts[i], data);
        else
            receiver(partner, counts[i], data);
    }
    return finish("ssend_waits");
}
