/* Queues, streams, microcode. */
#include "node/dma/dma.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/slots.h"

/* A send in a queue or in the ring of streams. */
struct entry {
    struct dma_send send;
    uint32_t next;
};

struct list {
    uint32_t first, last;
};

struct engine_state {
    fine_t microcode, out, in; /* busy until */
    cycle_t port;              /* into the switch: a word a cycle */
    cycle_t woken;             /* a wake is pending for then; 0: none */
    uint32_t sequence;         /* of packets sent */
    uint32_t staged;           /* an event that microcode has in hand, or done with; SLOT_NONE */
    fine_t staged_at;          /* when it is done with it */
    struct list queue[DMA_QUEUES_MAX];
    struct list streams;
    uint8_t turn; /* the queue that is served next */
};

struct part_state {
    struct crosspoint_part *part;
    struct engine_state *engine; /* [local] */
    struct slots entries;        /* struct entry */
    uint32_t nodes;
} __attribute__((aligned(64)));

struct dmas {
    struct dma_params params;
    uint32_t partitions;
    fine_t event_time, byte_time_24; /* of microcode; of a byte, with 24 more bits */
    struct dma_client client;
    struct part_state *state;
};

uint32_t dma_words(const struct dma_params *p, uint32_t bytes)
{
    uint32_t words = CROSSPOINT_ENDS_WORDS + p->overhead_words +
                     (bytes + CROSSPOINT_WORD_BYTES - 1) / CROSSPOINT_WORD_BYTES;
    return words < CROSSPOINT_MIN_WORDS ? CROSSPOINT_MIN_WORDS : words;
}

static fine_t move_time(const struct dmas *d, uint32_t bytes)
{
    return bytes * d->byte_time_24 >> 24;
}

/* ---- lists ---- */

static struct entry *entry_at(const struct part_state *s, uint32_t index)
{
    return (struct entry *)s->entries.item + index;
}

static void append(struct part_state *s, struct list *l, uint32_t index)
{
    entry_at(s, index)->next = SLOT_NONE;
    if (l->first == SLOT_NONE)
        l->first = index;
    else
        entry_at(s, l->last)->next = index;
    l->last = index;
}

static uint32_t take_first(struct part_state *s, struct list *l)
{
    uint32_t index = l->first;
    l->first = entry_at(s, index)->next;
    return index;
}

/* ---- sending ---- */

static void wake(struct part_state *s, uint32_t local, cycle_t when, cycle_t now)
{
    struct engine_state *e = &s->engine[local];
    if (e->woken > now && e->woken <= when)
        return;
    e->woken = when;
    crosspoint_wake(s->part, local, when);
}

void dma_post(struct dmas *d, uint32_t partition, uint32_t local, unsigned queue,
              const struct dma_send *send)
{
    struct part_state *s = &d->state[partition];
    struct engine_state *e = &s->engine[local];
    bool event = send->kind == DMA_EVENT;
    cycle_t now = crosspoint_now(s->part), when = fine_cycle_after(send->ready);
    uint32_t index = slots_get(&s->entries);
    entry_at(s, index)->send = *send;
    append(s, event ? &e->queue[queue] : &e->streams, index);
    if (when > now || event)
        wake(s, local, when > now ? when : now + 1, now);
}

/* The next packet of a send goes into the switch; false: there is no entry free. */
static bool inject(struct dmas *d, struct part_state *s, uint32_t local, uint32_t node,
                   struct dma_send *send, uint32_t *bytes)
{
    struct engine_state *e = &s->engine[local];
    *bytes = send->bytes < d->params.packet_bytes ? (uint32_t)send->bytes : d->params.packet_bytes;
    struct crosspoint_packet packet = {.birth = send->birth,
                                       .source = node,
                                       .sequence = e->sequence,
                                       .destination = send->destination,
                                       .route = send->route.string,
                                       .vc = send->route.vc,
                                       .words = (uint8_t)dma_words(&d->params, *bytes),
                                       .bytes = (uint16_t)*bytes,
                                       .argument = send->argument,
                                       .kind = send->kind,
                                       .from = send->from,
                                       .to = send->to,
                                       .code = send->code,
                                       .flags = *bytes == send->bytes ? CROSSPOINT_LAST : 0};
    if (!crosspoint_inject(s->part, local, &packet))
        return false;
    e->port = crosspoint_now(s->part) + packet.words;
    e->sequence++;
    send->bytes -= *bytes;
    send->ready += send->gap;
    return true;
}

