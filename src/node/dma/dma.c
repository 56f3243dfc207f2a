/* Queues, streams, microcode. */
#include "node/dma/dma.h"

#define AT(field) offsetof(struct dma_params, field)

static const struct key rows[] = {
    {"machine.dma.mb_per_s", KEY_REAL, AT(mb_per_s), "MB/s", NULL, 1e-3, 1e9,
     .help = "rate at which the engine streams payload, each way"},
    {"machine.dma.event_ns", KEY_REAL, AT(event_ns), "ns", NULL, 0, 1e9,
     .help = "microcode time per event sent or received"},
    {"machine.dma.payload_bytes", KEY_U32, AT(packet_bytes), "B", NULL, 8, 65535,
     .help = "payload of a full packet"},
    {"machine.dma.receive_packets", KEY_U32, AT(receive_packets), "", NULL, 1, DMA_RECEIVE_MOST,
     .help = "incoming packets that there is room for, with the one being handled"},
    {"machine.dma.packets_ahead", KEY_U32, AT(packets_ahead), "", NULL, 1, 1024,
     .help = "packets that the engine is given in advance, when packets are all that is sent"},
    {"machine.node.processors", KEY_U32, AT(queues), "", NULL, 1, 8, .help = "processors per node"},
};

const struct key_section dma_section = {sizeof(struct dma_params)};
const struct key_table dma_keys = {rows, sizeof(rows) / sizeof(rows[0]), &dma_section};

weft_status dma_check(const struct dma_params *p, uint32_t payload_most)
{
    if (p->packet_bytes <= payload_most)
        return WEFT_OK;
    return BAD_INPUT("machine.dma.payload_bytes",
                     ("machine.dma.payload_bytes = %u is more than a packet of this network holds",
                      p->packet_bytes),
                     ("use at most %u", payload_most));
}

/* Out, in, and an event. */
enum { DMA_FETCHES = 3 };

struct dma_engine {
    fine_t microcode, out, in;        /* busy until */
    cycle_t port;                     /* into the switch, busy until: one word per cycle */
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
    struct nic_part base;      /* items: struct nic_item */
    struct dma_engine *engine; /* [local] */
};

struct dmas {
    struct nic nic;
    struct dma_params params;
    const struct face *face;
    fine_t event_time, byte_time_24; /* of microcode; of a byte, with 24 more bits */
};

static fine_t move_time(const struct dmas *d, uint32_t bytes)
{
    return bytes * d->byte_time_24 >> 24;
}

static struct nic_item *entry_at(const struct dma_part *s, uint32_t index)
{
    return (struct nic_item *)s->base.items.item + index;
}

static struct dma_engine *engine_at(const struct nic *n, const struct nic_node *at)
{
    return &((struct dma_part *)nic_part(n, at->partition))->engine[at->local];
}

/* ---- sending ---- */

static uint32_t routes(struct nic *nic, uint32_t from, uint32_t to, uint32_t most, uint64_t *route)
{
    return face_routes(((struct dmas *)nic)->face, from, to, most, route);
}

static fine_t post(struct nic *nic, const struct nic_node *at, const struct nic_send *send)
{
    struct dmas *d = (struct dmas *)nic;
    struct dma_part *s = nic_part(nic, at->partition);
    struct dma_engine *e = &s->engine[at->local];
    bool event = !(send->flags & NIC_STREAM);
    cycle_t now = part_now(s->base.network);
    uint32_t index = slots_get(&s->base.items);
    *entry_at(s, index) = (struct nic_item){
        .send = *send,
        .route = send->route ? send->route : face_route(d->face, at->node, send->to, 0),
        .left = send->bytes,
        .ready = send->ready};
    slots_append(&s->base.items, event ? &e->queue[send->queue] : &e->streams, index);
    if (event || fine_cycle_after(send->ready) > now)
        nic_wake_for(&s->base, at->local, send->ready);
    return fine_at(now);
}

/* Puts the next packet of a send into the switch; false: no entry is free. */
static bool inject(struct dmas *d, struct dma_part *s, const struct nic_node *at,
                   struct nic_item *entry, uint32_t *bytes)
{
    struct dma_engine *e = &s->engine[at->local];
    struct face_packet packet = nic_next_packet(entry, at, e->sequence, d->params.packet_bytes);
    *bytes = (uint32_t)packet.bytes;
    if (entry->send.flags & NIC_STREAM)
        packet.flags |= FACE_STREAM | FACE_ADAPTIVE;
    if (!d->face->inject(d->face, s->base.network, at->local, 0, &packet, &e->port))
        return false;
    e->sequence++;
    entry->left -= *bytes;
    entry->ready += entry->send.gap;
    return true;
}

/* Microcode handles an event, whose bytes are in memory; returns when it is done. */
static fine_t fetch_event(const struct dmas *d, const struct nic_node *at,
                          const struct nic_item *entry, fine_t now)
{
    uint64_t full = d->params.packet_bytes;
    return nic_move(&d->nic, at, now, entry->left < full ? entry->left : full, d->event_time);
}

/* Microcode takes the next event that is ready, from the queues in turn. */
static bool stage_event(struct dmas *d, struct dma_part *s, const struct nic_node *at, fine_t now,
                        fine_t *next)
{
    struct dma_engine *e = &s->engine[at->local];
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
        e->staged_at = e->microcode = fetch_event(d, at, entry_at(s, index), now);
        e->turn = (uint8_t)((q + 1) % d->params.queues);
        return true;
    }
    return false;
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
    slots_take(&s->base.items, &e->queue[q]);
    nic_finish(&d->nic, at, index, fine_at(now));
}

