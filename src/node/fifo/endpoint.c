/* Injection from programs, answers, and the consumer of the reception FIFOs. */
#include "node/fifo/endpoint.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/random.h"
#include "base/slots.h"
#include "engine/fine.h"
#include "engine/ranks.h"

/* No run lasts so many cycles; twice it still fits into fine time. */
#define BIRTH_NEVER (1ll << 46)

/* Where a FIFO (or, with bounded FIFOs, the processor) stands in the program. */
struct cursor {
    uint64_t birth;    /* of the next packet */
    uint32_t sequence; /* of the next packet */
    uint32_t done;     /* the program has ended */
};

/* An answer waits until the processor has read the packet it answers. */
struct answer {
    cycle_t birth;
    uint32_t next;
    struct send send;
};

/* A core: both run on fine time. */
struct core {
    uint64_t reading; /* until then it reads */
    uint64_t writing; /* the write in hand started then, reading since not counted */
    uint32_t written; /* packets of the program in their FIFO */
};

struct part_state {
    struct cursor *cursor;                   /* [local * FIFOs + fifo] */
    uint32_t *first_answer, *last_answer;    /* [local * FIFOs + fifo] */
    uint32_t *answers_queued, *answers_sent; /* [local] */
    struct core *core;                       /* [local * 2 + group] */
    struct slots answers;                    /* struct answer */
    struct watermark_counts watermarks;
} __attribute__((aligned(64)));

struct endpoints {
    const struct torus *torus;
    struct torus_params router;
    struct torus_derived derived;
    struct torus_faults faults;
    struct fifo_params node;
    struct program program;
    struct bricks bricks;
    uint64_t seed;
    double mean_gap[2]; /* open loop: between births of a stream, of a high priority one */
    uint64_t write_time, read_time[TORUS_MAX_CHUNKS + 1]; /* of a core, fine time */
    struct part_state *part;
};

/* One node while its program is told of a packet. */
struct endpoint {
    struct endpoints *all;
    struct torus_part *part;
    uint32_t local;
};

/* Sequence numbers of answers come from the top, those of the program from 0. */
#define ANSWER_SEQUENCE(count) (UINT32_MAX - (count))

static uint64_t next_gap(const struct endpoints *e, uint32_t node, unsigned stream,
                         uint32_t sequence)
{
    if (e->program.mean_gap_cycles == 0)
        return 0;
    double mean = e->mean_gap[stream >= TORUS_NORMAL_FIFOS];
    uint64_t key = random_key(e->seed, node, RANDOM_INTERVAL);
    double gap = random_exponential(random_draw(key, sequence)) * mean;
    /* A gap beyond all time is one that never ends. */
    return gap < BIRTH_NEVER ? (uint64_t)(gap * (1 << FRACTION_BITS)) + 1
                             : (uint64_t)BIRTH_NEVER << FRACTION_BITS;
}

static void set_hints(const struct endpoints *e, uint32_t from, uint32_t to, uint64_t draw,
                      struct torus_packet *packet)
{
    if (!faults_any(&e->faults)) {
        hints_set(e->torus, e->node.hints, from, to, draw, packet);
        return;
    }
    if (!e->router.dynamic_vcs)
        packet->flags &= (uint8_t)~TORUS_DYNAMIC; /* it has its fixed path only */
    bool found =
        faults_route(&e->faults, e->torus, e->derived.escape_order, from, to, draw, packet);
    WEFT_CHECK(found, "no route from node %u to node %u", from, to);
}

static void inject(struct endpoints *e, struct torus_part *part, uint32_t local, uint32_t node,
                   unsigned fifo, const struct send *send, uint32_t sequence, cycle_t birth,
                   cycle_t ready)
{
    struct torus_packet packet = {.birth = birth,
                                  .source = node,
                                  .sequence = sequence,
                                  .chunks = send->chunks,
                                  .flags = send->flags,
                                  .padding = send->padding,
                                  .tag = send->tag};
    if (send->routed) {
        packet.hint = send->hint;
        memcpy(packet.hops, send->hops, sizeof(packet.hops));
    } else {
        uint64_t draw = send->message
                            ? send->message
                            : random_draw(random_key(e->seed, node, RANDOM_TIE), sequence);
        set_hints(e, node, send->destination, draw, &packet);
    }
    uint32_t mark = e->node.injection_watermark_bytes / TORUS_CHUNK_BYTES;
    uint32_t before = mark ? torus_fifo_chunks(part, local, fifo) : 0;
    if (mark && before < mark && before + packet.chunks >= mark)
        e->part[torus_part_index(part)].watermarks.injection++;
    torus_inject(part, local, fifo, &packet, ready);
}

