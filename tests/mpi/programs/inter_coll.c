/* Rooted collective operations over an inter-communicator: Bcast, Reduce, Gather and Scatter. */
#include "check.h"

enum { COUNT = 25 };

struct sides {
    MPI_Comm inter;
    int me, mine, others, side;
};

/* What this process says as its root: MPI_ROOT, MPI_PROC_NULL, or the root in the other group. */
static int root_for(const struct sides *s, int side, int root)
{
    if (s->side != side)
        return root;
    return s->me == root ? MPI_ROOT : MPI_PROC_NULL;
}

static void bcast(const struct sides *s, int side, int root)
{
    int data[COUNT] = {0};
    if (s->side == side && s->me == root)
        fill(data, COUNT, root);
    MPI_Bcast(data, COUNT, MPI_INT, root_for(s, side, root), s->inter);
    if (s->side != side)
        expect_pattern("bcast", data, COUNT, root);
}

/* The root has the sum over the other group. */
static void reduce(const struct sides *s, int side, int root)
{
    int out[2] = {s->me, 1}, in[2] = {-1, -1};
    MPI_Reduce(out, in, 2, MPI_INT, MPI_SUM, root_for(s, side, root), s->inter);
    int is_root = s->side == side && s->me == root;
    expect("sum", is_root ? s->others * (s->others - 1) / 2 : -1, in[0]);
    expect("number", is_root ? s->others : -1, in[1]);
}

static void gather_and_scatter(const struct sides *s, int side, int root)
{
    int *all = allocate(2 * s->others * sizeof(int)), part[2] = {s->me, s->me + 7};
    int is_root = s->side == side && s->me == root;
    MPI_Gather(part, 2, MPI_INT, all, 2, MPI_INT, root_for(s, side, root), s->inter);
    for (int i = 0; is_root && i < s->others; i++) {
        expect("gather", i, all[2 * i]);
        expect("gather", i + 7, all[2 * i + 1]);
    }
    for (int i = 0; i < 2 * s->others; i++)
        all[i] = pattern(side, i);
    MPI_Scatter(all, 2, MPI_INT, part, 2, MPI_INT, root_for(s, side, root), s->inter);
    for (int i = 0; s->side != side && i < 2; i++)
        expect("scatter", pattern(side, 2 * s->me + i), part[i]);
    free(all);
}

int main(int argc, char **argv)
{
    MPI_Comm half;
    begin(&argc, &argv);
    int low = (size + 1) / 2, side = rank >= low;
    MPI_Comm_split(MPI_COMM_WORLD, side, rank, &half);
    if (size > 1) {
        struct sides s = {.side = side, .me = side ? rank - low : rank};
        s.mine = side ? size - low : low;
        s.others = size - s.mine;
        MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, side ? 0 : low, 1, &s.inter);
        for (int from = 0; from < 2; from++) {
            int last = (from ? size - low : low) - 1;
            for (int root = 0; root <= last; root += last > 0 ? last : 1) {
                bcast(&s, from, root);
                reduce(&s, from, root);
                gather_and_scatter(&s, from, root);
            }
        }
        MPI_Comm_free(&s.inter);
    }
    MPI_Comm_free(&half);
    return finish("inter_coll");
}
