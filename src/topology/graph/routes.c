/*
 * Minimal routes, for many leaves at once. A set of leaves is a few words, a bit each. The leaves
 * at distance d of a node are those at distance d - weight of the nodes behind its links, as
 * far as they are not nearer: a few ORs and ANDs per link serve them all.
 *
 *   leaves behind port 0, at d - weight      0 1 1 0 0 1      & those not yet found
 *   leaves behind port 1, at d - weight      0 0 1 0 1 0
 *   leaves that leave by the same ports      . a b . c a      few kinds, each entered once
 *
 * A way is a set of ports to start with and the hops to go. A switch has few of them, so that an
 * entry of the table is a way's number: a byte, or two if some switch has more than 256. Where
 * links are one-way, an entry is one of the ports, with the hops.
 */
#include "topology/graph/routes.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/random.h"

enum { SET_WORDS = 4, BATCH = 64 * SET_WORDS, NARROW_MOST = 1 << 8, WIDE_MOST = UINT16_MAX };

/* Some leaves of a batch. */
struct leaves {
    uint64_t word[SET_WORDS];
};

/* A way, and a hash table that finds those of a node. */
struct way {
    uint64_t ports;
    uint32_t hops;
};

struct finder {
    uint16_t *slot; /* number + 1; 0: none */
    uint32_t slots, last;
};

struct search {
    struct graph_routes *routes;
    const struct graph *graph;
    struct finder *finder;            /* [node] */
    uint32_t first;                   /* leaf of the batch */
    struct leaves all;                /* of the batch */
    struct leaves *found;             /* [node]: whose distance is known */
    struct leaves *at[1 + UINT8_MAX]; /* [distance % depth][node]: those at that distance */
    unsigned depth;                   /* more than the heaviest link */
    uint32_t hops[GRAPH_MAX_HOPS * UINT8_MAX + 2]; /* [distance]; 0: no route is that long */
    uint32_t *hosts;                               /* [leaf] */
    uint64_t all_hosts;
    uint64_t host_hops; /* sum over pairs of hosts */
    uint32_t entries;   /* more than the largest entry */
};

/* ---- sets of leaves ---- */

static bool is_empty(const struct leaves *l)
{
    uint64_t any = 0;
    for (unsigned i = 0; i < SET_WORDS; i++)
        any |= l->word[i];
    return !any;
}

static struct leaves without(const struct leaves *a, const struct leaves *b)
{
    struct leaves both;
    for (unsigned i = 0; i < SET_WORDS; i++)
        both.word[i] = a->word[i] & ~b->word[i];
    return both;
}

static void add_leaves(struct leaves *to, const struct leaves *more)
{
    for (unsigned i = 0; i < SET_WORDS; i++)
        to->word[i] |= more->word[i];
}

/* ---- ways ---- */

static bool is_way(const struct graph_ways *w, uint32_t number, const struct way *way)
{
    return w->ports[number] == way->ports && w->hops[number] == way->hops;
}

static uint16_t *slot_of(const struct finder *f, const struct graph_ways *w, const struct way *way)
{
    uint32_t at = (uint32_t)random_mix(way->ports * 128 + way->hops) & (f->slots - 1);
    while (f->slot[at] && !is_way(w, f->slot[at] - 1u, way))
        at = (at + 1) & (f->slots - 1);
    return &f->slot[at];
}

/* Doubles the room for ways; slots are at most half full. */
static void grow(struct finder *f, struct graph_ways *w)
{
    uint32_t room = f->slots ? f->slots : 8;
    free(f->slot);
    f->slots = 2 * room;
    f->slot = memory_alloc(f->slots, sizeof(*f->slot));
    w->ports = memory_grow(w->ports, room, sizeof(*w->ports));
    w->hops = memory_grow(w->hops, room, sizeof(*w->hops));
    for (uint32_t i = 0; i < w->count; i++) {
        struct way way = {w->ports[i], w->hops[i]};
        *slot_of(f, w, &way) = (uint16_t)(i + 1);
    }
}

