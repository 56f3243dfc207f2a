/* Moves packets of programs and clients into injection FIFOs, and out of reception FIFOs. */
#include "node/fifo/fifo.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/random.h"
#include "engine/ranks.h"

/* No run lasts this many cycles; twice as many still fit into fine time. */
#define BIRTH_NEVER (1ll << 46)

/* Where a FIFO (or, with bounded FIFOs, the processor) stands in the program. */
struct cursor {
    uint64_t birth;           /* of the next packet */
    uint32_t sequence;        /* of the next packet */
    uint32_t done : 1;        /* the program has ended */
    uint32_t burst_left : 31; /* packets after the next one */
};

/*
 * Packets that wait for an injection FIFO: an answer, until the processor has read the packet that
 * it answers; or those packets of a client's message that go through this FIFO, one by one.
 */
struct fifo_wait {
    struct step step; /* bytes: of the whole message */
    fine_t first;     /* when the message's first packet is written */
    uint32_t index;   /* of the next packet in its message, */
    uint32_t stride;  /* and the distance to the one after */
    uint32_t packets; /* in the message */
    uint32_t post;    /* the post that it belongs to; SLOT_NONE: an answer */
    uint32_t next;
};

/* A send of the client, while its packets wait. */
struct fifo_post {
    struct nic_item base;
    uint32_t waits; /* FIFOs that still have packets of it */
};

/* A core; times are in fine time. */
struct fifo_core {
    uint64_t reading; /* it reads until then */
    uint64_t writing; /* it has written by then; reading since has put that off */
};

struct fifo_part {
    struct nic_part base;                    /* items: struct fifo_post */
    struct cursor *cursor;                   /* [local * FIFOs + fifo] */
    struct slots_list *waiting;              /* [local * FIFOs + fifo] */
    uint32_t *answers_queued, *answers_sent; /* [local] */
    struct fifo_core *core;                  /* [local * 2 + group] */
    struct slots waits;                      /* struct fifo_wait */
    struct watermark_counts watermarks;
};

struct fifos {
    struct nic nic;
    const struct torus *torus;
    const uint32_t *number; /* [node]: as draws know it (node/source.h); NULL: by its own */
    struct torus_params router;
    struct torus_faults faults;
    struct torus_addressing addressing;
    struct fifo_params params;
    uint32_t software_header_bytes;
    struct program program;
    struct bricks bricks;
    uint64_t seed;
    bool in_order;   /* packets go to FIFOs one by one: these are bounded, or packets have times */
    double share[2]; /* of a node's packets that a stream has: normal, high priority */
    uint64_t write_time[TORUS_MAX_CHUNKS + 1], read_time[TORUS_MAX_CHUNKS + 1]; /* of a core */
};

/* A node whose program is being told about a packet. */
struct fifo_replies {
    struct replies base;
    struct fifos *all;
    struct network_part *part;
    uint32_t local;
    unsigned core; /* that reads the packet, and writes the answers */
};

static struct fifo_part *part_of(const struct fifos *e, const struct network_part *part)
{
    return nic_part(&e->nic, part->index);
}

/* Sequence numbers of answers count down from the top, those of the program up from 0. */
#define ANSWER_SEQUENCE(count) (UINT32_MAX - (count))

/* A node as draws know it. */
static inline uint32_t drawn_node(const struct fifos *e, uint32_t node)
{
    return e->number ? e->number[node] : node;
}

/* The births of one stream of a node; bursts are those of the whole node. */
static struct arrival_process stream_arrivals(const struct fifos *e, uint32_t node, unsigned stream)
{
    struct arrival_process arrivals = program_arrivals(&e->program, node);
    if (arrivals.burst == BURST_NONE)
        arrivals.mean_gap_cycles /= e->share[stream >= TORUS_NORMAL_FIFOS];
    return arrivals;
}

static uint64_t next_gap(const struct fifos *e, uint32_t node,
                         const struct arrival_process *arrivals, struct cursor *c)
{
    uint32_t left = c->burst_left;
    if (e->program.mean_gap_cycles == 0)
        return 0;
    double gap = arrival_process_next(arrivals, e->seed, drawn_node(e, node), c->sequence, &left);
    c->burst_left = left;
    /* A gap longer than any run never ends. */
    return gap < BIRTH_NEVER ? (uint64_t)(gap * (1 << FRACTION_BITS)) + 1
                             : (uint64_t)BIRTH_NEVER << FRACTION_BITS;
}

