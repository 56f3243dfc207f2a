/*
 * One node, one cycle: the router of Blue Gene/L, stage by stage (TORUS, "Torus network").
 *
 * Events of the cycle have been applied (run.c) and left marks in the router. The step then
 * does, in a fixed order so that the result cannot depend on the order of events:
 *
 *   1. tokens     room that acknowledgments brought becomes visible to the arbiters
 *   2. finish     completed transfers free their queue, path and buffer; the buffer's tokens go
 *                 back upstream in an acknowledgment, ahead of any packet
 *   3. refill     injection FIFOs take packets from the node
 *   4. arrivals   packets enter the bypass channel, or their VC FIFO
 *   5. reception  packets at their destination get the bus to their reception FIFO
 *   6. arbitration in three phases (arbiter.h): a preferred move per packet, one request per
 *                 receiver, one winner per sender
 *   7. leftovers  packets that lost the bypass enter their VC; nodes with requests that could still
 *                 be served step again in the next cycle
 *
 * All times here refer to the grant. A packet granted in cycle t is on the wire from t +
 * transfer_cycles on, keeps link, path and buffer until t + its slot (bytes, trailer, gap), and can
 * be granted at the next node in t + hop_cycles.
 *
 * The step exists in three variants, stamped from one body (struct variant): plain, full and lossy.
 * A partition picks one when it is made (setup.c). Functions that depend on the variant take it as
 * their last argument and are always inlined; the others belong to all three. (A fourth would keep
 * the compiler from inlining some of those: 2.5 % more instructions in a saturated run.)
 */
#include "base/clock.h"
#include "fabric/torus/queue.h"
#include "fabric/torus/arbiter.h"
#include "fabric/torus/link.h"

/* What a variant does beyond the plain step. A constant wherever it is passed, so the compiler
 * drops what does not apply: the plain step pays for none of it. */
struct variant {
    bool lossy;  /* links make errors: everything is sent through the link protocol (link.h) */
    bool staged; /* reports the stage it is in, for `weft bench` */
    bool shared; /* several packets may leave a VC at the same time */
};

WEFT_INLINE void enter(enum torus_stage stage, struct variant v)
{
    if (v.staged)
        stage_now = (unsigned char)stage;
}

/* ---- ghosts: packets known to be corrupted (link.h); lossy variant only ---- */

/* Whether a packet was corrupted on the link into this router, not on an earlier one. */
static inline bool is_fresh_ghost(const struct torus_part *p, const struct torus_packet *packet)
{
    return p->links->ghost[packet - p->pool] == GHOST_FRESH;
}

static inline bool is_ghost(const struct torus_part *p, const struct torus_packet *packet)
{
    return is_fresh_ghost(p, packet) || (packet->flags & TORUS_GHOST);
}

/* ---- sending ---- */

/* A buffer of receiver `receiver` is free again: tokens go back by the opposite sender. */
static inline void send_ack(struct torus_part *p, struct torus_router *r, unsigned receiver,
                            unsigned vc, unsigned tokens, cycle_t now)
{
    unsigned port = torus_opposite(receiver);
    uint32_t wait = r->link_free[port] - (uint32_t)now;
    cycle_t start = has_come(r->link_free[port], now) ? now : now + wait;
    uint32_t slot = torus_slot((uint32_t)(r - p->router), port), length = p->params->ack_bytes;
    r->link_free[port] = (uint32_t)start + length;
    r->port[port].link_busy += part_busy_control(&p->base, slot, port, start, length);
    cycle_t there = start + p->derived->ack_cycles;
    if (r->port[port].neighbour & ELSEWHERE)
        torus_carry(p, r, port, there, TORUS_EVENT_ACK, receiver, vc, tokens);
    else
        note_ack(p, r->port[port].neighbour, receiver, vc, tokens, there);
}

/* ---- 1. tokens ---- */

