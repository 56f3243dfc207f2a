/* The routing rules, a row each, and how they decide. */
#include "fabric/switches/state.h"

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
            words += (int64_t)p->params->buffer_words - o->room[__builtin_ctz(vcs)];
        least = words < least ? words : least;
    }
    return least;
}

/* Whether the queues at its source make a detour look shorter (Singh 2005). */
static bool is_shorter(const struct detour_offer *at)
{
    const struct switches_part *p = at->part;
    const struct switches_routing *r = p->routing;
    uint32_t node = p->node[at->local].node;
    int64_t hops = graph_routes_hops(r->routes, node, at->way->leaf),
            around = switches_hops_around(r, node, at->via, at->way->leaf);
    struct packet_way straight = *at->way, detour = *at->way;
    switches_go_straight(r, &straight);
    detour.via = at->via;
    return queue_ahead(at, &straight) * hops >
           (queue_ahead(at, &detour) + p->params->bias_words) * around;
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
