/* Tags select messages: received in another order than sent, from 0 up to MPI_TAG_UB. */
#include "check.h"

enum { MESSAGES = 12 };

static int largest_tag(void)
{
    int *value, flag;
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &value, &flag);
    expect("MPI_TAG_UB is there", 1, flag);
    expect("MPI_TAG_UB is at least 32767", 1, *value >= 32767);
    return *value;
}

static void shuffled(void)
{
    int next = (rank + 1) % size, last = (rank + size - 1) % size;
    int out[MESSAGES], in[MESSAGES];
    MPI_Request requests[MESSAGES];
    for (int i = 0; i < MESSAGES; i++) {
        out[i] = pattern(rank, i);
        MPI_Isend(&out[i], 1, MPI_INT, next, i, MPI_COMM_WORLD, &requests[i]);
    }
    for (int i = 0; i < MESSAGES; i++) {
        int tag = i * 5 % MESSAGES;
        MPI_Recv(&in[tag], 1, MPI_INT, last, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Waitall(MESSAGES, requests, MPI_STATUSES_IGNORE);
    expect_pattern("shuffled", in, MESSAGES, last);
}

static void extremes(int largest)
{
    int next = (rank + 1) % size, last = (rank + size - 1) % size;
    int tags[4] = {0, largest, largest - 1, 32767}, in[4];
    MPI_Request requests[4];
    MPI_Status statuses[4];
    for (int i = 0; i < 4; i++)
        MPI_Irecv(&in[i], 1, MPI_INT, last, tags[i], MPI_COMM_WORLD, &requests[i]);
    for (int i = 3; i >= 0; i--)
        MPI_Send(&tags[i], 1, MPI_INT, next, tags[i], MPI_COMM_WORLD);
    MPI_Waitall(4, requests, statuses);
    for (int i = 0; i < 4; i++) {
        expect("extreme tag", tags[i], statuses[i].MPI_TAG);
        expect("extreme data", tags[i], in[i]);
    }
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    shuffled();
    int largest = largest_tag();
    if (largest > 32768) /* so that all four differ */
        extremes(largest);
    return finish("tags");
}