/* Queues whose head has a move, given some room; whether or not a link is free. */
static uint64_t movable_heads(const struct torus_part *p, const struct torus_router *r,
                              const uint64_t room[2], unsigned roomy, unsigned ports)
{
    return (heads_towards(r, roomy & ports) & r->want[WANT_DYNAMIC]) |
           fixed_ready(p->derived, room, r, ports);
}

/* An acknowledgment counts as unblocking if it lets a head move that could not before (SIM, 5). */
static void apply_tokens(struct torus_part *p, struct torus_router *r, cycle_t now)
{
    uint64_t unblocked = r->want[WANT_RECEPTION] | movable_heads(p, r, r->room, r->roomy, r->links);
    for (unsigned ports = r->acked_ports; ports; ports &= ports - 1) {
        unsigned port = (unsigned)__builtin_ctz(ports);
        for (unsigned vcs = r->port[port].acked; vcs; vcs &= vcs - 1) {
            unsigned vc = (unsigned)__builtin_ctz(vcs);
            uint64_t fresh[2] = {~r->room[0], ~r->room[1]};
            set_room(p->derived, r, port, vc);
            fresh[0] &= r->room[0];
            fresh[1] &= r->room[1];
            if (fresh[0])
                part_room(&p->base, torus_slot((uint32_t)(r - p->router), port), vc, true);
            unsigned roomy = fresh[0] >> 8 * port & p->derived->dynamic_mask ? 1u << port : 0;
            if (movable_heads(p, r, fresh, roomy, 1u << port) & ~unblocked)
                measure_unblocking(&p->base.measure, now);
        }
        r->port[port].acked = 0;
    }
    r->acked_ports = 0;
}

/* ---- 2. finish ---- */

/* The next packet of a queue becomes its head: it asks once it is through the arbitration pipeline
 * (SIM, 3: "a delay of several cycles followed by presentation of the request"). */
WEFT_INLINE void next_head(struct torus_part *p, struct torus_router *r, uint32_t node, unsigned q,
                           cycle_t now)
{
    struct torus_queue *queue = queue_at(p, node, q);
    r->busy &= ~(1ull << q);
    if (queue->head == NO_PACKET)
        return;
    head_set(p, r, q, &p->pool[queue->head]);
    set_ready(r, queue, q, now + p->params->arbitration_cycles);
}

/* A packet has started to leave a shared VC: the next one may follow by another path. */
static void follow(struct torus_part *p, struct torus_router *r, uint32_t node, unsigned q,
                   cycle_t now)
{
    if (++*leaving_at(p, node, q) == p->params->vc_transfers)
        return;
    next_head(p, r, node, q, now);
    uint32_t wait = p->params->arbitration_cycles;
    if (queue_at(p, node, q)->head != NO_PACKET)
        wheel_push(&p->base.wheel, now + (wait ? wait : 1),
                   event_make(TORUS_EVENT_STEP, node, 0, 0, 0));
}

/* A transfer out of a receiver has ended: its buffer is free, and its queue can send again. */
WEFT_INLINE void release_buffer(struct torus_part *p, struct torus_router *r, uint32_t node,
                                unsigned receiver, struct torus_transfer t, cycle_t now,
                                struct variant v)
{
    r->filled[t.vc][receiver] = (uint8_t)(r->filled[t.vc][receiver] - t.tokens);
    part_occupy(&p->base, torus_slot(node, receiver), t.vc, -(int)t.tokens);
    bool shared = v.shared && (p->shared_queues >> t.queue & 1);
    if (shared)
        --*leaving_at(p, node, t.queue);
    if (p->bypass_queues >> t.queue & 1)
        r->busy &= ~(1ull << t.queue);
    else if (!shared || (r->busy >> t.queue & 1))
        next_head(p, r, node, t.queue, now);
    if (v.lossy)
        torus_link_ack(p, r, receiver, t.vc, t.tokens, now);
    else
        send_ack(p, r, receiver, t.vc, t.tokens, now);
}

