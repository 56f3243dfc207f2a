/* Virtual topologies. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "mpi/call.h"
#include "mpi/collective/series.h"
#include "mpi/object/request.h"

int mpi_Dims_create(struct rank *r, int nodes, int ndims, int dims[])
{
    if (ndims < 0 || !topology_factors(nodes, ndims, dims))
        return error_raise(r, NULL, MPI_ERR_DIMS,
                           "%d nodes cannot be divided so into %d dimensions", nodes, ndims);
    return MPI_SUCCESS;
}

/* ---- folding grids onto tori ---- */

/*
 * The machine's directions: the torus's dimensions and, as one more, the processes of a node. Each
 * dimension of the grid takes some of them, whose sizes it is the product of.
 */
enum { DIRECTIONS = WEFT_DIMS_MOST + 1, NO_DIM = DIRECTIONS };

struct folding {
    uint32_t directions, size[DIRECTIONS], at[DIRECTIONS];
    uint32_t dim_of[DIRECTIONS]; /* which dimension of the grid has it */
};

/* Finds a dimension for each direction from `next` on, such that all products come out. */
static bool assign(struct folding *f, uint32_t next, uint32_t dims, int *left)
{
    if (next == f->directions) {
        for (uint32_t d = 0; d < dims; d++)
            if (left[d] != 1)
                return false;
        return true;
    }
    for (uint32_t d = 0; d < dims; d++) {
        int size = (int)f->size[next];
        if (left[d] % size)
            continue;
        left[d] /= size;
        f->dim_of[next] = d;
        if (assign(f, next + 1, dims, left))
            return true;
        left[d] *= size;
    }
    return false;
}

/* The coordinate in a dimension of the grid: its directions one after the other, back and forth, so
 * that steps of one stay steps of one. */
static int64_t coordinate(const struct folding *f, uint32_t dim)
{
    int64_t at = 0;
    bool back = false;
    for (uint32_t i = f->directions; i-- > 0;) {
        if (f->dim_of[i] != dim)
            continue;
        int64_t here = back ? f->size[i] - 1 - f->at[i] : f->at[i];
        at = at * f->size[i] + here;
        back = at % 2;
    }
    return at;
}

/* The rank of this process in a grid, so that neighbours there are neighbours in the machine: on a
 * torus, a grid of all processes is folded onto it where its dimensions are products of the
 * torus's. Elsewhere processes keep their ranks. */
static int64_t folded_rank(struct rank *r, const struct comm *c, uint32_t dims, const int *size,
                           uint32_t nodes)
{
    const weft_task *t = r->task;
    struct folding f = {.directions = t->dims};
    if (c->group != r->world->everybody || !t->dims || nodes != t->size || !dims)
        return c->rank;
    for (uint32_t d = 0; d < t->dims; d++) {
        f.size[d] = t->dim[d];
        f.at[d] = t->coordinate[d];
    }
    f.size[f.directions] = r->world->o.per_node;
    f.at[f.directions++] = t->slot;
    uint64_t all = 1;
    for (uint32_t i = 0; i < f.directions; i++)
        all *= f.size[i];
    int *left = memory_alloc(dims, sizeof(*left));
    for (uint32_t d = 0; d < dims; d++)
        left[d] = size[d];
    bool fits = all == nodes && assign(&f, 0, dims, left);
    free(left);
    if (!fits)
        return c->rank;
    int64_t rank = 0;
    for (uint32_t d = 0; d < dims; d++)
        rank = rank * size[d] + coordinate(&f, d);
    return rank;
}

/* ---- making ---- */

/* A communicator of the first `members`, in an order that may be the machine's; those beyond get
 * none. */
static struct comm *first_members(struct rank *r, struct comm *c, uint32_t members, int64_t key,
                                  MPI_Comm *newcomm)
{
    comm_split(r, c, c->rank < members ? 0 : MPI_UNDEFINED, key, newcomm);
    return *newcomm == MPI_COMM_NULL ? NULL : comm_find(r, (uintptr_t)*newcomm);
}

