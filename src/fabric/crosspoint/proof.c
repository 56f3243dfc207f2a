/* Building the graph of buffers that wait for buffers, and looking for a cycle. */
#include "fabric/crosspoint/network.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "base/memory.h"
#include "base/text/text.h"
#include "topology/dependency.h"

/* A channel: a link, the next output of the packet on it, and the VC; numbered in that order. */
struct channels {
    const struct graph *graph;
    const struct crosspoint_params *params;
    uint32_t ports, count;
    uint8_t *turns; /* [channel]: outputs that packets take after the next one */
};

static uint32_t channel(const struct channels *c, uint32_t node, uint32_t port, uint32_t output,
                        uint32_t vc)
{
    return ((node * c->graph->degree + port) * c->ports + output) * c->params->vcs + vc;
}

/* The channel behind a turn; UINT32_MAX: it leads nowhere. */
static uint32_t next_channel(const struct channels *c, uint32_t number, uint32_t turn)
{
    const struct graph *g = c->graph;
    uint32_t vc = number % c->params->vcs, output = number / c->params->vcs % c->ports;
    uint32_t link = number / c->params->vcs / c->ports, x = link / g->degree;
    uint32_t y = g->to[link].node;
    if (y == GRAPH_NONE || output == g->degree)
        return UINT32_MAX;
    uint32_t z = g->to[y * g->degree + output].node;
    if (z == GRAPH_NONE)
        return UINT32_MAX;
    uint32_t drop = crosspoint_decrements(c->params->vc_rule, x, y, z);
    return vc < drop ? UINT32_MAX : channel(c, y, output, turn, vc - drop);
}

/* ---- what routes need ---- */

/* The most decrements on routes to a node, and from where. */
static void need_to(const struct graph_trees *t, const struct crosspoint_params *p, uint32_t to,
                    uint32_t *drops, struct crosspoint_need *need)
{
    const struct graph *g = t->routes->graph;
    drops[to] = 0;
    for (uint32_t i = 0; i < t->count; i++) {
        uint32_t x = t->order[i], y = g->to[x * g->degree + t->port[x]].node;
        drops[x] = drops[y];
        if (y != to)
            drops[x] +=
                crosspoint_decrements(p->vc_rule, x, y, g->to[y * g->degree + t->port[y]].node);
        if (drops[x] + 1 > need->vcs)
            *need = (struct crosspoint_need){drops[x] + 1, need->hops, x, to};
    }
}

struct crosspoint_need crosspoint_need(const struct graph_routes *r,
                                       const struct crosspoint_params *p)
{
    struct crosspoint_need need = {.vcs = 1, .hops = r->diameter};
    struct graph_trees trees;
    uint32_t *drops = memory_alloc(r->graph->nodes, sizeof(*drops));
    graph_trees_init(&trees, r);
    for (uint32_t leaf = 0; leaf < r->leaves; leaf++) {
        protected_call_poll();
        graph_trees_to(&trees, r->leaf_at[leaf]);
        need_to(&trees, p, r->leaf_at[leaf], drops, &need);
    }
    graph_trees_fini(&trees);
    free(drops);
    return need;
}

weft_status crosspoint_check_graph(const struct graph *g, const struct crosspoint_params *p)
{
    struct crosspoint_derived d;
    struct graph_survey survey = graph_survey(g);
    TRY(crosspoint_params_derive(p, g, &d));
    if (!survey.connected)
        return BAD_INPUT(
            "machine.graph machine.dead_nodes machine.dead_links",
            ("machine.graph has no route from node %u to node %u", survey.cut_from, survey.cut_to),
            ("use a graph in which every node reaches every other, or fewer machine.dead_nodes and "
             "machine.dead_links"));
    if (survey.diameter > d.most_hops)
        return BAD_INPUT("machine.graph",
                         ("machine.graph has routes of %u hops but a routing string holds %u",
                          survey.diameter, d.most_hops),
                         ("use a graph of smaller diameter"));
    return WEFT_OK;
}

weft_status crosspoint_check_routes(const struct graph_routes *r, const struct crosspoint_params *p)
{
    struct crosspoint_need need = crosspoint_need(r, p);
    if (need.vcs > p->vcs)
        return BAD_INPUT("machine.router.vcs machine.graph",
                         ("machine.router.vcs = %u: the shortest route of machine.graph from node "
                          "%u to node %u needs %u by the decrement rule",
                          p->vcs, need.from, need.to, need.vcs),
                         ("use that many"));
    return WEFT_OK;
}

/* ---- the graph ---- */