WEFT_INLINE void finish_sent(struct torus_part *p, struct torus_router *r, uint32_t node,
                             unsigned port, cycle_t now, struct variant v)
{
    struct torus_transfer t = r->port[port].transfer;
    if (p->injection_queues >> t.queue & 1) {
        unsigned fifo = t.queue - TORUS_PORTS * p->derived->receiver_queues;
        r->fifo_filled[fifo] -= t.tokens;
        r->refill |= (uint8_t)(1u << fifo);
        next_head(p, r, node, t.queue, now);
        return;
    }
    unsigned receiver = p->queue_receiver[t.queue];
    if (t.deposit)
        r->busy_reception[t.deposit - 1] &= (uint8_t) ~(1u << receiver);
    r->paths[receiver]--;
    r->no_path &= ~p->receiver_queues[receiver];
    release_buffer(p, r, node, receiver, t, now, v);
}

WEFT_INLINE void finish_transfers(struct torus_part *p, struct torus_router *r, uint32_t node,
                                  cycle_t now, struct variant v)
{
    r->sending &= (uint8_t)~r->sent;
    for (unsigned ports = r->sent; ports; ports &= ports - 1)
        finish_sent(p, r, node, (unsigned)__builtin_ctz(ports), now, v);
    for (unsigned high = 0; high < 2; high++)
        for (unsigned ports = r->received[high]; ports; ports &= ports - 1) {
            unsigned port = (unsigned)__builtin_ctz(ports);
            r->busy_reception[high] &= (uint8_t) ~(1u << port);
            release_buffer(p, r, node, port, r->reception[high][port], now, v);
        }
    r->sent = r->received[0] = r->received[1] = 0;
}

/* ---- 4. arrivals ---- */

static inline bool reception_is_free(const struct torus_part *p, const struct torus_router *r,
                                     uint32_t node, unsigned receiver,
                                     const struct torus_packet *packet)
{
    bool high = packet->flags & TORUS_HIGH;
    if (r->busy_reception[high] >> receiver & 1)
        return false;
    if (!p->reception_room)
        return true;
    unsigned fifo = reception_fifo(packet, receiver);
    return p->reception_room[(size_t)node * TORUS_RECEPTION_FIFOS + fifo] >= packet->chunks;
}

/* Puts packets that can move on at once into the bypass channel, and the others into their VC. */
WEFT_INLINE uint64_t take_arrivals(struct torus_part *p, struct torus_router *r, uint32_t node,
                                   unsigned links, cycle_t now)
{
    uint64_t bypass = 0;
    for (unsigned ports = r->arrived; ports; ports &= ports - 1) {
        unsigned port = (unsigned)__builtin_ctz(ports);
        unsigned first = port * p->derived->receiver_queues,
                 q = first + p->derived->receiver_queues - 1;
        const struct torus_packet *packet = &p->pool[r->port[port].arrival];
        bool open = packet->hint ? (packet->hint & links) && !(r->no_path >> q & 1)
                                 : reception_is_free(p, r, node, port, packet);
        if (open && !(r->busy >> q & 1)) {
            head_set(p, r, q, packet);
            bypass |= 1ull << q;
        } else {
            torus_enqueue(p, r, node, first + packet->vc, r->port[port].arrival,
                          now + p->params->vc_fifo_cycles);
        }
    }
    r->arrived = 0;
    return bypass;
}

/* The packet at the head of a queue; for the bypass channel the one that just arrived. */
static inline uint32_t head_packet(const struct torus_part *p, const struct torus_router *r,
                                   uint32_t node, unsigned q)
{
    if (p->bypass_queues >> q & 1)
        return r->port[p->queue_receiver[q]].arrival;
    return queue_at(p, node, q)->head;
}

/* Takes the head off its queue, which stays busy until the packet has left. */
WEFT_INLINE uint32_t take_head(struct torus_part *p, struct torus_router *r, uint32_t node,
                               unsigned q, cycle_t now, struct variant v)
{
    uint32_t packet = head_packet(p, r, node, q);
    head_clear(r, q);
    r->busy |= 1ull << q;
    r->young &= ~(1ull << q);
    if (!(p->bypass_queues >> q & 1))
        queue_at(p, node, q)->head = p->pool[packet].next;
    p->base.measure.moves += !v.lossy || !is_ghost(p, &p->pool[packet]);
    if (v.shared && (p->shared_queues >> q & 1))
        follow(p, r, node, q, now);
    return packet;
}

