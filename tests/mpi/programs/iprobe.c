/* Iprobe: says no while nothing can be there, finds a message by polling, and only what matches. */
#include "check.h"

enum { DATA = 1, GO = 2, OTHER = 3 };

static void wait_for(int source, int tag, MPI_Status *status)
{
    int flag = 0;
    while (!flag)
        MPI_Iprobe(source, tag, MPI_COMM_WORLD, &flag, status);
}

static void receiver(int partner)
{
    int flag, count, data[10];
    MPI_Status status;
    MPI_Iprobe(partner, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, &status);
    expect("message before any was sent", 0, flag);
    MPI_Send(NULL, 0, MPI_INT, partner, GO, MPI_COMM_WORLD);
    wait_for(MPI_ANY_SOURCE, MPI_ANY_TAG, &status);
    expect("source", partner, status.MPI_SOURCE);
    expect("tag", DATA, status.MPI_TAG);
    MPI_Get_count(&status, MPI_INT, &count);
    expect("count", 10, count);
    MPI_Iprobe(partner, OTHER, MPI_COMM_WORLD, &flag, &status);
    expect("message with another tag", 0, flag);
    MPI_Iprobe(0, DATA, MPI_COMM_SELF, &flag, &status);
    expect("message on another communicator", 0, flag);
    MPI_Recv(data, 10, MPI_INT, partner, DATA, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    expect_pattern("data", data, 10, partner);
    MPI_Iprobe(partner, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    expect("message after it was received", 0, flag);
}

static void sender(int partner)
{
    int data[10];
    fill(data, 10, rank);
    MPI_Recv(NULL, 0, MPI_INT, partner, GO, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(data, 10, MPI_INT, partner, DATA, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    int partner = rank ^ 1;
    if (partner < size && rank < partner)
        receiver(partner);
    else if (partner < size)
        sender(partner);
    return finish("iprobe");
}