/* Chunks of a packet with this much payload. */
static unsigned chunks_of(const struct fifos *e, uint64_t bytes)
{
    return torus_chunks(bytes + e->software_header_bytes);
}

/* The flags of a packet are those of its step. */
_Static_assert((int)STEP_ADAPTIVE == TORUS_DYNAMIC && (int)STEP_DEPOSIT == TORUS_DEPOSIT &&
                   (int)STEP_HIGH == TORUS_HIGH && (int)STEP_SECOND == TORUS_GROUP1,
               "one set of flags");

/* A packet of a step; `bytes`: how much of the step's payload it carries. */
static struct torus_packet make_packet(const struct fifos *e, uint32_t node,
                                       const struct step *step, uint64_t bytes, uint32_t sequence,
                                       cycle_t birth)
{
    unsigned chunks = chunks_of(e, bytes);
    struct torus_packet packet = {
        .birth = birth,
        .source = node,
        .sequence = sequence,
        .chunks = (uint8_t)chunks,
        .flags = step->flags,
        .padding = (uint8_t)(chunks * TORUS_CHUNK_BYTES - e->software_header_bytes - bytes),
        .tag = step->tag};
    if (step->way.chosen) {
        packet.hint = (uint8_t)(1u << step->way.port);
        packet.hops[step->way.port / 2] = step->way.hops;
    } else {
        uint64_t draw =
            step->message
                ? step->message
                : random_draw(random_key(e->seed, drawn_node(e, node), RANDOM_TIE), sequence);
        address_packet(&e->addressing, node, step->to, draw, &packet);
    }
    return packet;
}

static void inject(struct fifos *e, struct network_part *part, uint32_t local, unsigned fifo,
                   const struct torus_packet *packet, uint64_t cargo, cycle_t ready)
{
    uint32_t mark = e->params.injection_watermark_bytes / TORUS_CHUNK_BYTES;
    if (mark && watermark_is_crossed(mark, torus_fifo_chunks(part, local, fifo), packet->chunks))
        part_of(e, part)->watermarks.injection++;
    torus_inject(part, local, fifo, packet, cargo, ready);
}

/* An unbounded FIFO gets its next packet when it has sent the one before. */
static bool has_room(const struct fifos *e, const struct network_part *part, uint32_t local,
                     unsigned fifo, unsigned chunks)
{
    uint32_t capacity = e->router.injection_fifo_bytes / TORUS_CHUNK_BYTES;
    uint32_t taken = torus_fifo_chunks(part, local, fifo);
    return capacity ? taken + chunks <= capacity : taken == 0;
}

/* ---- the core ---- */

/* The core reads a packet that is there in cycle `when`; returns when it has read it. */
static cycle_t core_reads(struct fifos *e, struct fifo_core *core,
                          const struct torus_packet *packet, cycle_t when)
{
    uint64_t time = e->read_time[packet->chunks], start = when << FRACTION_BITS;
    if (!time)
        return when;
    core->reading = (core->reading > start ? core->reading : start) + time;
    core->writing += time;
    return fine_cycle_after(core->reading);
}

/* Writes one packet as soon as the core has time; returns when it is in its FIFO. */
static fine_t core_writes(const struct fifos *e, struct fifo_core *core, unsigned chunks,
                          fine_t when)
{
    uint64_t time = e->write_time[chunks];
    if (!time)
        return when;
    return core->writing = fine_max(core->writing, when) + time;
}

/* ---- answers and sends ---- */

static struct fifo_wait *wait_at(const struct fifo_part *s, uint32_t index)
{
    return (struct fifo_wait *)s->waits.item + index;
}

static struct fifo_post *post_at(const struct fifo_part *s, uint32_t index)
{
    return (struct fifo_post *)s->base.items.item + index;
}

static unsigned answer_fifo(const struct step *step, uint32_t count)
{
    if (step->flags & STEP_HIGH)
        return TORUS_NORMAL_FIFOS + count % TORUS_HIGH_FIFOS;
    /* A packet with a chosen direction uses the FIFO of that direction. */
    if (step->way.chosen)
        return step->way.port;
    return count % TORUS_NORMAL_FIFOS;
}

/* Payload of a packet of a message: all are full but the last. */
static uint64_t payload_of(const struct fifos *e, uint64_t bytes, uint32_t packets, uint32_t index)
{
    uint64_t full = e->nic.traits.packet_payload, left = bytes - index * full;
    return packets == 1 ? bytes : left < full ? left : full;
}

