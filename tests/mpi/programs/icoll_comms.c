/* Nonblocking collective operations on several communicators, started in different orders. */
#include "check.h"

enum { COMMS = 4 };

static MPI_Comm comms[COMMS];

static void create(void)
{
    MPI_Comm_dup(MPI_COMM_WORLD, &comms[0]);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &comms[1]);
    MPI_Comm_split(MPI_COMM_WORLD, rank / 3, -rank, &comms[2]);
    MPI_Comm_dup(MPI_COMM_SELF, &comms[3]);
}

/* The sum of the world ranks of a communicator's processes. */
static int sum_of(MPI_Comm comm)
{
    int count, sum = 0;
    MPI_Group world, group;
    MPI_Comm_size(comm, &count);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Comm_group(comm, &group);
    for (int i = 0; i < count; i++) {
        int there;
        MPI_Group_translate_ranks(group, 1, &i, world, &there);
        sum += there;
    }
    MPI_Group_free(&world);
    MPI_Group_free(&group);
    return sum;
}

int main(int argc, char **argv)
{
    MPI_Request requests[2 * COMMS];
    int sums[COMMS], firsts[COMMS];
    begin(&argc, &argv);
    create();
    for (int i = 0; i < COMMS; i++) { /* the order among communicators is free */
        int which = (i + rank) % COMMS, me;
        MPI_Comm_rank(comms[which], &me);
        firsts[which] = me == 0 ? rank : -1;
        MPI_Iallreduce(&rank, &sums[which], 1, MPI_INT, MPI_SUM, comms[which], &requests[which]);
        MPI_Ibcast(&firsts[which], 1, MPI_INT, 0, comms[which], &requests[COMMS + which]);
    }
    MPI_Waitall(2 * COMMS, requests, MPI_STATUSES_IGNORE);
    for (int i = 0; i < COMMS; i++)
        expect("sum", sum_of(comms[i]), sums[i]);
    expect("first of all", 0, firsts[0]);
    expect("first of the even or odd", rank % 2, firsts[1]);
    int last_of_three = rank / 3 * 3 + 2;
    expect("last of three", last_of_three < size ? last_of_three : size - 1, firsts[2]);
    expect("alone", rank, firsts[3]);
    for (int i = 0; i < COMMS; i++)
        MPI_Comm_free(&comms[i]);
    return finish("icoll_comms");
}
