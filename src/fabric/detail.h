/*
 * What each link and each node did: counters of one partition, kept only for runs that are asked
 * for them (run.detail). The sums over the whole machine are measure.h's.
 *
 * A link has a slot at its sender and one at its receiver, numbered by the fabric. A slot has a
 * flow for each VC, and one more for what a link carries besides packets: acknowledgments.
 */
#ifndef WEFT_FABRIC_DETAIL_H
#define WEFT_FABRIC_DETAIL_H

#include "fabric/measure.h"

struct detail_flow {
    /* Of the sender, within the window: */
    uint64_t busy;    /* cycles of the link */
    uint64_t packets; /* that began to leave */
    uint64_t blocked; /* cycles without room behind it for a full packet; modulo 2^64 */
    /* Of the receiver: */
    uint64_t queued; /* amount x cycles; modulo 2^64 */
    int64_t blocked_now, queued_now;
};

struct detail_node {
    uint64_t sent_packets, sent_bytes;         /* that left for the network within the window */
    uint64_t received_packets, received_bytes; /* that came within it */
    /* Of packets born within it: what they waited at this source, and, of those that came here,
     * from birth to the last byte. */
    uint64_t waits, waited, waited_most;
    uint64_t responses, response, response_most;
};

struct detail {
    struct detail_flow *flow; /* [slot * flows + flow]; NULL: nothing is kept */
    struct detail_node *node; /* [local node] */
    uint32_t slots, flows;
    uint32_t *row;         /* [(row * slots + slot) * flows + flow]: cycles busy, of the timeline */
    size_t rows, row_room; /* room: for so many numbers */
    uint64_t most_bytes;   /* of rows */
};

static inline struct detail_flow *detail_flow_at(const struct detail *d, uint32_t slot,
                                                 unsigned flow)
{
    return &d->flow[(size_t)slot * d->flows + flow];
}

/* A link is busy during [start, start + length), which has `within` cycles in the window. */
void detail_busy(struct detail *d, const struct measure *m, uint32_t slot, unsigned flow,
                 cycle_t start, cycle_t length, cycle_t within);

/* A sender's VC lost, or regained, room for a full packet in one of the places behind it. */
static inline void detail_room(struct detail *d, const struct measure *m, uint32_t slot,
                               unsigned vc, bool came)
{
    struct detail_flow *flow = detail_flow_at(d, slot, vc);
    flow->blocked += came ? m->clock : -m->clock;
    flow->blocked_now += came ? -1 : 1;
}

/* Something joins a receiver's queue, or leaves it. */
static inline void detail_queue(struct detail *d, const struct measure *m, uint32_t slot,
                                unsigned vc, int amount)
{
    struct detail_flow *flow = detail_flow_at(d, slot, vc);
    flow->queued -= m->clock * (uint64_t)(int64_t)amount;
    flow->queued_now += amount;
}

/* A packet leaves its source for the network; a packet has come. */
void detail_injection(struct detail *d, const struct measure *m, uint32_t local, cycle_t birth,
                      uint64_t payload, cycle_t now);
void detail_delivery(struct detail *d, const struct measure *m, uint32_t local,
                     const struct delivery *delivery, cycle_t time);

/* Saves or restores the timeline; the rest is in tables of the partition. */
void detail_archive(struct detail *d, struct archive *a);

/* What is wrong with what was restored; NULL: nothing. */
const char *detail_flaw(const struct detail *d);

/* The window of measurement has been set. */
void detail_open_window(struct detail *d, const struct measure *m);

/* At the end of a run, closes the sums over time. */
void detail_close(struct detail *d, const struct measure *m, cycle_t end);

#endif