/* The number of a way among those of a node; WIDE_MOST: it has too many. */
static uint32_t number_of(struct search *s, uint32_t node, const struct way *way)
{
    struct finder *f = &s->finder[node];
    struct graph_ways *w = &s->routes->ways[node];
    if (w->count && is_way(w, f->last, way))
        return f->last;
    if (2 * w->count == f->slots)
        grow(f, w);
    uint16_t *slot = slot_of(f, w, way);
    if (!*slot) {
        if (w->count == WIDE_MOST)
            return WIDE_MOST;
        w->ports[w->count] = way->ports;
        w->hops[w->count++] = (uint8_t)way->hops;
        *slot = (uint16_t)w->count;
    }
    return f->last = *slot - 1u;
}

/* The hash spreads pairs over the ports that come nearer, and is the same on every computer. */
static uint32_t choose_port(uint64_t ports, uint32_t from, uint32_t to)
{
    if (ports & (ports - 1)) {
        uint32_t count = (uint32_t)__builtin_popcountll(ports);
        uint32_t skip = random_below(random_draw(random_key(0, from, RANDOM_TIE), to), count);
        while (skip--)
            ports &= ports - 1;
    }
    return (uint32_t)__builtin_ctzll(ports);
}

static void write_entry(struct search *s, uint32_t node, uint32_t leaf, uint32_t value)
{
    struct graph_routes *r = s->routes;
    size_t at = graph_routes_entry(r, node, leaf);
    s->entries = value >= s->entries ? value + 1 : s->entries;
    if (r->narrow)
        r->narrow[at] = (uint8_t)value;
    else
        r->wide[at] = (uint16_t)value;
}

/* Enters a way from a node to some leaves of a word of the batch. */
static void enter(struct search *s, uint32_t node, unsigned word, uint64_t leaves,
                  const struct way *way)
{
    struct graph_routes *r = s->routes;
    uint32_t first = s->first + word * 64;
    uint32_t value = r->ways ? number_of(s, node, way) : way->hops << ROUTE_PORT_BITS;
    uint64_t hosts = 0;
    for (; leaves; leaves &= leaves - 1) {
        uint32_t leaf = first + (uint32_t)__builtin_ctzll(leaves);
        uint32_t port =
            r->ways || !way->ports ? 0 : choose_port(way->ports, node, r->leaf_at[leaf]);
        hosts += s->hosts[leaf];
        write_entry(s, node, leaf, value | port);
    }
    s->host_hops += hosts * way->hops * graph_hosts_at(s->graph, node);
    if (r->leaf[node] != GRAPH_NONE && way->hops > r->diameter)
        r->diameter = way->hops;
}

/* ---- the search ---- */

/* Leaves of a word that were found by way of `behind` [port]: those that leave by the same ports
 * are entered together. */
static void enter_word(struct search *s, uint32_t node, unsigned word, uint64_t left,
                       const struct leaves *behind, uint32_t hops)
{
    while (left) {
        struct way way = {.hops = hops};
        uint64_t alike = left;
        unsigned bit = (unsigned)__builtin_ctzll(left);
        for (unsigned port = 0; port < s->graph->ports[node]; port++) {
            uint64_t leads = behind[port].word[word] >> bit & 1;
            way.ports |= leads << port;
            alike &= ~(behind[port].word[word] ^ -leads);
        }
        enter(s, node, word, alike, &way);
        left &= ~alike;
    }
}

/* All routes of a length have the same hops: graph.h has no weights that could make a difference.
 */
static void settle_hops(struct search *s, unsigned distance, unsigned nearer)
{
    uint32_t hops = s->hops[nearer] + 1;
    WEFT_CHECK(!s->hops[distance] || s->hops[distance] == hops,
               "routes of length %u have %u and %u hops", distance, s->hops[distance] - 1,
               hops - 1);
    s->hops[distance] = hops;
}

