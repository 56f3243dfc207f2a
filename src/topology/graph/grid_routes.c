/* Routes by differences. A search from one leaf finds all of them; from every corner, if some
 * dimensions are lines. */
#include "topology/graph/routes.h"

#include <stdlib.h>

#include "base/memory.h"

/* Differences along a dimension: 0 .. size - 1 around a ring; a line has negative ones, too. */
static uint32_t span(const struct torus *t, unsigned d)
{
    return t->wrap[d] ? t->size[d] : 2 * t->size[d] - 1;
}

/* Who goes forward all around a twisted ring is moved along others: so much more was to go. */
static void untwist(const struct grid_routes *g, int32_t *difference)
{
    for (unsigned d = 0; d < g->grid.torus.dims; d++) {
        if (!g->grid.twisted[d] || difference[d] >= 0)
            continue;
        difference[d] += (int32_t)g->grid.torus.size[d];
        for (unsigned along = 0; along < g->grid.torus.dims; along++)
            difference[along] -= (int32_t)g->grid.shift[d][along];
    }
}

static uint32_t difference_of(const struct grid_routes *g, uint32_t from, uint32_t to)
{
    unsigned dims = g->grid.torus.dims;
    const uint32_t *a = &g->coordinate[(size_t)from * dims], *b = &g->coordinate[(size_t)to * dims];
    int32_t difference[TORUS_MAX_DIMS];
    uint32_t index = 0;
    for (unsigned d = 0; d < dims; d++)
        difference[d] = (int32_t)(b[d] - a[d]);
    if (g->grid.any_twisted)
        untwist(g, difference);
    for (unsigned d = 0; d < dims; d++) {
        int32_t size = (int32_t)g->grid.torus.size[d];
        if (!g->grid.torus.wrap[d])
            difference[d] += size - 1;
        while (difference[d] < 0)
            difference[d] += size;
        index += (uint32_t)difference[d] * g->stride[d];
    }
    return index;
}

uint32_t grid_routes_hops(const struct grid_routes *g, uint32_t from, uint32_t to)
{
    return g->hops[difference_of(g, from, to)];
}

uint64_t grid_routes_ports(const struct grid_routes *g, uint32_t from, uint32_t to)
{
    const uint8_t *port = &g->port[(size_t)from * 2 * g->grid.torus.dims];
    uint64_t ports = 0;
    for (unsigned left = g->directions[difference_of(g, from, to)]; left; left &= left - 1)
        ports |= 1ull << port[__builtin_ctz(left)];
    return ports;
}

/* ---- building ---- */

/* The direction of a link: 2d forward, 2d + 1 back. */
static unsigned direction_of(const struct grid_routes *g, uint32_t node, const struct graph_end *e)
{
    unsigned dims = g->grid.torus.dims, d = e->sort;
    uint32_t here = g->coordinate[(size_t)node * dims + d],
             there = g->coordinate[(size_t)e->node * dims + d];
    bool back = e->wraps ? here == 0 : there < here;
    return 2 * d + back;
}

/* Enters the differences of all nodes to one. */
static weft_status enter_all(struct grid_routes *g, const struct graph *graph, uint32_t to,
                             const uint32_t *hops)
{
    for (uint32_t node = 0; node < graph->nodes; node++) {
        uint32_t at = difference_of(g, node, to);
        unsigned directions = 0;
        if (hops[node] > GRAPH_MAX_HOPS)
            return graph_routes_refuse_length(node, to);
        for (unsigned port = 0; port < graph->ports[node]; port++) {
            const struct graph_end *e = graph_end_at(graph, node, port);
            directions |= (unsigned)(hops[e->node] < hops[node]) << direction_of(g, node, e);
        }
        g->directions[at] = (uint16_t)directions;
        g->hops[at] = (uint8_t)hops[node];
    }
    return WEFT_OK;
}

