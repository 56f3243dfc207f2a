/* One minimal route of each pair. */
#include <stdlib.h>

#include "base/memory.h"
#include "base/random.h"
#include "topology/graph/routes.h"

/* The hash spreads pairs over the ports that come nearer, and is the same on every computer. */
uint32_t graph_route_port(const struct graph_routes *r, uint32_t from, uint32_t to)
{
    uint64_t ports = graph_routes_ports(r, from, r->leaf[to]);
    uint32_t count = (uint32_t)__builtin_popcountll(ports);
    uint32_t skip =
        count < 2 ? 0 : random_below(random_draw(random_key(0, from, RANDOM_TIE), to), count);
    while (skip--)
        ports &= ports - 1;
    return (uint32_t)__builtin_ctzll(ports);
}

bool graph_route(const struct graph_routes *r, uint32_t from, uint32_t to,
                 struct graph_route *route)
{
    if (from == to || r->graph->dead[from] || r->leaf[to] == GRAPH_NONE ||
        graph_routes_hops(r, from, r->leaf[to]) > GRAPH_ROUTE_HOPS)
        return false;
    route->hops = 0;
    for (uint32_t node = from; node != to;
         node = graph_end_at(r->graph, node, route->port[route->hops++])->node)
        route->port[route->hops] = (uint8_t)graph_route_port(r, node, to);
    return true;
}

/* ---- trees ---- */

enum { BLOCK = 64 };

void graph_trees_init(struct graph_trees *t, const struct graph_routes *r)
{
    size_t nodes = r->graph->nodes;
    *t = (struct graph_trees){.routes = r, .first = GRAPH_NONE};
    t->order = memory_alloc(nodes, sizeof(*t->order));
    t->ports = memory_alloc(BLOCK * nodes, 1);
    t->hops = memory_alloc(BLOCK * nodes, 1);
}

void graph_trees_fini(struct graph_trees *t)
{
    free(t->order);
    free(t->ports);
    free(t->hops);
}

/* Reads a block of columns. A node itself, and a dead one, has no hops. */
static void read_block(struct graph_trees *t, uint32_t first)
{
    const struct graph_routes *r = t->routes;
    size_t nodes = r->graph->nodes;
    uint32_t count = r->leaves - first < BLOCK ? r->leaves - first : BLOCK;
    t->first = first;
    for (uint32_t node = 0; node < nodes; node++)
        for (uint32_t i = 0; i < count && !r->graph->dead[node]; i++) {
            uint32_t to = r->leaf_at[first + i];
            t->hops[i * nodes + node] = (uint8_t)graph_routes_hops(r, node, first + i);
            t->ports[i * nodes + node] = node == to ? 0 : (uint8_t)graph_route_port(r, node, to);
        }
}

void graph_trees_to(struct graph_trees *t, uint32_t to)
{
    uint32_t leaf = t->routes->leaf[to], first = leaf / BLOCK * BLOCK;
    size_t nodes = t->routes->graph->nodes;
    uint32_t start[GRAPH_MAX_HOPS + 2] = {0}; /* [hops] of its nodes in `order` */
    if (t->first != first)
        read_block(t, first);
    const uint8_t *hops = &t->hops[(leaf - first) * nodes];
    t->port = &t->ports[(leaf - first) * nodes];
    for (uint32_t node = 0; node < nodes; node++)
        start[hops[node] + 1]++;
    start[1] = 0; /* of `to` itself */
    for (unsigned far = 1; far <= GRAPH_MAX_HOPS; far++)
        start[far + 1] += start[far];
    for (uint32_t node = 0; node < nodes; node++)
        if (hops[node])
            t->order[start[hops[node]]++] = node;
    t->count = start[GRAPH_MAX_HOPS];
}