/* The leaves at a distance of a node. */
static bool find_leaves_at(struct search *s, uint32_t node, unsigned distance)
{
    const struct graph *g = s->graph;
    struct leaves behind[GRAPH_MAX_PORTS], come = {.word = {0}};
    struct leaves wanted = without(&s->all, &s->found[node]);
    struct leaves *here = &s->at[distance % s->depth][node];
    *here = come;
    if (is_empty(&wanted))
        return false;
    for (unsigned port = 0; port < g->ports[node]; port++) {
        const struct graph_end *e = graph_end_at(g, node, port);
        unsigned weight = g->weight[e->sort];
        bool leads = e->node != GRAPH_NONE && distance >= weight;
        const struct leaves *there = &s->at[(distance - weight) % s->depth][leads ? e->node : node];
        for (unsigned i = 0; i < SET_WORDS; i++)
            behind[port].word[i] = leads ? there->word[i] & wanted.word[i] : 0;
        if (!is_empty(&behind[port]))
            settle_hops(s, distance, distance - weight);
        add_leaves(&come, &behind[port]);
    }
    *here = come;
    add_leaves(&s->found[node], &come);
    for (unsigned i = 0; i < SET_WORDS; i++)
        enter_word(s, node, i, come.word[i], behind, s->hops[distance] - 1);
    return !is_empty(&come);
}

/* Leaves at distance 0 of themselves. */
static void start_batch(struct search *s, uint32_t first)
{
    struct graph_routes *r = s->routes;
    size_t bytes = s->graph->nodes * sizeof(*s->found);
    uint32_t count = r->leaves - first < BATCH ? r->leaves - first : BATCH;
    struct way none = {.ports = 0};
    s->first = first;
    s->all = (struct leaves){.word = {0}};
    memset(s->found, 0, bytes);
    for (unsigned d = 0; d < s->depth; d++)
        memset(s->at[d], 0, bytes);
    memset(s->hops, 0, sizeof(s->hops));
    s->hops[0] = 1;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t node = r->leaf_at[first + i];
        s->all.word[i / 64] |= 1ull << i % 64;
        s->found[node].word[i / 64] |= 1ull << i % 64;
        s->at[0][node].word[i / 64] |= 1ull << i % 64;
        enter(s, node, i / 64, 1ull << i % 64, &none);
    }
}

/* ---- what is missing ---- */

weft_status graph_routes_refuse_length(uint32_t from, uint32_t to)
{
    return BAD_INPUT("machine.graph",
                     ("machine.graph has a route of more than %d hops, from switch %u to switch %u",
                      GRAPH_MAX_HOPS, from, to),
                     ("use a graph of smaller diameter"));
}

static weft_status refuse(const struct search *s, uint32_t leaf, uint32_t node)
{
    uint32_t to = s->routes->leaf_at[s->first + leaf], nodes = s->graph->nodes;
    uint32_t *hops = memory_alloc(2 * (size_t)nodes, sizeof(*hops));
    graph_hops(s->graph, to, hops, hops + nodes);
    bool reaches = hops[node] != UINT32_MAX;
    free(hops);
    if (!reaches)
        return BAD_INPUT("machine.graph",
                         ("machine.graph has no route from switch %u to switch %u", node, to),
                         ("link them, if only through others"));
    return graph_routes_refuse_length(node, to);
}

/* Every living node must have found every leaf of the batch; the first leaf that one has not is
 * named.
 */
static weft_status check_batch(const struct search *s)
{
    uint32_t first = BATCH, from = 0;
    for (uint32_t node = 0; node < s->graph->nodes; node++) {
        if (s->graph->dead[node])
            continue;
        struct leaves missing = without(&s->all, &s->found[node]);
        for (unsigned i = 0; i < SET_WORDS; i++) {
            uint32_t leaf =
                missing.word[i] ? i * 64 + (uint32_t)__builtin_ctzll(missing.word[i]) : BATCH;
            from = leaf < first ? node : from;
            first = leaf < first ? leaf : first;
        }
    }
    return first == BATCH ? WEFT_OK : refuse(s, first, from);
}