/* Microcode takes the next event that is ready, of the queues in turn. */
static bool stage_event(struct dmas *d, struct part_state *s, struct engine_state *e, fine_t now,
                        fine_t *next)
{
    for (unsigned i = 0; i < d->params.queues; i++) {
        unsigned q = (e->turn + i) % d->params.queues;
        uint32_t index = e->queue[q].first;
        if (index == SLOT_NONE)
            continue;
        fine_t start = fine_max(entry_at(s, index)->send.ready, e->microcode);
        if (start > now) {
            *next = start < *next ? start : *next;
            continue;
        }
        e->staged = index;
        e->staged_at = e->microcode = now + d->event_time;
        e->turn = (uint8_t)((q + 1) % d->params.queues);
        return true;
    }
    return false;
}

/* The queue that the staged event came from gives it up with its last packet. */
static void finish_staged(struct dmas *d, uint32_t partition, uint32_t local, uint32_t node,
                          cycle_t now)
{
    struct part_state *s = &d->state[partition];
    struct engine_state *e = &s->engine[local];
    uint32_t index = e->staged;
    unsigned q = 0;
    e->staged = SLOT_NONE;
    if (entry_at(s, index)->send.bytes)
        return;
    while (e->queue[q].first != index)
        q++;
    take_first(s, &e->queue[q]);
    struct dma_send done = entry_at(s, index)->send;
    slots_put(&s->entries, index);
    d->client.sent(d->client.ctx, partition, local, node, &done, fine_at(now));
}

static void serve_events(struct dmas *d, uint32_t partition, uint32_t local, uint32_t node,
                         cycle_t now, fine_t *next)
{
    struct part_state *s = &d->state[partition];
    struct engine_state *e = &s->engine[local];
    uint32_t bytes;
    for (;;) {
        if (e->staged == SLOT_NONE && !stage_event(d, s, e, fine_at(now), next))
            return;
        fine_t start = fine_max(e->staged_at, fine_at(e->port));
        if (start > fine_at(now)) {
            *next = start < *next ? start : *next;
            return;
        }
        if (!inject(d, s, local, node, &entry_at(s, e->staged)->send, &bytes))
            return; /* the switch wakes the node when there is room */
        finish_staged(d, partition, local, node, now);
    }
}

/* Streams in turn, as long as the engine keeps up and one of them finds room. */
static void serve_streams(struct dmas *d, uint32_t partition, uint32_t local, uint32_t node,
                          cycle_t now, fine_t *next)
{
    struct part_state *s = &d->state[partition];
    struct engine_state *e = &s->engine[local];
    uint32_t tried = SLOT_NONE, bytes;
    while (e->streams.first != SLOT_NONE && e->streams.first != tried) {
        uint32_t index = e->streams.first;
        fine_t free = fine_max(e->out, fine_at(e->port)), ready = entry_at(s, index)->send.ready;
        bool later = ready > fine_at(now);
        fine_t start = free > fine_at(now) ? free : ready;
        if (start > fine_at(now))
            *next = start < *next ? start : *next;
        if (free > fine_at(now))
            return;
        take_first(s, &e->streams);
        if (later || !inject(d, s, local, node, &entry_at(s, index)->send, &bytes)) {
            append(s, &e->streams, index);
            tried = tried == SLOT_NONE ? index : tried;
            continue;
        }
        tried = SLOT_NONE;
        e->out = fine_max(e->out, fine_at(now) - (1 << FRACTION_BITS)) + move_time(d, bytes);
        if (entry_at(s, index)->send.bytes) {
            append(s, &e->streams, index);
            continue;
        }
        struct dma_send done = entry_at(s, index)->send;
        slots_put(&s->entries, index);
        d->client.sent(d->client.ctx, partition, local, node, &done, e->out);
    }
}