/* How long after a message's first packet the core has written another one. */
static fine_t write_after(const struct fifos *e, uint64_t bytes, uint32_t packets, uint32_t index)
{
    if (!index)
        return 0;
    unsigned last = chunks_of(e, payload_of(e, bytes, packets, index));
    return (index - 1) * e->write_time[TORUS_MAX_CHUNKS] + e->write_time[last];
}

/* When the next of the waiting packets is in its FIFO. */
static cycle_t wait_until(const struct fifos *e, const struct fifo_wait *w)
{
    return fine_cycle_after(w->first + write_after(e, w->step.bytes, w->packets, w->index));
}

static void enqueue(struct fifos *e, struct fifo_part *s, uint32_t local, unsigned fifo,
                    const struct fifo_wait *wait)
{
    uint32_t index = slots_get(&s->waits);
    size_t list = (size_t)local * TORUS_FIFOS + fifo;
    *wait_at(s, index) = *wait;
    slots_append(&s->waits, &s->waiting[list], index);
    torus_wake(s->base.network, local, fifo, wait_until(e, wait));
}

static void reply(struct replies *base, const struct step *step, cycle_t when)
{
    struct fifo_replies *r = (struct fifo_replies *)base;
    struct fifo_part *s = nic_part(&r->all->nic, r->part->index);
    unsigned fifo = answer_fifo(step, s->answers_queued[r->local]++);
    fine_t written = core_writes(r->all, &s->core[r->local * 2 + r->core],
                                 chunks_of(r->all, step->bytes), fine_at(when));
    struct fifo_wait wait = {
        .step = *step, .first = written, .stride = 1, .packets = 1, .post = SLOT_NONE};
    enqueue(r->all, s, r->local, fifo, &wait);
}

/* The processor cuts a message into packets and deals them out to its FIFOs. */
static fine_t post(struct nic *nic, const struct nic_node *at, const struct nic_send *send)
{
    struct fifos *e = (struct fifos *)nic;
    struct fifo_part *s = nic_part(nic, at->partition);
    struct fifo_core *core = &s->core[at->local * 2];
    uint64_t full = nic->traits.packet_payload;
    uint32_t packets = (uint32_t)(send->bytes ? (send->bytes + full - 1) / full : 1);
    uint32_t fifos = packets < TORUS_NORMAL_FIFOS ? packets : TORUS_NORMAL_FIFOS;
    uint32_t number = slots_get(&s->base.items), queued = s->answers_queued[at->local];
    cycle_t next = nic_now(nic, at->partition) + 1;
    unsigned chunks = chunks_of(e, payload_of(e, send->bytes, packets, 0));
    fine_t written = core_writes(e, core, chunks, fine_max(send->ready, fine_at(next)));
    fine_t rest = write_after(e, send->bytes, packets, packets - 1);
    core->writing += rest;
    s->answers_queued[at->local] += packets;
    *post_at(s, number) = (struct fifo_post){.base.send = *send, .waits = fifos};
    struct fifo_wait wait = {.step = {.to = send->to,
                                      .bytes = send->bytes,
                                      .flags = send->flags & NIC_ADAPTIVE ? STEP_ADAPTIVE : 0,
                                      .message = queued + 1},
                             .first = written,
                             .stride = TORUS_NORMAL_FIFOS,
                             .packets = packets,
                             .post = number};
    for (wait.index = 0; wait.index < fifos; wait.index++)
        enqueue(e, s, at->local, answer_fifo(&wait.step, queued + wait.index), &wait);
    return written + rest;
}

/* Moves packets that are due into their FIFO; true if some still wait for this FIFO. */
static bool inject_waiting(struct fifos *e, struct network_part *part, uint32_t local,
                           uint32_t node, unsigned fifo, cycle_t now)
{
    struct nic_node at = {part->index, local, node};
    struct fifo_part *s = nic_part(&e->nic, at.partition);
    struct slots_list *waiting = &s->waiting[(size_t)local * TORUS_FIFOS + fifo];
    while (waiting->first != SLOT_NONE) {
        uint32_t index = waiting->first, post = wait_at(s, index)->post;
        struct fifo_wait *w = wait_at(s, index);
        cycle_t birth = wait_until(e, w);
        uint64_t bytes = payload_of(e, w->step.bytes, w->packets, w->index);
        if (birth > now || !has_room(e, part, local, fifo, chunks_of(e, bytes)))
            return true;
        struct torus_packet packet =
            make_packet(e, node, &w->step, bytes, ANSWER_SEQUENCE(s->answers_sent[local]++), birth);
        inject(e, part, local, fifo, &packet,
               post == SLOT_NONE ? 0 : post_at(s, post)->base.send.cargo,
               now + e->router.arbitration_cycles);
        w->index += w->stride;
        if (w->index < w->packets) {
            if (wait_until(e, w) > now)
                torus_wake(part, local, fifo, wait_until(e, w));
            continue;
        }
        slots_put(&s->waits, slots_take(&s->waits, waiting));
        if (post != SLOT_NONE && !--post_at(s, post)->waits) /* all FIFOs have taken the send */
            nic_finish(&e->nic, &at, post, fine_at(now));
    }
    return false;
}

