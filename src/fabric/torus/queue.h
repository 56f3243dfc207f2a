/*
 * The queues of a router: what their heads may do, and what acknowledgments bring.
 *
 * What the packet at the head of a queue may do: the bit vector of possible moves that the first
 * arbitration phase ANDs with availability (TORUS, "Torus network"), kept ready in masks.
 */
#ifndef WEFT_FABRIC_TORUS_QUEUE_H
#define WEFT_FABRIC_TORUS_QUEUE_H

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
    bool advances = (p->receiver_queues[port] >> q & 1) & (packet->vc == vc);
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
    if ((packet->flags & TORUS_DEPOSIT) && !(bit & p->injection_queues))
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
WEFT_INLINE void torus_enqueue(struct torus_part *p, struct torus_router *r, uint32_t node,
                               unsigned q, uint32_t packet, cycle_t ready)
{
    struct torus_queue *queue = queue_at(p, node, q);
    bool alone = queue->head == NO_PACKET && !(r->busy >> q & 1);
    part_append(torus_pool(p), &queue->head, &queue->tail, packet);
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

/*
 * Acknowledgments: what they bring to their sender, and when the sender notices.
 *
 * Most only change a count of tokens that nobody reads before the port's next arbitration. Such an
 * acknowledgment takes no event: it is noted at the sender as soon as it leaves, and counted when
 * somebody looks after its arrival. One that may let a head move wakes its node in the cycle it
 * arrives, by an event: this is the case while the VC has fewer tokens than moves ask for
 * (most_asked), whether they were few when it was noted or became few later.
 *
 * A note is 32 bits, 0 for none:  | time modulo 2^24 | has an event | tokens, 4 bits | VC, 3 bits |
 * A sender holds two notes, the older one in the low half. A link seldom has more; a third one
 * takes an event, and so does one that arrives later than a note can express.
 */

enum { NOTE_TIME_SHIFT = 8, NOTE_EVENT = 128, NOTE_TOKENS_SHIFT = 3 };

/* How far ahead acknowledgments are noted, and how often (at least) notes are settled. */
enum { NOTE_REACH = 1 << 22 };

static inline uint32_t note_make(cycle_t time, unsigned vc, unsigned tokens)
{
    return (uint32_t)time << NOTE_TIME_SHIFT | tokens << NOTE_TOKENS_SHIFT | vc;
}

static inline unsigned note_vc(uint32_t note)
{
    return note & 7;
}

static inline unsigned note_tokens(uint32_t note)
{
    return note >> NOTE_TOKENS_SHIFT & 15;
}

/* The cycle of a note, which must lie within 2^23 of `near`. */
static inline cycle_t note_time(uint32_t note, cycle_t near)
{
    int32_t ahead = (int32_t)(note - ((uint32_t)near << NOTE_TIME_SHIFT)) >> NOTE_TIME_SHIFT;
    return near + (cycle_t)(int64_t)ahead;
}

/* 1 if a note has arrived by `now`; for no note, 0 or 1. */
static inline unsigned note_has_come(uint32_t note, cycle_t now)
{
    return (note - ((uint32_t)(now + 1) << NOTE_TIME_SHIFT)) >> 31;
}

/* Tokens of a VC that are on their way, as notes. */
static inline unsigned noted_tokens(const struct torus_port *s, unsigned vc)
{
    unsigned sum = 0;
    for (uint64_t notes = s->notes; notes; notes >>= 32)
        sum += note_vc((uint32_t)notes) == vc ? note_tokens((uint32_t)notes) : 0;
    return sum;
}

/* Tokens count at once; the arbiters are told only if they made a VC available. */
static inline void torus_apply_ack(struct torus_part *p, struct torus_router *r, uint32_t node,
                                   unsigned port, unsigned vc, uint32_t tokens)
{
    const struct torus_derived *d = p->derived;
    unsigned before = r->port[port].tokens[vc], after = before + tokens;
    r->port[port].tokens[vc] = (uint8_t)after;
    bool one = before < TORUS_MAX_CHUNKS && after >= TORUS_MAX_CHUNKS;
    bool two = before < 2 * TORUS_MAX_CHUNKS && after >= 2 * TORUS_MAX_CHUNKS;
    if ((one && (d->room_asked[0] >> vc & 1)) || (two && (d->room_asked[1] >> vc & 1))) {
        r->port[port].acked |= (uint8_t)(1u << vc);
        r->acked_ports |= (uint8_t)(1u << port);
        mark_dirty(p, r, node, DIRTY_OTHER);
    }
}

/* Counts the notes that arrived at a port by cycle `until`; `near` is a cycle near theirs. Returns
 * when the last one arrived; 0: none did. */
static inline cycle_t settle_acks(struct torus_part *p, struct torus_router *r, uint32_t node,
                                  unsigned port, cycle_t near, cycle_t until)
{
    struct torus_port *s = &r->port[port];
    cycle_t last = 0;
    for (; s->notes && note_time((uint32_t)s->notes, near) <= until; s->notes >>= 32) {
        uint32_t note = (uint32_t)s->notes;
        last = note_time(note, near);
        measure_ack_time(&p->base.measure, last);
        torus_apply_ack(p, r, node, port, note_vc(note), note_tokens(note));
    }
    return last;
}

/* The same after all events of cycle `now` were applied: the notes left then change only counts,
 * since an event has settled those that had one. Their number is hard to predict: no branches. */
WEFT_INLINE void count_acks(struct torus_part *p, struct torus_port *s, cycle_t now)
{
    uint64_t notes = s->notes;
    uint32_t first = (uint32_t)notes, second = (uint32_t)(notes >> 32);
    unsigned one = note_has_come(first, now), two = one & note_has_come(second, now);
    s->tokens[note_vc(first)] += (uint8_t)(note_tokens(first) & -one);
    s->tokens[note_vc(second)] += (uint8_t)(note_tokens(second) & -two);
    s->notes = notes >> (one << 5) >> (two << 5);
    if (__builtin_expect(p->base.measure.interval != 0, 0)) {
        if (one && first)
            measure_ack_time(&p->base.measure, note_time(first, now));
        if (two && second)
            measure_ack_time(&p->base.measure, note_time(second, now));
    }
}

static inline void wake_for_note(struct torus_part *p, uint32_t node, unsigned port, unsigned half,
                                 cycle_t near)
{
    struct torus_port *s = &p->router[node].port[port];
    uint32_t note = (uint32_t)(s->notes >> 32 * half);
    s->notes |= (uint64_t)NOTE_EVENT << 32 * half;
    wheel_push(&p->base.wheel, note_time(note, near),
               event_make(TORUS_EVENT_ACK, node, port, note_vc(note), 0));
}

/* Tokens will come back to a port in cycle `time`, later than all notes there. */
WEFT_INLINE void note_ack(struct torus_part *p, uint32_t node, unsigned port, unsigned vc,
                          unsigned tokens, cycle_t time)
{
    struct torus_port *s = &p->router[node].port[port];
    cycle_t now = p->base.wheel.now;
    if (s->notes >> 32)
        count_acks(p, s, now);
    if (s->notes >> 32 || time - now > NOTE_REACH) {
        wheel_push(&p->base.wheel, time, event_make(TORUS_EVENT_ACK, node, port, vc, tokens));
        return;
    }
    p->base.measure.acks++; /* counted early; close_part() takes back those that never arrive */
    unsigned half = s->notes != 0;
    s->notes |= (uint64_t)note_make(time, vc, tokens) << 32 * half;
    if (s->tokens[vc] < p->derived->most_asked[vc])
        wake_for_note(p, node, port, half, time);
}

/* A VC's tokens have become few: those on their way may let a head move. */
static inline void watch_notes(struct torus_part *p, uint32_t node, unsigned port, unsigned vc,
                               cycle_t now)
{
    uint64_t notes = p->router[node].port[port].notes;
    for (unsigned half = 0; notes; notes >>= 32, half++)
        if (note_vc((uint32_t)notes) == vc && !(notes & NOTE_EVENT))
            wake_for_note(p, node, port, half, now);
}

#endif
