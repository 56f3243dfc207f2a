/*
 * The router's arbiters, phase by phase: which move a packet prefers and which packet wins (TORUS,
 * "Torus network"). They only choose. The step (step.c) finds out which queues may ask, and carries
 * out the grants.
 *
 * Choosing has two side effects: it draws from the node's random generator, and it counts the
 * tokens that have come back to a port before looking at that port.
 */
#ifndef WEFT_FABRIC_TORUS_ARBITER_H
#define WEFT_FABRIC_TORUS_ARBITER_H

#include "fabric/torus/queue.h"

/* Random bits of one step: 16 at a time from one draw. */
struct dice {
    struct torus_router *router;
    uint64_t bits;
    unsigned left;
};

static inline uint32_t dice_16(struct dice *d)
{
    if (!d->left) {
        d->bits = random_next(&d->router->random);
        d->left = 4;
    }
    uint32_t value = d->bits & 0xffff;
    d->bits >>= 16;
    d->left--;
    return value;
}

/* A random set bit of the mask, which must not be empty. */
static inline unsigned dice_bit(struct dice *d, uint64_t mask)
{
    unsigned count = (unsigned)__builtin_popcountll(mask);
    if (count > 1) {
        uint32_t skip = (dice_16(d) * count) >> 16;
        mask &= mask - (skip > 0); /* mostly of two: no branch */
        for (; skip > 1; skip--)
            mask &= mask - 1;
    }
    return (unsigned)__builtin_ctzll(mask);
}

/* ---- first phase: the preferred move of each packet ---- */

/* JSQ: of the VCs behind some ports, one with the most tokens in two bits, as 8 * port + VC. */
WEFT_INLINE unsigned dynamic_move(const struct torus_part *p, const struct torus_router *r,
                                  unsigned ports, struct dice *dice)
{
    uint64_t open = r->room[0] & p->derived->port_vcs[ports];
    if (p->params->vc_choice != CHOOSE_JSQ)
        return dice_bit(dice, open);
    uint64_t best = 0;
    unsigned most = 0;
    for (; open; open &= open - 1) {
        unsigned bit = (unsigned)__builtin_ctzll(open), vc = bit % 8;
        unsigned level = p->derived->level[vc][r->port[bit / 8].tokens[vc]];
        best = (level > most ? 0 : best) | bit_if(level >= most, bit);
        most = level > most ? level : most;
    }
    return dice_bit(dice, best);
}

/* The move a packet prefers; the fixed one only if no dynamic one is free. First counts the tokens
 * that have come back to the ports it looks at. */
WEFT_INLINE unsigned preferred_move(struct torus_part *p, struct torus_router *r, unsigned links,
                                    uint64_t dynamic, unsigned q, cycle_t now, struct dice *dice)
{
    if (!(dynamic >> q & 1)) {
        unsigned port = p->derived->escape_port[head_ports(r, q)];
        count_acks(p, &r->port[port], now);
        return room_bit(port, p->derived->class_vc[head_class(r, q)]);
    }
    bool one = !(links & (links - 1));
    unsigned ports = one ? links : links & head_ports(r, q);
    for (unsigned rest = ports; rest; rest &= rest - 1)
        count_acks(p, &r->port[__builtin_ctz(rest)], now);
    return dynamic_move(p, r, ports, dice);
}

/* ---- second phase: one request per receiver ---- */

/* How full a queue is, in the two bits that arbiters see. */
static inline unsigned queue_level(const struct torus_part *p, const struct torus_router *r,
                                   unsigned q)
{
    if (p->injection_queues >> q & 1) {
        uint32_t capacity = p->params->injection_fifo_bytes / TORUS_CHUNK_BYTES;
        unsigned fifo = q - TORUS_PORTS * p->derived->receiver_queues;
        uint32_t level = capacity ? 4u * r->fifo_filled[fifo] / capacity : 3;
        return level > 3 ? 3 : level;
    }
    if (p->bypass_queues >> q & 1)
        return 0;
    unsigned vc = p->queue_vc[q];
    return p->derived->level[vc][r->filled[vc][p->queue_receiver[q]]];
}

/*
 * Whether this cycle serves the longest queue: each node's counter goes through `slq_cycles` such
 * cycles, then through the others, and starts again.
 */
static inline bool is_slq_cycle(const struct torus_part *p, uint32_t node, uint32_t slq_cycles)
{
    uint32_t period = p->params->slq_period_cycles;
    uint32_t count = p->slq_cycle + p->router[node].slq_phase;
    return (count < period ? count : count - period) < slq_cycles;
}

/* The fullest of some queues (serve the longest queue), ties at random; or any, at random. Left to
 * the compiler: inlined everywhere, a saturated run takes 0.6 % more instructions. */
static unsigned choose_queue(struct torus_part *p, uint32_t node, uint64_t queues,
                             uint32_t slq_cycles, struct dice *dice)
{
    if (!(queues & (queues - 1)))
        return (unsigned)__builtin_ctzll(queues);
    if (is_slq_cycle(p, node, slq_cycles)) {
        uint64_t at_level[4] = {0, 0, 0, 0};
        for (uint64_t rest = queues; rest; rest &= rest - 1) {
            unsigned q = (unsigned)__builtin_ctzll(rest);
            at_level[queue_level(p, &p->router[node], q)] |= 1ull << q;
        }
        unsigned top = 3;
        while (!at_level[top])
            top--;
        queues = at_level[top];
    }
    return dice_bit(dice, queues);
}

/* High priority first, the bypass channel last, the fullest in between. */
WEFT_INLINE unsigned choose_of_receiver(struct torus_part *p, uint32_t node, uint64_t queues,
                                        uint64_t high, struct dice *dice)
{
    if (queues & high)
        queues &= high;
    else if (queues & ~p->bypass_queues)
        queues &= ~p->bypass_queues;
    return choose_queue(p, node, queues, p->derived->receiver_slq_cycles, dice);
}

/* One of each receiver's asking queues; each injection FIFO asks for itself. */
WEFT_INLINE uint64_t choose_requests(struct torus_part *p, uint32_t node, uint64_t asking,
                                     uint64_t high, struct dice *dice)
{
    uint64_t chosen = asking & p->injection_queues;
    for (uint64_t network = asking & ~p->injection_queues; network;) {
        uint64_t queues = network & p->receiver_queues[p->queue_receiver[__builtin_ctzll(network)]];
        network &= ~queues;
        chosen |= 1ull << choose_of_receiver(p, node, queues, high, dice);
    }
    return chosen;
}

/* ---- third phase: one winner per sender ---- */

/* One winner for a sender. In a share of the cycles, in-network packets go first. */
WEFT_INLINE unsigned choose_winner(struct torus_part *p, uint32_t node, uint64_t queues,
                                   uint64_t high, struct dice *dice)
{
    uint64_t network = queues & ~p->injection_queues, injection = queues & p->injection_queues;
    uint32_t share = p->derived->in_network;
    if (network & high)
        queues = network & high;
    else if (injection & high)
        queues = injection & high;
    else if (network && injection)
        queues = share >= 65536 || (share && dice_16(dice) < share) ? network : injection;
    return choose_queue(p, node, queues, p->derived->sender_slq_cycles, dice);
}

#endif
