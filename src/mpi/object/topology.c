/* Grids and graphs. */
#include "mpi/object/comm.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

struct topology *topology_hold(struct topology *t)
{
    if (t)
        t->holders++;
    return t;
}

void topology_release(struct topology *t)
{
    if (!t || --t->holders)
        return;
    free(t->size);
    free(t->wraps);
    free(t->here);
    free(t->index);
    free(t->edge);
    free(t->in);
    free(t->out);
    free(t->in_weight);
    free(t->out_weight);
    free(t);
}

static struct topology *new_topology(enum topology_kind kind)
{
    struct topology *t = memory_alloc(1, sizeof(*t));
    t->holders = 1;
    t->kind = kind;
    return t;
}

static int *copy_of(const int *from, uint32_t count)
{
    int *to = memory_alloc(count, sizeof(*to));
    if (count)
        memcpy(to, from, count * sizeof(*to));
    return to;
}

/* ---- grids ---- */

void topology_coordinates(const struct topology *t, uint32_t rank, int *coordinates)
{
    for (uint32_t d = t->dims; d-- > 0; rank /= (uint32_t)t->size[d])
        coordinates[d] = (int)(rank % (uint32_t)t->size[d]);
}

int topology_rank(const struct topology *t, const int *coordinates)
{
    int64_t rank = 0;
    for (uint32_t d = 0; d < t->dims; d++) {
        int size = t->size[d], at = coordinates[d];
        if ((at < 0 || at >= size) && !t->wraps[d])
            return -1;
        rank = rank * size + (at % size + size) % size;
    }
    return (int)rank;
}

int topology_shifted(const struct topology *t, uint32_t dim, int step)
{
    int *at = copy_of(t->here, t->dims), size = t->size[dim];
    int64_t far = (int64_t)at[dim] + step;
    if (t->wraps[dim])
        far = (far % size + size) % size;
    bool outside = far < 0 || far >= size;
    at[dim] = outside ? 0 : (int)far;
    int rank = outside ? -1 : topology_rank(t, at);
    free(at);
    return rank;
}

struct topology *topology_grid(uint32_t dims, const int *size, const int *wraps, uint32_t rank)
{
    struct topology *t = new_topology(TOPOLOGY_GRID);
    t->dims = dims;
    t->size = copy_of(size, dims);
    t->wraps = copy_of(wraps, dims);
    t->here = memory_alloc(dims, sizeof(*t->here));
    topology_coordinates(t, rank, t->here);
    t->ins = t->outs = 2 * dims;
    t->in = memory_alloc(2 * dims + 1, sizeof(*t->in));
    t->out = memory_alloc(2 * dims + 1, sizeof(*t->out));
    for (uint32_t i = 0; i < 2 * dims; i++)
        t->in[i] = t->out[i] = topology_shifted(t, i / 2, i % 2 ? 1 : -1);
    return t;
}

/* ---- graphs ---- */

struct topology *topology_graph(uint32_t nodes, const int *index, const int *edge, uint32_t rank)
{
    struct topology *t = new_topology(TOPOLOGY_GRAPH);
    uint32_t first = rank ? (uint32_t)index[rank - 1] : 0;
    t->nodes = nodes;
    t->edges = nodes ? (uint32_t)index[nodes - 1] : 0;
    t->index = copy_of(index, nodes);
    t->edge = copy_of(edge, t->edges);
    t->ins = t->outs = (uint32_t)index[rank] - first;
    t->in = copy_of(edge + first, t->ins);
    t->out = copy_of(edge + first, t->outs);
    return t;
}

struct topology *topology_edges(bool weighted, uint32_t ins, const int *in, const int *in_weight,
                                uint32_t outs, const int *out, const int *out_weight)
{
    struct topology *t = new_topology(TOPOLOGY_EDGES);
    t->ins = ins;
    t->outs = outs;
    t->in = copy_of(in, ins);
    t->out = copy_of(out, outs);
    t->weighted = weighted;
    if (weighted) {
        t->in_weight = copy_of(in_weight, ins);
        t->out_weight = copy_of(out_weight, outs);
    }
    return t;
}

/* ---- factors ---- */

/* Factors none of which is above `most`, the largest first and as small as it can be; then the next
 * one likewise. False: there are none. */
static bool split(int number, int dims, int most, int *size)
{
    int64_t least = 1, power = 0;
    if (dims == 1) {
        *size = number;
        return number <= most;
    }
    for (; power < number; least++) { /* the smallest number whose power reaches it */
        power = 1;
        for (int i = 0; i < dims && power < number; i++)
            power *= least;
    }
    for (int factor = (int)least - 1; factor <= most && factor <= number; factor++) {
        *size = factor;
        if (number % factor == 0 && split(number / factor, dims - 1, factor, size + 1))
            return true;
    }
    return false;
}

bool topology_factors(int nodes, int dims, int *size)
{
    int free_dims = 0, fixed = 1, *found = memory_alloc((size_t)dims + 1, sizeof(*found));
    bool can = nodes > 0;
    for (int i = 0; i < dims && can; i++) {
        can = size[i] >= 0;
        free_dims += size[i] == 0;
        fixed =
            size[i] > 0 && can ? (nodes % (fixed * (int64_t)size[i]) ? 0 : fixed * size[i]) : fixed;
        can = can && fixed > 0;
    }
    can = can && (free_dims || fixed == nodes);
    if (can && free_dims) {
        split(nodes / fixed, free_dims, nodes, found);
        for (int i = 0, k = 0; i < dims; i++)
            if (size[i] == 0)
                size[i] = found[k++];
    }
    free(found);
    return can;
}
