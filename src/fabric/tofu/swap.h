/*
 * Hot swap (TOFU, "Multipath routing function": a unit under maintenance is detoured, so that it
 * can be exchanged while the others work): nodes, system boards and node groups that are out of
 * service for a time.
 *
 *   from           no send starts whose route leads through the unit: software takes another path,
 *                  as around what is dead (route.h). None starts from it or to it: those are
 * withheld from to empty  packets that started before go through to             paths are as before
 *
 * A unit that fails loses instead whatever its routers would pass on from `from` to `to`. Packets
 * that started before still come to its buffers, which give their room back, as if the routers
 * beside it had dropped them: nobody waits for the buffers of a unit that is gone.
 *
 * What is out in a cycle is known beforehand and the same everywhere: when a send starts decides
 * its route, whoever computes it.
 */
#ifndef WEFT_FABRIC_TOFU_SWAP_H
#define WEFT_FABRIC_TOFU_SWAP_H

#include "engine/wheel.h"
#include "fabric/tofu/route.h"

struct tofu_swap {
    cycle_t from, to; /* CYCLE_NEVER: it does not come back */
    uint32_t node;    /* one of the unit */
    uint8_t unit;     /* enum tofu_unit */
    bool fails;
};

struct tofu_swaps {
    uint32_t count;
    struct tofu_swap swap[TOFU_SWAPS_MOST];
};

/* Reads machine.swap: "1/2/3/0/1/0@1000-5000,1/2/3/2@700-,fail:1/2/3@900-950", or "none". */
weft_status tofu_swaps_parse(const struct torus *shape, const struct tofu_faults *dead,
                             const char *list, struct tofu_swaps *swaps);

/* Whether a node belongs to the unit. */
bool tofu_swap_has(const struct torus *shape, const struct tofu_swap *swap, uint32_t node);

static inline bool tofu_swap_is_out(const struct tofu_swap *swap, cycle_t cycle)
{
    return cycle >= swap->from && cycle < swap->to;
}

/* "node 1/2/3/0/1/0", "board 1/2/3/2", "group 1/2/3" */
enum { TOFU_UNIT_TEXT = 64 };
const char *tofu_swap_text(const struct torus *shape, const struct tofu_swap *swap,
                           char text[TOFU_UNIT_TEXT]);

/* Times between which the same units are out. */
struct tofu_outage {
    cycle_t from;
    uint32_t out;              /* swaps, as a mask */
    struct tofu_faults faults; /* what is dead and what is out */
};

/* All of them, in order; the first begins with cycle 0. */
struct tofu_outages {
    const struct tofu_swaps *swaps;
    uint32_t count;
    struct tofu_outage *outage;
};

void tofu_outages_init(struct tofu_outages *outages, const struct torus *shape,
                       const struct tofu_faults *dead, const struct tofu_swaps *swaps);
void tofu_outages_fini(struct tofu_outages *outages);

const struct tofu_outage *tofu_outage_at(const struct tofu_outages *outages, cycle_t cycle);

/* Whether all pairs of nodes have a path at all times. WEFT_BAD_INPUT names one that has none. */
weft_status tofu_check_outages(const struct tofu_routing *routing, const struct tofu_swaps *swaps);

/* What happened at a unit while it was out, as far as a partition has seen it. */
struct tofu_swap_counts {
    uint64_t started, ended;     /* packets, wherever they go, that started here before; and those
                                  * that started before and have come here, or were lost here */
    uint64_t detoured, withheld; /* packets that were led around it; of sends that were not
                                  * started */
    uint64_t passed, lost;       /* that started before: how often its routers passed one on, or
                                  * lost one */
    cycle_t emptied;             /* when the last of them had left; 0: there was none */
};

struct tofu_network;

/* Of the whole machine: all ranks must call it together. */
void tofu_network_swaps(const struct tofu_network *n,
                        struct tofu_swap_counts counts[TOFU_SWAPS_MOST]);

#endif
