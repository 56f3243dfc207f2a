/*
 * Node-disjoint routes with the fewest hops in total: a minimum-cost flow, grown one route at a
 * time along shortest augmenting paths (Suurballe 1974; potentials as by Edmonds and Karp 1972).
 *
 * Every node is two vertices, its entry and its exit, with room for one route between them. A new
 * path may go against an earlier route, which undoes that part of it:
 *
 *     entry --0--> exit         of a node on no route
 *     exit  --0--> entry        of a node on a route
 *     exit  --1--> next entry   over a link on no route
 *     entry --(-1)--> last exit against the link of a route
 *
 * height[vertex] is a lower bound on the cost from there to the destination, so a step costs
 * `cost + height there - height here` >= 0 more than this bound. It starts as the true distance,
 * from a backward search; forward searches then touch only vertices on paths hardly longer than the
 * best. On K(3,6) the backward search takes nearly all of the time.
 *
 * Costs fit in bytes: if the cheapest path costs more than GRAPH_ROUTE_HOPS, some route of any set
 * of this size is longer than that too, and the search ends.
 */
#include "topology/graph/routes.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { THROUGH = GRAPH_ONE_WAY_LINKS, UNSEEN = UINT8_MAX };

struct item {
    uint32_t vertex;
    uint32_t below; /* in its bucket: item + 1; 0: none */
};

struct flow {
    const struct graph *g;
    uint32_t from, to;
    uint8_t *height; /* [vertex] */
    uint8_t *excess; /* [vertex] least cost found above the bound; UNSEEN */
    uint8_t *came; /* [vertex] port, at this end, of the link it was reached by; THROUGH its node */
    uint8_t *out;  /* [node] output ports of routes, one bit each */
    uint8_t *in;   /* [node] input ports of routes, one bit each */
    struct item *item;
    uint32_t items;
    uint32_t bucket[GRAPH_ROUTE_HOPS + 1]; /* [excess] top item + 1; 0: none */
};

static inline uint32_t entry_of(uint32_t node)
{
    return 2 * node;
}

static inline uint32_t exit_of(uint32_t node)
{
    return 2 * node + 1;
}

static inline const struct graph_end *in_links(const struct flow *f, uint32_t node)
{
    return &f->g->from[(size_t)node * f->g->degree];
}

/* One block for all arrays; a search looks at every vertex once and files its neighbours. */
static void flow_init(struct flow *f, const struct graph *g, uint32_t from, uint32_t to)
{
    size_t n = g->nodes, items = n * (g->degree + 2) + 1;
    *f = (struct flow){.g = g, .from = from, .to = to};
    f->item = memory_alloc(items * sizeof(*f->item) + 8 * n, 1);
    f->height = (uint8_t *)(f->item + items);
    f->excess = f->height + 2 * n;
    f->came = f->excess + 2 * n;
    f->out = f->came + 2 * n;
    f->in = f->out + n;
    memset(f->height, UNSEEN, 4 * n); /* excess too */
}

/* Distances to the destination, up to that of the source; false: the source is too far. */
static bool measure(struct flow *f)
{
    uint32_t tail = 0;
    f->height[entry_of(f->to)] = 0;
    f->item[tail++].vertex = f->to;
    for (uint32_t head = 0; head < tail && f->height[entry_of(f->from)] == UNSEEN; head++) {
        uint32_t node = f->item[head].vertex;
        uint8_t hops = f->height[entry_of(node)];
        for (uint32_t port = 0; port < f->g->degree && hops < GRAPH_ROUTE_HOPS; port++) {
            uint32_t before = in_links(f, node)[port].node;
            if (before == GRAPH_NONE || f->height[entry_of(before)] != UNSEEN)
                continue;
            f->height[entry_of(before)] = hops + 1;
            f->item[tail++].vertex = before;
        }
    }
    uint8_t far = f->height[entry_of(f->from)];
    for (uint32_t node = 0; node < f->g->nodes; node++) {
        uint8_t hops = f->height[entry_of(node)];
        f->height[entry_of(node)] = f->height[exit_of(node)] = hops < far ? hops : far;
    }
    return far != UNSEEN;
}

static void file(struct flow *f, uint32_t vertex, uint32_t excess, uint32_t came)
{
    f->excess[vertex] = (uint8_t)excess;
    f->came[vertex] = (uint8_t)came;
    f->item[f->items] = (struct item){.vertex = vertex, .below = f->bucket[excess]};
    f->bucket[excess] = ++f->items;
}

static void relax(struct flow *f, uint32_t vertex, uint32_t next, int cost, uint32_t came)
{
    int excess = f->excess[vertex] + cost + f->height[next] - f->height[vertex];
    if (excess < f->excess[next] && excess + f->height[exit_of(f->from)] <= GRAPH_ROUTE_HOPS)
        file(f, next, (uint32_t)excess, came);
}

