/* All-to-alls of communicators that overlap: rows, columns, halves in reverse, a scattered set, the
 * world and a copy of it; with blocks of several packets, and of none. */
#include "check.h"

/* Bytes from one rank of the world to another: many are none. */
static int size_of(int from, int to, int round)
{
    unsigned mix = (unsigned)(from * 31 + to * 17 + round * 7);
    return mix % 3 == 0 ? 0 : (int)(mix % 5 * mix % 1100);
}

static unsigned char byte_of(int from, int to, int at)
{
    return (unsigned char)(from * 7 + to * 13 + at);
}

/* A rank of the communicator, in the world. */
static int *world_ranks(MPI_Comm comm, int members)
{
    int *who = allocate(members * sizeof(int));
    MPI_Allgather(&rank, 1, MPI_INT, who, 1, MPI_INT, comm);
    return who;
}

static void exchange_bytes(MPI_Comm comm, const int *who, int members, int round)
{
    int *counts = allocate(4 * members * sizeof(int)), *places = counts + members,
        *in_counts = counts + 2 * members, *in_places = counts + 3 * members, total = 0,
        in_total = 0;
    for (int i = 0; i < members; i++) {
        counts[i] = size_of(rank, who[i], round);
        in_counts[i] = size_of(who[i], rank, round);
        places[i] = total;
        in_places[i] = in_total;
        total += counts[i];
        in_total += in_counts[i];
    }
    unsigned char *out = allocate(total), *in = allocate(in_total);
    for (int i = 0; i < members; i++)
        for (int k = 0; k < counts[i]; k++)
            out[places[i] + k] = byte_of(rank, who[i], k);
    MPI_Alltoallv(out, counts, places, MPI_BYTE, in, in_counts, in_places, MPI_BYTE, comm);
    for (int i = 0; i < members; i++)
        for (int k = 0; k < in_counts[i]; k++)
            expect("alltoallv", byte_of(who[i], rank, k), in[in_places[i] + k]);
    free(out);
    free(in);
    free(counts);
}

static void exchange_numbers(MPI_Comm comm, const int *who, int members)
{
    int *numbers = allocate(2 * members * sizeof(int));
    for (int i = 0; i < members; i++)
        numbers[i] = rank * 1000 + who[i];
    MPI_Alltoall(numbers, 1, MPI_INT, numbers + members, 1, MPI_INT, comm);
    for (int i = 0; i < members; i++)
        expect("alltoall", who[i] * 1000 + rank, numbers[members + i]);
    free(numbers);
}

static void exchange(MPI_Comm comm, int round)
{
    int members;
    if (comm == MPI_COMM_NULL)
        return;
    MPI_Comm_size(comm, &members);
    int *who = world_ranks(comm, members);
    exchange_bytes(comm, who, members, round);
    exchange_numbers(comm, who, members);
    free(who);
}

enum { COMMS = 6 };

int main(int argc, char **argv)
{
    MPI_Comm comm[COMMS];
    begin(&argc, &argv);
    MPI_Comm_split(MPI_COMM_WORLD, rank / 4, rank, &comm[0]);
    MPI_Comm_split(MPI_COMM_WORLD, rank * rank % 3 == 1 ? 0 : MPI_UNDEFINED, rank * 5 % 7,
                   &comm[1]);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 4, rank, &comm[2]);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm[3]);
    MPI_Comm_split(MPI_COMM_WORLD, rank < size / 2, -rank, &comm[4]);
    comm[5] = MPI_COMM_WORLD;
    for (int round = 0; round < 3; round++)
        for (int i = 0; i < COMMS; i++)
            exchange(comm[i], round);
    for (int i = 0; i < COMMS - 1; i++)
        if (comm[i] != MPI_COMM_NULL)
            MPI_Comm_free(&comm[i]);
    return finish("alltoall_sets");
}
