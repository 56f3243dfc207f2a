/* Sequence numbers, acknowledgments, retransmission. */
#include "fabric/torus/link.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "engine/ranks.h"
#include "fabric/torus/queue.h"

/* So far ahead that a link counts as never free. */
#define FAR_AHEAD (1u << 30)

/* ---- sending ---- */

static void push(struct torus_part *p, cycle_t time, enum torus_event kind, uint32_t node,
                 unsigned port, unsigned vc)
{
    wheel_push(&p->base.wheel, time, event_make(kind, node, port, vc, 0));
}

/* Updates what the arbiters see of a sender. */
static void show_link(struct torus_part *p, struct torus_router *r, uint32_t node,
                      const struct torus_link_sender *s, unsigned port, cycle_t now)
{
    uint8_t bit = (uint8_t)(1u << port);
    cycle_t free = s->busy_until > now ? s->busy_until : now;
    if (s->full || s->resending) {
        r->link_free[port] = (uint32_t)now + FAR_AHEAD;
        return;
    }
    r->link_free[port] = (uint32_t)free;
    if (free > now && !(r->sending & bit) && !(r->watched & bit)) {
        r->watched |= bit;
        push(p, free, TORUS_EVENT_LINK_FREE, node, port, 0);
    }
}

/* Sends the frame at `index` of the pool, for the first time or again. */
static void transmit(struct torus_part *p, struct torus_router *r, uint32_t node, unsigned port,
                     struct torus_link_frame *f, uint32_t index, cycle_t now)
{
    struct torus_link_sender *s = torus_sender_at(p, node, port);
    uint8_t sequence = (uint8_t)f->packet.next;
    f->sent_at = now;
    uint32_t length = p->derived->slot_cycles[f->packet.chunks];
    s->busy_until = now + length;
    r->port[port].link_busy +=
        part_busy(&p->base, torus_slot(node, port), f->packet.vc, port, now, length);
    if (!s->timer) {
        s->timer = true;
        push(p, now + p->params->link.timeout_cycles, TORUS_EVENT_TIMEOUT, node, port, 0);
    }
    enum torus_wire outcome = wire_frame(p, r, s, port, &f->packet, sequence, now);
    if (outcome == FRAME_BAD_HEADER) {
        pool_put(p, index);
        return;
    }
    p->pool[index] = f->packet;
    if (p->cargo)
        p->cargo[index] = f->cargo;
    p->pool[index].next = sequence | (uint32_t)outcome << 8;
    torus_carry(p, r, port, now + p->derived->hop_cycles, TORUS_EVENT_FRAME, port, f->packet.vc,
                index);
}

bool torus_link_has_room(const struct torus_part *p, const struct torus_link_sender *s)
{
    return s->bytes + WIRE_FRAME_BYTES <= p->params->link.retransmission_bytes &&
           s->count < LINK_FRAMES;
}

void torus_link_send(struct torus_part *p, struct torus_router *r, uint32_t node, unsigned port,
                     uint32_t index, cycle_t now)
{
    struct torus_link_sender *s = torus_sender_at(p, node, port);
    WEFT_CHECK(torus_link_has_room(p, s) && !s->resending, "node %u port %u overruns its FIFO",
               r->node, port);
    struct torus_link_frame *f = &s->frame[(s->first + s->count++) % LINK_FRAMES];
    f->packet = p->pool[index];
    f->cargo = torus_cargo(p, &p->pool[index]);
    f->packet.next = s->sequence++;
    s->bytes += wire_bytes(&f->packet);
    s->crc = wire_crc(p, s->crc, torus_neighbour(p->network->torus, r->node, port), &f->packet,
                      (uint8_t)f->packet.next);
    transmit(p, r, node, port, f, index, now);
    s->full = !torus_link_has_room(p, s);
    show_link(p, r, node, s, port, now);
}

/* Sends one more of the packets to be resent, as soon as the link is free. */
static void resend(struct torus_part *p, struct torus_router *r, uint32_t node, unsigned port,
                   cycle_t now)
{
    struct torus_link_sender *s = torus_sender_at(p, node, port);
    if (!s->resending)
        return;
    if (s->busy_until > now) {
        push(p, s->busy_until, TORUS_EVENT_RESEND, node, port, 0);
    } else if (s->resend < s->count) {
        part_count(&p->base, LINK_RETRANSMITTED);
        struct torus_link_frame *f = &s->frame[(s->first + s->resend++) % LINK_FRAMES];
        transmit(p, r, node, port, f, pool_get(p), now);
        push(p, s->busy_until, TORUS_EVENT_RESEND, node, port, 0);
    } else {
        s->resending = false;
        show_link(p, r, node, s, port, now);
    }
}

