/* Messages over an inter-communicator: ranks are those of the other group. */
#include "check.h"

enum { COUNT = 30 };

static void exchange(MPI_Comm inter, int me, int mine, int others, int side)
{
    int out[COUNT], in[COUNT], partner = me % others, expected = 0;
    MPI_Request request;
    MPI_Status status;
    fill(out, COUNT, 1000 * side + me);
    MPI_Isend(out, COUNT, MPI_INT, partner, me, inter, &request);
    for (int i = 0; i < others; i++) /* those that chose this process */
        expected += i % mine == me;
    for (int i = 0; i < expected; i++) {
        MPI_Recv(in, COUNT, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, inter, &status);
        expect("source", status.MPI_TAG, status.MPI_SOURCE);
        expect("chosen partner", me, status.MPI_SOURCE % mine);
        expect_pattern("data", in, COUNT, 1000 * (1 - side) + status.MPI_SOURCE);
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void ask_about(MPI_Comm inter, int mine, int others)
{
    int flag, local, remote;
    MPI_Group group;
    MPI_Comm_test_inter(inter, &flag);
    MPI_Comm_size(inter, &local);
    MPI_Comm_remote_size(inter, &remote);
    expect("is an inter-communicator", 1, flag);
    expect("local size", mine, local);
    expect("remote size", others, remote);
    MPI_Comm_remote_group(inter, &group);
    MPI_Group_size(group, &remote);
    expect("size of the remote group", others, remote);
    MPI_Group_free(&group);
}

int main(int argc, char **argv)
{
    MPI_Comm half, inter, copy;
    begin(&argc, &argv);
    int low = (size + 1) / 3 > 0 ? (size + 1) / 3 : 1, side = rank >= low;
    MPI_Comm_split(MPI_COMM_WORLD, side, rank, &half);
    if (size > 1) {
        int mine = side ? size - low : low, others = size - mine;
        MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, side ? 0 : low, 12, &inter);
        ask_about(inter, mine, others);
        exchange(inter, side ? rank - low : rank, mine, others, side);
        MPI_Comm_dup(inter, &copy);
        ask_about(copy, mine, others);
        exchange(copy, side ? rank - low : rank, mine, others, side);
        MPI_Comm_free(&copy);
        MPI_Comm_free(&inter);
    }
    MPI_Comm_free(&half);
    return finish("inter_messages");
}