static int check_grid(struct rank *r, struct comm *c, int ndims, const int dims[], uint32_t *nodes)
{
    int64_t all = 1;
    if (ndims < 0)
        return error_raise(r, c, MPI_ERR_DIMS, "a grid of %d dimensions", ndims);
    for (int d = 0; d < ndims; d++) {
        if (dims[d] < 1)
            return error_raise(r, c, MPI_ERR_DIMS, "dimension %d has size %d", d, dims[d]);
        all *= dims[d];
        if (all > c->group->size)
            return error_raise(r, c, MPI_ERR_DIMS,
                               "the grid is larger than the communicator, "
                               "which has %u processes",
                               c->group->size);
    }
    *nodes = (uint32_t)all;
    return MPI_SUCCESS;
}

int mpi_Cart_create(struct rank *r, struct comm *c, int ndims, const int dims[],
                    const int periods[], int reorder, MPI_Comm *newcomm)
{
    uint32_t nodes = 0;
    TRY_MPI(check_grid(r, c, ndims, dims, &nodes));
    int64_t rank = reorder ? folded_rank(r, c, (uint32_t)ndims, dims, nodes) : c->rank;
    struct comm *made = first_members(r, c, nodes, rank, newcomm);
    if (made)
        made->topology = topology_grid((uint32_t)ndims, dims, periods, made->rank);
    return MPI_SUCCESS;
}

static int check_graph(struct rank *r, struct comm *c, int nodes, const int index[],
                       const int edges[])
{
    if (nodes < 0 || (uint32_t)nodes > c->group->size)
        return error_raise(r, c, MPI_ERR_ARG, "a graph of %d nodes, for %u processes", nodes,
                           c->group->size);
    for (int i = 0, before = 0; i < nodes; before = index[i++])
        if (index[i] < before)
            return error_raise(r, c, MPI_ERR_ARG, "index %d is %d, below the one before", i,
                               index[i]);
    for (int i = 0; nodes && i < index[nodes - 1]; i++)
        if (edges[i] < 0 || edges[i] >= nodes)
            return error_raise(r, c, MPI_ERR_ARG, "edge %d leads to node %d", i, edges[i]);
    return MPI_SUCCESS;
}

int mpi_Graph_create(struct rank *r, struct comm *c, int nodes, const int index[],
                     const int edges[], int reorder, MPI_Comm *newcomm)
{
    (void)reorder;
    TRY_MPI(check_graph(r, c, nodes, index, edges));
    struct comm *made = first_members(r, c, (uint32_t)nodes, c->rank, newcomm);
    if (made)
        made->topology = topology_graph((uint32_t)nodes, index, edges, made->rank);
    return MPI_SUCCESS;
}

static bool has_weights(const int *weights)
{
    return weights != MPI_UNWEIGHTED && weights != MPI_WEIGHTS_EMPTY;
}

static int check_edges(struct rank *r, struct comm *c, int count, const int *ranks,
                       const int *weights)
{
    if (count < 0)
        return error_raise(r, c, MPI_ERR_ARG, "the number of edges is %d", count);
    for (int i = 0; i < count; i++)
        if (ranks[i] < 0 || (uint32_t)ranks[i] >= c->group->size)
            return error_raise(r, c, MPI_ERR_RANK, "edge %d leads to rank %d", i, ranks[i]);
    for (int i = 0; i < count && has_weights(weights); i++)
        if (weights[i] < 0)
            return error_raise(r, c, MPI_ERR_ARG, "edge %d has weight %d", i, weights[i]);
    return MPI_SUCCESS;
}

int mpi_Dist_graph_create_adjacent(struct rank *r, struct comm *c, int indegree,
                                   const int sources[], const int *sourceweights, int outdegree,
                                   const int destinations[], const int *destweights, MPI_Info info,
                                   int reorder, MPI_Comm *newcomm)
{
    (void)info, (void)reorder;
    TRY_MPI(check_edges(r, c, indegree, sources, sourceweights));
    TRY_MPI(check_edges(r, c, outdegree, destinations, destweights));
    struct comm *made = first_members(r, c, c->group->size, c->rank, newcomm);
    made->topology = topology_edges(sourceweights != MPI_UNWEIGHTED, (uint32_t)indegree, sources,
                                    sourceweights, (uint32_t)outdegree, destinations, destweights);
    return MPI_SUCCESS;
}