/* ---- the table ---- */

static weft_status add_batch(struct search *s, uint32_t first)
{
    start_batch(s, first);
    for (unsigned distance = 1, empty = 0; empty < s->depth - 1; distance++) {
        bool found = false;
        protected_call_poll();
        for (uint32_t node = 0; node < s->graph->nodes; node++)
            found |= find_leaves_at(s, node, distance);
        empty = found ? 0 : empty + 1;
        if (s->hops[distance] > GRAPH_MAX_HOPS)
            break;
    }
    return check_batch(s);
}

static void find_leaves(struct graph_routes *r)
{
    const struct graph *g = r->graph;
    r->leaf = memory_alloc(g->nodes, sizeof(*r->leaf));
    r->leaf_at = memory_alloc(g->nodes, sizeof(*r->leaf_at));
    for (uint32_t node = 0; node < g->nodes; node++) {
        r->leaf[node] = GRAPH_NONE;
        if (!graph_hosts_at(g, node) || g->dead[node])
            continue;
        r->leaf[node] = r->leaves;
        r->leaf_at[r->leaves++] = node;
    }
}

static void drop_ways(struct graph_routes *r)
{
    for (uint32_t node = 0; r->ways && node < r->graph->nodes; node++) {
        free(r->ways[node].ports);
        free(r->ways[node].hops);
    }
    free(r->ways);
    r->ways = NULL;
}

uint64_t graph_routes_memory(const struct graph *g)
{
    uint64_t leaves = 0;
    if (g->grid.torus.dims)
        return grid_routes_memory(g);
    for (uint32_t node = 0; node < g->nodes; node++)
        leaves += graph_hosts_at(g, node) > 0 && !g->dead[node];
    return leaves * g->nodes;
}

static struct search *search_create(struct graph_routes *r)
{
    const struct graph *g = r->graph;
    struct search *s = memory_alloc(1, sizeof(*s));
    s->routes = r;
    s->graph = g;
    s->finder = memory_alloc(g->nodes, sizeof(*s->finder));
    s->found = memory_alloc(g->nodes, sizeof(*s->found));
    s->hosts = memory_alloc(r->leaves, sizeof(*s->hosts));
    for (uint32_t leaf = 0; leaf < r->leaves; leaf++) {
        s->hosts[leaf] = graph_hosts_at(g, r->leaf_at[leaf]);
        s->all_hosts += s->hosts[leaf];
    }
    for (unsigned sort = 0; sort < g->sorts; sort++)
        s->depth = g->weight[sort] >= s->depth ? g->weight[sort] + 1u : s->depth;
    for (unsigned d = 0; d < s->depth; d++)
        s->at[d] = memory_alloc(g->nodes, sizeof(*s->at[d]));
    return s;
}

static void search_destroy(struct search *s)
{
    for (uint32_t node = 0; node < s->graph->nodes; node++)
        free(s->finder[node].slot);
    for (unsigned d = 0; d < s->depth; d++)
        free(s->at[d]);
    free(s->finder);
    free(s->found);
    free(s->hosts);
    free(s);
}

/* Fills the table, until an entry does not fit; *most becomes more than the largest. */
static weft_status fill_table(struct graph_routes *r, uint32_t fit, uint32_t *most)
{
    struct search *s = search_create(r);
    weft_status status = WEFT_OK;
    r->diameter = 0;
    r->ways = r->graph->one_way ? NULL : memory_alloc(r->graph->nodes, sizeof(*r->ways));
    for (uint32_t first = 0; first < r->leaves && status == WEFT_OK && s->entries <= fit;
         first += BATCH)
        status = add_batch(s, first);
    *most = s->entries;
    double pairs = (double)s->all_hosts * ((double)s->all_hosts - 1);
    r->mean_distance = pairs > 0 ? (double)s->host_hops / pairs : 0;
    search_destroy(s);
    return status;
}

