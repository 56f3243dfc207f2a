/* Persistent collective operations: each started three times, with other data every time, three of them at once, in another
 * order at every other rank. */
#include "check.h"

enum { ROUNDS = 3 };

static void check_vectors(void)
{
    int *counts = allocate((size_t)size * sizeof(*counts)), *displs = allocate((size_t)size * sizeof(*displs));
    int *out = allocate((size_t)size * sizeof(*out)), *in = allocate((size_t)size * sizeof(*in));
    MPI_Datatype *types = allocate((size_t)size * sizeof(MPI_Datatype));
    MPI_Datatype pair;
    MPI_Request request;
    MPI_Type_contiguous(1, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    for (int i = 0; i < size; i++) {
        counts[i] = 1;
        displs[i] = (int)sizeof(int) * i;
        types[i] = pair;
    }
    MPI_Alltoallw_init(out, counts, displs, types, in, counts, displs, types, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    MPI_Type_free(&pair); /* the request holds it */
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < size; i++)
            out[i] = pattern(rank, i + round);
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        for (int i = 0; i < size; i++)
            expect("alltoallw", pattern(i, rank + round), in[i]);
    }
    MPI_Request_free(&request);
    free(counts);
    free(displs);
    free(types);
    free(out);
    free(in);
}

static void check_both(void)
{
    int value, everybody[2], sum;
    MPI_Request request[3];
    MPI_Bcast_init(everybody, 2, MPI_INT, size - 1, MPI_COMM_WORLD, MPI_INFO_NULL, &request[0]);
    MPI_Allreduce_init(&value, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &request[1]);
    MPI_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, &request[2]);
    for (int round = 0; round < ROUNDS; round++) {
        int flag = 0;
        value = rank + round;
        everybody[0] = rank == size - 1 ? round : -1;
        everybody[1] = rank == size - 1 ? 7 * round : -1;
        for (int i = 0; i < 3; i++)
            MPI_Start(&request[(rank % 2 ? 2 - i : i)]);
        while (!flag)
            MPI_Testall(3, request, &flag, MPI_STATUSES_IGNORE);
        expect("broadcast", round, everybody[0]);
        expect("broadcast", 7 * round, everybody[1]);
        expect("sum", size * (size - 1) / 2 + size * round, sum);
    }
    for (int i = 0; i < 3; i++)
        MPI_Request_free(&request[i]);
    expect("freed", 1, request[0] == MPI_REQUEST_NULL);
}

/* Never started, and ended at once. */
static void check_idle(void)
{
    int value = 1, sum;
    MPI_Request request;
    MPI_Status status;
    MPI_Scan_init(&value, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    MPI_Wait(&request, &status);
    expect("source of a request that is not active", MPI_ANY_SOURCE, status.MPI_SOURCE);
    MPI_Request_free(&request);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    check_vectors();
    check_both();
    check_idle();
    return finish("persistent_coll");
}