static void look_from_entry(struct flow *f, uint32_t node)
{
    if (f->in[node]) {
        struct graph_end last = in_links(f, node)[__builtin_ctz(f->in[node])];
        relax(f, entry_of(node), exit_of(last.node), -1, last.port);
    } else {
        relax(f, entry_of(node), exit_of(node), 0, THROUGH);
    }
}

static void look_from_exit(struct flow *f, uint32_t node)
{
    if (f->in[node])
        relax(f, exit_of(node), entry_of(node), 0, THROUGH);
    for (uint32_t port = 0; port < f->g->degree; port++) {
        struct graph_end next = *graph_end_at(f->g, node, port);
        if (next.node != GRAPH_NONE && next.node != f->from && !(f->out[node] >> port & 1))
            relax(f, exit_of(node), entry_of(next.node), 1, next.port);
    }
}

/* Finds a path of least cost, as `came`; false: there is none. */
static bool find_path(struct flow *f)
{
    memset(f->bucket, 0, sizeof(f->bucket));
    f->items = 0;
    file(f, exit_of(f->from), 0, THROUGH);
    for (uint32_t excess = 0; excess <= GRAPH_ROUTE_HOPS; excess++)
        while (f->bucket[excess]) {
            struct item *item = &f->item[f->bucket[excess] - 1];
            f->bucket[excess] = item->below;
            if (f->excess[item->vertex] != excess)
                continue; /* reached at lower cost since */
            if (item->vertex == entry_of(f->to))
                return true;
            if (item->vertex % 2)
                look_from_exit(f, item->vertex / 2);
            else
                look_from_entry(f, item->vertex / 2);
        }
    return false;
}

/* Adds the path to the routes, backwards from its end; removes a link that it goes against. */
static void augment(struct flow *f)
{
    for (uint32_t vertex = entry_of(f->to); vertex != exit_of(f->from);) {
        uint32_t node = vertex / 2, port = f->came[vertex];
        bool is_exit = vertex % 2;
        if (port == THROUGH) {
            vertex ^= 1;
        } else if (is_exit) {
            struct graph_end next = *graph_end_at(f->g, node, port);
            f->out[node] &= (uint8_t) ~(1u << port);
            f->in[next.node] &= (uint8_t) ~(1u << next.port);
            vertex = entry_of(next.node);
        } else {
            struct graph_end last = in_links(f, node)[port];
            f->in[node] |= (uint8_t)(1u << port);
            f->out[last.node] |= (uint8_t)(1u << last.port);
            vertex = exit_of(last.node);
        }
    }
}

/* Vertices cheaper to reach than the end are now that much further from it; no others were touched.
 */
static void raise(struct flow *f)
{
    uint8_t paid = f->excess[entry_of(f->to)];
    for (uint32_t i = 0; i < f->items; i++) {
        uint32_t vertex = f->item[i].vertex;
        if (f->excess[vertex] < paid)
            f->height[vertex] += paid - f->excess[vertex];
        f->excess[vertex] = UNSEEN;
    }
}

static bool follow(const struct flow *f, uint32_t port, struct graph_route *route)
{
    route->hops = 0;
    for (uint32_t node = f->from;; port = (uint32_t)__builtin_ctz(f->out[node])) {
        if (route->hops == GRAPH_ROUTE_HOPS)
            return false;
        route->port[route->hops++] = (uint8_t)port;
        node = graph_end_at(f->g, node, port)->node;
        if (node == f->to)
            return true;
    }
}

/* Lists the routes by length; false: one is too long, and nothing is written. */
static bool list_routes(const struct flow *f, struct graph_route *route)
{
    struct graph_route sorted[GRAPH_ONE_WAY_LINKS], found = {0};
    uint32_t count = 0, at;
    for (uint32_t ports = f->out[f->from]; ports; ports &= ports - 1) {
        if (!follow(f, (uint32_t)__builtin_ctz(ports), &found))
            return false;
        for (at = count++; at > 0 && sorted[at - 1].hops > found.hops; at--)
            sorted[at] = sorted[at - 1];
        sorted[at] = found;
    }
    memcpy(route, sorted, count * sizeof(*route));
    return true;
}

uint32_t graph_disjoint_routes(const struct graph *g, uint32_t from, uint32_t to, uint32_t most,
                               struct graph_route *route)
{
    struct flow f;
    uint32_t count = 0;
    WEFT_CHECK(g->degree <= GRAPH_ONE_WAY_LINKS, "a degree of %u", g->degree);
    if (from == to)
        return 0;
    protected_call_poll(); /* asking for all pairs may take hours */
    flow_init(&f, g, from, to);
    for (bool more = measure(&f); more && count < most && find_path(&f); count += more) {
        augment(&f);
        raise(&f);
        more = list_routes(&f, route);
    }
    free(f.item);
    return count;
}
