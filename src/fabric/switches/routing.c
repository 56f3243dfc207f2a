/*
 * Which ports and VCs a packet may take: used by switches, and by the proof. And the routing rules,
 * a row each, which say whether it takes a detour.
 */
#include "fabric/switches/network.h"
#include "fabric/switches/state.h"

/* ---- classes ---- */

static enum vc_class_rule usual_rule(const struct graph *g)
{
    switch (g->form) {
    case GRAPH_TORUS:
        return CLASS_DATELINE;
    case GRAPH_TREE:
        return CLASS_SINGLE;
    case GRAPH_DRAGONFLY:
        return CLASS_GLOBAL;
    default:
        return CLASS_HOP;
    }
}

static bool has_long_links(const struct graph *g)
{
    for (unsigned sort = 0; sort < g->sorts; sort++)
        if (g->is_long[sort])
            return true;
    return false;
}

/* Classes of minimal routes, and of those with a detour. */
static uint32_t classes_needed(const struct switches_routing *r)
{
    bool detours = r->rule->can_detour;
    uint32_t hops = r->routes->diameter ? r->routes->diameter : 1;
    switch (r->vc_rule) {
    case CLASS_HOP:
        return detours ? 2 * hops : hops;
    case CLASS_GLOBAL:
        return 1 + (has_long_links(r->graph) ? 1 + detours : 0);
    case CLASS_DATELINE:
        return (r->rings ? 2 : 1) * (1 + detours);
    default:
        return 1 + detours;
    }
}

/* VCs from `first` to `end`, equally many for each class; the last one gets the rest. */
static void divide(struct switches_routing *r, uint32_t first, uint32_t end)
{
    uint32_t each = (end - first) / r->classes;
    for (uint32_t vc = first; vc < end; vc++) {
        uint32_t class = (vc - first) / each;
        class = class < r->classes ? class : r->classes - 1;
        r->class_vcs[class] |= (uint8_t)(1u << vc);
    }
}

weft_status switches_routing_init(struct switches_routing *r, const struct switches_params *p,
                                  const struct graph *g, const struct graph_routes *routes,
                                  uint64_t seed)
{
    *r = (struct switches_routing){.graph = g, .routes = routes, .params = *p, .seed = seed};
    r->rule = &routing_rules[p->algorithm];
    r->vc_rule = p->vc_rule == CLASS_AUTO ? usual_rule(g) : p->vc_rule;
    r->by_group = g->group && p->via != VIA_SWITCH;
    for (size_t i = 0; i < (size_t)g->nodes * g->degree; i++)
        r->rings |= g->to[i].node != GRAPH_NONE && g->to[i].wraps;
    if (p->via == VIA_GROUP && !g->group)
        return BAD_INPUT("machine.routing.via",
                         ("machine.routing.via = group, but machine.graph has no groups"),
                         ("use switch"));
    if (r->vc_rule == CLASS_DATELINE && g->form != GRAPH_TORUS)
        return BAD_INPUT("machine.routing.vc_rule",
                         ("machine.routing.vc_rule = dateline, but machine.graph is not a torus"),
                         ("use hop"));
    if (r->vc_rule == CLASS_GLOBAL && !has_long_links(g))
        return BAD_INPUT(
            "machine.routing.vc_rule",
            ("machine.routing.vc_rule = global, but machine.graph has no global links"),
            ("use hop"));
    r->needed = classes_needed(r);
    r->classes = r->needed;
    if (r->needed > p->vcs && p->too_few_vcs == TOO_FEW_REFUSE)
        return BAD_INPUT(
            "machine.switch.vcs",
            ("machine.switch.vcs = %u, but routes of machine.graph need %u", p->vcs, r->needed),
            ("use that many%s", r->needed > SWITCHES_VCS ? ", which there cannot be: use another "
                                                           "machine.routing.vc_rule"
                                                         : ""));
    if (r->classes > p->vcs)
        r->classes = p->vcs;
    uint32_t free = 0;
    if (r->vc_rule == CLASS_DATELINE && p->choice == CHOICE_ADAPTIVE && p->vcs > r->classes) {
        free = p->vcs - r->classes;
        for (uint32_t vc = r->classes; vc < p->vcs; vc++)
            r->free_vcs |= (uint8_t)(1u << vc);
    }
    divide(r, 0, p->vcs - free);
    r->ring_words = r->free_vcs && r->rings ? p->ring_words : 0;
    return WEFT_OK;
}

unsigned switches_class(const struct switches_routing *r, uint32_t node, unsigned port,
                        const struct packet_way *way)
{
    unsigned class = 0;
    switch (r->vc_rule) {
    case CLASS_HOP:
        class = way->hops;
        break;
    case CLASS_GLOBAL:
        class = way->globals;
        break;
    case CLASS_DATELINE:
        class = way->detour;
        if (r->rings)
            class = 2 * class + (way->around >> graph_end_at(r->graph, node, port)->sort & 1);
        break;
    default:
        class = way->detour;
        break;
    }
    return class < r->classes ? class : r->classes - 1;
}

/* ---- moves ---- */