/* An unbounded FIFO is given its next packet when it has sent the one before. */
static bool has_room(const struct endpoints *e, const struct torus_part *part, uint32_t local,
                     unsigned fifo, unsigned chunks)
{
    uint32_t capacity = e->router.injection_fifo_bytes / TORUS_CHUNK_BYTES;
    uint32_t taken = torus_fifo_chunks(part, local, fifo);
    return capacity ? taken + chunks <= capacity : taken == 0;
}

/* ---- the core ---- */

/*
 * Lets the core write the program's packets until `now`: as many as it had time for. Returns how
 * many are written in all. Reading pushes `writing` back by its time: the write in hand resumes.
 */
static uint32_t core_catch_up(struct endpoints *e, struct core *core, cycle_t now)
{
    uint64_t until = now << FRACTION_BITS;
    if (core->writing < until) {
        uint64_t packets = (until - core->writing) / e->write_time;
        uint64_t most = UINT32_MAX - core->written;
        packets = packets < most ? packets : most;
        core->written += (uint32_t)packets;
        core->writing += packets * e->write_time;
    }
    return core->written;
}

/* When the program's packet `sequence` is in its FIFO: now, or at the earliest then. */
static cycle_t core_written(struct endpoints *e, struct core *core, uint32_t sequence, cycle_t now)
{
    if (!e->write_time)
        return now;
    uint32_t written = core_catch_up(e, core, now);
    if (sequence < written)
        return now;
    return fine_cycle_after(core->writing + (uint64_t)(sequence - written + 1) * e->write_time);
}

/* The core reads a packet that is there in cycle `when`; returns when it has. */
static cycle_t core_read(struct endpoints *e, struct core *core, const struct torus_packet *packet,
                         cycle_t when)
{
    uint64_t time = e->read_time[packet->chunks], start = when << FRACTION_BITS;
    if (!time)
        return when;
    core->reading = (core->reading > start ? core->reading : start) + time;
    core->writing += time;
    return fine_cycle_after(core->reading);
}

/* Writes one packet as soon as the core has time; returns when it is in its FIFO. */
static cycle_t core_write(struct endpoints *e, struct core *core, cycle_t when)
{
    uint64_t start = when << FRACTION_BITS;
    if (!e->write_time)
        return when;
    core->writing = (core->writing > start ? core->writing : start) + e->write_time;
    return fine_cycle_after(core->writing);
}

/* ---- answers ---- */

static unsigned answer_fifo(const struct send *send, uint32_t count)
{
    if (send->flags & TORUS_HIGH)
        return TORUS_NORMAL_FIFOS + count % TORUS_HIGH_FIFOS;
    /* A packet with one way out has the FIFO of that direction to itself. */
    if (send->routed)
        return (unsigned)__builtin_ctz(send->hint);
    return count % TORUS_NORMAL_FIFOS;
}

void endpoint_send(struct endpoint *n, const struct send *send, cycle_t when)
{
    struct part_state *s = &n->all->part[torus_part_index(n->part)];
    uint32_t index = slots_get(&s->answers);
    struct answer *answer = s->answers.item;
    unsigned fifo = answer_fifo(send, s->answers_queued[n->local]++);
    when = core_write(n->all, &s->core[n->local * 2], when);
    size_t list = (size_t)n->local * TORUS_FIFOS + fifo;
    answer[index] = (struct answer){.birth = when, .next = SLOT_NONE, .send = *send};
    if (s->first_answer[list] == SLOT_NONE)
        s->first_answer[list] = index;
    else
        answer[s->last_answer[list]].next = index;
    s->last_answer[list] = index;
    torus_wake(n->part, n->local, fifo, when);
}

/* Moves answers whose time has come into their FIFO; true if the FIFO still has some waiting. */
static bool inject_answers(struct endpoints *e, struct torus_part *part, uint32_t local,
                           uint32_t node, unsigned fifo, cycle_t now)
{
    struct part_state *s = &e->part[torus_part_index(part)];
    uint32_t *first = &s->first_answer[(size_t)local * TORUS_FIFOS + fifo];
    while (*first != SLOT_NONE) {
        uint32_t index = *first;
        struct answer *a = (struct answer *)s->answers.item + index;
        if (a->birth > now || !has_room(e, part, local, fifo, a->send.chunks))
            return true;
        inject(e, part, local, node, fifo, &a->send, ANSWER_SEQUENCE(s->answers_sent[local]++),
               a->birth, now + e->router.arbitration_cycles);
        *first = a->next;
        slots_put(&s->answers, index);
    }
    return false;
}

