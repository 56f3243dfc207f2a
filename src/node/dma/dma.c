/* Queues, streams, microcode. */
#include "node/dma/dma.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/slots.h"
#include "node/wakes.h"

/* A send in a queue or in the ring of streams. */
struct dma_entry {
    struct nic_send send; /* as it was posted */
    uint64_t route;
    uint64_t left; /* bytes still to send */
    fine_t ready;  /* of its next packet */
    uint32_t next;
};

struct dma_engine {
    fine_t microcode, out, in; /* busy until */
    cycle_t port;              /* into the switch, busy until: one word per cycle */
    struct wakes wakes;
    uint32_t sequence;                /* packets sent so far */
    uint32_t received;                /* and received */
    fine_t started[DMA_RECEIVE_MOST]; /* when the last of these began to be handled, a ring */
    uint32_t staged;  /* the event that microcode handles or has handled; SLOT_NONE */
    fine_t staged_at; /* when microcode is done with it */
    struct slots_list queue[DMA_QUEUES_MAX];
    struct slots_list streams;
    uint8_t turn; /* the queue to be served next */
};

struct dma_part {
    struct network_part *part;
    struct dma_engine *engine; /* [local] */
    struct slots entries;      /* struct dma_entry */
    uint32_t nodes;
} __attribute__((aligned(64)));

struct dmas {
    struct nic nic;
    struct dma_params params;
    const struct face *face;
    fine_t event_time, byte_time_24; /* of microcode; of a byte, with 24 more bits */
    struct dma_part *part;
};

static fine_t move_time(const struct dmas *d, uint32_t bytes)
{
    return bytes * d->byte_time_24 >> 24;
}

/* ---- lists ---- */

static struct dma_entry *entry_at(const struct dma_part *s, uint32_t index)
{
    return (struct dma_entry *)s->entries.item + index;
}

/* ---- sending ---- */

static void wake_at(struct dma_part *s, uint32_t local, cycle_t when, bool itself)
{
    if (wakes_add(&s->engine[local].wakes, part_now(s->part), when, itself))
        part_wake(s->part, local, when);
}

static void wake(struct nic *nic, const struct nic_node *at, cycle_t when)
{
    struct dmas *d = (struct dmas *)nic;
    wake_at(&d->part[at->partition], at->local, when, false);
}

static uint32_t routes(struct nic *nic, uint32_t from, uint32_t to, uint32_t most,
                       struct nic_route *route)
{
    struct dmas *d = (struct dmas *)nic;
    uint64_t found[DMA_ROUTES_MOST];
    uint32_t count = face_routes(d->face, from, to, most, found);
    for (uint32_t i = 0; i < count; i++)
        route[i].handle = found[i];
    return count;
}

static fine_t post(struct nic *nic, const struct nic_node *at, const struct nic_send *send)
{
    struct dmas *d = (struct dmas *)nic;
    struct dma_part *s = &d->part[at->partition];
    struct dma_engine *e = &s->engine[at->local];
    bool event = !(send->flags & NIC_STREAM);
    cycle_t now = part_now(s->part), when = fine_cycle_after(send->ready);
    uint32_t index = slots_get(&s->entries);
    uint64_t route = send->route.handle;
    *entry_at(s, index) =
        (struct dma_entry){.send = *send,
                           .route = route ? route : face_route(d->face, at->node, send->to),
                           .left = send->bytes,
                           .ready = send->ready};
    slots_append(&s->entries, event ? &e->queue[send->queue] : &e->streams, index);
    if (when > now || event)
        wake_at(s, at->local, when > now ? when : now + 1, true);
    return fine_at(now);
}

/* Puts the next packet of a send into the switch; false: no entry is free. */
static bool inject(struct dmas *d, struct dma_part *s, const struct nic_node *at,
                   struct dma_entry *entry, uint32_t *bytes)
{
    struct dma_engine *e = &s->engine[at->local];
    *bytes = entry->left < d->params.packet_bytes ? (uint32_t)entry->left : d->params.packet_bytes;
    bool stream = entry->send.flags & NIC_STREAM, last = *bytes == entry->left;
    struct face_packet packet = {
        .birth = entry->send.birth,
        .cargo = entry->send.cargo,
        .route = entry->route,
        .source = at->node,
        .sequence = e->sequence,
        .destination = entry->send.to,
        .bytes = *bytes,
        .flags = (uint8_t)((stream ? FACE_STREAM | FACE_ADAPTIVE : 0) | (last ? FACE_LAST : 0))};
    if (!face_inject(d->face, s->part, at->local, &packet, &e->port))
        return false;
    e->sequence++;
    entry->left -= *bytes;
    entry->ready += entry->send.gap;
    return true;
}

