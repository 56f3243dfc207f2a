/* Nonblocking collective operations with equal parts, one at a time, with messages between. */
#include "check.h"

static int *out, *in; /* `size` integers each */

static void prepare(void)
{
    for (int i = 0; i < size; i++) {
        out[i] = 100 * rank + i;
        in[i] = -1;
    }
}

/* Sends a token around while the operation is under way, then waits for it. */
static void complete(MPI_Request *request)
{
    int next = (rank + 1) % size, last = (rank + size - 1) % size, token;
    MPI_Sendrecv(&rank, 1, MPI_INT, next, 0, &token, 1, MPI_INT, last, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    expect("token", last, token);
    MPI_Wait(request, MPI_STATUS_IGNORE);
    expect("request is null", 1, *request == MPI_REQUEST_NULL);
}

static void rooted(int root)
{
    MPI_Request request;
    int value = rank == root ? 77 : 0;
    MPI_Ibcast(&value, 1, MPI_INT, root, MPI_COMM_WORLD, &request);
    complete(&request);
    expect("ibcast", 77, value);
    prepare();
    MPI_Igather(&out[0], 1, MPI_INT, in, 1, MPI_INT, root, MPI_COMM_WORLD, &request);
    complete(&request);
    for (int i = 0; i < size; i++)
        expect("igather", rank == root ? 100 * i : -1, in[i]);
    prepare();
    MPI_Iscatter(out, 1, MPI_INT, in, 1, MPI_INT, root, MPI_COMM_WORLD, &request);
    complete(&request);
    expect("iscatter", 100 * root + rank, in[0]);
    MPI_Ireduce(&rank, &value, 1, MPI_INT, MPI_SUM, root, MPI_COMM_WORLD, &request);
    complete(&request);
    expect("ireduce", rank == root ? size * (size - 1) / 2 : 77, value);
}

static void everywhere(void)
{
    MPI_Request request;
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    complete(&request);
    prepare();
    MPI_Iallgather(&rank, 1, MPI_INT, in, 1, MPI_INT, MPI_COMM_WORLD, &request);
    complete(&request);
    for (int i = 0; i < size; i++)
        expect("iallgather", i, in[i]);
    MPI_Ialltoall(out, 1, MPI_INT, in, 1, MPI_INT, MPI_COMM_WORLD, &request);
    complete(&request);
    for (int i = 0; i < size; i++)
        expect("ialltoall", 100 * i + rank, in[i]);
}

static void reductions(void)
{
    MPI_Request request;
    int sum = size * (size - 1) / 2, value = -1;
    prepare();
    MPI_Iallreduce(out, in, size, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
    complete(&request);
    for (int i = 0; i < size; i++)
        expect("iallreduce", 100 * sum + size * i, in[i]);
    MPI_Ireduce_scatter_block(out, &value, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
    complete(&request);
    expect("ireduce_scatter_block", 100 * sum + size * rank, value);
    MPI_Iscan(&rank, &value, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
    complete(&request);
    expect("iscan", rank * (rank + 1) / 2, value);
    MPI_Iexscan(&rank, &value, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
    complete(&request);
    if (rank > 0)
        expect("iexscan", rank * (rank - 1) / 2, value);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    out = allocate(size * sizeof(int));
    in = allocate(size * sizeof(int));
    for (int root = 0; root<size; root += size> 8 ? size / 3 : 1)
        rooted(root);
    everywhere();
    reductions();
    free(out);
    free(in);
    return finish("icoll");
}