/* ---- the program's sequence ---- */

/* The FIFO for a packet of a stream: its own, unless the program gave the packet high priority. */
static unsigned stream_fifo(unsigned stream, bool open, uint32_t sequence, struct step *step)
{
    if (open && stream >= TORUS_NORMAL_FIFOS)
        step->flags = (uint8_t)((step->flags | STEP_HIGH) & ~STEP_ADAPTIVE);
    else if (step->flags & STEP_HIGH)
        return TORUS_NORMAL_FIFOS + sequence % TORUS_HIGH_FIFOS;
    return stream;
}

/* The packet with this number. *skip: its destination, or the link that it must take, is dead. */
static bool next_packet(const struct fifos *e, uint32_t node, uint32_t sequence, struct step *step,
                        bool *skip)
{
    const struct program *p = &e->program;
    if (!p->step(p->ctx, node, sequence, step))
        return false;
    if (faults_any(&e->faults) && step->to != NOBODY)
        *skip = step->way.chosen ? faults_ports(&e->faults, node) >> step->way.port & 1
                                 : faults_is_dead(&e->faults, step->to);
    return true;
}

/* Whether an open-loop packet has high priority, unless the FIFOs' streams have their own rates. */
static bool is_high(const struct fifos *e, uint32_t node, uint32_t sequence)
{
    uint64_t draw = random_draw(random_key(e->seed, drawn_node(e, node), RANDOM_CLASS), sequence);
    return (double)(draw & 0xffffff) < e->program.high_share * (1 << 24);
}

/* Draws births of a node's bursts until one is of this FIFO, or too late. */
static void seek_own(const struct fifos *e, uint32_t node, unsigned stream,
                     const struct arrival_process *arrivals, struct cursor *c)
{
    while (c->birth >> FRACTION_BITS < e->program.stop_at) {
        struct step step = {.flags = is_high(e, node, c->sequence) ? STEP_HIGH : 0};
        if (answer_fifo(&step, c->sequence) == stream)
            return;
        c->sequence++;
        c->birth += next_gap(e, node, arrivals, c);
    }
}

/*
 * The first packet of a stream, or its next one. A stream's packets have every eighth number, of a
 * closed program every sixth. Packets of a node's bursts go to all FIFOs in turn.
 */
static void next_of_stream(const struct fifos *e, uint32_t node, unsigned stream, bool first,
                           struct cursor *c)
{
    struct arrival_process arrivals = stream_arrivals(e, node, stream);
    bool open = e->program.mean_gap_cycles > 0, bursts = arrivals.burst != BURST_NONE;
    if (first)
        c->sequence = e->in_order || bursts ? 0 : stream;
    else
        c->sequence += bursts ? 1 : open ? TORUS_FIFOS : TORUS_NORMAL_FIFOS;
    c->birth += next_gap(e, node, &arrivals, c);
    if (bursts && !e->in_order)
        seek_own(e, node, stream, &arrivals, c);
}

/* Unbounded: a FIFO that ran empty takes the next packet of its own stream. */
static void refill_stream(struct fifos *e, struct network_part *part, uint32_t local, uint32_t node,
                          unsigned stream, cycle_t now)
{
    const struct program *p = &e->program;
    struct fifo_part *s = part_of(e, part);
    struct cursor *c = &s->cursor[(size_t)local * TORUS_FIFOS + stream];
    bool open = p->mean_gap_cycles > 0;
    while (!c->done && torus_fifo_chunks(part, local, stream) == 0) {
        cycle_t birth = c->birth >> FRACTION_BITS;
        struct step step = {.to = NOBODY};
        bool skip = false;
        if (open && birth > now && birth < p->stop_at) {
            torus_wake(part, local, stream, birth);
            return;
        }
        if (birth >= p->stop_at || !next_packet(e, node, c->sequence, &step, &skip)) {
            c->done = 1;
            return;
        }
        unsigned fifo = stream_fifo(stream, open, c->sequence, &step);
        if (!skip && torus_fifo_chunks(part, local, fifo) > 0)
            return; /* refill() is called again when that FIFO has sent */
        if (!skip) {
            struct torus_packet packet =
                make_packet(e, node, &step, step.bytes, c->sequence, birth);
            inject(e, part, local, fifo, &packet, 0, now + e->router.arbitration_cycles);
        }
        next_of_stream(e, node, stream, false, c);
    }
}