/* ---- a graph of which everybody knows some edges ---- */

/* An edge, as somebody has named it. */
struct edge {
    int from, to, weight;
};

struct edge_list {
    struct edge *edge;
    uint32_t count;
};

/* Everybody tells each other one number. */
static void exchange_numbers(struct rank *r, struct comm *c, const int *out, int *in)
{
    struct type *number = basics_find((unsigned)(uintptr_t)MPI_INT);
    struct operands o = {
        .out = {.layout = LAYOUT_EVEN, .at = (void *)out, .count = 1, .type = number},
        .in = {.layout = LAYOUT_EVEN, .at = in, .count = 1, .type = number}};
    request_run(r, c, &o, start_alltoall);
}

/* And blocks of so many items, as these numbers say. */
static void exchange_blocks(struct rank *r, struct comm *c, const void *out, const int *out_counts,
                            const int *out_at, void *in, const int *in_counts, const int *in_at,
                            uint64_t item_bytes)
{
    struct type *item = type_regular(block_bytes(NULL, 0).type, 1, (int64_t)item_bytes, 0);
    struct side listed = {.layout = LAYOUT_LISTED, .type = item};
    struct operands o = {.out = listed, .in = listed};
    o.out.at = (void *)out;
    o.out.counts.small = out_counts;
    o.out.displacements.small = out_at;
    o.in.at = in;
    o.in.counts.small = in_counts;
    o.in.displacements.small = in_at;
    request_run(r, c, &o, start_alltoall);
    type_release(item);
}

/* Sends the edges that a process knows to their ends: a sparse exchange, of which everybody first
 * learns how much comes from whom. */
static struct edge_list exchange_edges(struct rank *r, struct comm *c, const struct edge *mine,
                                       uint32_t count)
{
    uint32_t n = c->group->size;
    int *out = memory_alloc(4 * (size_t)n, sizeof(*out)), *in = out + n, *out_at = in + n,
        *in_at = out_at + n;
    for (uint32_t i = 0; i < count; i++) {
        out[mine[i].from]++;
        out[mine[i].to]++;
    }
    exchange_numbers(r, c, out, in);
    uint32_t total_out = 0, total_in = 0;
    for (uint32_t i = 0; i < n; i++) {
        out_at[i] = (int)total_out, in_at[i] = (int)total_in;
        total_out += (uint32_t)out[i], total_in += (uint32_t)in[i];
    }
    struct edge *send = memory_alloc(total_out + 1ull, sizeof(*send));
    struct edge_list l = {memory_alloc(total_in + 1ull, sizeof(*l.edge)), total_in};
    int *fill = memory_alloc(n, sizeof(*fill));
    memcpy(fill, out_at, n * sizeof(*fill));
    for (uint32_t i = 0; i < count; i++) {
        send[fill[mine[i].from]++] = mine[i];
        send[fill[mine[i].to]++] = mine[i];
    }
    exchange_blocks(r, c, send, out, out_at, l.edge, in, in_at, sizeof(struct edge));
    free(fill);
    free(send);
    free(out);
    return l;
}

/* Ends of edges that begin, or end, here. A loop comes twice, once for each end. */
static uint32_t take_ends(const struct edge_list *l, int me, bool out, int *rank, int *weight)
{
    uint32_t count = 0, loops = 0;
    for (uint32_t i = 0; i < l->count; i++) {
        const struct edge *e = &l->edge[i];
        bool loop = e->from == me && e->to == me;
        if ((out ? e->from : e->to) != me || (loop && loops++ % 2))
            continue;
        rank[count] = out ? e->to : e->from;
        weight[count++] = e->weight;
    }
    return count;
}

static int gather_edges(struct rank *r, struct comm *c, int count, const int sources[],
                        const int degrees[], const int destinations[], const int weights[],
                        struct edge **list, uint32_t *edges)
{
    int64_t total = 0, at = 0;
    TRY_MPI(check_edges(r, c, count, sources, MPI_UNWEIGHTED));
    for (int i = 0; i < count; i++) {
        if (degrees[i] < 0)
            return error_raise(r, c, MPI_ERR_ARG, "node %d has degree %d", sources[i], degrees[i]);
        total += degrees[i];
    }
    TRY_MPI(check_edges(r, c, (int)total, destinations, weights));
    *list = memory_alloc((size_t)total + 1, sizeof(**list));
    for (int i = 0; i < count; i++)
        for (int k = 0; k < degrees[i]; k++, at++)
            (*list)[at] =
                (struct edge){sources[i], destinations[at], has_weights(weights) ? weights[at] : 1};
    *edges = (uint32_t)total;
    return MPI_SUCCESS;
}