/* Chunks of its receiver that a packet holds. One corrupted on the link into this router holds
 * none: they stay reserved for the retransmission. */
WEFT_INLINE unsigned held_tokens(const struct torus_part *p, const struct torus_packet *packet,
                                 struct variant v)
{
    if (v.lossy && is_fresh_ghost(p, packet))
        return 0;
    return vc_tokens(p->derived, packet->vc, packet);
}

/* ---- 5. reception ---- */

/* Hands a packet to the node: its reception FIFO, the measurements, the client. */
static void hand_over(struct torus_part *p, struct torus_router *r, uint32_t node,
                      unsigned receiver, const struct torus_packet *packet, cycle_t now)
{
    const struct torus_packet own = *packet; /* the client may send, and the pool move */
    unsigned fifo = reception_fifo(packet, receiver);
    cycle_t when = now + p->params->transfer_cycles + torus_packet_bytes(packet);
    if (p->reception_room) {
        uint8_t *room = &p->reception_room[(size_t)node * TORUS_RECEPTION_FIFOS + fifo];
        WEFT_CHECK(*room >= packet->chunks, "node %u overruns reception FIFO %u", r->node, fifo);
        *room -= packet->chunks;
    }
    struct delivery delivery = {packet->source, packet->sequence, packet->birth,
                                payload_bytes(p, packet)};
    part_delivery(&p->base, node, &delivery, r->node, when);
    const struct torus_client *client = &p->network->client;
    if (client->deliver)
        client->deliver(client->ctx, &p->base, node, r->node, &own, torus_cargo(p, packet), fifo,
                        when);
}

/* Sends a packet (or its deposited copy) over the reception bus, which is busy from now on. A
 * ghost occupies the bus for just as long, but the node never sees it. */
WEFT_INLINE void deliver(struct torus_part *p, struct torus_router *r, uint32_t node,
                         unsigned receiver, const struct torus_packet *packet, cycle_t now,
                         struct variant v)
{
    r->busy_reception[(packet->flags & TORUS_HIGH) != 0] |= (uint8_t)(1u << receiver);
    if (!v.lossy || !is_ghost(p, packet))
        hand_over(p, r, node, receiver, packet, now);
}

WEFT_INLINE void grant_reception(struct torus_part *p, struct torus_router *r, uint32_t node,
                                 unsigned q, cycle_t now, struct variant v)
{
    uint32_t index = take_head(p, r, node, q, now, v);
    unsigned receiver = p->queue_receiver[q];
    deliver(p, r, node, receiver, &p->pool[index], now, v);
    const struct torus_packet *packet = &p->pool[index];
    bool high = packet->flags & TORUS_HIGH;
    r->reception[high][receiver] = (struct torus_transfer){
        .queue = q & 63, .vc = packet->vc & 7, .tokens = held_tokens(p, packet, v) & 31};
    if (v.lossy)
        p->links->ghost[index] = 0;
    wheel_push(&p->base.wheel, now + p->derived->slot_cycles[packet->chunks],
               event_make(TORUS_EVENT_RECEIVED, node, receiver, high, q));
    pool_put(p, index);
}

/* Queues of `candidates` whose head finds its reception bus and FIFO free. */
static uint64_t open_receptions(const struct torus_part *p, const struct torus_router *r,
                                uint32_t node, uint64_t candidates)
{
    uint64_t open = 0;
    for (; candidates; candidates &= candidates - 1) {
        unsigned q = (unsigned)__builtin_ctzll(candidates);
        const struct torus_packet *packet = &p->pool[head_packet(p, r, node, q)];
        if (reception_is_free(p, r, node, p->queue_receiver[q], packet))
            open |= 1ull << q;
    }
    return open;
}

