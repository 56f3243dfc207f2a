/* Distances, loads, the living and the dead. */
#include "machine/coordinates.h"

#include <stdlib.h>

#include "base/memory.h"

uint32_t coordinates_distance(const struct site *site, uint32_t from, uint32_t to)
{
    return torus_distance(site->torus, from, to);
}

uint32_t coordinates_diameter(const struct site *site)
{
    return torus_diameter(site->torus);
}

struct load {
    struct bound *bound;
    double *into;
};

static void add_flow(void *ctx, uint32_t from, uint32_t to, double packets)
{
    const struct load *load = ctx;
    bound_add(load->bound, from, to, packets);
    if (load->into)
        load->into[to] += packets;
}

/* Nodes that send with a coordinate along an axis: all, or those outside the hot box. */
static double senders_at(const struct flows *f, unsigned d, uint32_t c)
{
    const struct torus *t = f->workload->site->torus, *hot = &f->workload->params.hot;
    double boxed = f->hot_apart && c < hot->size[d] ? (double)hot->nodes / hot->size[d] : 0;
    return (double)t->nodes / t->size[d] - boxed;
}

/* What goes from nodes outside the hot box to others outside it. */
static void add_outside(const struct flows *f, struct bound *b, double senders)
{
    const struct torus *t = f->workload->site->torus;
    double pair = senders > 1 ? (1 - f->hot_share) / (senders - 1) : 0;
    for (unsigned d = 0; d < t->dims; d++)
        for (uint32_t from = 0; from < t->size[d]; from++)
            for (uint32_t to = 0; to < t->size[d]; to++)
                bound_add_dim(b, d, from, to, senders_at(f, d, from) * senders_at(f, d, to) * pair);
}

static void add_hot_region(const struct flows *f, struct bound *b, double *into)
{
    const struct workload *w = f->workload;
    const struct torus *t = w->site->torus, *hot = &w->params.hot;
    double senders = t->nodes - (f->hot_apart ? w->hot_nodes : 0);
    if (f->hot_apart)
        add_outside(f, b, senders);
    else
        bound_add_uniform(b, (1u << t->dims) - 1, 1 - f->hot_share);
    for (unsigned d = 0; d < t->dims; d++)
        for (uint32_t from = 0; from < t->size[d]; from++) {
            double line = senders_at(f, d, from) * t->size[d];
            double pair = f->hot_share * line / ((double)t->size[d] * hot->size[d]);
            for (uint32_t to = 0; to < hot->size[d]; to++)
                bound_add_dim(b, d, from, to, pair);
        }
    for (uint32_t node = 0; into && node < t->nodes; node++) {
        bool is_hot = workload_is_hot(w, node);
        into[node] += (is_hot && f->hot_apart ? 0 : 1 - f->hot_share) +
                      (is_hot ? f->hot_share * senders / w->hot_nodes : 0);
    }
}

/* Living nodes outside the hot box. */
static uint32_t living_outside(const struct flows *f)
{
    const struct site *site = f->workload->site;
    uint32_t count = 0;
    for (uint32_t node = 0; node < site->nodes; node++)
        count += !(site->dead && site->dead[node]) && !workload_is_hot(f->workload, node);
    return count;
}

uint32_t coordinates_load(const struct flows *f, struct bound *b, double *into)
{
    const struct site *site = f->workload->site;
    struct load load = {b, into};
    if (!f->uniform)
        return flows_each(f, add_flow, &load);
    if (f->hot_share > 0 || f->hot_apart) {
        add_hot_region(f, b, into);
        return f->hot_apart ? living_outside(f) : site->living;
    }
    bound_add_uniform(b, f->group_dims, f->packets);
    for (uint32_t node = 0; into && node < site->nodes; node++)
        into[node] += f->packets;
    return site->living;
}

struct living living_list(uint32_t nodes, living_question *is_dead, const void *faults)
{
    struct living l = {memory_alloc(nodes, sizeof(*l.node)), memory_alloc(nodes, sizeof(*l.dead))};
    uint32_t count = 0;
    for (uint32_t node = 0; node < nodes; node++) {
        l.dead[node] = is_dead(faults, node);
        if (!l.dead[node])
            l.node[count++] = node;
    }
    if (count == nodes)
        living_fini(&l);
    return l;
}

void living_fini(struct living *l)
{
    free(l->node);
    free(l->dead);
    *l = (struct living){NULL, NULL};
}
