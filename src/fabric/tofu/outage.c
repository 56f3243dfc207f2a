/* What a network counts of units that are out of service for a time. */
#include "fabric/tofu/state.h"

#include <string.h>

#include "engine/ranks.h"

static const struct tofu_swaps *swaps_of(const struct tofu_part *p)
{
    return p->network->outages->swaps;
}

/* ---- sends that start ---- */

void tofu_outage_starts(struct tofu_part *p, uint64_t packets)
{
    const struct tofu_swaps *swaps = swaps_of(p);
    cycle_t now = part_now(&p->base);
    for (uint32_t i = 0; i < swaps->count; i++)
        p->swap[i].started += now < swaps->swap[i].from ? packets : 0;
}

void tofu_outage_withholds(struct tofu_part *p, const struct tofu_outage *outage, uint32_t from,
                           uint32_t to, uint64_t packets)
{
    const struct torus *t = p->network->routing.shape;
    measure_withheld(&p->base.measure, from, to, packets, part_now(&p->base));
    for (uint32_t left = outage->out; left; left &= left - 1) {
        unsigned i = (unsigned)__builtin_ctz(left);
        const struct tofu_swap *swap = &swaps_of(p)->swap[i];
        if (!tofu_swap_has(t, swap, from) && !tofu_swap_has(t, swap, to))
            continue;
        p->swap[i].withheld += packets;
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

void tofu_outage_ends(struct tofu_part *p, const struct tofu_packet *packet)
{
    const struct tofu_swaps *swaps = swaps_of(p);
    for (uint32_t i = 0; i < swaps->count; i++)
        p->swap[i].ended += is_old(p->network->outages, &swaps->swap[i], packet);
}

/* Packets that started before the unit was out count, but for those whose last line has left by
 * then; when it is back, too, unless it had failed. A packet is lost once, however many units
 * have failed there. */
void tofu_outage_passes(struct tofu_part *p, const struct tofu_node *s,
                        const struct tofu_packet *packet, bool lost, cycle_t now, cycle_t end)
{
    const struct tofu_swaps *swaps = swaps_of(p);
    bool blamed = false;
    for (uint32_t i = 0; i < swaps->count; i++) {
        const struct tofu_swap *swap = &swaps->swap[i];
        struct tofu_swap_counts *c = &p->swap[i];
        if (end <= swap->from || (swap->fails && now >= swap->to) ||
            !is_old(p->network->outages, swap, packet) ||
            !tofu_swap_has(p->network->routing.shape, swap, s->node))
            continue;
        bool mine = lost && !blamed && swap->fails && tofu_swap_is_out(swap, now);
        blamed |= mine;
        c->lost += mine;
        c->passed += !lost;
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
        if ((any && !c->emptied) || (c->emptied && c->emptied <= swap->from) ||
            (c->lost && !swap->fails) || (!begun && (c->detoured || c->withheld || c->lost)))
            return "what is counted of a unit out of service is not valid";
    }
    return NULL;
}

/* ---- the whole machine ---- */

static void add(struct tofu_swap_counts *sum, const struct tofu_swap_counts *c)
{
    sum->started += c->started;
    sum->ended += c->ended;
    sum->detoured += c->detoured;
    sum->withheld += c->withheld;
    sum->passed += c->passed;
    sum->lost += c->lost;
    sum->emptied = c->emptied > sum->emptied ? c->emptied : sum->emptied;
}

static void add_ranks(struct tofu_swap_counts *c)
{
    uint64_t sums[] = {c->started, c->ended, c->detoured, c->withheld, c->passed, c->lost};
    ranks_sum(sums, sizeof(sums) / sizeof(sums[0]));
    *c = (struct tofu_swap_counts){.started = sums[0],
                                   .ended = sums[1],
                                   .detoured = sums[2],
                                   .withheld = sums[3],
                                   .passed = sums[4],
                                   .lost = sums[5],
                                   .emptied = ranks_max(c->emptied)};
}

void tofu_network_swaps(const struct tofu_network *n,
                        struct tofu_swap_counts counts[TOFU_SWAPS_MOST])
{
    const struct engine *e = &n->base.engine;
    memset(counts, 0, TOFU_SWAPS_MOST * sizeof(*counts));
    for (uint32_t i = 0; n->outages && i < n->outages->swaps->count; i++) {
        for (uint32_t k = e->first; k < e->end; k++)
            add(&counts[i], &((const struct tofu_part *)network_part(&n->base, k))->swap[i]);
        add_ranks(&counts[i]);
    }
}