static void allow_route(struct channels *c, uint32_t from, const struct graph_route *route)
{
    const struct graph *g = c->graph;
    const struct crosspoint_params *p = c->params;
    uint32_t x = from, vc = p->vc_start == VC_START_HIGHEST
                                ? p->vcs - 1
                                : crosspoint_decrements_along(p, g, from, route);
    for (uint32_t hop = 0; hop + 1 < route->hops; hop++) {
        uint32_t after = hop + 2 < route->hops ? route->port[hop + 2] : g->degree;
        uint32_t y = g->to[x * g->degree + route->port[hop]].node;
        uint32_t z = g->to[y * g->degree + route->port[hop + 1]].node;
        c->turns[channel(c, x, route->port[hop], route->port[hop + 1], vc)] |=
            (uint8_t)(1u << after);
        vc -= crosspoint_decrements(p->vc_rule, x, y, z);
        x = y;
    }
}

/* Allows the routes of a pair that packets may start on: others would run out of VCs. */
static void allow_pair(struct channels *c, const struct graph_routes *r, uint32_t rails,
                       uint32_t from, uint32_t to)
{
    struct graph_route route[GRAPH_ONE_WAY_LINKS];
    if (!graph_route(r, from, to, route))
        return;
    allow_route(c, from, route);
    uint32_t count = rails > 1 ? graph_disjoint_routes(c->graph, from, to, rails, route) : 0;
    for (uint32_t i = 0; i < count; i++)
        if (crosspoint_decrements_along(c->params, c->graph, from, &route[i]) < c->params->vcs)
            allow_route(c, from, &route[i]);
}

static void allow_routes(struct channels *c, const struct graph_routes *r, uint32_t rails)
{
    memset(c->turns, 0, c->count);
    for (uint32_t from = 0; from < c->graph->nodes; from++) {
        protected_call_poll();
        for (uint32_t to = 0; to < c->graph->nodes; to++)
            allow_pair(c, r, rails, from, to);
    }
}

/* ---- cycles ---- */

static unsigned list_edges(const void *channels, uint32_t number,
                           uint32_t edge[DEPENDENCY_MOST_EDGES])
{
    const struct channels *c = channels;
    unsigned count = 0;
    for (unsigned turns = c->turns[number]; turns; turns &= turns - 1) {
        uint32_t next = next_channel(c, number, (uint32_t)__builtin_ctz(turns));
        if (next != UINT32_MAX)
            edge[count++] = next;
    }
    return count;
}

static void print_cycle(const struct channels *c, const uint32_t *cycle, uint32_t length,
                        char *text, size_t size)
{
    size_t at = text_append(text, size, 0, "possible; %u channels wait for each other:", length);
    for (uint32_t i = 0; i < length; i++) {
        uint32_t link = cycle[i] / c->params->vcs / c->ports;
        at = text_append(text, size, at, "\n  link %u>%u, output %u next, %s",
                         link / c->graph->degree, c->graph->to[link].node,
                         cycle[i] / c->params->vcs % c->ports,
                         crosspoint_vc_name(cycle[i] % c->params->vcs));
    }
}

weft_status crosspoint_prove(const struct graph_routes *r, const struct crosspoint_params *p,
                             uint32_t rails, char *text, size_t size)
{
    const struct graph *g = r->graph;
    struct channels c = {.graph = g, .params = p, .ports = g->degree + 1};
    struct crosspoint_need need = crosspoint_need(r, p);
    c.count = g->nodes * g->degree * c.ports * p->vcs;
    c.turns = memory_alloc((size_t)c.count + 1, 1);
    struct dependency graph = {.channels = c.count, .list = list_edges, .ctx = &c};
    uint32_t *component = memory_alloc(c.count, sizeof(*component)), *cycle = NULL, length = 0;
    memset(c.turns, (1 << c.ports) - 1, c.count); /* all are allowed */
    bool any = !dependency_components(&graph, component);
    free(component);
    if (!any) {
        allow_routes(&c, r, rails);
        length = dependency_find_cycle(&graph, &cycle);
    }
    if (length)
        print_cycle(&c, cycle, length, text, size);
    else
        snprintf(text, size,
                 "the %u channels of links, turns and VCs never wait in a cycle, %s; "
                 "the shortest routes (up to %u hops) need %u VCs, and there are %u",
                 c.count,
                 any         ? "whatever the routes"
                 : rails > 1 ? "on shortest routes and rails"
                             : "on shortest routes",
                 need.hops, need.vcs, p->vcs);
    free(cycle);
    free(c.turns);
    return length ? WEFT_FAILED : WEFT_OK;
}