/* Those of some queues whose head is ready; the others are added to `early`. */
static inline uint64_t ready_queues(struct torus_part *p, struct torus_router *r, uint32_t node,
                                    uint64_t queues, cycle_t now, uint64_t *early)
{
    if (!(queues & r->young))
        return queues;
    uint64_t unripe = 0;
    for (uint64_t young = queues & r->young; young; young &= young - 1) {
        unsigned q = (unsigned)__builtin_ctzll(young);
        if (!has_come(queue_at(p, node, q)->ready, now))
            unripe |= 1ull << q;
    }
    r->young &= ~queues | unripe;
    *early |= unripe;
    return queues & ~unripe;
}

/* Steps again when the first of some heads is ready. */
static void step_when_ready(struct torus_part *p, uint32_t node, uint64_t early, cycle_t now)
{
    uint32_t wait = UINT32_MAX;
    for (; early; early &= early - 1) {
        unsigned q = (unsigned)__builtin_ctzll(early);
        uint32_t until = queue_at(p, node, q)->ready - (uint32_t)now;
        wait = until < wait ? until : wait;
    }
    wheel_push(&p->base.wheel, now + wait, event_make(TORUS_EVENT_STEP, node, 0, 0, 0));
}

/* Returns heads that are not ready yet. */
WEFT_INLINE uint64_t arbitrate_reception(struct torus_part *p, struct torus_router *r,
                                         uint32_t node, uint64_t high, cycle_t now,
                                         struct dice *dice, struct variant v)
{
    uint64_t early = 0, wanting = open_receptions(p, r, node, r->want[WANT_RECEPTION] & ~r->busy);
    wanting = ready_queues(p, r, node, wanting, now, &early);
    while (wanting) {
        unsigned receiver = p->queue_receiver[__builtin_ctzll(wanting)];
        uint64_t queues = wanting & p->receiver_queues[receiver];
        wanting &= ~queues;
        /* The high priority FIFO has a bus of its own. */
        if (queues & high) {
            unsigned q = choose_of_receiver(p, node, queues & high, high, dice);
            /* One high priority FIFO serves all receivers: another may just have filled it. */
            if (open_receptions(p, r, node, 1ull << q))
                grant_reception(p, r, node, q, now, v);
        }
        if (queues & ~high)
            grant_reception(p, r, node, choose_of_receiver(p, node, queues & ~high, high, dice),
                            now, v);
    }
    return early;
}

/* ---- 6. arbitration ---- */

/* What the first phase found. */
struct requests {
    uint64_t asking;  /* queues with a possible and available move */
    uint64_t dynamic; /* heads that have a dynamic one */
    uint64_t early;   /* heads that will ask when they are ready */
};

static inline struct requests find_requests(struct torus_part *p, struct torus_router *r,
                                            uint32_t node, unsigned links, cycle_t now)
{
    struct requests found = {0, 0, 0};
    uint64_t able = heads_towards(r, links) & ~(r->busy | r->no_path);
    unsigned roomy = links & r->roomy;
    found.dynamic = (roomy == links ? able : heads_towards(r, roomy)) & r->want[WANT_DYNAMIC];
    uint64_t asking = found.dynamic & able;
    if (able & ~found.dynamic)
        asking |= able & fixed_ready(p->derived, r->room, r, links);
    if (asking & r->want[WANT_DEPOSIT]) { /* the copy needs its reception FIFO too */
        uint64_t deposits = asking & r->want[WANT_DEPOSIT];
        asking &= ~deposits | open_receptions(p, r, node, deposits);
    }
    found.asking = ready_queues(p, r, node, asking, now, &found.early);
    return found;
}

static inline void use_tokens(struct torus_part *p, struct torus_router *r, uint32_t node,
                              unsigned port, unsigned vc, unsigned tokens, cycle_t now)
{
    unsigned before = r->port[port].tokens[vc];
    WEFT_CHECK(before >= tokens, "node %u port %u VC %u sends without tokens", r->node, port, vc);
    r->port[port].tokens[vc] = (uint8_t)(before - tokens);
    if (before - tokens < p->derived->most_asked[vc])
        watch_notes(p, node, port, vc, now);
    if (before - tokens < 2 * TORUS_MAX_CHUNKS) {
        bool had = r->room[0] >> room_bit(port, vc) & 1;
        set_room(p->derived, r, port, vc);
        if (had && !(r->room[0] >> room_bit(port, vc) & 1))
            part_room(&p->base, torus_slot(node, port), vc, false);
    }
}