int mpi_Dist_graph_create(struct rank *r, struct comm *c, int count, const int sources[],
                          const int degrees[], const int destinations[], const int *weights,
                          MPI_Info info, int reorder, MPI_Comm *newcomm)
{
    struct edge *mine = NULL;
    uint32_t edges = 0;
    (void)info, (void)reorder;
    TRY_MPI(gather_edges(r, c, count, sources, degrees, destinations, weights, &mine, &edges));
    struct edge_list l = exchange_edges(r, c, mine, edges);
    int *word = memory_alloc(4ull * l.count + 4, sizeof(*word));
    int *in = word, *in_weight = in + l.count, *out = in_weight + l.count,
        *out_weight = out + l.count;
    uint32_t ins = take_ends(&l, (int)c->rank, false, in, in_weight);
    uint32_t outs = take_ends(&l, (int)c->rank, true, out, out_weight);
    struct comm *made = first_members(r, c, c->group->size, c->rank, newcomm);
    made->topology =
        topology_edges(weights != MPI_UNWEIGHTED, ins, in, in_weight, outs, out, out_weight);
    free(word);
    free(l.edge);
    free(mine);
    return MPI_SUCCESS;
}

/* ---- asking ---- */

static const int topology_names[] = {MPI_CART, MPI_GRAPH, MPI_DIST_GRAPH};
MPI_ANSWER(Topo_test, int, c->topology ? topology_names[c->topology->kind] : MPI_UNDEFINED,
           struct rank *r, struct comm *c)

MPI_ANSWER(Cartdim_get, int, (int)c->topology->dims, struct rank *r, struct comm *c)

int mpi_Cart_get(struct rank *r, struct comm *c, int maxdims, int dims[], int periods[],
                 int coords[])
{
    const struct topology *t = c->topology;
    (void)r;
    for (uint32_t d = 0; d < t->dims && (int)d < maxdims; d++) {
        dims[d] = t->size[d];
        periods[d] = t->wraps[d];
        coords[d] = t->here[d];
    }
    return MPI_SUCCESS;
}

int mpi_Cart_rank(struct rank *r, struct comm *c, const int coords[], int *rank)
{
    *rank = topology_rank(c->topology, coords);
    if (*rank < 0)
        return error_raise(r, c, MPI_ERR_RANK, "the coordinates are outside of the grid");
    return MPI_SUCCESS;
}

int mpi_Cart_coords(struct rank *r, struct comm *c, int rank, int maxdims, int coords[])
{
    const struct topology *t = c->topology;
    TRY_MPI(check_rank(r, c, rank, c->group->size));
    if (maxdims < (int)t->dims)
        return error_raise(r, c, MPI_ERR_DIMS, "there is not room for %u coordinates", t->dims);
    topology_coordinates(t, (uint32_t)rank, coords);
    return MPI_SUCCESS;
}

int mpi_Cart_shift(struct rank *r, struct comm *c, int direction, int disp, int *source, int *dest)
{
    const struct topology *t = c->topology;
    if (direction < 0 || (uint32_t)direction >= t->dims)
        return error_raise(r, c, MPI_ERR_DIMS, "there is no dimension %d", direction);
    int before = topology_shifted(t, (uint32_t)direction, -disp);
    int after = topology_shifted(t, (uint32_t)direction, disp);
    *source = before < 0 ? MPI_PROC_NULL : before;
    *dest = after < 0 ? MPI_PROC_NULL : after;
    return MPI_SUCCESS;
}