/* The FIFO of a packet's first direction, or the next one in turn, that has room; TORUS_FIFOS if
 * none has. */
static unsigned find_fifo(const struct fifos *e, const struct network_part *part, uint32_t local,
                          const struct torus_packet *packet, uint32_t turn)
{
    bool high = packet->flags & TORUS_HIGH;
    bool by_direction = !high && e->params.choice == FIFO_BY_DIRECTION;
    unsigned first = high ? TORUS_NORMAL_FIFOS : 0;
    unsigned count = high ? TORUS_HIGH_FIFOS : TORUS_NORMAL_FIFOS;
    if (by_direction)
        turn = address_first_port(&e->addressing, packet);
    for (unsigned i = 0; i < (by_direction ? 1 : count); i++) {
        unsigned fifo = first + (turn + i) % count;
        if (has_room(e, part, local, fifo, packet->chunks))
            return fifo;
    }
    return TORUS_FIFOS;
}

/* A core writes a packet into a FIFO; false: none has room. */
static bool write_packet(struct fifos *e, struct network_part *part, uint32_t local, uint32_t node,
                         struct fifo_core *core, const struct step *step, uint32_t sequence,
                         cycle_t birth, cycle_t now)
{
    struct torus_packet packet = make_packet(e, node, step, step->bytes, sequence, birth);
    unsigned fifo = find_fifo(e, part, local, &packet, sequence);
    if (fifo == TORUS_FIFOS)
        return false;
    cycle_t there = fine_cycle_after(core_writes(e, core, packet.chunks, fine_at(now)));
    inject(e, part, local, fifo, &packet, 0, there + e->router.arbitration_cycles);
    return true;
}

/* Has the node looked at again; once, if a step says when. */
static void wake_once(struct network_part *part, uint32_t local, struct cursor *c,
                      const struct step *step, cycle_t when)
{
    if (!step->timed || c->birth != fine_at(when))
        torus_wake(part, local, 0, when);
    if (step->timed)
        c->birth = fine_at(when);
}

/* Bounded: the processor writes packets in order as long as there is room. */
static void refill_in_order(struct fifos *e, struct network_part *part, uint32_t local,
                            uint32_t node, cycle_t now)
{
    const struct program *p = &e->program;
    struct fifo_part *s = part_of(e, part);
    struct cursor *c = &s->cursor[(size_t)local * TORUS_FIFOS];
    while (!c->done) {
        cycle_t birth = c->birth >> FRACTION_BITS;
        struct step step = {.to = NOBODY, .now = now};
        bool skip = false, late = birth >= p->stop_at && !p->timed;
        if (late || !next_packet(e, node, c->sequence, &step, &skip) ||
            (birth >= p->stop_at && !step.timed)) {
            c->done = 1;
            return;
        }
        birth = step.timed ? step.birth : birth;
        struct fifo_core *core = &s->core[local * 2 + (step.flags & STEP_SECOND ? 1 : 0)];
        cycle_t free = fine_cycle_after(core->writing);
        if (birth > now || free > now) {
            wake_once(part, local, c, &step, birth > free ? birth : free);
            return;
        }
        if (p->mean_gap_cycles > 0 && is_high(e, node, c->sequence))
            step.flags = (uint8_t)((step.flags | STEP_HIGH) & ~STEP_ADAPTIVE);
        if (!skip && !write_packet(e, part, local, node, core, &step, c->sequence, birth, now))
            return;
        c->sequence++;
        struct arrival_process arrivals = stream_arrivals(e, node, 0);
        c->birth += step.timed ? 0 : next_gap(e, node, &arrivals, c);
    }
}