/* ---- gates ---- */

/* Finds the gates of a dragonfly, if there is a single link between every two of its groups. */
static void find_gates(struct graph_routes *r)
{
    const struct graph *g = r->graph;
    uint32_t groups = g->form == GRAPH_DRAGONFLY ? g->nodes / g->group : 0;
    uint64_t links = 0;
    for (uint32_t node = 0; groups && node < g->nodes; node++)
        for (unsigned port = 0; port < g->ports[node]; port++)
            links += graph_end_at(g, node, port)->node / g->group != node / g->group;
    if (!groups || links != (uint64_t)groups * (groups - 1)) /* every two have one at least */
        return;
    r->gate = memory_alloc((size_t)groups * groups, sizeof(*r->gate));
    for (uint32_t node = 0; node < g->nodes; node++)
        for (unsigned port = 0; port < g->ports[node]; port++) {
            uint32_t to = graph_end_at(g, node, port)->node;
            r->gate[(size_t)(node / g->group) * groups + to / g->group] =
                (struct graph_gate){node, to}; /* within a group: never asked for */
        }
}

weft_status graph_routes_init(struct graph_routes *r, const struct graph *g)
{
    uint32_t most;
    *r = (struct graph_routes){.graph = g};
    find_leaves(r);
    if (g->grid.torus.dims)
        return grid_routes_init(r);
    find_gates(r);
    r->node_stride = g->one_way ? 1 : r->leaves;
    r->leaf_stride = g->one_way ? g->nodes : 1;
    size_t entries = (size_t)r->leaves * g->nodes;
    r->narrow = memory_alloc(entries, sizeof(*r->narrow));
    weft_status status = fill_table(r, NARROW_MOST, &most);
    if (status != WEFT_OK || most <= NARROW_MOST)
        return status;
    drop_ways(r);
    free(r->narrow);
    r->narrow = NULL;
    r->wide = memory_alloc(entries, sizeof(*r->wide));
    status = fill_table(r, WIDE_MOST, &most);
    if (status == WEFT_OK && most > WIDE_MOST)
        return BAD_INPUT(
            "machine.graph",
            ("machine.graph has a switch with more than %d kinds of minimal routes", WIDE_MOST),
            ("use a smaller or more regular graph"));
    return status;
}

void graph_routes_fini(struct graph_routes *r)
{
    free(r->leaf);
    free(r->leaf_at);
    free(r->narrow);
    free(r->wide);
    drop_ways(r);
    grid_routes_destroy(r->grid);
    free(r->gate);
    *r = (struct graph_routes){0};
}

/* ---- one minimal route of each pair ---- */

uint32_t graph_route_port(const struct graph_routes *r, uint32_t from, uint32_t to)
{
    if (r->graph->one_way)
        return graph_entry_port(graph_routes_number(r, from, r->leaf[to]));
    return choose_port(graph_routes_ports(r, from, r->leaf[to]), from, to);
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

enum { TREE_BLOCK = 64 };

void graph_trees_init(struct graph_trees *t, const struct graph_routes *r)
{
    size_t nodes = r->graph->nodes;
    *t = (struct graph_trees){.routes = r, .first = GRAPH_NONE};
    t->order = memory_alloc(nodes, sizeof(*t->order));
    t->ports = memory_alloc(TREE_BLOCK * nodes, 1);
    t->hops = memory_alloc(TREE_BLOCK * nodes, 1);
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
    uint32_t count = r->leaves - first < TREE_BLOCK ? r->leaves - first : TREE_BLOCK;
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
    uint32_t leaf = t->routes->leaf[to], first = leaf / TREE_BLOCK * TREE_BLOCK;
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
