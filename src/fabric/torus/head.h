/*
 * What the packet at the head of a queue may do: the bit vector of possible moves that the first
 * arbitration phase ANDs with availability (TORUS, "Torus network"), kept ready in masks.
 */
#ifndef WEFT_FABRIC_TORUS_HEAD_H
#define WEFT_FABRIC_TORUS_HEAD_H

#include "fabric/torus/state.h"

/* The class of the fixed move by `port`; see state.h. */
static inline unsigned fixed_class(const struct torus_part *p, unsigned q,
                                   const struct torus_packet *packet, unsigned port)
{
    const struct torus_derived *d = p->derived;
    bool high = packet->flags & TORUS_HIGH;
    if (!high && p->params->escape == ESCAPE_DATELINE)
        return (packet->flags & TORUS_CROSSED << port / 2) != 0;
    /* It advances if it is already on the same VC, travelling in this direction. */
    uint32_t vc = high ? d->high_vc : d->escape_vc;
    bool advances = (p->receiver_lanes[port] >> q & 1) & (packet->vc == vc);
    return (high ? 2 : 0) + !advances;
}

static inline void head_set(struct torus_part *p, struct torus_router *r, unsigned q,
                            const struct torus_packet *packet)
{
    uint64_t bit = 1ull << q;
    unsigned hint = packet->hint;
    if (!hint) {
        r->want[WANT_RECEPTION] |= bit;
        return;
    }
    for (unsigned port = 0; port < TORUS_PORTS; port++)
        r->want[WANT_PORT + port] |= bit_if(hint >> port & 1, q);
    unsigned class = fixed_class(p, q, packet, p->derived->escape_port[hint]);
    r->want[WANT_DYNAMIC] |= bit_if(packet->flags & TORUS_DYNAMIC, q);
    r->want[WANT_SECOND] |= bit_if(class & 1, q);
    r->want[WANT_HIGH] |= bit_if(class & 2, q);
    if ((packet->flags & TORUS_DEPOSIT) && !(bit & p->injection_lanes))
        r->want[WANT_DEPOSIT] |= bit;
}

/* Lets a queue ask for a move from cycle `ready` on. */
static inline void set_ready(struct torus_router *r, struct torus_queue *queue, unsigned q,
                             cycle_t ready)
{
    queue->ready = (uint32_t)ready;
    bool later = !r->young | !has_come((uint32_t)ready, r->young_until);
    r->young_until = later ? (uint32_t)ready : r->young_until;
    r->young |= 1ull << q;
}

/* Appends a packet to a VC FIFO or injection FIFO. */
static inline void torus_enqueue(struct torus_part *p, struct torus_router *r, uint32_t node,
                                 unsigned q, uint32_t packet, cycle_t ready)
{
    struct torus_queue *queue = queue_at(p, node, q);
    bool alone = queue->head == NO_PACKET && !(r->busy >> q & 1);
    queue_push(p, queue, packet);
    if (alone) {
        head_set(p, r, q, &p->pool[packet]);
        set_ready(r, queue, q, ready);
    }
}

/* The hint bits of the packet at the head of a queue, and the class of its fixed move. */
static inline unsigned head_ports(const struct torus_router *r, unsigned q)
{
    unsigned ports = 0;
    for (unsigned port = 0; port < TORUS_PORTS; port++)
        ports |= (unsigned)(r->want[WANT_PORT + port] >> q & 1) << port;
    return ports;
}

static inline unsigned head_class(const struct torus_router *r, unsigned q)
{
    return (r->want[WANT_SECOND] >> q & 1) | (r->want[WANT_HIGH] >> q & 1) << 1;
}

static inline void head_clear(struct torus_router *r, unsigned q)
{
    uint64_t keep = ~(1ull << q);
    for (unsigned i = 0; i < WANT_MASKS; i++)
        r->want[i] &= keep;
}

/* Sends an event, and the packet it brings if any, to the neighbour behind a port. */
static inline void torus_carry(struct torus_part *p, const struct torus_router *r, unsigned port,
                               cycle_t time, enum torus_event kind, unsigned at_port, unsigned vc,
                               uint32_t payload)
{
    bool packet = kind == TORUS_EVENT_ARRIVE || kind == TORUS_EVENT_FRAME;
    part_carry(&p->base, p->network->base.engine.channel, r->port[port].neighbour, time, kind,
               at_port, vc, payload, packet, torus_pool(p));
}

#endif