static void refill(void *ctx, struct network_part *part, uint32_t local, uint32_t node,
                   unsigned fifos, cycle_t now)
{
    struct fifos *e = ctx;
    bool serves = !e->program.step;
    if (serves) {
        struct nic_node at = {part->index, local, node};
        e->nic.client.woken(e->nic.client.ctx, &at, now);
    }
    for (; fifos; fifos &= fifos - 1) {
        unsigned fifo = (unsigned)__builtin_ctz(fifos);
        bool waiting =
            (serves || e->program.received) && inject_waiting(e, part, local, node, fifo, now);
        if (serves || waiting)
            continue;
        if (e->in_order) {
            refill_in_order(e, part, local, node, now);
            continue;
        }
        refill_stream(e, part, local, node, fifo, now);
        /* Streams of a program may have waited for a high priority FIFO. */
        if (fifo >= TORUS_NORMAL_FIFOS && e->program.mean_gap_cycles == 0)
            for (unsigned stream = 0; stream < TORUS_NORMAL_FIFOS; stream++)
                refill_stream(e, part, local, node, stream, now);
    }
}

/* ---- reception ---- */

/* Packets of an open loop, and those that have times, are there when they are born: they cost no
 * core's time. */
static bool is_generated(const struct fifos *e)
{
    return e->program.mean_gap_cycles > 0 || e->program.timed;
}

/* Whether a core takes no time to read, so that a FIFO holds what its bus is bringing and no more.
 * (The high priority FIFO has several buses.) */
static bool reads_at_once(const struct fifos *e)
{
    return is_generated(e) && e->program.high_share == 0 && !e->params.consumer_mb_per_s &&
           !e->params.reception_watermark_bytes;
}

static void deliver(void *ctx, struct network_part *part, uint32_t local, uint32_t node,
                    const struct torus_packet *packet, uint64_t cargo, unsigned fifo, cycle_t when)
{
    struct fifos *e = ctx;
    struct nic_node at = {part->index, local, node};
    struct fifo_part *s = nic_part(&e->nic, at.partition);
    uint32_t bytes = torus_packet_bytes(packet) - e->software_header_bytes - packet->padding;
    unsigned core = packet->flags & TORUS_GROUP1 ? 1 : 0;
    when = core_reads(e, &s->core[local * 2 + core], packet, when);
    torus_extend_run(part, when);
    if (e->router.reception_fifo_bytes && !reads_at_once(e)) {
        uint32_t mark = e->params.reception_watermark_bytes / TORUS_CHUNK_BYTES;
        uint32_t before = torus_reception_chunks(part, local, fifo) - packet->chunks;
        s->watermarks.reception += watermark_is_crossed(mark, before, packet->chunks);
        torus_consume(part, local, fifo, packet->chunks, when);
    }
    if (!e->program.step) {
        struct nic_arrival arrival = {
            .source = packet->source, .sequence = packet->sequence, .bytes = bytes, .cargo = cargo};
        nic_arrived(&e->nic, &at, &arrival, fine_at(when));
    } else if (e->program.received) {
        struct fifo_replies replies = {
            .base = {reply}, .all = e, .part = part, .local = local, .core = core};
        struct receipt receipt = {.node = node,
                                  .source = packet->source,
                                  .sequence = packet->sequence,
                                  .bytes = bytes,
                                  .tag = packet->tag};
        e->program.received(e->program.ctx, &replies.base, &receipt, when);
    }
}

/* ---- the nic ---- */

static void wake(struct nic *nic, const struct nic_node *at, cycle_t when)
{
    torus_wake(nic_network(nic, at->partition), at->local, 0, when);
}

/* A stream whose births were over finds its next one. */
static void go_on_with(struct fifos *e, struct fifo_part *s, size_t index, cycle_t when)
{
    struct cursor *c = &s->cursor[index];
    uint32_t local = (uint32_t)(index / TORUS_FIFOS);
    uint32_t node = bricks_node(&e->bricks, s->base.network->index, local);
    unsigned stream = index % TORUS_FIFOS;
    struct arrival_process arrivals = stream_arrivals(e, node, stream);
    if (arrivals.burst != BURST_NONE && !e->in_order)
        seek_own(e, node, stream, &arrivals, c);
    if (c->done)
        torus_wake(s->base.network, local, stream, when);
    c->done = 0;
}

static void go_on(struct nic *nic, cycle_t stop_at, cycle_t when)
{
    struct fifos *e = (struct fifos *)nic;
    cycle_t before = e->program.stop_at;
    e->program.stop_at = stop_at;
    for (uint32_t i = 0; i < nic->partitions && when; i++) {
        struct fifo_part *s = nic_part(nic, i);
        for (size_t k = 0; k < (size_t)s->base.nodes * TORUS_FIFOS; k++)
            if (s->cursor[k].birth >> FRACTION_BITS >= before)
                go_on_with(e, s, k, when);
    }
}

/* ---- whether a state can be one ---- */