static void serve(void *ctx, struct crosspoint_part *part, uint32_t local, uint32_t node,
                  cycle_t now)
{
    struct dmas *d = ctx;
    uint32_t partition = crosspoint_part_index(part);
    struct part_state *s = &d->state[partition];
    fine_t next = UINT64_MAX;
    if (s->engine[local].woken <= now)
        s->engine[local].woken = 0;
    d->client.serve(d->client.ctx, partition, local, node, now);
    serve_events(d, partition, local, node, now, &next);
    serve_streams(d, partition, local, node, now, &next);
    if (next != UINT64_MAX)
        wake(s, local, fine_cycle_after(next), now);
}

/* ---- receiving ---- */

static cycle_t deliver(void *ctx, struct crosspoint_part *part, uint32_t local, uint32_t node,
                       const struct crosspoint_packet *packet, cycle_t when)
{
    struct dmas *d = ctx;
    uint32_t partition = crosspoint_part_index(part);
    struct engine_state *e = &d->state[partition].engine[local];
    fine_t start;
    if (packet->kind == DMA_EVENT) {
        start = fine_max(fine_at(when), e->microcode);
        e->microcode = start + d->event_time;
        d->client.arrived(d->client.ctx, partition, local, node, packet, e->microcode);
    } else {
        start = fine_max(fine_at(when), e->in);
        e->in = start + move_time(d, packet->bytes);
        d->client.arrived(d->client.ctx, partition, local, node, packet, e->in);
    }
    /* One packet waits beside the one in hand. */
    cycle_t words = packet->words + 1, next = fine_cycle_after(start);
    return next > words ? next - words : 0;
}

/* ---- life cycle ---- */

static void prepare(void *ctx, struct crosspoint_part *part, uint32_t partition, uint32_t nodes)
{
    struct dmas *d = ctx;
    struct part_state *s = &d->state[partition];
    s->part = part;
    s->nodes = nodes;
    slots_init(&s->entries, sizeof(struct entry), offsetof(struct entry, next));
    s->engine = weft_alloc(nodes, sizeof(*s->engine));
    for (uint32_t local = 0; local < nodes; local++) {
        struct engine_state *e = &s->engine[local];
        e->staged = SLOT_NONE;
        e->streams.first = SLOT_NONE;
        for (unsigned q = 0; q < DMA_QUEUES_MAX; q++)
            e->queue[q].first = SLOT_NONE;
    }
    d->client.prepare(d->client.ctx, part, partition, nodes);
}

struct dmas *dmas_create(const struct dma_options *o)
{
    struct dmas *d = weft_alloc(1, sizeof(*d));
    double cycles_per_us = o->switch_params->link_mb_per_s / CROSSPOINT_WORD_BYTES;
    double byte_cycles = cycles_per_us / o->params->mb_per_s;
    d->params = *o->params;
    d->partitions = o->partitions;
    d->client = o->client;
    d->event_time = fine_length(o->params->event_ns * 1e-3 * cycles_per_us);
    d->byte_time_24 = (fine_t)(byte_cycles * (double)(1ull << (FRACTION_BITS + 24)) + 0.5);
    d->state = weft_alloc_lines(o->partitions, sizeof(*d->state));
    return d;
}

void dmas_destroy(struct dmas *d)
{
    for (uint32_t i = 0; d && i < d->partitions; i++) {
        free(d->state[i].engine);
        slots_fini(&d->state[i].entries);
    }
    if (d)
        free(d->state);
    free(d);
}

struct crosspoint_client dmas_client(struct dmas *d)
{
    return (struct crosspoint_client){
        .ctx = d, .prepare = prepare, .serve = serve, .deliver = deliver};
}

void dmas_archive(struct dmas *d, struct archive *a)
{
    for (uint32_t i = 0; i < d->partitions; i++) {
        struct part_state *s = &d->state[i];
        archive_bytes(a, s->engine, s->nodes * sizeof(*s->engine));
        slots_archive(&s->entries, a);
    }
}

fine_t dma_event(struct dmas *d, uint32_t partition, uint32_t local, fine_t when)
{
    struct engine_state *e = &d->state[partition].engine[local];
    return e->microcode = fine_max(when, e->microcode) + d->event_time;
}

struct crosspoint_part *dma_part(const struct dmas *d, uint32_t partition)
{
    return d->state[partition].part;
}
