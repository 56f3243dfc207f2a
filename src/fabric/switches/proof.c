/*
 * Following all routes. What a packet's class depends on is a small number, its state: the hops or
 * global links behind it, or the rings that it has gone around. For each leaf, the states in which
 * a switch may have a packet for it are a mask; each state is followed once.
 */
#include "fabric/switches/network.h"

#include <stdlib.h>

#include "base/status.h"
#include "base/memory.h"
#include "base/text/text.h"
#include "topology/dependency.h"

enum { STATES = 64 };

struct channels {
    const struct switches_routing *routing;
    const struct graph *graph;
    uint32_t count;
    uint64_t *waits;   /* [channel * classes + class]: ports behind it, as a mask */
    uint64_t *arrives; /* [channel]: states in which packets come to the leaf of a detour by it */
    uint64_t *begins;  /* [switch]: the same at that leaf, by whatever channel */
    uint64_t *seen;    /* [switch]: states followed so far, on the way to one leaf */
    uint32_t *work;    /* states to be followed: switch * STATES + state */
    size_t works;
    bool *used; /* [channel] */
};

static uint32_t channel(const struct channels *c, uint32_t node, unsigned port, unsigned class)
{
    return (uint32_t)(((size_t)node * c->graph->degree + port) * c->routing->classes + class);
}

/* ---- states ---- */

static unsigned state_of(const struct switches_routing *r, const struct packet_way *way)
{
    unsigned last = r->classes - 1;
    switch (r->vc_rule) {
    case CLASS_HOP:
        return way->hops < last ? way->hops : last;
    case CLASS_GLOBAL:
        return way->globals < last ? way->globals : last;
    case CLASS_DATELINE:
        return way->around;
    default:
        return 0;
    }
}

static struct packet_way way_of(const struct switches_routing *r, unsigned state, uint32_t leaf,
                                bool detour)
{
    struct packet_way way = {.leaf = leaf, .via = GRAPH_NONE, .detour = detour};
    if (r->vc_rule == CLASS_HOP)
        way.hops = (uint8_t)state;
    else if (r->vc_rule == CLASS_GLOBAL)
        way.globals = (uint8_t)state;
    else if (r->vc_rule == CLASS_DATELINE)
        way.around = (uint8_t)state;
    return way;
}

/* ---- following ---- */

static void reach(struct channels *c, uint32_t node, unsigned state)
{
    if (c->seen[node] >> state & 1)
        return;
    c->seen[node] |= 1ull << state;
    c->work[c->works++] = node * STATES + state;
}

/* Ports by which a packet may leave on a channel that is followed. */
static uint64_t held_ports(const struct switches_routing *r, const struct packet_moves *m)
{
    return r->vc_rule == CLASS_DATELINE ? m->escape_ports : m->ports;
}

/* A packet in a channel waits for those that it may take at the switch behind. */
static void add_waits(struct channels *c, uint32_t from, uint32_t node,
                      const struct packet_way *way)
{
    const struct switches_routing *r = c->routing;
    struct packet_moves m = switches_moves(r, node, way);
    for (uint64_t ports = held_ports(r, &m); ports; ports &= ports - 1) {
        unsigned port = (unsigned)__builtin_ctzll(ports);
        c->waits[(size_t)from * r->classes + switches_class(r, node, port, way)] |= 1ull << port;
    }
}

/* A packet leaves by a port; `holds`: on a channel that is followed. */
static void follow_port(struct channels *c, uint32_t node, unsigned port,
                        const struct packet_way *way, bool holds, bool detours)
{
    const struct switches_routing *r = c->routing;
    struct packet_way next = *way;
    const struct graph_end *e = graph_end_at(c->graph, node, port);
    uint32_t to = e->node;
    uint32_t held = channel(c, node, port, switches_class(r, node, port, way));
    switches_way_advance(&next, e->sort, c->graph->is_long[e->sort], e->wraps, false);
    c->used[held] |= holds;
    if (detours ? !switches_is_around(r, to, way->leaf) : to != r->routes->leaf_at[way->leaf]) {
        if (holds)
            add_waits(c, held, to, &next);
        reach(c, to, state_of(r, &next));
        return;
    }
    if (!detours)
        return;
    next.around = 0;
    c->begins[to] |= 1ull << state_of(r, &next);
    if (holds)
        c->arrives[held] |= 1ull << state_of(r, &next);
}

/* Follows all states that were reached; `detours`: packets go on from there. */
static void follow(struct channels *c, uint32_t leaf, bool behind, bool detours)
{
    const struct switches_routing *r = c->routing;
    while (c->works) {
        uint32_t item = c->work[--c->works], node = item / STATES;
        struct packet_way way = way_of(r, item % STATES, leaf, behind);
        struct packet_moves m = switches_moves(r, node, &way);
        uint64_t held = held_ports(r, &m), all = m.ports | m.escape_ports;
        for (uint64_t ports = all; ports; ports &= ports - 1) {
            unsigned port = (unsigned)__builtin_ctzll(ports);
            follow_port(c, node, port, &way, held >> port & 1, detours);
        }
    }
}

static void forget(struct channels *c)
{
    protected_call_poll();
    for (uint32_t node = 0; node < c->graph->nodes; node++)
        c->seen[node] = 0;
}

