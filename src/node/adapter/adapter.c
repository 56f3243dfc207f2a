/* Sends as packets on lanes, and arrivals in order. */
#include "node/adapter/adapter.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/slots.h"
#include "node/adapter/order.h"
#include "node/wakes.h"

#define AT(field) offsetof(struct adapter_params, field)

static const struct key rows[] = {
    {"machine.adapter.packet_bytes", KEY_U32, AT(packet_bytes), "B", NULL, 1, 65535,
     .help = "payload of a full packet"},
    {"machine.adapter.message_ns", KEY_REAL, AT(message_ns), "ns", NULL, 0, 1e9,
     .help = "least time between the starts of two sends by a lane"},
    {"machine.node.processors", KEY_U32, AT(queues), "", NULL, 1, ADAPTER_QUEUES,
     .help = "processors per host"},
};

const struct key_section adapter_section = {sizeof(struct adapter_params)};
const struct key_table adapter_keys = {rows, sizeof(rows) / sizeof(rows[0]), &adapter_section};

/* A send that has not left completely. */
struct adapter_send {
    struct nic_send send;
    uint64_t left; /* bytes */
    cycle_t gone;  /* when its last word leaves, of those that have been sent */
    uint32_t next;
};

struct adapter {
    struct slots_list queue[ADAPTER_QUEUES]; /* of each processor, one after the other */
    struct slots_list streams;               /* in turn */
    struct wakes wakes;
    fine_t engine[SWITCHES_LANES]; /* of each lane: it can start another send from then on */
    uint32_t sequence;
    uint8_t turn; /* whose it is: a queue's, or the streams' */
};

struct adapter_part {
    struct switches_part *part;
    struct adapter *adapter; /* [local] */
    struct slots sends;      /* struct adapter_send */
    struct order order;
    uint32_t hosts;
} __attribute__((aligned(64)));

struct adapters {
    struct nic nic;
    struct adapter_params params;
    const struct switches_params *link;
    fine_t message_time;
    bool ordered;
    struct adapter_part *part;
};

static struct adapter_send *send_at(const struct adapter_part *s, uint32_t index)
{
    return (struct adapter_send *)s->sends.item + index;
}

/* ---- sending ---- */

static void wake_at(struct adapter_part *s, uint32_t local, cycle_t when, bool itself)
{
    if (wakes_add(&s->adapter[local].wakes, switches_now(s->part), when, itself))
        switches_wake(s->part, local, when);
}

static void wake(struct nic *nic, const struct nic_node *at, cycle_t when)
{
    wake_at(&((struct adapters *)nic)->part[at->partition], at->local, when, false);
}

static fine_t post(struct nic *nic, const struct nic_node *at, const struct nic_send *send)
{
    struct adapters *d = (struct adapters *)nic;
    struct adapter_part *s = &d->part[at->partition];
    struct adapter *e = &s->adapter[at->local];
    cycle_t now = switches_now(s->part), when = fine_cycle_after(send->ready);
    uint32_t index = slots_get(&s->sends);
    bool stream = send->flags & NIC_STREAM;
    *send_at(s, index) = (struct adapter_send){.send = *send, .left = send->bytes};
    slots_append(&s->sends, stream ? &e->streams : &e->queue[send->queue], index);
    wake_at(s, at->local, when > now ? when : now + 1, true);
    return fine_at(now);
}

/* Sends the next packet of a send by a lane; false: the switch has no room. */
static bool inject(struct adapters *d, struct adapter_part *s, const struct nic_node *at,
                   unsigned lane, struct adapter_send *x)
{
    struct adapter *e = &s->adapter[at->local];
    uint32_t full = d->params.packet_bytes, bytes = x->left < full ? (uint32_t)x->left : full;
    struct switches_packet packet = {.birth = x->send.birth,
                                     .source = at->node,
                                     .sequence = e->sequence,
                                     .destination = x->send.to,
                                     .bytes = bytes,
                                     .words = (uint16_t)switches_words(d->link, bytes),
                                     .cargo = x->send.cargo,
                                     .whole = (uint32_t)x->send.bytes,
                                     .flags = bytes == x->left ? SWITCHES_LAST : 0};
    if (d->ordered)
        packet.number = order_number(&s->order, at->local, x->send.to);
    if (!switches_inject(s->part, at->local, lane, &packet)) {
        if (d->ordered)
            order_take_back(&s->order, at->local, x->send.to);
        return false;
    }
    cycle_t gone = switches_now(s->part) + packet.words;
    e->sequence++;
    x->left -= bytes;
    x->gone = gone > x->gone ? gone : x->gone;
    return true;
}