static void run_out(struct torus_part *p, struct torus_router *r, uint32_t node, unsigned port,
                    cycle_t now)
{
    struct torus_link_sender *s = torus_sender_at(p, node, port);
    uint32_t timeout = p->params->link.timeout_cycles;
    s->timer = false;
    if (!s->count)
        return;
    cycle_t due = s->frame[s->first].sent_at + timeout;
    if (due > now || s->resending) {
        s->timer = true;
        push(p, due > now ? due : now + timeout, TORUS_EVENT_TIMEOUT, node, port, 0);
        return;
    }
    part_count(&p->base, LINK_TIMEOUTS);
    s->resending = true;
    s->resend = 0;
    show_link(p, r, node, s, port, now);
    if (++s->rounds > LINK_ROUNDS_MOST)
        return; /* given up for good */
    resend(p, r, node, port, now);
}

/* ---- acknowledgments ---- */

static void tell(struct torus_part *p, struct torus_router *r, unsigned receiver, unsigned vc,
                 cycle_t now)
{
    unsigned port = torus_opposite(receiver);
    uint32_t node = (uint32_t)(r - p->router);
    struct torus_link_sender *s = torus_sender_at(p, node, port);
    struct torus_link_receiver *x = torus_receiver_at(p, node, receiver);
    cycle_t start = s->busy_until > now ? s->busy_until : now;
    x->told = (uint8_t)(x->expected - 1);
    uint32_t state = x->freed[vc] | (uint32_t)x->told << 16;
    s->busy_until = start + p->params->ack_bytes;
    r->port[port].link_busy +=
        part_busy_control(&p->base, torus_slot(node, port), port, start, p->params->ack_bytes);
    show_link(p, r, node, s, port, now);
    if (wire_ack(p, r, s, port, vc, state, start)) {
        x->stale &= (uint8_t) ~(1u << vc);
        torus_carry(p, r, port, start + p->derived->ack_cycles, TORUS_EVENT_ACK_FRAME, receiver, vc,
                    state);
        return;
    }
    x->stale |= (uint8_t)(1u << vc);
    if (!x->refresh) {
        x->refresh = true;
        push(p, start + p->params->link.idle_ack_cycles, TORUS_EVENT_REFRESH, node, receiver, 0);
    }
}

void torus_link_ack(struct torus_part *p, struct torus_router *r, unsigned receiver, unsigned vc,
                    unsigned tokens, cycle_t now)
{
    if (!tokens)
        return; /* a ghost's: reserved for the packet itself */
    struct torus_link_receiver *x = torus_receiver_at(p, (uint32_t)(r - p->router), receiver);
    x->freed[vc] = (uint16_t)(x->freed[vc] + tokens);
    tell(p, r, receiver, vc, now);
}

/* An acknowledgment has arrived: it brings tokens, and releases packets from the FIFO. */
static void take_ack(struct torus_part *p, struct torus_router *r, uint32_t node, unsigned port,
                     unsigned vc, uint32_t state, cycle_t now)
{
    struct torus_link_sender *s = torus_sender_at(p, node, port);
    uint16_t freed = (uint16_t)(state - s->freed[vc]);
    uint8_t last = (uint8_t)(state >> 16);
    s->freed[vc] = (uint16_t)state;
    if (freed) {
        measure_ack(&p->base.measure, now);
        torus_apply_ack(p, r, node, port, vc, freed);
    }
    while (s->count && (uint8_t)(last - (uint8_t)s->frame[s->first].packet.next) < 128) {
        s->bytes -= wire_bytes(&s->frame[s->first].packet);
        s->first = (s->first + 1) % LINK_FRAMES;
        s->count--;
        s->resend -= s->resend > 0;
        s->rounds = 0;
    }
    if (s->full && torus_link_has_room(p, s)) {
        s->full = false;
        show_link(p, r, node, s, port, now);
    }
}