/* One hop nearer: the hint bit is cleared when the hop leads to the final coordinate. */
WEFT_INLINE void advance_route(struct torus_packet *packet, const struct torus_router *r,
                               unsigned port)
{
    unsigned dim = port / 2;
    bool last = --packet->hops[dim] == 0, crosses = r->datelines >> port & 1;
    packet->hint &= (uint8_t) ~((unsigned)last << port);
    packet->flags |= (uint8_t)((crosses * TORUS_CROSSED) << dim);
}

WEFT_INLINE void grant_sender(struct torus_part *p, struct torus_router *r, uint32_t node,
                              unsigned port, unsigned q, unsigned vc, cycle_t now, struct variant v)
{
    enter(TORUS_STAGE_GRANT, v);
    bool deposits = r->want[WANT_DEPOSIT] >> q & 1;
    uint32_t index = take_head(p, r, node, q, now, v);
    struct torus_packet *packet = &p->pool[index];
    unsigned slot = p->derived->slot_cycles[packet->chunks];
    struct torus_transfer t = {.queue = q & 63, .vc = packet->vc & 7};
    if (p->injection_queues >> q & 1) {
        t.tokens = packet->chunks & 31;
        part_injection(&p->base, node, packet->birth, payload_bytes(p, packet), now);
    } else {
        unsigned receiver = p->queue_receiver[q];
        p->base.measure.bypassed += p->bypass_queues >> q & 1;
        t.tokens = held_tokens(p, packet, v) & 31;
        bool all = ++r->paths[receiver] == p->params->paths;
        r->no_path |= p->receiver_queues[receiver] & -(uint64_t)all;
        if (deposits) {
            deliver(p, r, node, receiver, packet, now, v);
            packet = &p->pool[index];
            t.deposit = packet->flags & TORUS_HIGH ? 2 : 1;
        }
    }
    r->port[port].transfer = t;
    if (v.lossy && is_fresh_ghost(p, packet)) {
        packet->flags |= TORUS_GHOST;
        p->links->ghost[index] = 0;
    }
    r->sending |= (uint8_t)(1u << port);
    wheel_push(&p->base.wheel, now + slot, event_make(TORUS_EVENT_SENT, node, port, 0, q));

    advance_route(packet, r, port);
    packet->vc = (uint8_t)vc;
    use_tokens(p, r, node, port, vc, vc_tokens(p->derived, packet->vc, packet), now);
    measure_hop(&p->base.measure, vc, payload_bytes(p, packet), now, slot);
    if (v.lossy) { /* occupies the link itself */
        torus_link_send(p, r, node, port, index, now);
    } else {
        r->link_free[port] = (uint32_t)now + slot;
        r->port[port].link_busy += part_busy(&p->base, torus_slot(node, port), vc, port, now, slot);
        torus_carry(p, r, port, now + p->derived->hop_cycles, TORUS_EVENT_ARRIVE, port, vc, index);
    }
}

/*
 * The three phases. Returns the links that are still free; `found.asking` keeps those that lost. A
 * packet's preferred move matters only once its queue was chosen, so that phase is done last; with
 * one link free, the usual case under load, only for the winner.
 */