/* ---- the program's sequence ---- */

/* The FIFO for a packet of a stream: high priority packets of programs leave the stream's own. */
static unsigned stream_fifo(unsigned stream, bool open, uint32_t sequence, struct send *send)
{
    if (open && stream >= TORUS_NORMAL_FIFOS)
        send->flags = (uint8_t)((send->flags | TORUS_HIGH) & ~TORUS_DYNAMIC);
    else if (send->flags & TORUS_HIGH)
        return TORUS_NORMAL_FIFOS + sequence % TORUS_HIGH_FIFOS;
    return stream;
}

/* The packet with a number. *skip: its destination, or the link that it is to take, is dead. */
static bool next_packet(const struct endpoints *e, uint32_t node, uint32_t sequence,
                        struct send *send, bool *skip)
{
    const struct program *p = &e->program;
    if (!p->packet(p->ctx, node, sequence, send))
        return false;
    if (faults_any(&e->faults))
        *skip = send->routed ? send->hint & faults_ports(&e->faults, node)
                             : faults_is_dead(&e->faults, send->destination);
    return true;
}

/* Unbounded: a FIFO that ran empty takes the next packet of its own stream. */
static void refill_stream(struct endpoints *e, struct torus_part *part, uint32_t local,
                          uint32_t node, unsigned stream, cycle_t now)
{
    const struct program *p = &e->program;
    struct part_state *s = &e->part[torus_part_index(part)];
    struct cursor *c = &s->cursor[(size_t)local * TORUS_FIFOS + stream];
    bool open = p->mean_gap_cycles > 0;
    while (!c->done && torus_fifo_chunks(part, local, stream) == 0) {
        cycle_t birth = c->birth >> FRACTION_BITS;
        struct send send = {.chunks = 0};
        bool skip = false;
        if (open && birth > now && birth < p->stop_at) {
            torus_wake(part, local, stream, birth);
            return;
        }
        if (birth >= p->stop_at || !next_packet(e, node, c->sequence, &send, &skip)) {
            c->done = 1;
            return;
        }
        cycle_t there = core_written(e, &s->core[local * 2], c->sequence, now);
        there = birth > there ? birth : there;
        if (there > now) {
            torus_wake(part, local, stream, there);
            return;
        }
        unsigned fifo = stream_fifo(stream, open, c->sequence, &send);
        if (!skip && torus_fifo_chunks(part, local, fifo) > 0)
            return; /* refill() comes back when that FIFO has sent */
        if (!skip)
            inject(e, part, local, node, fifo, &send, c->sequence, birth,
                   now + e->router.arbitration_cycles);
        c->sequence += open ? TORUS_FIFOS : TORUS_NORMAL_FIFOS;
        c->birth += next_gap(e, node, stream, c->sequence);
    }
}

/* The next FIFO in turn that has room; TORUS_FIFOS if none has. */
static unsigned find_fifo(const struct endpoints *e, const struct torus_part *part, uint32_t local,
                          const struct send *send, uint32_t turn)
{
    unsigned first = send->flags & TORUS_HIGH ? TORUS_NORMAL_FIFOS : 0;
    unsigned count = first ? TORUS_HIGH_FIFOS : TORUS_NORMAL_FIFOS;
    for (unsigned i = 0; i < count; i++) {
        unsigned fifo = first + (turn + i) % count;
        if (has_room(e, part, local, fifo, send->chunks))
            return fifo;
    }
    return TORUS_FIFOS;
}

/* Whether an open-loop packet has high priority, where FIFOs have no streams of their own. */
static bool is_high(const struct endpoints *e, uint32_t node, uint32_t sequence)
{
    uint64_t draw = random_draw(random_key(e->seed, node, RANDOM_CLASS), sequence);
    return (double)(draw & 0xffffff) < e->program.high_share * (1 << 24);
}