/* ---- receiving ---- */

/* A packet goes to its VC, or bypasses it. A fresh ghost takes the place of its packet. */
static void arrive(struct torus_part *p, struct torus_router *r, uint32_t node, unsigned port,
                   uint32_t index, cycle_t now)
{
    const struct torus_derived *d = p->derived;
    const struct torus_packet *packet = &p->pool[index];
    unsigned vc = packet->vc, tokens = p->links->ghost[index] ? 0 : vc_tokens(d, vc, packet);
    bool bypass = (int32_t)r->filled[vc][port] <= d->bypass_chunks[vc];
    r->filled[vc][port] = (uint8_t)(r->filled[vc][port] + tokens);
    part_occupy(&p->base, torus_slot(node, port), vc, (int)tokens);
    if (bypass) {
        r->port[port].arrival = index;
        r->arrived |= (uint8_t)(1u << port);
    } else {
        torus_enqueue(p, r, node, port * d->receiver_queues + vc, index,
                      now + p->params->vc_fifo_cycles);
    }
}

static void take_frame(struct torus_part *p, struct torus_router *r, uint32_t node, unsigned port,
                       uint32_t index, cycle_t now)
{
    struct torus_link_receiver *x = torus_receiver_at(p, node, port);
    struct torus_packet *packet = &p->pool[index];
    uint8_t sequence = (uint8_t)packet->next, ahead = (uint8_t)(sequence - x->expected);
    enum torus_wire outcome = (enum torus_wire)(packet->next >> 8);
    bool repeated = ahead >= 128;
    if (ahead || outcome == FRAME_HELD) {
        unsigned vc = packet->vc;
        pool_put(p, index);
        if (ahead)
            part_count(&p->base, repeated ? LINK_DUPLICATES : LINK_OUT_OF_ORDER);
        if (repeated && outcome != FRAME_HELD)
            tell(p, r, port, vc, now); /* its acknowledgment was lost */
        return;
    }
    bool bad = outcome == FRAME_BAD_TAIL;
    p->links->ghost[index] = bad ? GHOST_FRESH : 0;
    if (bad)
        part_count(&p->base, LINK_GHOSTS);
    if (bad || (packet->flags & TORUS_GHOST))
        push(p, now + p->derived->slot_cycles[packet->chunks], TORUS_EVENT_TAIL, node, port,
             packet->vc);
    if (!bad) {
        x->expected++;
        x->crc = wire_crc(p, x->crc, r->node, packet, sequence) ^ (outcome == FRAME_ESCAPED);
        if (!x->due) {
            x->due = true;
            push(p, now + p->params->link.ack_delay_cycles, TORUS_EVENT_DUE, node, port, 0);
        }
    }
    arrive(p, r, node, port, index, now);
}

/* Removes a packet from the middle or the head of a queue. */
static void unlink_packet(struct torus_part *p, struct torus_router *r, struct torus_queue *queue,
                          unsigned q, uint32_t before, uint32_t index, cycle_t now)
{
    part_remove(torus_pool(p), &queue->head, &queue->tail, before, index);
    uint32_t next = queue->head;
    if (before != NO_PACKET || (r->busy >> q & 1))
        return; /* the masks of its head are set once the leaving packet has left */
    head_clear(r, q);
    r->young &= ~(1ull << q);
    if (next != NO_PACKET) {
        head_set(p, r, q, &p->pool[next]);
        set_ready(r, queue, q, now + p->params->arbitration_cycles);
    }
}

/* The tail of a ghost has arrived: if the ghost still waits, it is dropped. */
static void drop_ghost(struct torus_part *p, struct torus_router *r, uint32_t node, unsigned port,
                       unsigned vc, cycle_t now)
{
    unsigned q = port * p->derived->receiver_queues + vc;
    struct torus_queue *queue = queue_at(p, node, q);
    for (uint32_t i = queue->head, before = NO_PACKET; i != NO_PACKET;
         before = i, i = p->pool[i].next) {
        bool fresh = p->links->ghost[i];
        if (!fresh && !(p->pool[i].flags & TORUS_GHOST))
            continue;
        unsigned tokens = fresh ? 0 : vc_tokens(p->derived, vc, &p->pool[i]);
        unlink_packet(p, r, queue, q, before, i, now);
        r->filled[vc][port] = (uint8_t)(r->filled[vc][port] - tokens);
        part_occupy(&p->base, torus_slot(node, port), vc, -(int)tokens);
        p->links->ghost[i] = 0;
        pool_put(p, i);
        torus_link_ack(p, r, port, vc, tokens, now);
        return;
    }
}

