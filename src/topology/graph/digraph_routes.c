/* Shortest routes as tables: backward breadth-first search from every destination. */
#include "topology/graph/digraph.h"

#include <stdlib.h>

#include "base/protected_call.h"
#include "base/memory.h"
#include "base/random.h"

enum { NO_PORT = DIGRAPH_MAX_DEGREE };

void digraph_hops(const struct digraph *g, uint32_t to, uint32_t *hops, uint32_t *queue)
{
    uint32_t tail = 0;
    for (uint32_t node = 0; node < g->nodes; node++)
        hops[node] = UINT32_MAX;
    hops[to] = 0;
    queue[tail++] = to;
    for (uint32_t head = 0; head < tail; head++) {
        const struct digraph_end *from = &g->from[(size_t)queue[head] * g->degree];
        for (uint32_t port = 0; port < g->degree; port++) {
            uint32_t before = from[port].node;
            if (before == DIGRAPH_NO_NODE || hops[before] != UINT32_MAX)
                continue;
            hops[before] = hops[queue[head]] + 1;
            queue[tail++] = before;
        }
    }
}

/* One of the ports that lead one hop nearer. The hash spreads pairs over them, and is the same on
 * every computer. */
static uint8_t choose(const struct digraph *g, const uint32_t *hops, uint32_t from, uint32_t to)
{
    uint8_t nearer[DIGRAPH_MAX_DEGREE];
    uint32_t count = 0;
    if (from == to || hops[from] == UINT32_MAX)
        return NO_PORT;
    for (uint32_t port = 0; port < g->degree; port++) {
        uint32_t next = g->to[(size_t)from * g->degree + port].node;
        if (next != DIGRAPH_NO_NODE && hops[next] == hops[from] - 1)
            nearer[count++] = (uint8_t)port;
    }
    if (count == 1)
        return nearer[0];
    return nearer[random_below(random_draw(random_key(0, from, RANDOM_TIE), to), count)];
}

void digraph_routes_init(struct digraph_routes *r, const struct digraph *g)
{
    uint32_t *hops = memory_alloc(g->nodes, sizeof(*hops));
    uint32_t *queue = memory_alloc(g->nodes, sizeof(*queue));
    *r = (struct digraph_routes){.nodes = g->nodes};
    r->port = memory_reserve((size_t)g->nodes * g->nodes);
    for (uint32_t to = 0; to < g->nodes; to++) {
        protected_call_poll();
        digraph_hops(g, to, hops, queue);
        for (uint32_t from = 0; from < g->nodes; from++)
            r->port[(size_t)to * g->nodes + from] = choose(g, hops, from, to);
    }
    free(hops);
    free(queue);
}

void digraph_routes_fini(struct digraph_routes *r)
{
    memory_release(r->port, (size_t)r->nodes * r->nodes);
}

bool digraph_route(const struct digraph *g, const struct digraph_routes *r, uint32_t from,
                   uint32_t to, struct digraph_route *route)
{
    struct digraph_route found = {0};
    const uint8_t *ports = &r->port[(size_t)to * r->nodes];
    if (from == to)
        return false;
    for (uint32_t node = from; node != to; found.hops++) {
        if (found.hops == DIGRAPH_MAX_HOPS || ports[node] == NO_PORT)
            return false;
        found.port[found.hops] = ports[node];
        node = g->to[(size_t)node * g->degree + ports[node]].node;
        if (node == DIGRAPH_NO_NODE) /* the link died after the tables were made */
            return false;
    }
    *route = found;
    return true;
}

/* Hops from a node, from those known along its route (UINT32_MAX: not yet known). */
static uint32_t count_hops(const struct digraph *g, const struct digraph_routes *r, uint32_t from,
                           uint32_t to, uint32_t *hops)
{
    uint32_t length = 0, node = from;
    while (hops[node] == UINT32_MAX) {
        node = digraph_routes_next(g, r, node, to);
        length++;
    }
    uint32_t whole = hops[node] + length;
    for (node = from; hops[node] == UINT32_MAX; node = digraph_routes_next(g, r, node, to))
        hops[node] = whole--;
    return hops[from];
}

uint32_t digraph_routes_tree(const struct digraph *g, const struct digraph_routes *r, uint32_t to,
                             uint32_t *order, uint32_t *hops)
{
    const uint8_t *port = &r->port[(size_t)to * r->nodes];
    uint32_t count, most = 0;
    for (uint32_t node = 0; node < g->nodes; node++)
        hops[node] = UINT32_MAX;
    hops[to] = 0;
    for (uint32_t node = 0; node < g->nodes; node++) {
        if (node == to || port[node] >= g->degree)
            continue;
        uint32_t far = count_hops(g, r, node, to, hops);
        most = far > most ? far : most;
    }
    uint32_t *start = memory_alloc(most + 2, sizeof(*start)); /* [hops] of its nodes in `order` */
    for (uint32_t node = 0; node < g->nodes; node++)
        if (node != to && hops[node] <= most)
            start[hops[node] + 1]++;
    for (uint32_t far = 1; far <= most; far++)
        start[far + 1] += start[far];
    for (uint32_t node = 0; node < g->nodes; node++)
        if (node != to && hops[node] <= most)
            order[start[hops[node]]++] = node;
    count = start[most];
    free(start);
    return count;
}
