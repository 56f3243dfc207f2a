/* Virtual topologies. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "mpi/call/comm_make.h"
#include "mpi/call/place.h"
#include "mpi/collective/start.h"
#include "mpi/object/topology.h"

int call_Dims_create(int nodes, int ndims, int dims[])
{
    struct rank *r = call_begin(CALL_Dims_create);
    if (ndims < 0 || !topology_factors(nodes, ndims, dims))
        return call_end(r, error_raise(r, NULL, MPI_ERR_DIMS,
                                       "%d nodes cannot be divided so into %d dimensions", nodes,
                                       ndims));
    return call_end(r, MPI_SUCCESS);
}

/* ---- making ---- */

/* A communicator of the first `members`, in an order that may be the machine's; those beyond get
 * none. */
static struct comm *make_part(struct rank *r, struct comm *c, uint32_t members, int64_t place,
                              MPI_Comm *newcomm)
{
    comm_split(r, c, c->rank < members ? 0 : MPI_UNDEFINED, place, newcomm);
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

static int find_one_side(struct rank *r, MPI_Comm comm, struct comm **c)
{
    int error = find_comm(r, comm, c);
    if (!error && (*c)->remote)
        error = error_raise(r, *c, MPI_ERR_COMM, "the communicator has two sides");
    return error;
}

int call_Cart_create(MPI_Comm comm, int ndims, const int dims[], const int periods[], int reorder,
                     MPI_Comm *newcomm)
{
    struct rank *r = call_begin(CALL_Cart_create);
    uint32_t nodes;
    struct comm *c;
    int error = find_one_side(r, comm, &c);
    if (!error)
        error = check_grid(r, c, ndims, dims, &nodes);
    if (error)
        return call_end(r, error);
    int64_t place = reorder ? place_in_grid(r, c, (uint32_t)ndims, dims, nodes) : c->rank;
    struct comm *part = make_part(r, c, nodes, place, newcomm);
    if (part)
        part->topology = topology_grid((uint32_t)ndims, dims, periods, part->rank);
    return call_end(r, MPI_SUCCESS);
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

int call_Graph_create(MPI_Comm comm, int nodes, const int index[], const int edges[], int reorder,
                      MPI_Comm *newcomm)
{
    struct rank *r = call_begin(CALL_Graph_create);
    struct comm *c;
    (void)reorder;
    int error = find_one_side(r, comm, &c);
    if (!error)
        error = check_graph(r, c, nodes, index, edges);
    if (error)
        return call_end(r, error);
    struct comm *part = make_part(r, c, (uint32_t)nodes, c->rank, newcomm);
    if (part)
        part->topology = topology_graph((uint32_t)nodes, index, edges, part->rank);
    return call_end(r, MPI_SUCCESS);
}

static int check_edges(struct rank *r, struct comm *c, int count, const int *ranks,
                       const int *weights)
{
    if (count < 0)
        return error_raise(r, c, MPI_ERR_ARG, "the number of edges is %d", count);
    for (int i = 0; i < count; i++)
        if (ranks[i] < 0 || (uint32_t)ranks[i] >= c->group->size)
            return error_raise(r, c, MPI_ERR_RANK, "edge %d leads to rank %d", i, ranks[i]);
    for (int i = 0; i < count && weights != MPI_UNWEIGHTED && weights != MPI_WEIGHTS_EMPTY; i++)
        if (weights[i] < 0)
            return error_raise(r, c, MPI_ERR_ARG, "edge %d has weight %d", i, weights[i]);
    return MPI_SUCCESS;
}

static const int *weights_or_null(const int *weights)
{
    static const int nothing[1];
    return weights == MPI_UNWEIGHTED ? NULL : weights == MPI_WEIGHTS_EMPTY ? nothing : weights;
}

int call_Dist_graph_create_adjacent(MPI_Comm comm, int indegree, const int sources[],
                                    const int *sourceweights, int outdegree,
                                    const int destinations[], const int *destweights, MPI_Info info,
                                    int reorder, MPI_Comm *newcomm)
{
    struct rank *r = call_begin(CALL_Dist_graph_create_adjacent);
    struct comm *c;
    (void)info, (void)reorder;
    int error = find_one_side(r, comm, &c);
    if (!error)
        error = check_edges(r, c, indegree, sources, sourceweights);
    if (!error)
        error = check_edges(r, c, outdegree, destinations, destweights);
    if (error)
        return call_end(r, error);
    struct comm *part = make_part(r, c, c->group->size, c->rank, newcomm);
    part->topology = topology_edges(sourceweights != MPI_UNWEIGHTED, (uint32_t)indegree, sources,
                                    sourceweights, (uint32_t)outdegree, destinations, destweights);
    return call_end(r, MPI_SUCCESS);
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
    comm_exchange(r, c, out, in);
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
    comm_exchange_blocks(r, c, send, out, out_at, l.edge, in, in_at, sizeof(struct edge));
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
    int error = check_edges(r, c, count, sources, MPI_UNWEIGHTED);
    for (int i = 0; i < count && !error; i++) {
        if (degrees[i] < 0)
            error = error_raise(r, c, MPI_ERR_ARG, "node %d has degree %d", sources[i], degrees[i]);
        total += degrees[i];
    }
    if (!error)
        error = check_edges(r, c, (int)total, destinations, weights);
    if (error)
        return error;
    const int *weight = weights_or_null(weights);
    *list = memory_alloc((size_t)total + 1, sizeof(**list));
    for (int i = 0; i < count; i++)
        for (int k = 0; k < degrees[i]; k++, at++)
            (*list)[at] =
                (struct edge){sources[i], destinations[at], weight && total ? weight[at] : 1};
    *edges = (uint32_t)total;
    return MPI_SUCCESS;
}

int call_Dist_graph_create(MPI_Comm comm, int count, const int sources[], const int degrees[],
                           const int destinations[], const int *weights, MPI_Info info, int reorder,
                           MPI_Comm *newcomm)
{
    struct rank *r = call_begin(CALL_Dist_graph_create);
    struct edge *mine;
    uint32_t edges;
    struct comm *c;
    (void)info, (void)reorder;
    int error = find_one_side(r, comm, &c);
    if (!error)
        error = gather_edges(r, c, count, sources, degrees, destinations, weights, &mine, &edges);
    if (error)
        return call_end(r, error);
    struct edge_list l = exchange_edges(r, c, mine, edges);
    int *word = memory_alloc(4ull * l.count + 4, sizeof(*word));
    int *in = word, *in_weight = in + l.count, *out = in_weight + l.count,
        *out_weight = out + l.count;
    uint32_t ins = take_ends(&l, (int)c->rank, false, in, in_weight);
    uint32_t outs = take_ends(&l, (int)c->rank, true, out, out_weight);
    struct comm *part = make_part(r, c, c->group->size, c->rank, newcomm);
    part->topology =
        topology_edges(weights != MPI_UNWEIGHTED, ins, in, in_weight, outs, out, out_weight);
    free(word);
    free(l.edge);
    free(mine);
    return call_end(r, MPI_SUCCESS);
}

/* ---- asking ---- */

static int find_topology(struct rank *r, MPI_Comm comm, enum topology_kind kind, struct comm **c,
                         const struct topology **t)
{
    static const char *const names[] = {"grid", "graph", "distributed graph"};
    int error = find_comm(r, comm, c);
    *t = error ? NULL : (*c)->topology;
    if (!error && (!*t || (*t)->kind != kind))
        error = error_raise(r, *c, MPI_ERR_TOPOLOGY, "the communicator has no %s", names[kind]);
    return error;
}

int call_Topo_test(MPI_Comm comm, int *status)
{
    static const int kinds[] = {MPI_CART, MPI_GRAPH, MPI_DIST_GRAPH};
    struct rank *r = call_begin(CALL_Topo_test);
    struct comm *c;
    int error = find_comm(r, comm, &c);
    if (!error)
        *status = c->topology ? kinds[c->topology->kind] : MPI_UNDEFINED;
    return call_end(r, error);
}

int call_Cartdim_get(MPI_Comm comm, int *ndims)
{
    struct rank *r = call_begin(CALL_Cartdim_get);
    const struct topology *t;
    struct comm *c;
    int error = find_topology(r, comm, TOPOLOGY_GRID, &c, &t);
    if (!error)
        *ndims = (int)t->dims;
    return call_end(r, error);
}

int call_Cart_get(MPI_Comm comm, int maxdims, int dims[], int periods[], int coords[])
{
    struct rank *r = call_begin(CALL_Cart_get);
    const struct topology *t;
    struct comm *c;
    int error = find_topology(r, comm, TOPOLOGY_GRID, &c, &t);
    for (uint32_t d = 0; !error && d < t->dims && (int)d < maxdims; d++) {
        dims[d] = t->size[d];
        periods[d] = t->wraps[d];
        coords[d] = t->here[d];
    }
    return call_end(r, error);
}

int call_Cart_rank(MPI_Comm comm, const int coords[], int *rank)
{
    struct rank *r = call_begin(CALL_Cart_rank);
    const struct topology *t;
    struct comm *c;
    int error = find_topology(r, comm, TOPOLOGY_GRID, &c, &t);
    if (error)
        return call_end(r, error);
    *rank = topology_rank(t, coords);
    if (*rank < 0)
        error = error_raise(r, c, MPI_ERR_RANK, "the coordinates are outside of the grid");
    return call_end(r, error);
}

int call_Cart_coords(MPI_Comm comm, int rank, int maxdims, int coords[])
{
    struct rank *r = call_begin(CALL_Cart_coords);
    const struct topology *t;
    struct comm *c;
    int error = find_topology(r, comm, TOPOLOGY_GRID, &c, &t);
    if (!error && (rank < 0 || (uint32_t)rank >= c->group->size))
        error = error_raise(r, c, MPI_ERR_RANK, "there is no rank %d", rank);
    if (!error && maxdims < (int)t->dims)
        error = error_raise(r, c, MPI_ERR_DIMS, "there is not room for %u coordinates", t->dims);
    if (!error)
        topology_coordinates(t, (uint32_t)rank, coords);
    return call_end(r, error);
}

int call_Cart_shift(MPI_Comm comm, int direction, int disp, int *source, int *dest)
{
    struct rank *r = call_begin(CALL_Cart_shift);
    const struct topology *t;
    struct comm *c;
    int error = find_topology(r, comm, TOPOLOGY_GRID, &c, &t);
    if (!error && (direction < 0 || (uint32_t)direction >= t->dims))
        error = error_raise(r, c, MPI_ERR_DIMS, "there is no dimension %d", direction);
    if (error)
        return call_end(r, error);
    int before = topology_shifted(t, (uint32_t)direction, -disp);
    int after = topology_shifted(t, (uint32_t)direction, disp);
    *source = before < 0 ? MPI_PROC_NULL : before;
    *dest = after < 0 ? MPI_PROC_NULL : after;
    return call_end(r, MPI_SUCCESS);
}

/* Those that have the same coordinates in the dimensions that go are one part. */
int call_Cart_sub(MPI_Comm comm, const int remain[], MPI_Comm *newcomm)
{
    struct rank *r = call_begin(CALL_Cart_sub);
    const struct topology *t;
    struct comm *c;
    int error = find_topology(r, comm, TOPOLOGY_GRID, &c, &t);
    if (error)
        return call_end(r, error);
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
    struct comm *part = comm_find(r, (uintptr_t)*newcomm);
    part->topology = topology_grid(dims, size, wraps, part->rank);
    free(size);
    return call_end(r, MPI_SUCCESS);
}

int call_Cart_map(MPI_Comm comm, int ndims, const int dims[], const int periods[], int *rank)
{
    struct rank *r = call_begin(CALL_Cart_map);
    uint32_t nodes;
    struct comm *c;
    (void)periods;
    int error = find_one_side(r, comm, &c);
    if (!error)
        error = check_grid(r, c, ndims, dims, &nodes);
    if (!error)
        *rank = c->rank < nodes ? (int)place_in_grid(r, c, (uint32_t)ndims, dims, nodes)
                                : MPI_UNDEFINED;
    return call_end(r, error);
}

int call_Graph_map(MPI_Comm comm, int nodes, const int index[], const int edges[], int *rank)
{
    struct rank *r = call_begin(CALL_Graph_map);
    struct comm *c;
    int error = find_one_side(r, comm, &c);
    if (!error)
        error = check_graph(r, c, nodes, index, edges);
    if (!error)
        *rank = (int)c->rank < nodes ? (int)c->rank : MPI_UNDEFINED;
    return call_end(r, error);
}

int call_Graphdims_get(MPI_Comm comm, int *nodes, int *edges)
{
    struct rank *r = call_begin(CALL_Graphdims_get);
    const struct topology *t;
    struct comm *c;
    int error = find_topology(r, comm, TOPOLOGY_GRAPH, &c, &t);
    if (!error) {
        *nodes = (int)t->nodes;
        *edges = (int)t->edges;
    }
    return call_end(r, error);
}

int call_Graph_get(MPI_Comm comm, int maxindex, int maxedges, int index[], int edges[])
{
    struct rank *r = call_begin(CALL_Graph_get);
    const struct topology *t;
    struct comm *c;
    int error = find_topology(r, comm, TOPOLOGY_GRAPH, &c, &t);
    for (int i = 0; !error && i < maxindex && i < (int)t->nodes; i++)
        index[i] = t->index[i];
    for (int i = 0; !error && i < maxedges && i < (int)t->edges; i++)
        edges[i] = t->edge[i];
    return call_end(r, error);
}

static int neighbours_of(struct rank *r, MPI_Comm comm, int rank, const struct topology **t,
                         int *first, int *count)
{
    struct comm *c;
    int error = find_topology(r, comm, TOPOLOGY_GRAPH, &c, t);
    if (!error && (rank < 0 || (uint32_t)rank >= (*t)->nodes))
        error = error_raise(r, c, MPI_ERR_RANK, "there is no rank %d", rank);
    if (error)
        return error;
    *first = rank ? (*t)->index[rank - 1] : 0;
    *count = (*t)->index[rank] - *first;
    return MPI_SUCCESS;
}

int call_Graph_neighbors_count(MPI_Comm comm, int rank, int *count)
{
    struct rank *r = call_begin(CALL_Graph_neighbors_count);
    const struct topology *t;
    int first;
    return call_end(r, neighbours_of(r, comm, rank, &t, &first, count));
}

int call_Graph_neighbors(MPI_Comm comm, int rank, int most, int neighbors[])
{
    struct rank *r = call_begin(CALL_Graph_neighbors);
    const struct topology *t;
    int first, count, error = neighbours_of(r, comm, rank, &t, &first, &count);
    for (int i = 0; !error && i < count && i < most; i++)
        neighbors[i] = t->edge[first + i];
    return call_end(r, error);
}

int call_Dist_graph_neighbors_count(MPI_Comm comm, int *indegree, int *outdegree, int *weighted)
{
    struct rank *r = call_begin(CALL_Dist_graph_neighbors_count);
    const struct topology *t;
    struct comm *c;
    int error = find_topology(r, comm, TOPOLOGY_EDGES, &c, &t);
    if (!error) {
        *indegree = (int)t->ins;
        *outdegree = (int)t->outs;
        *weighted = t->weighted;
    }
    return call_end(r, error);
}

static void list_ends(uint32_t count, const int *rank, const int *weight, int most, int ranks[],
                      int weights[])
{
    for (int i = 0; i < most && i < (int)count; i++) {
        ranks[i] = rank[i];
        if (weight && weights != MPI_UNWEIGHTED && weights != MPI_WEIGHTS_EMPTY)
            weights[i] = weight[i];
    }
}

int call_Dist_graph_neighbors(MPI_Comm comm, int maxin, int sources[], int sourceweights[],
                              int maxout, int destinations[], int destweights[])
{
    struct rank *r = call_begin(CALL_Dist_graph_neighbors);
    const struct topology *t;
    struct comm *c;
    int error = find_topology(r, comm, TOPOLOGY_EDGES, &c, &t);
    if (error)
        return call_end(r, error);
    list_ends(t->ins, t->in, t->in_weight, maxin, sources, sourceweights);
    list_ends(t->outs, t->out, t->out_weight, maxout, destinations, destweights);
    return call_end(r, MPI_SUCCESS);
}
