/* MPI_PROC_NULL as source and destination: everything ends at once and moves nothing. */
#include "check.h"

static void expect_nothing(const char *what, const MPI_Status *status)
{
    int count = -1;
    MPI_Get_count(status, MPI_INT, &count);
    expect(what, MPI_PROC_NULL, status->MPI_SOURCE);
    expect(what, MPI_ANY_TAG, status->MPI_TAG);
    expect(what, 0, count);
}

static void blocking(int *data)
{
    MPI_Status status;
    int flag = 0;
    MPI_Send(data, 4, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD);
    MPI_Ssend(data, 4, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD);
    MPI_Rsend(data, 4, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD);
    MPI_Recv(data, 4, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD, &status);
    expect_nothing("Recv", &status);
    MPI_Probe(MPI_PROC_NULL, 1, MPI_COMM_WORLD, &status);
    expect_nothing("Probe", &status);
    MPI_Iprobe(MPI_PROC_NULL, 1, MPI_COMM_WORLD, &flag, &status);
    expect("Iprobe's flag", 1, flag);
    expect_nothing("Iprobe", &status);
    MPI_Sendrecv(data, 4, MPI_INT, MPI_PROC_NULL, 1, data + 4, 4, MPI_INT, MPI_PROC_NULL, 1,
                 MPI_COMM_WORLD, &status);
    expect_nothing("Sendrecv", &status);
}

static void nonblocking(int *data)
{
    MPI_Request requests[3];
    MPI_Status statuses[3];
    MPI_Irecv(data, 4, MPI_INT, MPI_PROC_NULL, MPI_ANY_TAG, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(data, 4, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD, &requests[1]);
    MPI_Issend(data, 4, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD, &requests[2]);
    MPI_Waitall(3, requests, statuses);
    expect_nothing("Irecv", &statuses[0]);
}

static void persistent(int *data)
{
    MPI_Request requests[2];
    MPI_Status statuses[2];
    MPI_Recv_init(data, 4, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Send_init(data, 4, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &requests[1]);
    for (int round = 0; round < 3; round++) {
        MPI_Startall(2, requests);
        MPI_Waitall(2, requests, statuses);
        expect_nothing("Recv_init", &statuses[0]);
    }
    MPI_Request_free(&requests[0]);
    MPI_Request_free(&requests[1]);
}

int main(int argc, char **argv)
{
    int data[8];
    begin(&argc, &argv);
    fill(data, 8, rank);
    blocking(data);
    nonblocking(data);
    persistent(data);
    expect_pattern("data", data, 8, rank);
    return finish("proc_null");
}