static void serve_events(struct dmas *d, struct dma_part *s, const struct nic_node *at, cycle_t now,
                         fine_t *next)
{
    struct dma_engine *e = &s->engine[at->local];
    uint32_t bytes;
    for (;;) {
        if (e->staged == SLOT_NONE && !stage_event(d, s, at, fine_at(now), next))
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
        slots_take(&s->base.items, &e->streams);
        if (later || !inject(d, s, at, entry_at(s, index), &bytes)) {
            slots_append(&s->base.items, &e->streams, index);
            tried = tried == SLOT_NONE ? index : tried;
            continue;
        }
        tried = SLOT_NONE;
        fine_t from = fine_max(e->out, now ? fine_at(now - 1) : 0);
        e->out = nic_move(&d->nic, at, from, bytes, move_time(d, bytes));
        if (entry_at(s, index)->left)
            slots_append(&s->base.items, &e->streams, index);
        else
            nic_finish(&d->nic, at, index, fine_max(e->out, fine_at(now)));
    }
}

static fine_t serve(struct nic *nic, const struct nic_node *at, cycle_t now)
{
    struct dmas *d = (struct dmas *)nic;
    struct dma_part *s = nic_part(nic, at->partition);
    fine_t next = NIC_NEVER;
    serve_events(d, s, at, now, &next);
    serve_streams(d, s, at, now, &next);
    return next;
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
    struct dma_engine *e = engine_at(ctx, &at);
    struct nic_arrival arrival = nic_arrival_of(packet);
    bool stream = packet->flags & FACE_STREAM;
    fine_t *busy = stream ? &e->in : &e->microcode, start = fine_max(fine_at(when), *busy);
    fine_t own = stream ? move_time(d, (uint32_t)packet->bytes) : d->event_time;
    *busy = nic_move(&d->nic, &at, start, packet->bytes, own);
    nic_arrived(ctx, &at, &arrival, *busy);
    return (struct face_taken){.next = fine_cycle_after(next_place(d, e, start, *busy)),
                               .done = fine_cycle_after(*busy)};
}

static fine_t notify(struct nic *nic, const struct nic_node *at, fine_t when)
{
    struct dmas *d = (struct dmas *)nic;
    struct dma_engine *e = engine_at(nic, at);
    return e->microcode = fine_max(when, e->microcode) + d->event_time;
}

/* ---- whether a state can be one ---- */

static bool is_list(const struct dmas *d, const struct dma_part *s, uint32_t local,
                    const struct slots_list *l, struct visited *entries)
{
    if (!slots_list_visited(&s->base.items, l, entries))
        return false;
    for (uint32_t i = l->first; i != SLOT_NONE; i = entry_at(s, i)->next) {
        const struct nic_item *x = entry_at(s, i);
        if (x->send.bytes > UINT32_MAX || x->left > x->send.bytes ||
            !d->face->leads(d->face, s->base.network, local, x->send.to, x->route))
            return false;
    }
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

static bool is_valid(const struct nic *nic, const struct nic_part *part, struct visited *entries)
{
    bool valid = true;
    for (uint32_t local = 0; local < part->nodes && valid; local++)
        valid = is_engine((const struct dmas *)nic, (const struct dma_part *)part, local, entries);
    return valid;
}

/* ---- life cycle ---- */

static void prepare(struct nic *nic, struct nic_part *part)
{
    struct dma_part *s = (struct dma_part *)part;
    (void)nic;
    NIC_TABLE(s, &s->engine, part->nodes);
    for (uint32_t local = 0; local < part->nodes; local++) {
        struct dma_engine *e = &s->engine[local];
        e->staged = e->streams.first = SLOT_NONE;
        for (unsigned q = 0; q < DMA_QUEUES_MAX; q++)
            e->queue[q].first = SLOT_NONE;
    }
}

static const struct nic_kind dma_kind = {.post = post,
                                         .routes = routes,
                                         .notify = notify,
                                         .size = sizeof(struct dmas),
                                         .part_size = sizeof(struct dma_part),
                                         .item_size = sizeof(struct nic_item),
                                         .remembers_wakes = true,
                                         .prepare = prepare,
                                         .serve = serve,
                                         .deliver = deliver,
                                         .is_valid = is_valid,
                                         .flaw = "a DMA engine's queues are not valid"};

struct nic *dmas_create(const struct dma_params *p, const struct face *face, uint32_t partitions)
{
    double byte_cycles = face->cycles_per_us / p->mb_per_s;
    struct nic_traits traits = {.packet_payload = p->packet_bytes,
                                .ordered = true,
                                .overtaking = face->overtaking,
                                .engine = true,
                                .events = true,
                                .queues = p->queues,
                                .fetches = DMA_FETCHES,
                                .routes = face->routes_most,
                                .ahead = p->packets_ahead,
                                .cycles_per_us = face->cycles_per_us};
    struct dmas *d = nic_create(&dma_kind, &traits, partitions);
    d->params = *p;
    d->face = face;
    d->event_time = fine_length(p->event_ns * 1e-3 * face->cycles_per_us);
    d->byte_time_24 = (fine_t)(byte_cycles * (double)(1ull << (FRACTION_BITS + 24)) + 0.5);
    return &d->nic;
}