/* When a send's next packet may leave. */
static fine_t starts(const struct adapter *e, unsigned lane, const struct adapter_send *x)
{
    return x->left == x->send.bytes ? fine_max(x->send.ready, e->engine[lane]) : 0;
}

/* A send's packet has left: the send goes to the end of its list, or is over. */
static void moved(struct adapters *d, struct adapter_part *s, const struct nic_node *at,
                  struct slots_list *list, bool stream)
{
    uint32_t index = list->first;
    if (send_at(s, index)->left) {
        if (stream)
            slots_append(&s->sends, list, slots_take(&s->sends, list));
        return;
    }
    slots_take(&s->sends, list);
    struct adapter_send done = *send_at(s, index);
    slots_put(&s->sends, index);
    d->nic.client.sent(d->nic.client.ctx, at, &done.send, fine_at(done.gone));
}

/* Finds a packet for a lane that is free; false: none is ready, or none has room. */
static bool serve_lane(struct adapters *d, struct adapter_part *s, const struct nic_node *at,
                       unsigned lane, cycle_t now, fine_t *next)
{
    struct adapter *e = &s->adapter[at->local];
    unsigned lists = d->params.queues + 1;
    for (unsigned i = 0; i < lists; i++) {
        unsigned turn = (e->turn + i) % lists;
        bool stream = turn == d->params.queues;
        struct slots_list *list = stream ? &e->streams : &e->queue[turn];
        if (list->first == SLOT_NONE)
            continue;
        struct adapter_send *x = send_at(s, list->first);
        fine_t start = starts(e, lane, x);
        if (start > fine_at(now)) {
            *next = start < *next ? start : *next;
            continue;
        }
        bool first = x->left == x->send.bytes;
        if (!inject(d, s, at, lane, x))
            return false; /* the switch wakes the host when there is room */
        if (first)
            e->engine[lane] = fine_at(now) + d->message_time;
        e->turn = (uint8_t)((turn + 1) % lists);
        moved(d, s, at, list, stream);
        return true;
    }
    return false;
}

static bool has_sends(const struct adapters *d, const struct adapter *e)
{
    bool any = e->streams.first != SLOT_NONE;
    for (unsigned q = 0; q < d->params.queues; q++)
        any |= e->queue[q].first != SLOT_NONE;
    return any;
}

static void serve(void *ctx, struct switches_part *part, uint32_t local, uint32_t host, cycle_t now)
{
    struct adapters *d = ctx;
    struct nic_node at = {switches_part_index(part), local, host};
    struct adapter_part *s = &d->part[at.partition];
    fine_t next = UINT64_MAX;
    d->nic.client.woken(d->nic.client.ctx, &at, now);
    for (unsigned lane = 0; lane < d->link->lanes && has_sends(d, &s->adapter[local]); lane++) {
        if (switches_lane_free(part, local, lane) <= now)
            serve_lane(d, s, &at, lane, now, &next);
        cycle_t free_at = switches_lane_free(part, local, lane);
        if (free_at > now && has_sends(d, &s->adapter[local]))
            next = fine_at(free_at) < next ? fine_at(free_at) : next;
    }
    if (next != UINT64_MAX)
        wake_at(s, local, fine_cycle_after(next), true);
}

/* ---- receiving ---- */

/* A send has come when its last packet has: those before it are there. */
static void tell_arrived(const struct adapters *d, const struct nic_node *at,
                         const struct nic_arrival *arrival, fine_t when)
{
    if (arrival->last)
        d->nic.client.arrived(d->nic.client.ctx, at, arrival, when);
}

static cycle_t deliver(void *ctx, struct switches_part *part, uint32_t local, uint32_t host,
                       const struct switches_packet *packet, cycle_t when)
{
    struct adapters *d = ctx;
    struct nic_node at = {switches_part_index(part), local, host};
    struct order *order = &d->part[at.partition].order;
    struct nic_client *client = &d->nic.client;
    struct nic_arrival arrival = {.source = packet->source,
                                  .sequence = packet->sequence,
                                  .bytes = packet->bytes,
                                  .cargo = packet->cargo,
                                  .last = packet->flags & SWITCHES_LAST};
    struct order_kept kept;
    fine_t there = fine_at(when);
    if (!d->ordered) {
        client->arrived(client->ctx, &at, &arrival, there);
        return 0;
    }
    arrival.bytes = packet->whole;
    if (!order_arrive(order, local, packet->number, &arrival, &there))
        return 0;
    tell_arrived(d, &at, &arrival, there);
    while (order_next(order, local, arrival.source, &kept))
        tell_arrived(d, &at, &kept.arrival, kept.when);
    return 0;
}

