/* Messages in partitions, which threads or loops make ready one by one; both sides have partitions of their own. Those of one
 * tag meet in the order in which they were made, whatever the order in which they start. */
#include "check.h"

enum { PARTS = 6, EACH = 20, ROUNDS = 3 };

static void check_order(int to, int from)
{
    enum { MESSAGES = 3 };
    int out[MESSAGES], in[MESSAGES];
    MPI_Request sends[MESSAGES], receives[MESSAGES];
    MPI_Status status[MESSAGES];
    for (int i = 0; i < MESSAGES; i++) {
        out[i] = pattern(rank, i);
        MPI_Psend_init(&out[i], 1, 1, MPI_INT, to, 5, MPI_COMM_WORLD, MPI_INFO_NULL, &sends[i]);
        MPI_Precv_init(&in[i], 1, 1, MPI_INT, from, 5, MPI_COMM_WORLD, MPI_INFO_NULL, &receives[i]);
    }
    MPI_Startall(MESSAGES, receives);
    for (int i = MESSAGES; i-- > 0;) {
        MPI_Start(&sends[i]);
        MPI_Pready(0, sends[i]);
    }
    MPI_Waitall(MESSAGES, receives, status);
    MPI_Waitall(MESSAGES, sends, MPI_STATUSES_IGNORE);
    for (int i = 0; i < MESSAGES; i++) {
        expect("in order", pattern(from, i), in[i]);
        expect("tag", 5, status[i].MPI_TAG);
        MPI_Request_free(&sends[i]);
        MPI_Request_free(&receives[i]);
    }
}

/* Of no partitions at all: they are all ready at once. */
static void check_none(int to, int from)
{
    MPI_Request request[2];
    MPI_Status status[2];
    int bytes;
    MPI_Psend_init(NULL, 0, 1, MPI_INT, to, 6, MPI_COMM_WORLD, MPI_INFO_NULL, &request[0]);
    MPI_Precv_init(NULL, 0, 1, MPI_INT, from, 6, MPI_COMM_WORLD, MPI_INFO_NULL, &request[1]);
    MPI_Startall(2, request);
    MPI_Waitall(2, request, status);
    MPI_Get_count(&status[1], MPI_BYTE, &bytes);
    expect("bytes of nothing", 0, bytes);
    MPI_Request_free(&request[0]);
    MPI_Request_free(&request[1]);
}

int main(int argc, char **argv)
{
    int out[PARTS * EACH], in[PARTS * EACH], other = 0, flag, list[2] = {2, 0};
    begin(&argc, &argv);
    int to = (rank + 1) % size, from = (rank + size - 1) % size;
    MPI_Request request[2], usual;
    MPI_Psend_init(out, PARTS, EACH, MPI_INT, to, 3, MPI_COMM_WORLD, MPI_INFO_NULL, &request[0]);
    MPI_Precv_init(in, 2, PARTS * EACH / 2, MPI_INT, from, 3, MPI_COMM_WORLD, MPI_INFO_NULL, &request[1]);
    for (int round = 0; round < ROUNDS; round++) {
        /* An ordinary message of the same tag meets none of them. */
        MPI_Irecv(&other, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &usual);
        MPI_Startall(2, request);
        fill(out, PARTS * EACH, rank + round);
        MPI_Pready_list(2, list, request[0]);
        MPI_Pready_range(3, 5, request[0]);
        MPI_Parrived(request[1], 0, &flag);
        MPI_Test(&request[0], &flag, MPI_STATUS_IGNORE);
        expect("sent before all are ready", 0, flag);
        MPI_Pready(1, request[0]);
        for (flag = 0; !flag;)
            MPI_Parrived(request[1], 1, &flag);
        expect_pattern("partitions", in, PARTS * EACH, from + round);
        MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
        MPI_Send(&round, 1, MPI_INT, to, 3, MPI_COMM_WORLD);
        MPI_Wait(&usual, MPI_STATUS_IGNORE);
        expect("ordinary message", round, other);
    }
    MPI_Request_free(&request[0]);
    MPI_Request_free(&request[1]);
    check_order(to, from);
    check_none(to, from);
    return finish("partitioned");
}
