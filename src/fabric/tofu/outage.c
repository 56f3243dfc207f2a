/* What a network counts of units that are out of service for a time. */
#include "fabric/tofu/state.h"

#include <string.h>

#include "engine/ranks.h"

static const struct tofu_swaps *swaps_of(const struct tofu_part *p)
{
    return p->network->outages->swaps;
}

/* ---- sends that start ---- */

void tofu_outage_withholds(struct tofu_part *p, const struct tofu_outage *outage, uint32_t from,
                           uint32_t to, uint64_t packets)
{
    const struct torus *t = p->network->routing.shape;
    bool measured = measure_is_within(&p->base.measure, part_now(&p->base));
    for (uint32_t left = outage->out; left; left &= left - 1) {
        unsigned i = (unsigned)__builtin_ctz(left);
        const struct tofu_swap *swap = &swaps_of(p)->swap[i];
        if (!tofu_swap_has(t, swap, from) && !tofu_swap_has(t, swap, to))
            continue;
        p->swap[i].withheld += packets;
        p->swap[i].withheld_in_window += measured ? packets : 0;
        return; /* once, however many units keep it from starting */
    }
}

/* The units that a route passes, as a mask of swaps. */
static uint32_t passed_by(const struct tofu_part *p, uint32_t out, uint32_t node,
                          tofu_route_t route)
{
    const struct torus *t = p->network->routing.shape;
    uint32_t passed = 0;
    while (route) {
        node = tofu_neighbour(t, node, tofu_route_port(route));
        route = tofu_route_advance(route);
        for (uint32_t left = out & ~passed; left; left &= left - 1) {
            unsigned i = (unsigned)__builtin_ctz(left);
            passed |= (uint32_t)tofu_swap_has(t, &swaps_of(p)->swap[i], node) << i;
        }
    }
    return passed;
}

void tofu_outage_detours(struct tofu_part *p, const struct tofu_outage *outage, uint32_t from,
                         tofu_route_t route, uint64_t packets)
{
    uint32_t passed = passed_by(p, outage->out, from, route);
    for (; passed; passed &= passed - 1)
        p->swap[__builtin_ctz(passed)].detoured += packets;
}

/* ---- routers of units ---- */

bool tofu_outage_loses(const struct tofu_part *p, const struct tofu_node *s, cycle_t now)
{
    const struct tofu_swaps *swaps = swaps_of(p);
    for (uint32_t i = 0; i < swaps->count; i++)
        if (swaps->swap[i].fails && tofu_swap_is_out(&swaps->swap[i], now) &&
            tofu_swap_has(p->network->routing.shape, &swaps->swap[i], s->node))
            return true;
    return false;
}

/* Whether the send of a packet started before a unit was out; its number is that of the start. */
static bool is_old(const struct tofu_outages *o, const struct tofu_swap *swap,
                   const struct tofu_packet *packet)
{
    return o->outage[packet->started - 1].from < swap->from;
}

/* Packets that started before the unit was out count, but for those whose last line has left by
 * then; when it is back, too, unless it had failed. */
void tofu_outage_passes(struct tofu_part *p, const struct tofu_node *s,
                        const struct tofu_packet *packet, bool lost, cycle_t now, cycle_t end)
{
    const struct tofu_swaps *swaps = swaps_of(p);
    for (uint32_t i = 0; i < swaps->count; i++) {
        const struct tofu_swap *swap = &swaps->swap[i];
        struct tofu_swap_counts *c = &p->swap[i];
        if (end <= swap->from || (swap->fails && now >= swap->to) ||
            !is_old(p->network->outages, swap, packet) ||
            !tofu_swap_has(p->network->routing.shape, swap, s->node))
            continue;
        bool mine = lost && swap->fails && tofu_swap_is_out(swap, now);
        c->lost += mine;
        c->passed += !mine;
        c->emptied = end > c->emptied ? end : c->emptied;
    }
}

/* ---- whether restored counts are possible ---- */

const char *tofu_outage_flaw(const struct tofu_part *p)
{
    const struct tofu_swaps *swaps = swaps_of(p);
    for (uint32_t i = 0; i < swaps->count; i++) {
        const struct tofu_swap *swap = &swaps->swap[i];
        const struct tofu_swap_counts *c = &p->swap[i];
        bool any = c->passed || c->lost, begun = p->base.wheel.now >= swap->from;
        /* What was to leave as the cycle ended may have been counted before the unit was out. */
        if (any != (c->emptied > 0) || (any && c->emptied <= swap->from) ||
            (c->lost && !swap->fails) || c->withheld_in_window > c->withheld ||
            (!begun && (c->detoured || c->withheld || c->lost)))
            return "what is counted of a unit out of service is not valid";
    }
    return NULL;
}

/* ---- the whole machine ---- */

static bool has_old(const struct tofu_part *p, const struct tofu_swap *swap, uint32_t packet)
{
    for (; packet != NO_PACKET; packet = p->pool[packet].next)
        if (!(p->pool[packet].flags & TOFU_POISONED) &&
            is_old(p->network->outages, swap, &p->pool[packet]))
            return true;
    return false;
}

/* Whether a unit's nodes have packets in their routers that started before it was out. */
static bool holds_packets(const struct tofu_network *n, const struct tofu_part *p,
                          const struct tofu_swap *swap)
{
    for (uint32_t local = 0; local < p->base.nodes; local++) {
        const struct tofu_node *s = &p->node[local];
        if (!s->swapped || !tofu_swap_has(n->routing.shape, swap, s->node))
            continue;
        for (unsigned queue = 0; queue < TOFU_LINK_CHANNELS; queue++)
            if (has_old(p, swap, tofu_queue_at(p, local, queue)->head))
                return true;
    }
    return false;
}

static void add(struct tofu_swap_report *sum, const struct tofu_swap_counts *c)
{
    sum->counts.detoured += c->detoured;
    sum->counts.withheld += c->withheld;
    sum->counts.withheld_in_window += c->withheld_in_window;
    sum->counts.passed += c->passed;
    sum->counts.lost += c->lost;
    sum->counts.emptied = c->emptied > sum->counts.emptied ? c->emptied : sum->counts.emptied;
}

static void add_ranks(struct tofu_swap_report *sum)
{
    struct tofu_swap_counts *c = &sum->counts;
    uint64_t sums[] = {c->detoured, c->withheld, c->withheld_in_window,
                       c->passed,   c->lost,     sum->holds};
    ranks_sum(sums, sizeof(sums) / sizeof(sums[0]));
    *c = (struct tofu_swap_counts){.detoured = sums[0],
                                   .withheld = sums[1],
                                   .withheld_in_window = sums[2],
                                   .passed = sums[3],
                                   .lost = sums[4],
                                   .emptied = ranks_max(c->emptied)};
    sum->holds = sums[5];
}

void tofu_network_swaps(const struct tofu_network *n,
                        struct tofu_swap_report report[TOFU_SWAPS_MOST])
{
    const struct engine *e = &n->base.engine;
    memset(report, 0, TOFU_SWAPS_MOST * sizeof(*report));
    for (uint32_t i = 0; n->outages && i < n->outages->swaps->count; i++) {
        for (uint32_t k = e->first; k < e->end; k++) {
            const struct tofu_part *p = (const struct tofu_part *)network_part(&n->base, k);
            add(&report[i], &p->swap[i]);
            report[i].holds |= holds_packets(n, p, &n->outages->swaps->swap[i]);
        }
        add_ranks(&report[i]);
    }
}