/* Those that have the same coordinates in the dimensions that go are one communicator. */
int mpi_Cart_sub(struct rank *r, struct comm *c, const int remain[], MPI_Comm *newcomm)
{
    const struct topology *t = c->topology;
    int *size = memory_alloc(2ull * t->dims + 2, sizeof(*size)), *wraps = size + t->dims + 1;
    int64_t colour = 0;
    uint32_t dims = 0;
    for (uint32_t d = 0; d < t->dims; d++) {
        if (!remain[d]) {
            colour = colour * t->size[d] + t->here[d];
            continue;
        }
        size[dims] = t->size[d];
        wraps[dims++] = t->wraps[d];
    }
    comm_split(r, c, colour, c->rank, newcomm);
    struct comm *sub = comm_find(r, (uintptr_t)*newcomm);
    sub->topology = topology_grid(dims, size, wraps, sub->rank);
    free(size);
    return MPI_SUCCESS;
}

int mpi_Cart_map(struct rank *r, struct comm *c, int ndims, const int dims[], const int periods[],
                 int *rank)
{
    uint32_t nodes = 0;
    (void)periods;
    TRY_MPI(check_grid(r, c, ndims, dims, &nodes));
    *rank = c->rank < nodes ? (int)folded_rank(r, c, (uint32_t)ndims, dims, nodes) : MPI_UNDEFINED;
    return MPI_SUCCESS;
}

int mpi_Graph_map(struct rank *r, struct comm *c, int nodes, const int index[], const int edges[],
                  int *rank)
{
    TRY_MPI(check_graph(r, c, nodes, index, edges));
    *rank = (int)c->rank < nodes ? (int)c->rank : MPI_UNDEFINED;
    return MPI_SUCCESS;
}

MPI_ANSWERS(Graphdims_get, int, (int)c->topology->nodes, (int)c->topology->edges, struct rank *r,
            struct comm *c)

int mpi_Graph_get(struct rank *r, struct comm *c, int maxindex, int maxedges, int index[],
                  int edges[])
{
    const struct topology *t = c->topology;
    (void)r;
    for (int i = 0; i < maxindex && i < (int)t->nodes; i++)
        index[i] = t->index[i];
    for (int i = 0; i < maxedges && i < (int)t->edges; i++)
        edges[i] = t->edge[i];
    return MPI_SUCCESS;
}

/* The edges of a node: how many, and the first of them. */
static int find_edges(struct rank *r, struct comm *c, int rank, int *count, const int **edge)
{
    const struct topology *t = c->topology;
    TRY_MPI(check_rank(r, c, rank, t->nodes));
    int first = rank ? t->index[rank - 1] : 0;
    *count = t->index[rank] - first;
    *edge = t->edge + first;
    return MPI_SUCCESS;
}

int mpi_Graph_neighbors_count(struct rank *r, struct comm *c, int rank, int *count)
{
    const int *edge;
    return find_edges(r, c, rank, count, &edge);
}

int mpi_Graph_neighbors(struct rank *r, struct comm *c, int rank, int most, int neighbors[])
{
    const int *edge;
    int count;
    TRY_MPI(find_edges(r, c, rank, &count, &edge));
    for (int i = 0; i < count && i < most; i++)
        neighbors[i] = edge[i];
    return MPI_SUCCESS;
}

int mpi_Dist_graph_neighbors_count(struct rank *r, struct comm *c, int *indegree, int *outdegree,
                                   int *weighted)
{
    const struct topology *t = c->topology;
    (void)r;
    *indegree = (int)t->ins;
    *outdegree = (int)t->outs;
    *weighted = t->weighted;
    return MPI_SUCCESS;
}

static void list_ends(uint32_t count, const int *rank, const int *weight, int most, int ranks[],
                      int weights[])
{
    for (int i = 0; i < most && i < (int)count; i++) {
        ranks[i] = rank[i];
        if (weight && has_weights(weights))
            weights[i] = weight[i];
    }
}

int mpi_Dist_graph_neighbors(struct rank *r, struct comm *c, int maxin, int sources[],
                             int sourceweights[], int maxout, int destinations[], int destweights[])
{
    const struct topology *t = c->topology;
    (void)r;
    list_ends(t->ins, t->in, t->in_weight, maxin, sources, sourceweights);
    list_ends(t->outs, t->out, t->out_weight, maxout, destinations, destweights);
    return MPI_SUCCESS;
}
