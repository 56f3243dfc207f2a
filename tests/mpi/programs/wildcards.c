/* MPI_ANY_SOURCE and MPI_ANY_TAG: every message comes once, and the status says whose it is. */
#include "check.h"

enum { PER_PROCESS = 5, TAG = 100 };

static void receive(int *seen, int source, int tag)
{
    int data[PER_PROCESS + 1], count;
    MPI_Status status;
    MPI_Recv(data, PER_PROCESS + 1, MPI_INT, source, tag, MPI_COMM_WORLD, &status);
    MPI_Get_count(&status, MPI_INT, &count);
    int from = status.MPI_SOURCE, index = status.MPI_TAG - TAG;
    expect("count", index + 1, count);
    expect_pattern("data", data, count, from + index);
    seen[from * PER_PROCESS + index]++;
    if (tag == MPI_ANY_TAG) /* messages of one process come in order */
        expect("earlier message", 1, index == 0 || seen[from * PER_PROCESS + index - 1]);
}

static void expect_each_once(const char *what, const int *seen)
{
    for (int i = PER_PROCESS; i < size * PER_PROCESS; i++)
        expect(what, 1, seen[i]);
}

static void collect_in_any_order(void)
{
    int *seen = allocate(size * PER_PROCESS * sizeof(int));
    for (int i = 0; i < (size - 1) * PER_PROCESS; i++)
        receive(seen, MPI_ANY_SOURCE, MPI_ANY_TAG);
    expect_each_once("times received", seen);
    free(seen);
}

static void collect_by_tag(void)
{
    int *seen = allocate(size * PER_PROCESS * sizeof(int));
    for (int index = PER_PROCESS - 1; index >= 0; index--)
        for (int i = 1; i < size; i++)
            receive(seen, MPI_ANY_SOURCE, TAG + index);
    expect_each_once("times received by tag", seen);
    free(seen);
}

static void send_all(void)
{
    static int data[PER_PROCESS][PER_PROCESS];
    MPI_Request requests[PER_PROCESS];
    for (int i = 0; i < PER_PROCESS; i++) {
        fill(data[i], i + 1, rank + i);
        MPI_Isend(data[i], i + 1, MPI_INT, 0, TAG + i, MPI_COMM_WORLD, &requests[i]);
    }
    MPI_Waitall(PER_PROCESS, requests, MPI_STATUSES_IGNORE);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    if (rank == 0)
        collect_in_any_order();
    else
        send_all();
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        collect_by_tag();
    else
        send_all();
    return finish("wildcards");
}
