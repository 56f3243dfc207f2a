/* Generalized requests: the program completes them, and its functions are called when due. */
#include "check.h"

struct work {
    int queried, freed, cancelled, value;
};

static int query(void *extra, MPI_Status *status)
{
    struct work *work = extra;
    work->queried++;
    MPI_Status_set_elements(status, MPI_INT, work->value);
    MPI_Status_set_cancelled(status, work->cancelled);
    status->MPI_SOURCE = work->value + 1;
    status->MPI_TAG = work->value + 2;
    return MPI_SUCCESS;
}

static int release(void *extra)
{
    ((struct work *)extra)->freed++;
    return MPI_SUCCESS;
}

static int cancel(void *extra, int complete)
{
    struct work *work = extra;
    expect("complete at the cancel", 0, complete);
    work->cancelled = 1;
    return MPI_SUCCESS;
}

static void completed(void)
{
    struct work work = {.value = 7};
    MPI_Request request;
    MPI_Status status;
    int flag, count;
    MPI_Grequest_start(query, release, cancel, &work, &request);
    MPI_Test(&request, &flag, &status);
    expect("done too early", 0, flag);
    MPI_Grequest_complete(request);
    MPI_Wait(&request, &status);
    MPI_Get_count(&status, MPI_INT, &count);
    expect("count", 7, count);
    expect("source", 8, status.MPI_SOURCE);
    expect("tag", 9, status.MPI_TAG);
    expect("queried", 1, work.queried);
    expect("freed", 1, work.freed);
    expect("request is null", 1, request == MPI_REQUEST_NULL);
}

static void cancelled(void)
{
    struct work work = {.value = 0};
    MPI_Request request;
    MPI_Status status;
    int flag = 0;
    MPI_Grequest_start(query, release, cancel, &work, &request);
    MPI_Cancel(&request);
    MPI_Grequest_complete(request);
    MPI_Wait(&request, &status);
    MPI_Test_cancelled(&status, &flag);
    expect("cancelled", 1, flag);
    expect("freed after the cancel", 1, work.freed);
}

/* One generalized request among receives. */
static void among_others(void)
{
    struct work work = {.value = 1};
    int next = (rank + 1) % size, last = (rank + size - 1) % size, in = -1;
    MPI_Request requests[3];
    MPI_Grequest_start(query, release, cancel, &work, &requests[0]);
    MPI_Irecv(&in, 1, MPI_INT, last, 0, MPI_COMM_WORLD, &requests[1]);
    MPI_Isend(&rank, 1, MPI_INT, next, 0, MPI_COMM_WORLD, &requests[2]);
    MPI_Grequest_complete(requests[0]);
    MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
    expect("received", last, in);
    expect("freed among others", 1, work.freed);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    completed();
    cancelled();
    among_others();
    return finish("grequest");
}
