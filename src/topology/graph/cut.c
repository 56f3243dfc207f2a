/*
 * Cuts by METIS, which needs undirected graphs: the weight of the edge between two nodes is the
 * number of links between them, whichever way they lead. And what METIS leaves undone.
 */
#include <metis.h>
#include <stdlib.h>

#include "base/protected_call.h"
#include "base/memory.h"
#include "topology/graph/graph.h"

/* With fewer, METIS leaves many parts empty and makes others twice too large; blocks are even. */
enum { LEAST_NODES_A_PART = 4 };

_Static_assert(sizeof(idx_t) == sizeof(int32_t), "METIS counts in 32 bits");

struct edges {
    idx_t *first;  /* [node] of its edges; [nodes] is the end */
    idx_t *to;     /* [edge] */
    idx_t *weight; /* [edge] */
};

static void add_link(struct edges *e, uint32_t node, uint32_t to)
{
    idx_t *end = &e->first[node + 1];
    if (to == GRAPH_NONE)
        return;
    for (idx_t i = e->first[node]; i < *end; i++)
        if (e->to[i] == (idx_t)to) {
            e->weight[i]++;
            return;
        }
    e->to[*end] = (idx_t)to;
    e->weight[(*end)++] = 1;
}

/* A two-way link counts once. */
static void add_links(struct edges *e, const struct graph *g)
{
    e->first = memory_alloc((size_t)g->nodes + 1, sizeof(*e->first));
    e->to = memory_alloc(2 * g->links + 1, sizeof(*e->to));
    e->weight = memory_alloc(2 * g->links + 1, sizeof(*e->weight));
    for (uint32_t node = 0; node < g->nodes; node++) {
        e->first[node + 1] = e->first[node];
        for (size_t i = (size_t)node * g->degree; i < (size_t)(node + 1) * g->degree; i++) {
            add_link(e, node, g->to[i].node);
            add_link(e, node, g->one_way ? g->from[i].node : GRAPH_NONE);
        }
    }
}

static void cut_by_metis(const struct graph *g, uint32_t parts, uint32_t *part)
{
    struct edges e;
    idx_t nodes = (idx_t)g->nodes, count = (idx_t)parts, constraints = 1, weight_cut;
    idx_t options[METIS_NOPTIONS], *found = memory_alloc(g->nodes, sizeof(*found));
    METIS_SetDefaultOptions(options);
    options[METIS_OPTION_SEED] = 1;
    add_links(&e, g);
    int result = METIS_PartGraphKway(&nodes, &constraints, e.first, e.to, NULL, NULL, e.weight,
                                     &count, NULL, NULL, options, &weight_cut, found);
    WEFT_CHECK(result == METIS_OK, "METIS cannot cut %u nodes into %u parts (%d)", g->nodes, parts,
               result);
    for (uint32_t node = 0; node < g->nodes; node++)
        part[node] = (uint32_t)found[node];
    free(e.first);
    free(e.to);
    free(e.weight);
    free(found);
}

/* METIS may leave a part empty: it gets the first node of the (first) largest part. */
static void fill_empty(uint32_t nodes, uint32_t parts, uint32_t *part)
{
    uint32_t *size = memory_alloc(parts, sizeof(*size));
    for (uint32_t node = 0; node < nodes; node++)
        size[part[node]]++;
    for (uint32_t empty = 0; empty < parts; empty++) {
        if (size[empty])
            continue;
        uint32_t largest = 0, node = 0;
        protected_call_poll();
        for (uint32_t p = 1; p < parts; p++)
            largest = size[p] > size[largest] ? p : largest;
        while (part[node] != largest)
            node++;
        part[node] = empty;
        size[largest]--;
        size[empty]++;
    }
    free(size);
}

void graph_cut(const struct graph *g, uint32_t parts, uint32_t *part)
{
    WEFT_CHECK(parts >= 1 && parts <= g->nodes, "%u parts of %u nodes", parts, g->nodes);
    if (parts > 1 && g->nodes / parts >= LEAST_NODES_A_PART) {
        cut_by_metis(g, parts, part);
        fill_empty(g->nodes, parts, part);
        return;
    }
    for (uint32_t node = 0; node < g->nodes; node++)
        part[node] = (uint32_t)((uint64_t)node * parts / g->nodes);
}
