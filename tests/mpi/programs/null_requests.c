/* Null and inactive requests: all functions return at once with an empty status. */
#include "check.h"

static void expect_empty(const char *what, const MPI_Status *status)
{
    int count = -1, cancelled = 1;
    MPI_Get_count(status, MPI_INT, &count);
    MPI_Test_cancelled(status, &cancelled);
    expect(what, MPI_ANY_SOURCE, status->MPI_SOURCE);
    expect(what, MPI_ANY_TAG, status->MPI_TAG);
    expect(what, 0, count);
    expect(what, 0, cancelled);
}

static void one_by_one(MPI_Request request, const char *what)
{
    MPI_Status status;
    int flag = 0;
    MPI_Wait(&request, &status);
    expect_empty(what, &status);
    MPI_Test(&request, &flag, &status);
    expect(what, 1, flag);
    expect_empty(what, &status);
    MPI_Request_get_status(request, &flag, &status);
    expect(what, 1, flag);
    expect_empty(what, &status);
}

static void lists(MPI_Request first, MPI_Request second)
{
    MPI_Request requests[2] = {first, second};
    MPI_Status statuses[2];
    int index = 0, flag = 0, done = 0, indices[2];
    MPI_Waitall(2, requests, statuses);
    expect_empty("Waitall", &statuses[0]);
    expect_empty("Waitall", &statuses[1]);
    MPI_Testall(2, requests, &flag, statuses);
    expect("Testall", 1, flag);
    MPI_Waitany(2, requests, &index, statuses);
    expect("Waitany", MPI_UNDEFINED, index);
    expect_empty("Waitany", &statuses[0]);
    MPI_Testany(2, requests, &index, &flag, statuses);
    expect("Testany's index", MPI_UNDEFINED, index);
    expect("Testany's flag", 1, flag);
    MPI_Waitsome(2, requests, &done, indices, statuses);
    expect("Waitsome", MPI_UNDEFINED, done);
    MPI_Testsome(2, requests, &done, indices, statuses);
    expect("Testsome", MPI_UNDEFINED, done);
    MPI_Waitall(0, NULL, MPI_STATUSES_IGNORE);
    MPI_Waitany(0, NULL, &index, MPI_STATUS_IGNORE);
    expect("Waitany of none", MPI_UNDEFINED, index);
}

int main(int argc, char **argv)
{
    int data = 0;
    MPI_Request inactive;
    begin(&argc, &argv);
    MPI_Recv_init(&data, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &inactive);
    one_by_one(MPI_REQUEST_NULL, "null request");
    one_by_one(inactive, "inactive request");
    lists(MPI_REQUEST_NULL, inactive);
    MPI_Request_free(&inactive);
    return finish("null_requests");
}
