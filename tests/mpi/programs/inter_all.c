/* All-to-all operations over an inter-communicator: each group gets what the other one gives. */
#include "check.h"

static MPI_Comm inter;
static int me, mine, others, side;

static int who(int of_side, int of_rank)
{
    return 500 * of_side + of_rank;
}

static void gathers(void)
{
    int out[3], *in = allocate(3 * others * sizeof(int));
    int *counts = allocate(others * sizeof(int)), *places = allocate(others * sizeof(int));
    fill(out, 3, who(side, me));
    MPI_Allgather(out, 3, MPI_INT, in, 3, MPI_INT, inter);
    for (int i = 0; i < others; i++)
        expect_pattern("allgather", in + 3 * i, 3, who(!side, i));
    memset(in, 0, 3 * others * sizeof(int));
    for (int i = 0; i < others; i++) {
        counts[i] = i % 4 == 3 ? 0 : i % 4;
        places[i] = 3 * i;
    }
    MPI_Allgatherv(out, me % 4 == 3 ? 0 : me % 4, MPI_INT, in, counts, places, MPI_INT, inter);
    for (int i = 0; i < others; i++)
        expect_pattern("allgatherv", in + 3 * i, counts[i], who(!side, i));
    free(in);
    free(counts);
    free(places);
}

static void alltoall(void)
{
    int *out = allocate(others * sizeof(int)), *in = allocate(others * sizeof(int));
    for (int to = 0; to < others; to++)
        out[to] = pattern(who(side, me), to);
    MPI_Alltoall(out, 1, MPI_INT, in, 1, MPI_INT, inter);
    for (int from = 0; from < others; from++)
        expect("alltoall", pattern(who(!side, from), me), in[from]);
    free(out);
    free(in);
}

static void reductions(void)
{
    int value = side ? 100 + me : me, sum = 0, base = side ? 0 : 100 * others;
    MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, inter);
    expect("allreduce", base + others * (others - 1) / 2, sum);
    int *out = allocate(mine * others * sizeof(int)), *in = allocate(others * sizeof(int));
    for (int i = 0; i < mine * others; i++)
        out[i] = i + me;
    /* The vector is as long as both sizes multiplied: each side cuts it evenly. */
    MPI_Reduce_scatter_block(out, in, others, MPI_INT, MPI_SUM, inter);
    for (int i = 0; i < others; i++)
        expect("reduce_scatter_block", others * (others - 1) / 2 + others * (me * others + i),
               in[i]);
    free(out);
    free(in);
    MPI_Barrier(inter);
}

int main(int argc, char **argv)
{
    MPI_Comm half;
    begin(&argc, &argv);
    side = rank % 2;
    me = rank / 2;
    mine = side ? size / 2 : (size + 1) / 2;
    others = size - mine;
    MPI_Comm_split(MPI_COMM_WORLD, side, rank, &half);
    if (size > 1) {
        MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, !side, 3, &inter);
        gathers();
        alltoall();
        reductions();
        MPI_Comm_free(&inter);
    }
    MPI_Comm_free(&half);
    return finish("inter_all");
}