WEFT_INLINE unsigned arbitrate(struct torus_part *p, struct torus_router *r, uint32_t node,
                               unsigned links, uint64_t high, cycle_t now, struct dice *dice,
                               struct requests *found, struct variant v)
{
    uint64_t chosen = found->asking;
    enter(TORUS_STAGE_ARBITRATION, v);
    if (chosen & (chosen - 1))
        chosen = choose_requests(p, node, chosen, high, dice);
    if (!(links & (links - 1)) || !(chosen & (chosen - 1))) {
        unsigned q = choose_winner(p, node, chosen, high, dice);
        unsigned move = preferred_move(p, r, links, found->dynamic, q, now, dice);
        grant_sender(p, r, node, move / 8, q, move % 8, now, v);
        found->asking &= ~(1ull << q);
        return links & ~(1u << move / 8);
    }
    uint64_t by_port[TORUS_PORTS] = {0};
    uint8_t vc[64];
    for (uint64_t rest = chosen; rest; rest &= rest - 1) {
        unsigned q = (unsigned)__builtin_ctzll(rest);
        unsigned move = preferred_move(p, r, links, found->dynamic, q, now, dice);
        by_port[move / 8] |= 1ull << q;
        vc[q] = move % 8;
    }
    for (unsigned rest = links; rest; rest &= rest - 1) {
        unsigned port = (unsigned)__builtin_ctz(rest);
        if (!by_port[port])
            continue;
        unsigned q = choose_winner(p, node, by_port[port], high, dice);
        if ((r->want[WANT_DEPOSIT] >> q & 1) && !open_receptions(p, r, node, 1ull << q))
            continue; /* this step's deliveries left no room for the copy that it leaves here */
        grant_sender(p, r, node, port, q, vc[q], now, v);
        found->asking &= ~(1ull << q);
        links &= ~(1u << port);
    }
    return links;
}

/* ---- 7. leftovers ---- */

static void bypass_to_vc(struct torus_part *p, struct torus_router *r, uint32_t node,
                         uint64_t bypass, cycle_t now)
{
    for (; bypass; bypass &= bypass - 1) {
        unsigned q = (unsigned)__builtin_ctzll(bypass), receiver = p->queue_receiver[q];
        uint32_t packet = r->port[receiver].arrival;
        head_clear(r, q);
        torus_enqueue(p, r, node, receiver * p->derived->receiver_queues + p->pool[packet].vc,
                      packet, now + p->params->vc_fifo_cycles);
    }
}

/* Has the node woken when a link that carries only acknowledgments is free again. */
WEFT_INLINE void watch_busy_links(struct torus_part *p, struct torus_router *r, uint32_t node,
                                  unsigned links, cycle_t now, struct variant v)
{
    unsigned asleep = links | r->sending | r->watched;
    if (v.lossy)
        asleep |= torus_link_blocked(p, node);
    for (unsigned rest = r->links & ~asleep; rest; rest &= rest - 1) {
        unsigned port = (unsigned)__builtin_ctz(rest);
        if (!r->want[WANT_PORT + port])
            continue;
        r->watched |= (uint8_t)(1u << port);
        uint32_t seen = r->link_free[port] + p->params->request_cycles;
        wheel_push(&p->base.wheel, now + (seen - (uint32_t)now),
                   event_make(TORUS_EVENT_LINK_FREE, node, port, 0, 0));
    }
}

/* High priority packets that use the bypass channel. */
static uint64_t high_bypass(const struct torus_part *p, const struct torus_router *r,
                            uint64_t bypass)
{
    uint64_t high = 0;
    for (; bypass; bypass &= bypass - 1) {
        unsigned q = (unsigned)__builtin_ctzll(bypass);
        bool is_high = p->pool[r->port[p->queue_receiver[q]].arrival].flags & TORUS_HIGH;
        high |= bit_if(is_high, q);
    }
    return high;
}

/*
 * The flaw that verification of the logic found (TORUS, "Performance verification"): while all
 * links and VCs that a receiver's heads could use are busy, there is a gap of one cycle between two
 * passes of its arbitration pipeline. A link that becomes free in that cycle goes to an injection
 * FIFO. Returns the queues that for this reason do not ask.
 */
static uint64_t hold_back(const struct torus_part *p, uint32_t node, uint64_t asking, cycle_t now)
{
    uint64_t late = asking & p->unavailable[node];
    if ((now + p->router[node].slq_phase) % (p->params->arbitration_cycles + 1) != 0)
        return 0;
    for (uint64_t rest = late; rest; rest &= rest - 1) {
        unsigned q = (unsigned)__builtin_ctzll(rest);
        if (queue_at(p, node, q)->ready == (uint32_t)now) /* it has not waited yet */
            late &= ~(1ull << q);
    }
    return late;
}