/* The ports of the lowest dimension; their links were made first. */
static uint64_t lowest_dimension(const struct graph *g, uint32_t node, uint64_t ports)
{
    unsigned sort = graph_end_at(g, node, (unsigned)__builtin_ctzll(ports))->sort;
    uint64_t lowest = 0;
    for (uint64_t left = ports; left; left &= left - 1) {
        unsigned port = (unsigned)__builtin_ctzll(left);
        if (graph_end_at(g, node, port)->sort != sort)
            break;
        lowest |= 1ull << port;
    }
    return lowest;
}

struct packet_moves switches_moves(const struct switches_routing *r, uint32_t node,
                                   const struct packet_way *way)
{
    uint32_t leaf = way->via == GRAPH_NONE ? way->leaf : way->via;
    uint64_t ports = graph_routes_ports(r->routes, node, leaf);
    unsigned first = (unsigned)__builtin_ctzll(ports);
    uint8_t vcs = r->class_vcs[switches_class(r, node, first, way)];
    if (r->vc_rule != CLASS_DATELINE)
        return (struct packet_moves){.ports = ports, .vcs = vcs};
    struct packet_moves m = {.escape_ports = lowest_dimension(r->graph, node, ports),
                             .escape_vcs = vcs};
    if (r->free_vcs && !way->escape) {
        m.ports = ports;
        m.vcs = r->free_vcs;
    }
    return m;
}

uint32_t switches_detour(const struct switches_routing *r, uint32_t node, uint32_t leaf,
                         uint64_t draw)
{
    uint32_t via = random_below(draw, r->routes->leaves);
    bool none =
        switches_is_around(r, node, via) || switches_is_around(r, r->routes->leaf_at[leaf], via);
    return none ? GRAPH_NONE : via;
}

/* Hops of a route with a detour, which leads to another leaf or group. */
static uint32_t hops_around(const struct switches_routing *r, uint32_t node, uint32_t via,
                            uint32_t leaf)
{
    uint32_t hops = 0, group = r->graph->group;
    if (r->by_group && r->routes->gate) {
        const struct graph_gate *gate =
            &r->routes->gate[(size_t)(node / group) * (r->graph->nodes / group) +
                             r->routes->leaf_at[via] / group];
        return (node != gate->from) + 1 + graph_routes_hops(r->routes, gate->to, leaf);
    }
    for (; !switches_is_around(r, node, via); hops++) {
        unsigned port = (unsigned)__builtin_ctzll(graph_routes_ports(r->routes, node, via));
        node = graph_end_at(r->graph, node, port)->node;
    }
    return hops + graph_routes_hops(r->routes, node, leaf);
}

/* ---- rules ---- */

/* What a packet would find in front of it: at the output, and on the VCs that it would take. */
static int64_t queue_ahead(const struct detour_offer *at, const struct packet_way *way)
{
    const struct switches_part *p = at->part;
    const struct switches_output *output = &p->output[(size_t)at->local * p->ports];
    struct packet_moves m = switches_moves(p->routing, p->node[at->local].node, way);
    int64_t least = INT64_MAX;
    for (uint64_t ports = m.ports | m.escape_ports; ports; ports &= ports - 1) {
        const struct switches_output *o = &output[__builtin_ctzll(ports)];
        int64_t words = switches_line_up(o, at->now);
        for (unsigned vcs = m.vcs | m.escape_vcs; vcs; vcs &= vcs - 1)
            words += (int64_t)p->params->vc_words - o->room[__builtin_ctz(vcs)];
        least = words < least ? words : least;
    }
    return least;
}

/*
 * By how much a detour's queue must be shorter. What has been sent over a link and not been
 * credited yet counts as a queue, however freely it flows: the more, the longer a round trip takes.
 */
static double bias_of(const struct detour_offer *at, const struct packet_way *straight)
{
    const struct switches_part *p = at->part;
    struct packet_moves m = switches_moves(p->routing, p->node[at->local].node, straight);
    unsigned port = (unsigned)__builtin_ctzll(m.ports | m.escape_ports);
    const struct switches_output *o = &p->output[(size_t)at->local * p->ports + port];
    double trip = 2.0 * o->wire + p->network->full_words;
    return p->params->bias_words + p->params->bias_trips * trip;
}

/* Whether the queues at its source make a detour look shorter (Singh 2005). */
static bool is_shorter(const struct detour_offer *at)
{
    const struct switches_part *p = at->part;
    const struct switches_routing *r = p->routing;
    uint32_t node = p->node[at->local].node;
    int64_t hops = graph_routes_hops(r->routes, node, at->way->leaf),
            around = hops_around(r, node, at->via, at->way->leaf);
    struct packet_way straight = *at->way, detour = *at->way;
    switches_go_straight(r, &straight);
    detour.via = at->via;
    return (double)(queue_ahead(at, &straight) * hops) >
           ((double)queue_ahead(at, &detour) + bias_of(at, &straight)) * (double)around;
}

/* Valiant's rule is of 1982. */
const struct routing_rule routing_rules[] = {
    {{"minimal", ""}, .can_detour = false},
    {{"valiant", "through a switch or group drawn at random"}, .can_detour = true},
    {{"ugal", "the better of both, by hops and the queues at the first switch"},
     .can_detour = true,
     .takes_detour = is_shorter},
    {{NULL, NULL}, .can_detour = false},
};
