/*
 * Cuts by METIS (Karypis and Kumar 1998), which needs undirected graphs: the weight of the edge
 * between two nodes is the number of links between them, one or two.
 *
 * METIS cannot be interrupted. It cuts kautz:3:9 (26,244 nodes) into 16 parts in 0.06 s and into
 * 128 in 0.2 s; a random graph of the largest size, 65,536 nodes of degree 7, into 16 in 1.3 s.
 */
#include "topology/digraph.h"

#include <metis.h>
#include <stdlib.h>

#include "base/attempt.h"
#include "base/memory.h"

/* With fewer, METIS leaves many parts empty and makes others twice too large; blocks are even. */
enum { LEAST_NODES_A_PART = 4 };

struct edges {
    idx_t *first;  /* [node] of its edges; [nodes] is the end */
    idx_t *to;     /* [edge] */
    idx_t *weight; /* [edge] */
};

static void add_edge(struct edges *e, uint32_t node, uint32_t to)
{
    idx_t *end = &e->first[node + 1];
    for (idx_t i = e->first[node]; i < *end; i++)
        if (e->to[i] == (idx_t)to) {
            e->weight[i]++;
            return;
        }
    e->to[*end] = (idx_t)to;
    e->weight[(*end)++] = 1;
}

static void edges_init(struct edges *e, const struct digraph *g)
{
    e->first = memory_alloc((size_t)g->nodes + 1, sizeof(*e->first));
    e->to = memory_alloc(2 * g->links, sizeof(*e->to));
    e->weight = memory_alloc(2 * g->links, sizeof(*e->weight));
    for (uint32_t node = 0; node < g->nodes; node++) {
        e->first[node + 1] = e->first[node];
        for (size_t i = (size_t)node * g->degree; i < (size_t)(node + 1) * g->degree; i++) {
            if (g->to[i].node != DIGRAPH_NO_NODE)
                add_edge(e, node, g->to[i].node);
            if (g->from[i].node != DIGRAPH_NO_NODE)
                add_edge(e, node, g->from[i].node);
        }
    }
}

static void edges_fini(struct edges *e)
{
    free(e->first);
    free(e->to);
    free(e->weight);
}

static void cut_by_metis(const struct digraph *g, uint32_t parts, uint32_t *part)
{
    struct edges e;
    idx_t nodes = (idx_t)g->nodes, count = (idx_t)parts, constraints = 1, weight_cut;
    idx_t options[METIS_NOPTIONS], *found = memory_alloc(g->nodes, sizeof(*found));
    METIS_SetDefaultOptions(options);
    options[METIS_OPTION_SEED] = 1;
    edges_init(&e, g);
    int result = METIS_PartGraphKway(&nodes, &constraints, e.first, e.to, NULL, NULL, e.weight,
                                     &count, NULL, NULL, options, &weight_cut, found);
    WEFT_CHECK(result == METIS_OK, "METIS cannot cut %u nodes into %u parts (%d)", g->nodes, parts,
               result);
    for (uint32_t node = 0; node < g->nodes; node++)
        part[node] = (uint32_t)found[node];
    edges_fini(&e);
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
        attempt_poll();
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

void digraph_cut(const struct digraph *g, uint32_t parts, uint32_t *part)
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