/* Microcode takes the next event that is ready, from the queues in turn. */
static bool stage_event(struct dmas *d, struct dma_part *s, struct dma_engine *e, fine_t now,
                        fine_t *next)
{
    for (unsigned i = 0; i < d->params.queues; i++) {
        unsigned q = (e->turn + i) % d->params.queues;
        uint32_t index = e->queue[q].first;
        if (index == SLOT_NONE)
            continue;
        fine_t start = fine_max(entry_at(s, index)->ready, e->microcode);
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

/* Tells the client that a send has left. */
static void tell_sent(struct dmas *d, struct dma_part *s, const struct nic_node *at, uint32_t index,
                      fine_t when)
{
    struct nic_send done = entry_at(s, index)->send;
    slots_put(&s->entries, index);
    d->nic.client.sent(d->nic.client.ctx, at, &done, when);
}

/* Ends the staged event; after its last packet the send leaves its queue. */
static void finish_staged(struct dmas *d, struct dma_part *s, const struct nic_node *at,
                          cycle_t now)
{
    struct dma_engine *e = &s->engine[at->local];
    uint32_t index = e->staged;
    unsigned q = 0;
    e->staged = SLOT_NONE;
    if (entry_at(s, index)->left)
        return;
    while (e->queue[q].first != index)
        q++;
    slots_take(&s->entries, &e->queue[q]);
    tell_sent(d, s, at, index, fine_at(now));
}

static void serve_events(struct dmas *d, struct dma_part *s, const struct nic_node *at, cycle_t now,
                         fine_t *next)
{
    struct dma_engine *e = &s->engine[at->local];
    uint32_t bytes;
    for (;;) {
        if (e->staged == SLOT_NONE && !stage_event(d, s, e, fine_at(now), next))
            return;
        fine_t start = fine_max(e->staged_at, fine_at(e->port));
        if (start > fine_at(now)) {
            *next = start < *next ? start : *next;
            return;
        }
        if (!inject(d, s, at, entry_at(s, e->staged), &bytes))
            return; /* the switch wakes the node when there is room */
        finish_staged(d, s, at, now);
    }
}

/* Serves streams in turn, as long as the engine keeps up and one of them finds room. */
static void serve_streams(struct dmas *d, struct dma_part *s, const struct nic_node *at,
                          cycle_t now, fine_t *next)
{
    struct dma_engine *e = &s->engine[at->local];
    uint32_t tried = SLOT_NONE, bytes;
    while (e->streams.first != SLOT_NONE && e->streams.first != tried) {
        uint32_t index = e->streams.first;
        fine_t free = fine_max(e->out, fine_at(e->port)), ready = entry_at(s, index)->ready;
        bool later = ready > fine_at(now);
        fine_t start = free > fine_at(now) ? free : ready;
        if (start > fine_at(now))
            *next = start < *next ? start : *next;
        if (free > fine_at(now))
            return;
        slots_take(&s->entries, &e->streams);
        if (later || !inject(d, s, at, entry_at(s, index), &bytes)) {
            slots_append(&s->entries, &e->streams, index);
            tried = tried == SLOT_NONE ? index : tried;
            continue;
        }
        tried = SLOT_NONE;
        e->out = fine_max(e->out, now ? fine_at(now - 1) : 0) + move_time(d, bytes);
        if (entry_at(s, index)->left)
            slots_append(&s->entries, &e->streams, index);
        else
            tell_sent(d, s, at, index, fine_max(e->out, fine_at(now)));
    }
}

static void serve(void *ctx, struct network_part *part, uint32_t local, uint32_t node, cycle_t now)
{
    struct dmas *d = ctx;
    struct nic_node at = {part->index, local, node};
    struct dma_part *s = &d->part[at.partition];
    fine_t next = UINT64_MAX;
    d->nic.client.woken(d->nic.client.ctx, &at, now);
    serve_events(d, s, &at, now, &next);
    serve_streams(d, s, &at, now, &next);
    if (next != UINT64_MAX)
        wake_at(s, local, fine_cycle_after(next), true);
}

/* ---- receiving ---- */

/* When the next packet may be there: all but one of the places are taken by those before it, the
 * oldest of which leaves when another begins to be handled. */
static fine_t next_place(const struct dmas *d, struct dma_engine *e, fine_t start, fine_t end)
{
    uint32_t others = d->params.receive_packets - 1;
    if (!others)
        return end;
    e->started[e->received++ % others] = start;
    return e->started[e->received % others];
}

static struct face_taken deliver(void *ctx, struct network_part *part, uint32_t local,
                                 const struct face_packet *packet, cycle_t when)
{
    struct dmas *d = ctx;
    struct nic_node at = {part->index, local, packet->destination};
    struct dma_engine *e = &d->part[at.partition].engine[local];
    struct nic_arrival arrival = {.source = packet->source,
                                  .sequence = packet->sequence,
                                  .bytes = packet->bytes,
                                  .cargo = packet->cargo,
                                  .last = packet->flags & FACE_LAST};
    bool stream = packet->flags & FACE_STREAM;
    fine_t *busy = stream ? &e->in : &e->microcode, start = fine_max(fine_at(when), *busy);
    *busy = start + (stream ? move_time(d, packet->bytes) : d->event_time);
    d->nic.client.arrived(d->nic.client.ctx, &at, &arrival, *busy);
    return (struct face_taken){.next = fine_cycle_after(next_place(d, e, start, *busy)),
                               .done = fine_cycle_after(*busy)};
}

static fine_t notify(struct nic *nic, const struct nic_node *at, fine_t when)
{
    struct dmas *d = (struct dmas *)nic;
    struct dma_engine *e = &d->part[at->partition].engine[at->local];
    return e->microcode = fine_max(when, e->microcode) + d->event_time;
}

/* ---- life cycle ---- */

static void prepare(void *ctx, struct network_part *part)
{
    struct dmas *d = ctx;
    struct dma_part *s = &d->part[part->index];
    s->part = part;
    s->nodes = part->nodes;
    slots_init(&s->entries, sizeof(struct dma_entry), offsetof(struct dma_entry, next));
    s->engine = memory_alloc(part->nodes, sizeof(*s->engine));
    for (uint32_t local = 0; local < part->nodes; local++) {
        struct dma_engine *e = &s->engine[local];
        e->staged = SLOT_NONE;
        e->streams.first = SLOT_NONE;
        for (unsigned q = 0; q < DMA_QUEUES_MAX; q++)
            e->queue[q].first = SLOT_NONE;
    }
    nic_prepare(&d->nic, part);
}

static const struct nic_kind dma_kind = {
    .post = post, .routes = routes, .wake = wake, .notify = notify};

struct dmas *dmas_create(const struct dma_options *o)
{
    struct dmas *d = memory_alloc(1, sizeof(*d));
    double cycles_per_us = o->face->cycles_per_us;
    double byte_cycles = cycles_per_us / o->params->mb_per_s;
    struct nic_traits traits = {.packet_payload = o->params->packet_bytes,
                                .ordered = true,
                                .overtaking = o->face->overtaking,
                                .engine = true,
                                .events = true,
                                .queues = o->params->queues,
                                .routes = o->face->routes_most,
                                .ahead = o->params->packets_ahead,
                                .cycles_per_us = cycles_per_us};
    nic_init(&d->nic, &dma_kind, &traits, o->partitions);
    d->params = *o->params;
    d->face = o->face;
    d->event_time = fine_length(o->params->event_ns * 1e-3 * cycles_per_us);
    d->byte_time_24 = (fine_t)(byte_cycles * (double)(1ull << (FRACTION_BITS + 24)) + 0.5);
    d->part = memory_alloc_lines(o->partitions, sizeof(*d->part));
    return d;
}

void dmas_destroy(struct dmas *d)
{
    for (uint32_t i = 0; d && i < d->nic.partitions; i++) {
        free(d->part[i].engine);
        slots_fini(&d->part[i].entries);
    }
    if (d) {
        nic_fini(&d->nic);
        free(d->part);
    }
    free(d);
}

struct nic *dmas_nic(struct dmas *d)
{
    return &d->nic;
}

struct face_client dmas_client(struct dmas *d)
{
    return (struct face_client){.ctx = d, .prepare = prepare, .serve = serve, .deliver = deliver};
}

/* ---- whether a state can be one ---- */

static bool is_entry(const struct dmas *d, const struct dma_part *s, uint32_t local,
                     const struct dma_entry *entry)
{
    return entry->send.bytes <= UINT32_MAX && entry->left <= entry->send.bytes &&
           d->face->leads(d->face, s->part, local, entry->send.to, entry->route);
}

static bool is_list(const struct dmas *d, const struct dma_part *s, uint32_t local,
                    const struct slots_list *l, struct visited *entries)
{
    if (!slots_list_visited(&s->entries, l, entries))
        return false;
    for (uint32_t i = l->first; i != SLOT_NONE; i = entry_at(s, i)->next)
        if (!is_entry(d, s, local, entry_at(s, i)))
            return false;
    return true;
}

/* What is staged is the first of a queue. */
static bool is_engine(const struct dmas *d, const struct dma_part *s, uint32_t local,
                      struct visited *entries)
{
    const struct dma_engine *e = &s->engine[local];
    bool staged = e->staged == SLOT_NONE;
    for (unsigned q = 0; q < DMA_QUEUES_MAX; q++) {
        if (!is_list(d, s, local, &e->queue[q], entries) ||
            (q >= d->params.queues && e->queue[q].first != SLOT_NONE))
            return false;
        staged |= e->staged == e->queue[q].first;
    }
    return staged && is_list(d, s, local, &e->streams, entries) && e->turn < d->params.queues;
}

static const char *lists_flaw(const struct dmas *d, const struct dma_part *s)
{
    struct visited entries;
    bool right = slots_visited(&s->entries, &entries);
    for (uint32_t local = 0; local < s->nodes && right; local++)
        right = is_engine(d, s, local, &entries);
    right = right && visited_is_full(&entries);
    visited_fini(&entries);
    return right ? NULL : "a DMA engine's queues are not valid";
}

void dmas_archive(struct dmas *d, struct archive *a)
{
    for (uint32_t i = 0; i < d->nic.partitions; i++) {
        struct dma_part *s = &d->part[i];
        archive_bytes(a, s->engine, s->nodes * sizeof(*s->engine));
        slots_archive(&s->entries, a);
        if (archive_has_read(a))
            archive_sound(a, lists_flaw(d, s));
    }
}