static bool is_step(const struct fifos *e, uint32_t node, const struct step *step)
{
    const struct torus *t = e->torus;
    if (!visited_is_bool(&step->way.chosen) || step->flags >= 2 * STEP_SECOND)
        return false;
    if (!step->way.chosen)
        return step->to < t->nodes && wiring_joins(t, node, step->to);
    unsigned d = step->way.port / 2;
    uint32_t c[TORUS_MAX_DIMS];
    torus_coordinates(t, node, c);
    return d < t->dims && step->way.hops &&
           (t->wrap[d] ||
            (step->way.port % 2 ? step->way.hops <= c[d] : step->way.hops < t->size[d] - c[d]));
}

/* Packets of a message, in a FIFO's list; its send counts the FIFOs that have some. */
static bool is_wait(const struct fifos *e, const struct fifo_part *s, uint32_t node,
                    const struct fifo_wait *w, uint32_t *waits)
{
    uint64_t full = e->nic.traits.packet_payload, bytes = w->step.bytes;
    uint64_t packets = bytes ? (bytes + full - 1) / full : 1;
    if (bytes > UINT32_MAX || w->packets != packets || w->index >= packets || !w->stride ||
        w->stride > TORUS_FIFOS || !is_step(e, node, &w->step))
        return false;
    if ((w->post == SLOT_NONE) != (e->program.step != NULL))
        return false; /* a program has answers, a client has posts */
    if (w->post == SLOT_NONE)
        return packets == 1;
    if (w->post >= s->base.items.count)
        return false;
    waits[w->post]++;
    return true;
}

static bool are_waits(const struct fifos *e, const struct fifo_part *s, struct visited *visited,
                      uint32_t *waits)
{
    for (size_t list = 0; list < (size_t)s->base.nodes * TORUS_FIFOS; list++) {
        uint32_t node =
            bricks_node(&e->bricks, s->base.network->index, (uint32_t)(list / TORUS_FIFOS));
        if (!slots_list_visited(&s->waits, &s->waiting[list], visited))
            return false;
        for (uint32_t i = s->waiting[list].first; i != SLOT_NONE; i = wait_at(s, i)->next)
            if (!is_wait(e, s, node, wait_at(s, i), waits))
                return false;
    }
    return visited_is_full(visited);
}

/* Every send is waited for by as many FIFOs as it says, or it is free. */
static bool are_posts(const struct fifos *e, const struct fifo_part *s, struct visited *visited,
                      const uint32_t *waits)
{
    for (uint32_t i = 0; i < s->base.items.count; i++) {
        const struct fifo_post *post = post_at(s, i);
        if (waits[i] && (post->waits != waits[i] || post->base.send.to >= e->torus->nodes ||
                         !visited_mark(visited, i)))
            return false;
    }
    return true;
}

static bool is_valid(const struct nic *nic, const struct nic_part *part, struct visited *posts)
{
    const struct fifos *e = (const struct fifos *)nic;
    const struct fifo_part *s = (const struct fifo_part *)part;
    struct visited waiting;
    uint32_t *waits = memory_alloc(part->items.count, sizeof(*waits));
    bool valid = slots_visited(&s->waits, &waiting) && are_waits(e, s, &waiting, waits) &&
                 are_posts(e, s, posts, waits);
    visited_fini(&waiting);
    free(waits);
    return valid;
}

/* ---- life cycle ---- */

static void prepare(struct nic *nic, struct nic_part *part)
{
    const struct fifos *e = (const struct fifos *)nic;
    struct fifo_part *s = (struct fifo_part *)part;
    size_t fifos = (size_t)part->nodes * TORUS_FIFOS;
    bool bounded = e->in_order, open = e->program.mean_gap_cycles > 0;
    slots_init(&s->waits, sizeof(struct fifo_wait), offsetof(struct fifo_wait, next));
    NIC_TABLE(s, &s->cursor, fifos);
    NIC_TABLE(s, &s->waiting, fifos);
    NIC_TABLE(s, &s->answers_queued, part->nodes);
    NIC_TABLE(s, &s->answers_sent, part->nodes);
    NIC_TABLE(s, &s->core, 2 * (size_t)part->nodes);
    for (size_t i = 0; i < fifos; i++) {
        unsigned fifo = i % TORUS_FIFOS;
        uint32_t node = bricks_node(&e->bricks, part->network->index, (uint32_t)(i / TORUS_FIFOS));
        struct cursor *c = &s->cursor[i];
        s->waiting[i].first = SLOT_NONE;
        /* High priority streams have no packets, unless the load has a share of high priority. */
        c->done = !bounded && fifo >= TORUS_NORMAL_FIFOS && !(open && e->program.high_share > 0);
        c->done |= !bounded && fifo < TORUS_NORMAL_FIFOS && open && e->program.high_share >= 1;
        c->done |= faults_is_dead(&e->faults, node) || !e->program.step;
        if (!c->done)
            next_of_stream(e, node, fifo, true, c);
    }
}