static fine_t notify(struct nic *nic, const struct nic_node *at, fine_t when)
{
    (void)nic, (void)at; /* its time is part of receive_ns */
    return when;
}

static cycle_t now(const struct nic *nic, uint32_t partition)
{
    return switches_now(((const struct adapters *)nic)->part[partition].part);
}

static void await(struct nic *nic, uint32_t partition, int processes)
{
    switches_await(((struct adapters *)nic)->part[partition].part, processes);
}

static void record(struct nic *nic, uint32_t partition, uint64_t hash)
{
    switches_record(((struct adapters *)nic)->part[partition].part, hash);
}

/* ---- life cycle ---- */

static void prepare(void *ctx, struct switches_part *part, uint32_t partition, uint32_t hosts)
{
    struct adapters *d = ctx;
    struct adapter_part *s = &d->part[partition];
    s->part = part;
    s->hosts = hosts;
    slots_init(&s->sends, sizeof(struct adapter_send), offsetof(struct adapter_send, next));
    order_init(&s->order);
    s->adapter = memory_alloc((size_t)hosts + 1, sizeof(*s->adapter));
    for (uint32_t local = 0; local < hosts; local++) {
        s->adapter[local].streams.first = SLOT_NONE;
        for (unsigned q = 0; q < ADAPTER_QUEUES; q++)
            s->adapter[local].queue[q].first = SLOT_NONE;
    }
    d->nic.client.prepare(d->nic.client.ctx, partition, hosts);
}

static const struct nic_kind adapter_kind = {
    .post = post, .wake = wake, .notify = notify, .now = now, .await = await, .record = record};

struct adapters *adapters_create(const struct adapter_options *o)
{
    struct adapters *d = memory_alloc(1, sizeof(*d));
    d->nic =
        (struct nic){.kind = &adapter_kind,
                     .traits = {.packet_payload = o->ordered ? UINT32_MAX : o->params->packet_bytes,
                                .ordered = o->ordered,
                                .engine = true,
                                .queues = o->params->queues,
                                .routes = 1,
                                .cycles_per_us = switches_mhz(o->link)},
                     .partitions = o->partitions};
    d->params = *o->params;
    d->link = o->link;
    d->ordered = o->ordered;
    d->message_time = fine_length(o->params->message_ns * 1e-3 * switches_mhz(o->link));
    d->part = memory_alloc_lines(o->partitions, sizeof(*d->part));
    return d;
}

void adapters_destroy(struct adapters *d)
{
    for (uint32_t i = 0; d && i < d->nic.partitions; i++) {
        free(d->part[i].adapter);
        slots_fini(&d->part[i].sends);
        order_fini(&d->part[i].order);
    }
    if (d)
        free(d->part);
    free(d);
}

struct nic *adapters_nic(struct adapters *d)
{
    return &d->nic;
}

struct switches_client adapters_client(struct adapters *d)
{
    return (struct switches_client){
        .ctx = d, .prepare = prepare, .serve = serve, .deliver = deliver};
}

/* ---- whether a state can be one ---- */

static bool is_list(const struct adapter_part *s, const struct slots_list *list,
                    struct census *sends)
{
    if (!slots_list_census(&s->sends, list, sends))
        return false;
    for (uint32_t i = list->first; i != SLOT_NONE; i = send_at(s, i)->next)
        if (send_at(s, i)->send.to >= switches_hosts(s->part) ||
            send_at(s, i)->left > send_at(s, i)->send.bytes ||
            send_at(s, i)->send.bytes > UINT32_MAX)
            return false;
    return true;
}

static const char *lists_flaw(const struct adapters *d, const struct adapter_part *s)
{
    struct census sends;
    bool right = slots_census(&s->sends, &sends);
    for (uint32_t local = 0; local < s->hosts && right; local++) {
        const struct adapter *e = &s->adapter[local];
        right = is_list(s, &e->streams, &sends) && e->turn <= d->params.queues;
        for (unsigned q = 0; q < ADAPTER_QUEUES && right; q++)
            right = is_list(s, &e->queue[q], &sends) &&
                    (q < d->params.queues || e->queue[q].first == SLOT_NONE);
    }
    right = right && census_is_full(&sends) && order_is_sound(&s->order);
    census_fini(&sends);
    return right ? NULL : "an adapter's lists are not valid";
}

void adapters_archive(struct adapters *d, struct archive *a)
{
    for (uint32_t i = 0; i < d->nic.partitions; i++) {
        struct adapter_part *s = &d->part[i];
        archive_bytes(a, s->adapter, s->hosts * sizeof(*s->adapter));
        slots_archive(&s->sends, a);
        order_archive(&s->order, a);
        if (archive_has_read(a))
            archive_sound(a, lists_flaw(d, s));
    }
}