/* ---- the step ---- */

void torus_link_note(struct torus_part *p, uint32_t node, event_t e)
{
    struct torus_link_marks *marks = &p->links->marks[node];
    unsigned kind = event_kind(e) - TORUS_EVENT_FRAME, port = event_port(e);
    marks->ports[kind] |= (uint8_t)(1u << port);
    marks->vcs[kind][port] |= (uint8_t)(1u << event_vc(e));
    if (event_kind(e) <= TORUS_EVENT_ACK_FRAME)
        marks->payload[kind][port] = event_payload(e);
}

/* Whether an event of a kind was noted at a port. */
static bool is_marked(const struct torus_link_marks *marks, enum torus_event kind, unsigned port)
{
    return marks->ports[kind - TORUS_EVENT_FRAME] >> port & 1;
}

static void tell_late(struct torus_part *p, struct torus_router *r, uint32_t node, unsigned port,
                      cycle_t now)
{
    struct torus_link_receiver *x = torus_receiver_at(p, node, port);
    x->due = false;
    if (x->told == (uint8_t)(x->expected - 1))
        return;
    part_count(&p->base, LINK_ACK_ONLY);
    tell(p, r, port, 0, now);
}

static void tell_again(struct torus_part *p, struct torus_router *r, uint32_t node, unsigned port,
                       cycle_t now)
{
    struct torus_link_receiver *x = torus_receiver_at(p, node, port);
    x->refresh = false;
    for (unsigned vcs = x->stale; vcs; vcs &= vcs - 1) {
        part_count(&p->base, LINK_ACK_ONLY);
        tell(p, r, port, (unsigned)__builtin_ctz(vcs), now);
    }
}

void torus_link_step(struct torus_part *p, struct torus_router *r, uint32_t node, cycle_t now)
{
    enum { ACK = TORUS_EVENT_ACK_FRAME - TORUS_EVENT_FRAME };
    struct torus_link_marks marks = p->links->marks[node];
    p->links->marks[node] = (struct torus_link_marks){.ports = {0}};
    for (unsigned port = 0; port < TORUS_PORTS; port++)
        if (is_marked(&marks, TORUS_EVENT_ACK_FRAME, port))
            take_ack(p, r, node, port, (unsigned)__builtin_ctz(marks.vcs[ACK][port]),
                     marks.payload[ACK][port], now);
    for (unsigned port = 0; port < TORUS_PORTS; port++) {
        unsigned tail_vcs = marks.vcs[TORUS_EVENT_TAIL - TORUS_EVENT_FRAME][port];
        if (is_marked(&marks, TORUS_EVENT_FRAME, port))
            take_frame(p, r, node, port, marks.payload[0][port], now);
        for (; tail_vcs; tail_vcs &= tail_vcs - 1)
            drop_ghost(p, r, node, port, (unsigned)__builtin_ctz(tail_vcs), now);
        if (is_marked(&marks, TORUS_EVENT_DUE, port))
            tell_late(p, r, node, port, now);
        if (is_marked(&marks, TORUS_EVENT_REFRESH, port))
            tell_again(p, r, node, port, now);
    }
    for (unsigned port = 0; port < TORUS_PORTS; port++) {
        if (is_marked(&marks, TORUS_EVENT_TIMEOUT, port))
            run_out(p, r, node, port, now);
        if (is_marked(&marks, TORUS_EVENT_RESEND, port))
            resend(p, r, node, port, now);
    }
}

unsigned torus_link_blocked(const struct torus_part *p, uint32_t node)
{
    unsigned blocked = 0;
    for (unsigned port = 0; port < TORUS_PORTS; port++) {
        const struct torus_link_sender *s = torus_sender_at(p, node, port);
        blocked |= (unsigned)(s->full || s->resending) << port;
    }
    return blocked;
}

/* ---- life cycle ---- */