/* Bounded: the processor writes packets in order as long as there is room. */
static void refill_in_order(struct endpoints *e, struct torus_part *part, uint32_t local,
                            uint32_t node, cycle_t now)
{
    const struct program *p = &e->program;
    struct part_state *s = &e->part[torus_part_index(part)];
    struct cursor *c = &s->cursor[(size_t)local * TORUS_FIFOS];
    while (!c->done) {
        cycle_t birth = c->birth >> FRACTION_BITS;
        struct send send = {.chunks = 0};
        bool skip = false;
        if (birth >= p->stop_at || !next_packet(e, node, c->sequence, &send, &skip)) {
            c->done = 1;
            return;
        }
        cycle_t free = e->write_time ? fine_cycle_after(s->core[local * 2].writing) : 0;
        if (birth > now || free > now) {
            torus_wake(part, local, 0, birth > free ? birth : free);
            return;
        }
        if (p->mean_gap_cycles > 0 && is_high(e, node, c->sequence))
            send.flags = (uint8_t)((send.flags | TORUS_HIGH) & ~TORUS_DYNAMIC);
        unsigned fifo = find_fifo(e, part, local, &send, c->sequence);
        if (!skip && fifo == TORUS_FIFOS)
            return;
        if (!skip) {
            cycle_t there = core_write(e, &s->core[local * 2], now);
            inject(e, part, local, node, fifo, &send, c->sequence, birth,
                   there + e->router.arbitration_cycles);
        }
        c->sequence++;
        c->birth += next_gap(e, node, 0, c->sequence);
    }
}