/* Notes the receivers whose heads, all of them, have no move at the end of the step. */
static void note_unavailable(struct torus_part *p, struct torus_router *r, uint32_t node,
                             unsigned links, cycle_t now)
{
    struct requests left = {0, 0, 0};
    if (links)
        left = find_requests(p, r, node, links, now);
    uint64_t heads = heads_towards(r, r->links) & ~p->injection_queues & ~r->busy;
    p->unavailable[node] = 0;
    for (unsigned port = 0; port < TORUS_PORTS; port++) {
        uint64_t queues = p->receiver_queues[port];
        if ((heads & queues) && !((left.asking | left.early) & queues))
            p->unavailable[node] |= heads & queues;
    }
}

WEFT_INLINE void step(struct torus_part *p, uint32_t node, cycle_t now, struct variant v)
{
    struct torus_router *r = &p->router[node];
    struct dice dice = {.router = r};
    r->young &= -(uint64_t)!has_come(r->young_until, now);
    if (v.lossy)
        torus_link_step(p, r, node, now);
    enter(TORUS_STAGE_TOKENS, v);
    if (r->acked_ports)
        apply_tokens(p, r, now);
    enter(TORUS_STAGE_FINISH, v);
    if (r->sent | r->received[0] | r->received[1])
        finish_transfers(p, r, node, now, v);
    enter(TORUS_STAGE_REFILL, v);
    if (r->refill) {
        const struct torus_client *client = &p->network->client;
        unsigned fifos = r->refill;
        r->refill = 0;
        client->refill(client->ctx, &p->base, node, r->node, fifos, now);
    }
    enter(TORUS_STAGE_ARRIVALS, v);
    unsigned links = free_links(r, now - p->params->request_cycles);
    uint64_t bypass = r->arrived ? take_arrivals(p, r, node, links, now) : 0;
    uint64_t high = p->high_queues | (bypass ? high_bypass(p, r, bypass) : 0);
    uint64_t early = 0; /* heads for which to step again when they are ready */
    bool again = false; /* step again in the next cycle */
    enter(TORUS_STAGE_RECEPTION, v);
    if (r->want[WANT_RECEPTION])
        early = arbitrate_reception(p, r, node, high, now, &dice, v);
    enter(TORUS_STAGE_REQUESTS, v);
    struct requests found = {0, 0, 0};
    uint64_t late = 0;
    if (links) {
        found = find_requests(p, r, node, links, now);
        if (p->unavailable)
            found.asking &= ~(late = hold_back(p, node, found.asking, now));
        if (found.asking)
            links = arbitrate(p, r, node, links, high, now, &dice, &found, v);
    }
    enter(TORUS_STAGE_LEFTOVERS, v);
    bypass &= ~r->busy;
    if (bypass)
        bypass_to_vc(p, r, node, bypass, now);
    if (links) {
        if (found.asking | bypass | late) { /* requests that lost may find another link free */
            found = find_requests(p, r, node, links, now);
            again = found.asking;
        }
        early |= found.early & heads_towards(r, links);
    }
    if (again)
        wheel_push(&p->base.wheel, now + 1, event_make(TORUS_EVENT_STEP, node, 0, 0, 0));
    else if (early)
        step_when_ready(p, node, early, now);
    if (p->unavailable)
        note_unavailable(p, r, node, links, now);
    watch_busy_links(p, r, node, links, now, v);
}

void torus_step(struct torus_part *p, uint32_t node, cycle_t now)
{
    step(p, node, now, (struct variant){0});
}

void torus_step_full(struct torus_part *p, uint32_t node, cycle_t now)
{
    step(p, node, now, (struct variant){.staged = true, .shared = true});
}

void torus_step_lossy(struct torus_part *p, uint32_t node, cycle_t now)
{
    step(p, node, now, (struct variant){.lossy = true, .shared = true});
}