void torus_links_prepare(struct torus_part *p)
{
    size_t links = (size_t)p->base.nodes * TORUS_PORTS;
    struct torus_links *s = PART_TABLE(p, &p->links, 1, PART_SCRATCH);
    PART_TABLE(p, &s->sender, links, PART_SAVED);
    PART_TABLE(p, &s->receiver, links, PART_SAVED);
    PART_TABLE(p, &s->marks, p->base.nodes, PART_SCRATCH);
    PART_TABLE(p, &s->checksum, (size_t)p->base.nodes * TORUS_FIFOS, PART_SAVED);
    PART_TABLE(p, &s->ghost, p->base.pool_packets, PART_PACKETS);
    for (size_t i = 0; i < links; i++) {
        uint32_t node = wiring_number(p->network->torus, p->router[i / TORUS_PORTS].node);
        uint64_t link = (uint64_t)node * TORUS_PORTS + i % TORUS_PORTS;
        errors_init(&s->sender[i].errors, &p->params->link.errors,
                    random_key(p->network->seed, link, RANDOM_LINK));
        s->receiver[i].told = UINT8_MAX;
    }
}

/* ---- at the end ---- */

struct network_sender torus_link_sender(const struct network_part *base, uint32_t local,
                                        unsigned port)
{
    const struct torus_part *p = (const struct torus_part *)base;
    return (struct network_sender){.kept = p->links ? torus_sender_at(p, local, port)->count : 0};
}

/* A link with this many rounds without an acknowledgment, at the end of a run, sends in vain. */
enum { ROUNDS_IN_VAIN = 16 };

/* What both ends know of a link; summed over ranks, each word being zero in all but one. */
struct ends {
    uint32_t sent_crc, received_crc, sent, received, rounds;
};

static void collect_links(const struct torus_part *p, struct ends *ends, uint32_t *checksum)
{
    for (uint32_t local = 0; local < p->base.nodes; local++) {
        const struct torus_router *r = &p->router[local];
        for (unsigned port = 0; port < TORUS_PORTS; port++) {
            const struct torus_link_sender *s = torus_sender_at(p, local, port);
            const struct torus_link_receiver *x = torus_receiver_at(p, local, port);
            uint32_t from = torus_neighbour(p->network->torus, r->node, torus_opposite(port));
            struct ends *out = &ends[(size_t)r->node * TORUS_PORTS + port];
            out->sent_crc = s->crc;
            out->sent = s->sequence;
            out->rounds = s->rounds;
            if (from == TORUS_NO_NODE)
                continue;
            struct ends *in = &ends[(size_t)from * TORUS_PORTS + port];
            in->received_crc = x->crc;
            in->received = x->expected;
        }
        memcpy(&checksum[(size_t)r->node * TORUS_FIFOS],
               &p->links->checksum[(size_t)local * TORUS_FIFOS], TORUS_FIFOS * sizeof(*checksum));
    }
}

void torus_network_links(const struct torus_network *n, struct link_report *report)
{
    size_t links = (size_t)n->torus->nodes * TORUS_PORTS;
    size_t fifos = (size_t)n->torus->nodes * TORUS_FIFOS;
    *report = (struct link_report){.links = torus_links(n->torus),
                                   .times_out = true,
                                   .checksum_nodes = n->torus->nodes,
                                   .checksums_per_node = TORUS_FIFOS};
    if (!n->params.link.protocol)
        return;
    struct ends *ends = memory_alloc(links, sizeof(*ends));
    report->checksum = memory_alloc(fifos, sizeof(*report->checksum));
    for (uint32_t i = n->base.engine.first; i < n->base.engine.end; i++)
        collect_links((const struct torus_part *)network_part(&n->base, i), ends, report->checksum);
    ranks_sum_32((uint32_t *)ends, links * sizeof(*ends) / sizeof(uint32_t));
    ranks_sum_32(report->checksum, fifos);
    for (size_t i = 0; i < links; i++) {
        const struct ends *e = &ends[i];
        /* While packets are in flight, the two ends cover different ones. */
        bool differs = e->sent == e->received && e->sent_crc != e->received_crc;
        if (differs || e->rounds >= ROUNDS_IN_VAIN)
            link_report_add(report, &n->base, (uint32_t)(i / TORUS_PORTS), i % TORUS_PORTS,
                            differs);
    }
    free(ends);
}