/* A corner: the first or the last node along each line. False: there is none of that number. */
static bool find_corner(const struct torus *t, unsigned corner, uint32_t *node)
{
    uint32_t at[TORUS_MAX_DIMS] = {0};
    for (unsigned d = 0; d < t->dims; d++) {
        if (!(corner >> d & 1))
            continue;
        if (t->wrap[d])
            return false;
        at[d] = t->size[d] - 1;
    }
    *node = torus_node(t, at);
    return true;
}

static weft_status search_corners(struct grid_routes *g, const struct graph *graph)
{
    uint32_t *hops = memory_alloc(2 * (size_t)graph->nodes, sizeof(*hops)), node;
    weft_status status = WEFT_OK;
    for (unsigned i = 0; i < 1u << g->grid.torus.dims && status == WEFT_OK; i++) {
        if (!find_corner(&g->grid.torus, i, &node))
            continue;
        graph_hops(graph, node, hops, hops + graph->nodes);
        status = enter_all(g, graph, node, hops);
    }
    free(hops);
    return status;
}

/* How many pairs of nodes have a difference. */
static uint64_t pairs_of(const struct grid_routes *g, uint32_t difference)
{
    uint64_t pairs = 1;
    for (unsigned d = 0; d < g->grid.torus.dims; d++) {
        int32_t size = (int32_t)g->grid.torus.size[d];
        int32_t along = (int32_t)(difference / g->stride[d] % span(&g->grid.torus, d));
        pairs *= (uint64_t)(g->grid.torus.wrap[d] ? size : size - abs(along - (size - 1)));
    }
    return pairs;
}

static void sum_up(const struct grid_routes *g, struct graph_routes *r)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < g->differences; i++) {
        sum += g->hops[i] * pairs_of(g, i);
        r->diameter = g->hops[i] > r->diameter ? g->hops[i] : r->diameter;
    }
    double pairs = (double)g->grid.torus.nodes * ((double)g->grid.torus.nodes - 1);
    r->mean_distance = pairs > 0 ? (double)sum / pairs : 0;
}

static void set_coordinates(struct grid_routes *g, const struct graph *graph)
{
    unsigned dims = g->grid.torus.dims;
    g->coordinate = memory_alloc((size_t)graph->nodes * dims, sizeof(*g->coordinate));
    g->port = memory_alloc((size_t)graph->nodes * 2 * dims, sizeof(*g->port));
    for (uint32_t node = 0; node < graph->nodes; node++)
        torus_coordinates(&g->grid.torus, node, &g->coordinate[(size_t)node * dims]);
    for (uint32_t node = 0; node < graph->nodes; node++)
        for (unsigned port = 0; port < graph->ports[node]; port++)
            g->port[(size_t)node * 2 * dims +
                    direction_of(g, node, graph_end_at(graph, node, port))] = (uint8_t)port;
}

uint64_t grid_routes_memory(const struct graph *graph)
{
    uint64_t differences = 1;
    for (unsigned d = 0; d < graph->grid.torus.dims; d++)
        differences *= span(&graph->grid.torus, d);
    return differences * (sizeof(uint16_t) + sizeof(uint8_t)) +
           (uint64_t)graph->nodes * graph->grid.torus.dims * (sizeof(uint32_t) + 2);
}

weft_status grid_routes_init(struct graph_routes *r)
{
    struct grid_routes *g = r->grid = memory_alloc(1, sizeof(*g));
    g->grid = r->graph->grid;
    g->differences = 1;
    for (unsigned d = 0; d < g->grid.torus.dims; d++) {
        g->stride[d] = g->differences;
        g->differences *= span(&g->grid.torus, d);
    }
    g->directions = memory_alloc(g->differences, sizeof(*g->directions));
    g->hops = memory_alloc(g->differences, sizeof(*g->hops));
    set_coordinates(g, r->graph);
    weft_status status = search_corners(g, r->graph);
    sum_up(g, r);
    return status;
}

void grid_routes_destroy(struct grid_routes *g)
{
    if (!g)
        return;
    free(g->coordinate);
    free(g->port);
    free(g->directions);
    free(g->hops);
    free(g);
}