static void refill(void *ctx, struct torus_part *part, uint32_t local, uint32_t node,
                   unsigned fifos, cycle_t now)
{
    struct endpoints *e = ctx;
    for (; fifos; fifos &= fifos - 1) {
        unsigned fifo = (unsigned)__builtin_ctz(fifos);
        if (e->program.received && inject_answers(e, part, local, node, fifo, now))
            continue;
        if (e->router.injection_fifo_bytes) {
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

static void count_reception_mark(struct endpoints *e, struct torus_part *part, uint32_t local,
                                 unsigned fifo, unsigned chunks)
{
    uint32_t mark = e->node.reception_watermark_bytes / TORUS_CHUNK_BYTES;
    uint32_t after = torus_reception_chunks(part, local, fifo);
    if (mark && after >= mark && after - chunks < mark)
        e->part[torus_part_index(part)].watermarks.reception++;
}

static void deliver(void *ctx, struct torus_part *part, uint32_t local, uint32_t node,
                    const struct torus_packet *packet, unsigned fifo, cycle_t when)
{
    struct endpoints *e = ctx;
    struct part_state *s = &e->part[torus_part_index(part)];
    when = core_read(e, &s->core[local * 2 + (packet->flags & TORUS_GROUP1 ? 1 : 0)], packet, when);
    if (e->router.reception_fifo_bytes) {
        count_reception_mark(e, part, local, fifo, packet->chunks);
        torus_consume(part, local, fifo, packet->chunks, when);
    }
    if (e->program.received) {
        struct endpoint endpoint = {.all = e, .part = part, .local = local};
        e->program.received(e->program.ctx, &endpoint, node, packet, when);
    }
}

/* ---- life cycle ---- */

static void prepare(void *ctx, uint32_t index)
{
    struct endpoints *e = ctx;
    struct part_state *s = &e->part[index];
    uint32_t nodes = bricks_nodes(&e->bricks, index);
    size_t fifos = (size_t)nodes * TORUS_FIFOS;
    bool bounded = e->router.injection_fifo_bytes != 0;
    bool open = e->program.mean_gap_cycles > 0;
    slots_init(&s->answers, sizeof(struct answer), offsetof(struct answer, next));
    s->cursor = weft_alloc(fifos, sizeof(*s->cursor));
    s->first_answer = weft_alloc(fifos, sizeof(*s->first_answer));
    s->last_answer = weft_alloc(fifos, sizeof(*s->last_answer));
    s->answers_queued = weft_alloc(nodes, sizeof(*s->answers_queued));
    s->answers_sent = weft_alloc(nodes, sizeof(*s->answers_sent));
    s->core = weft_alloc(2 * (size_t)nodes, sizeof(*s->core));
    for (size_t i = 0; i < fifos; i++) {
        unsigned fifo = i % TORUS_FIFOS;
        uint32_t node = bricks_node(&e->bricks, index, (uint32_t)(i / TORUS_FIFOS));
        struct cursor *c = &s->cursor[i];
        s->first_answer[i] = SLOT_NONE;
        c->sequence = bounded ? 0 : fifo;
        /* Streams that have no packets: high priority ones, unless the load has a share of them. */
        c->done = !bounded && fifo >= TORUS_NORMAL_FIFOS && !(open && e->program.high_share > 0);
        c->done |= !bounded && fifo < TORUS_NORMAL_FIFOS && open && e->program.high_share >= 1;
        c->done |= faults_is_dead(&e->faults, node);
        if (!c->done)
            c->birth = next_gap(e, node, fifo, c->sequence);
    }
}

struct torus_client endpoints_client(struct endpoints *e)
{
    bool listens =
        e->program.received || e->router.reception_fifo_bytes || e->program.mean_gap_cycles == 0;
    return (struct torus_client){
        .ctx = e, .prepare = prepare, .refill = refill, .deliver = listens ? deliver : NULL};
}

weft_status endpoints_create(const struct endpoints_options *o, struct endpoints **endpoints)
{
    struct endpoints *e = weft_alloc(1, sizeof(*e));
    *e = (struct endpoints){.torus = o->torus,
                            .router = *o->router,
                            .node = *o->node,
                            .program = o->program,
                            .bricks = o->bricks,
                            .seed = o->seed};
    if (o->faults)
        e->faults = *o->faults;
    weft_status status = torus_params_derive(o->router, &e->derived);
    if (status != WEFT_OK) {
        free(e);
        return status;
    }
    bool open = o->program.mean_gap_cycles > 0;
    bool streams = !o->router->injection_fifo_bytes;
    double high = o->program.high_share, mean = o->program.mean_gap_cycles;
    e->mean_gap[0] = streams ? mean / ((1 - high) / TORUS_NORMAL_FIFOS) : mean;
    e->mean_gap[1] = streams ? mean / (high / TORUS_HIGH_FIFOS) : mean;
    double fine = 1 << FRACTION_BITS, consumer = o->node->consumer_mb_per_s;
    e->write_time = open ? 0 : (uint64_t)(o->node->write_cycles * fine);
    for (uint32_t chunks = 1; chunks <= TORUS_MAX_CHUNKS; chunks++) {
        double cycles = open ? 0 : o->node->read_cycles;
        if (consumer > 0)
            cycles += chunks * TORUS_CHUNK_BYTES * o->router->link_mb_per_s / consumer;
        e->read_time[chunks] = (uint64_t)(cycles * fine);
    }
    e->part = weft_alloc_lines(e->bricks.count, sizeof(*e->part));
    *endpoints = e;
    return WEFT_OK;
}

void endpoints_destroy(struct endpoints *e)
{
    if (!e)
        return;
    for (uint32_t i = 0; i < e->bricks.count; i++) {
        free(e->part[i].cursor);
        free(e->part[i].first_answer);
        free(e->part[i].last_answer);
        free(e->part[i].answers_queued);
        free(e->part[i].answers_sent);
        free(e->part[i].core);
        slots_fini(&e->part[i].answers);
    }
    free(e->part);
    free(e);
}

static void part_archive(struct part_state *s, uint32_t nodes, struct archive *a)
{
    size_t fifos = (size_t)nodes * TORUS_FIFOS;
    archive_bytes(a, s->cursor, fifos * sizeof(*s->cursor));
    archive_bytes(a, s->first_answer, fifos * sizeof(*s->first_answer));
    archive_bytes(a, s->last_answer, fifos * sizeof(*s->last_answer));
    archive_bytes(a, s->answers_queued, nodes * sizeof(*s->answers_queued));
    archive_bytes(a, s->answers_sent, nodes * sizeof(*s->answers_sent));
    archive_bytes(a, s->core, 2 * (size_t)nodes * sizeof(*s->core));
    slots_archive(&s->answers, a);
    archive_bytes(a, &s->watermarks, sizeof(s->watermarks));
}

void endpoints_archive(struct endpoints *e, struct archive *a)
{
    for (uint32_t i = 0; i < e->bricks.count; i++)
        part_archive(&e->part[i], bricks_nodes(&e->bricks, i), a);
}

struct watermark_counts endpoints_watermarks(const struct endpoints *e)
{
    uint64_t sum[2] = {0, 0};
    for (uint32_t i = 0; i < e->bricks.count; i++) {
        sum[0] += e->part[i].watermarks.injection;
        sum[1] += e->part[i].watermarks.reception;
    }
    ranks_sum(sum, 2);
    return (struct watermark_counts){sum[0], sum[1]};
}
