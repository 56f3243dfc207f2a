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

uint32_t graph_route_next(const struct graph_routes *r, uint32_t from, uint32_t to)
{
    return graph_end_at(r->graph, from, graph_route_port(r, from, to))->node;
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

uint32_t graph_route_tree(const struct graph_routes *r, uint32_t to, uint32_t *order)
{
    uint32_t nodes = r->graph->nodes, count = 0;
    uint32_t start[GRAPH_MAX_HOPS + 2] = {0}; /* [hops] of its nodes in `order` */
    uint8_t *hops = memory_alloc(nodes, 1);
    for (uint32_t node = 0; node < nodes; node++) {
        if (r->graph->dead[node] || node == to)
            continue;
        hops[node] = (uint8_t)graph_routes_hops(r, node, r->leaf[to]);
        start[hops[node] + 1]++;
        count++;
    }
    for (unsigned far = 1; far <= GRAPH_MAX_HOPS; far++)
        start[far + 1] += start[far];
    for (uint32_t node = 0; node < nodes; node++)
        if (hops[node])
            order[start[hops[node]]++] = node;
    free(hops);
    return count;
}