/* Converts the times of a core from processor cycles to fine time. */
static void set_times(struct fifos *e, const struct core_params *cores)
{
    double link_mb_per_s = e->router.link_mb_per_s, consumer = e->params.consumer_mb_per_s;
    double link_cycles = is_generated(e) ? 0 : link_mb_per_s / cores->clock_mhz; /* of one */
    for (uint32_t chunks = 1; chunks <= TORUS_MAX_CHUNKS; chunks++) {
        uint32_t bytes = chunks * TORUS_CHUNK_BYTES;
        struct core_cost out = core_write_cost(cores, bytes, 0), in = core_read_cost(cores, bytes);
        double consumed = consumer > 0 ? bytes * link_mb_per_s / consumer : 0;
        e->write_time[chunks] = fine_length((out.software + out.access) * link_cycles);
        e->read_time[chunks] = fine_length((in.software + in.access) * link_cycles + consumed);
    }
}

static void archive(struct nic *nic, struct nic_part *part, struct archive *a)
{
    struct fifo_part *s = (struct fifo_part *)part;
    (void)nic;
    slots_archive(&s->waits, a);
    archive_bytes(a, &s->watermarks, sizeof(s->watermarks));
}

static void release_part(struct nic_part *part)
{
    slots_fini(&((struct fifo_part *)part)->waits);
}

static const struct nic_kind fifo_kind = {.post = post,
                                          .wake = wake,
                                          .go_on = go_on,
                                          .size = sizeof(struct fifos),
                                          .part_size = sizeof(struct fifo_part),
                                          .item_size = sizeof(struct fifo_post),
                                          .prepare = prepare,
                                          .archive = archive,
                                          .is_valid = is_valid,
                                          .flaw = "a list of packets that wait for a FIFO is none",
                                          .release_part = release_part};

weft_status fifos_create(const struct fifos_options *o, struct nic **nic)
{
    struct torus_derived derived;
    TRY(torus_params_derive(o->router, &derived));
    struct nic_traits traits = {.packet_payload =
                                    TORUS_MAX_CHUNKS * TORUS_CHUNK_BYTES - o->software_header_bytes,
                                .queues = 1,
                                .routes = 1,
                                .cycles_per_us = o->router->link_mb_per_s};
    struct fifos *e = nic_create(&fifo_kind, &traits, o->bricks.count);
    e->torus = o->torus;
    e->number = o->torus->wiring ? o->torus->wiring->number : NULL;
    e->router = *o->router;
    e->params = *o->params;
    e->software_header_bytes = o->software_header_bytes;
    e->program = o->program;
    e->bricks = o->bricks;
    e->in_order = o->router->injection_fifo_bytes || o->program.timed;
    e->seed = o->seed;
    if (o->faults)
        e->faults = *o->faults;
    e->addressing = addressing_make(e->torus, &e->router, &derived, &e->faults, e->params.hints);
    bool streams = !e->in_order;
    double high = o->program.high_share;
    e->share[0] = streams ? (1 - high) / TORUS_NORMAL_FIFOS : 1;
    e->share[1] = streams ? high / TORUS_HIGH_FIFOS : 1;
    set_times(e, o->cores);
    *nic = &e->nic;
    return WEFT_OK;
}

struct torus_client fifos_client(struct nic *nic)
{
    const struct fifos *e = (const struct fifos *)nic;
    bool listens = !e->program.step || e->program.received ||
                   (e->router.reception_fifo_bytes && !reads_at_once(e)) || !is_generated(e);
    return (struct torus_client){.ctx = nic,
                                 .prepare = nic_prepare,
                                 .refill = refill,
                                 .deliver = listens ? deliver : NULL,
                                 .cargoes = !e->program.step,
                                 .at_once = reads_at_once(e)};
}

struct watermark_counts fifos_watermarks(const struct nic *nic)
{
    uint64_t sum[2] = {0, 0};
    for (uint32_t i = 0; i < nic->partitions; i++) {
        const struct fifo_part *s = nic_part(nic, i);
        sum[0] += s->watermarks.injection;
        sum[1] += s->watermarks.reception;
    }
    ranks_sum(sum, 2);
    return (struct watermark_counts){sum[0], sum[1]};
}