/* From all leaves to one, straight; `detours`: as the first part of a way around. */
static void follow_straight(struct channels *c, uint32_t leaf, bool detours)
{
    const struct switches_routing *r = c->routing;
    uint32_t target = r->routes->leaf_at[leaf];
    forget(c);
    for (uint32_t from = 0; from < r->routes->leaves; from++) {
        uint32_t node = r->routes->leaf_at[from];
        if (node == target)
            continue;
        if (detours && switches_is_around(r, node, leaf))
            continue;
        struct packet_way way = {.hops = 0};
        if (!detours)
            switches_go_straight(r, &way);
        reach(c, node, state_of(r, &way));
    }
    follow(c, leaf, false, detours);
}

/* From the leaves of detours to another one. */
static void follow_behind(struct channels *c, uint32_t leaf)
{
    const struct switches_routing *r = c->routing;
    uint32_t target = r->routes->leaf_at[leaf];
    forget(c);
    for (uint32_t from = 0; from < r->routes->leaves; from++) {
        uint32_t node = r->routes->leaf_at[from];
        for (uint64_t states = node == target ? 0 : c->begins[node]; states; states &= states - 1)
            reach(c, node, (unsigned)__builtin_ctzll(states));
    }
    for (uint32_t number = 0; number < c->count; number++) {
        uint32_t link = number / r->classes;
        uint32_t node = c->graph->to[link].node;
        for (uint64_t states = node == target ? 0 : c->arrives[number]; states;
             states &= states - 1) {
            struct packet_way way = way_of(r, (unsigned)__builtin_ctzll(states), leaf, true);
            add_waits(c, number, node, &way);
        }
    }
    follow(c, leaf, true, false);
}

static void follow_all(struct channels *c)
{
    const struct switches_routing *r = c->routing;
    for (uint32_t leaf = 0; leaf < r->routes->leaves; leaf++)
        follow_straight(c, leaf, false);
    if (!r->rule->can_detour)
        return;
    for (uint32_t leaf = 0; leaf < r->routes->leaves; leaf++)
        follow_straight(c, leaf, true);
    for (uint32_t leaf = 0; leaf < r->routes->leaves; leaf++)
        follow_behind(c, leaf);
}

/* ---- cycles ---- */

static unsigned list_edges(const void *ctx, uint32_t number, uint32_t edge[DEPENDENCY_MOST_EDGES])
{
    const struct channels *c = ctx;
    const struct switches_routing *r = c->routing;
    uint32_t node = c->graph->to[number / r->classes].node;
    unsigned count = 0;
    for (unsigned class = 0; class < r->classes; class ++)
        for (uint64_t ports = c->waits[(size_t)number * r->classes + class]; ports;
             ports &= ports - 1)
            edge[count++] = channel(c, node, (unsigned)__builtin_ctzll(ports), class);
    return count;
}

static void print_cycle(const struct channels *c, const uint32_t *cycle, uint32_t length,
                        char *text, size_t size)
{
    const struct switches_routing *r = c->routing;
    size_t at = text_append(text, size, 0, "possible; %u channels wait for each other:", length);
    for (uint32_t i = 0; i < length; i++) {
        uint32_t link = cycle[i] / r->classes, node = link / c->graph->degree;
        const struct graph_end *e = &c->graph->to[link];
        at = text_append(text, size, at, "\n  switch %u > %u (%s), VC ", node, e->node,
                         c->graph->sort_name[e->sort]);
        unsigned vcs = r->class_vcs[cycle[i] % r->classes];
        for (const char *between = ""; vcs; vcs &= vcs - 1, between = ",")
            at = text_append(text, size, at, "%s%d", between, __builtin_ctz(vcs));
    }
}

static void print_proof(const struct channels *c, char *text, size_t size)
{
    const struct switches_routing *r = c->routing;
    uint32_t used = 0;
    for (uint32_t i = 0; i < c->count; i++)
        used += c->used[i];
    text_append(text, size, 0,
                "%u channels (a link and one of %u class%s of VCs) are used%s, and no cycle of "
                "them waits for itself",
                used, r->classes, r->classes == 1 ? "" : "es", r->free_vcs ? " as escape" : "");
}

weft_status switches_prove(const struct switches_routing *r, char *text, size_t size)
{
    const struct graph *g = r->graph;
    struct channels c = {.routing = r, .graph = g};
    c.count = (uint32_t)((size_t)g->nodes * g->degree * r->classes);
    c.waits = memory_alloc((size_t)c.count * r->classes + 1, sizeof(*c.waits));
    c.arrives = memory_alloc((size_t)c.count + 1, sizeof(*c.arrives));
    c.used = memory_alloc((size_t)c.count + 1, sizeof(*c.used));
    c.begins = memory_alloc(g->nodes, sizeof(*c.begins));
    c.seen = memory_alloc(g->nodes, sizeof(*c.seen));
    c.work = memory_alloc((size_t)g->nodes * STATES, sizeof(*c.work));
    struct dependency graph = {.channels = c.count, .list = list_edges, .ctx = &c};
    follow_all(&c);
    uint32_t *cycle, length = dependency_find_cycle(&graph, &cycle);
    if (length)
        print_cycle(&c, cycle, length, text, size);
    else
        print_proof(&c, text, size);
    free(c.waits);
    free(c.arrives);
    free(c.used);
    free(c.begins);
    free(c.seen);
    free(c.work);
    free(cycle);
    return length ? WEFT_FAILED : WEFT_OK;
}
