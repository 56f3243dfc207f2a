/* Graphs for METIS, and what it leaves undone. */
#include "topology/graph/cut.h"

#include <metis.h>
#include <stdlib.h>

#include "base/protected_call.h"
#include "base/memory.h"

/* With fewer, METIS leaves many parts empty and makes others twice too large; blocks are even. */
enum { LEAST_NODES_A_PART = 4 };

_Static_assert(sizeof(idx_t) == sizeof(int32_t), "METIS counts in 32 bits");

void cut_init(struct cut_graph *g, uint32_t nodes, uint64_t ends)
{
    g->nodes = nodes;
    g->first = memory_alloc((size_t)nodes + 1, sizeof(*g->first));
    g->to = memory_alloc(ends + 1, sizeof(*g->to));
    g->weight = memory_alloc(ends + 1, sizeof(*g->weight));
}

void cut_fini(struct cut_graph *g)
{
    free(g->first);
    free(g->to);
    free(g->weight);
}

void cut_node(struct cut_graph *g, uint32_t node)
{
    g->first[node + 1] = g->first[node];
}

void cut_link(struct cut_graph *g, uint32_t node, uint32_t to)
{
    int32_t *end = &g->first[node + 1];
    for (int32_t i = g->first[node]; i < *end; i++)
        if (g->to[i] == (int32_t)to) {
            g->weight[i]++;
            return;
        }
    g->to[*end] = (int32_t)to;
    g->weight[(*end)++] = 1;
}

static void cut_by_metis(const struct cut_graph *g, uint32_t parts, uint32_t *part)
{
    idx_t nodes = (idx_t)g->nodes, count = (idx_t)parts, constraints = 1, weight_cut;
    idx_t options[METIS_NOPTIONS], *found = memory_alloc(g->nodes, sizeof(*found));
    METIS_SetDefaultOptions(options);
    options[METIS_OPTION_SEED] = 1;
    int result = METIS_PartGraphKway(&nodes, &constraints, g->first, g->to, NULL, NULL, g->weight,
                                     &count, NULL, NULL, options, &weight_cut, found);
    WEFT_CHECK(result == METIS_OK, "METIS cannot cut %u nodes into %u parts (%d)", g->nodes, parts,
               result);
    for (uint32_t node = 0; node < g->nodes; node++)
        part[node] = (uint32_t)found[node];
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

void cut(const struct cut_graph *g, uint32_t parts, uint32_t *part)
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
