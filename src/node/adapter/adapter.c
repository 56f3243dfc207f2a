/* Sends as packets on lanes, and arrivals in order. */
#include "node/adapter/adapter.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/random.h"
#include "base/slots.h"
#include "node/adapter/order.h"
#include "node/wakes.h"

#define AT(field) offsetof(struct adapter_params, field)

static const struct key rows[] = {
    {"machine.adapter.payload_bytes", KEY_U32, AT(packet_bytes), "B", NULL, 1, 65535,
     .help = "payload of a full packet"},
    {"machine.adapter.message_ns", KEY_REAL, AT(message_ns), "ns", NULL, 0, 1e9,
     .help = "least time between the starts of two sends by a lane"},
    {"machine.node.processors", KEY_U32, AT(processors), "", NULL, 1, ADAPTER_PROCESSORS,
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
    uint8_t lanes; /* by which it may leave, as a mask */
};

/* A lane and its engine. */
struct adapter_lane {
    struct slots_list queue;   /* one after the other */
    struct slots_list streams; /* in turn */
    fine_t free_at;            /* its engine can start another send from then on */
    uint32_t waiting;          /* sends, in both lists */
    bool stream;               /* whose turn it is */
};

struct adapter {
    struct wakes wakes;
    uint32_t sequence, waiting; /* sends, of all lanes */
};

struct adapter_part {
    struct network_part *part;
    struct adapter *adapter;   /* [local] */
    struct adapter_lane *lane; /* [local * lanes + lane] */
    struct slots sends;        /* struct adapter_send */
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
    if (wakes_add(&s->adapter[local].wakes, part_now(s->part), when, itself))
        part_wake(s->part, local, when);
}

static void wake(struct nic *nic, const struct nic_node *at, cycle_t when)
{
    wake_at(&((struct adapters *)nic)->part[at->partition], at->local, when, false);
}

static struct adapter_lane *lane_at(const struct adapters *d, const struct adapter_part *s,
                                    uint32_t local, unsigned lane)
{
    return &s->lane[(size_t)local * d->link->lanes + lane];
}

/* The lane among some with the fewest sends: the first of them behind `from`. */
static unsigned shortest(const struct adapters *d, const struct adapter_part *s, uint32_t local,
                         unsigned lanes, unsigned from)
{
    unsigned best = d->link->lanes;
    for (unsigned i = 1; i <= d->link->lanes; i++) {
        unsigned lane = (from + i) % d->link->lanes;
        if (lanes >> lane & 1 &&
            (best == d->link->lanes ||
             lane_at(d, s, local, lane)->waiting < lane_at(d, s, local, best)->waiting))
            best = lane;
    }
    return best;
}

/* Streams, and packets that need no order, take the shortest queue. Messages to one host stay in
 * order: they take the same lane. */
static unsigned choose_lane(const struct adapters *d, const struct adapter_part *s, uint32_t local,
                            const struct adapter_send *x, unsigned from)
{
    if (!(x->lanes & (x->lanes - 1)))
        return (unsigned)__builtin_ctz(x->lanes);
    if (d->ordered && !(x->send.flags & NIC_STREAM))
        return (unsigned)__builtin_ctzll(switches_pick(x->lanes, random_mix(x->send.to)));
    return shortest(d, s, local, x->lanes, from);
}

static void enqueue(struct adapters *d, struct adapter_part *s, uint32_t local, uint32_t index,
                    unsigned lane)
{
    struct adapter_lane *l = lane_at(d, s, local, lane);
    bool stream = send_at(s, index)->send.flags & NIC_STREAM;
    slots_append(&s->sends, stream ? &l->streams : &l->queue, index);
    l->waiting++;
}

static fine_t post(struct nic *nic, const struct nic_node *at, const struct nic_send *send)
{
    struct adapters *d = (struct adapters *)nic;
    struct adapter_part *s = &d->part[at->partition];
    cycle_t now = part_now(s->part), when = fine_cycle_after(send->ready);
    uint32_t index = slots_get(&s->sends);
    *send_at(s, index) =
        (struct adapter_send){.send = *send,
                              .left = send->bytes,
                              .lanes = switches_host_lanes(s->part, at->local, send->to)};
    s->adapter[at->local].waiting++;
    enqueue(d, s, at->local, index,
            choose_lane(d, s, at->local, send_at(s, index), d->link->lanes - 1));
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
                                     .bytes = (uint16_t)bytes,
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
    cycle_t gone = part_now(s->part) + packet.words;
    e->sequence++;
    x->left -= bytes;
    x->gone = gone > x->gone ? gone : x->gone;
    return true;
}

/* When a send's next packet may leave. */
static fine_t starts(const struct adapter_lane *l, const struct adapter_send *x)
{
    return x->left == x->send.bytes ? fine_max(x->send.ready, l->free_at) : 0;
}

/* A packet of the first send of a list has left: a stream goes on by the lane that then is best, a
 * send that is over is told of. */
static void moved(struct adapters *d, struct adapter_part *s, const struct nic_node *at,
                  unsigned lane, struct slots_list *list)
{
    uint32_t index = list->first;
    struct adapter_send *x = send_at(s, index);
    bool stream = x->send.flags & NIC_STREAM;
    if (x->left && !stream)
        return;
    slots_take(&s->sends, list);
    lane_at(d, s, at->local, lane)->waiting--;
    if (x->left) {
        enqueue(d, s, at->local, index, choose_lane(d, s, at->local, x, lane));
        return;
    }
    struct adapter_send done = *x;
    slots_put(&s->sends, index);
    s->adapter[at->local].waiting--;
    d->nic.client.sent(d->nic.client.ctx, at, &done.send, fine_at(done.gone));
}

/* Finds a packet for a lane that is free, of its queue and its streams in turn; false: none is
 * ready, or none has room. */
static bool serve_lane(struct adapters *d, struct adapter_part *s, const struct nic_node *at,
                       unsigned lane, cycle_t now, fine_t *next)
{
    struct adapter_lane *l = lane_at(d, s, at->local, lane);
    for (unsigned i = 0; i < 2; i++) {
        bool stream = l->stream ^ (i == 1);
        struct slots_list *list = stream ? &l->streams : &l->queue;
        if (list->first == SLOT_NONE)
            continue;
        struct adapter_send *x = send_at(s, list->first);
        fine_t start = starts(l, x);
        if (start > fine_at(now)) {
            *next = start < *next ? start : *next;
            continue;
        }
        bool first = x->left == x->send.bytes;
        if (!inject(d, s, at, lane, x))
            return false; /* the switch wakes the host when there is room */
        if (first)
            l->free_at = fine_at(now) + d->message_time;
        l->stream = !stream;
        moved(d, s, at, lane, list);
        return true;
    }
    return false;
}

/* Serves each lane that is free once; true: something has left, and may have brought a stream to a
 * lane before it. */
static bool serve_lanes(struct adapters *d, struct adapter_part *s, const struct nic_node *at,
                        cycle_t now, fine_t *next)
{
    bool any = false;
    *next = UINT64_MAX;
    for (unsigned lane = 0; lane < d->link->lanes; lane++) {
        if (!lane_at(d, s, at->local, lane)->waiting)
            continue;
        if (switches_lane_free(s->part, at->local, lane) <= now)
            any |= serve_lane(d, s, at, lane, now, next);
        cycle_t free_at = switches_lane_free(s->part, at->local, lane);
        if (free_at > now && fine_at(free_at) < *next)
            *next = fine_at(free_at);
    }
    return any;
}

static void serve(void *ctx, struct network_part *part, uint32_t local, uint32_t host, cycle_t now)
{
    struct adapters *d = ctx;
    struct nic_node at = {part->index, local, host};
    struct adapter_part *s = &d->part[at.partition];
    fine_t next = UINT64_MAX;
    d->nic.client.woken(d->nic.client.ctx, &at, now);
    while (s->adapter[local].waiting && serve_lanes(d, s, &at, now, &next))
        continue;
    if (s->adapter[local].waiting && next != UINT64_MAX)
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

static cycle_t deliver(void *ctx, struct network_part *part, uint32_t local, uint32_t host,
                       const struct switches_packet *packet, cycle_t when)
{
    struct adapters *d = ctx;
    struct nic_node at = {part->index, local, host};
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

/* ---- life cycle ---- */

static void prepare(void *ctx, struct network_part *part)
{
    struct adapters *d = ctx;
    struct adapter_part *s = &d->part[part->index];
    s->part = part;
    s->hosts = part->nodes;
    slots_init(&s->sends, sizeof(struct adapter_send), offsetof(struct adapter_send, next));
    order_init(&s->order);
    size_t lanes = (size_t)part->nodes * d->link->lanes;
    s->adapter = memory_alloc((size_t)part->nodes + 1, sizeof(*s->adapter));
    s->lane = memory_alloc(lanes + 1, sizeof(*s->lane));
    for (size_t i = 0; i < lanes; i++)
        s->lane[i].queue.first = s->lane[i].streams.first = SLOT_NONE;
    nic_prepare(&d->nic, part);
}

static const struct nic_kind adapter_kind = {.post = post, .wake = wake};

struct adapters *adapters_create(const struct adapter_options *o)
{
    struct adapters *d = memory_alloc(1, sizeof(*d));
    nic_init(
        &d->nic, &adapter_kind,
        &(struct nic_traits){.packet_payload = o->ordered ? UINT32_MAX : o->params->packet_bytes,
                             .ordered = o->ordered,
                             .engine = true,
                             .queues = o->params->processors,
                             .routes = 1,
                             .cycles_per_us = switches_mhz(o->link)},
        o->partitions);
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
        free(d->part[i].lane);
        slots_fini(&d->part[i].sends);
        order_fini(&d->part[i].order);
    }
    if (d) {
        nic_fini(&d->nic);
        free(d->part);
    }
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

/* Whether a list of a lane can be one; counts its sends. */
static bool is_list(const struct adapters *d, const struct adapter_part *s, uint32_t local,
                    unsigned lane, const struct slots_list *list, struct visited *sends,
                    uint32_t *count)
{
    const struct adapter_lane *l = lane_at(d, s, local, lane);
    if (!slots_list_visited(&s->sends, list, sends))
        return false;
    for (uint32_t i = list->first; i != SLOT_NONE; i = send_at(s, i)->next) {
        const struct adapter_send *x = send_at(s, i);
        bool stream = x->send.flags & NIC_STREAM;
        if (x->send.to >= switches_hosts(s->part) || x->left > x->send.bytes ||
            x->send.bytes > UINT32_MAX || stream != (list == &l->streams) ||
            x->lanes != switches_host_lanes(s->part, local, x->send.to) || !(x->lanes >> lane & 1))
            return false;
        ++*count;
    }
    return true;
}

static bool are_lanes(const struct adapters *d, const struct adapter_part *s, uint32_t local,
                      struct visited *sends)
{
    uint32_t all = 0;
    for (unsigned lane = 0; lane < d->link->lanes; lane++) {
        const struct adapter_lane *l = lane_at(d, s, local, lane);
        uint32_t count = 0;
        if (!is_list(d, s, local, lane, &l->queue, sends, &count) ||
            !is_list(d, s, local, lane, &l->streams, sends, &count) || count != l->waiting)
            return false;
        all += count;
    }
    return all == s->adapter[local].waiting;
}

static const char *lists_flaw(const struct adapters *d, const struct adapter_part *s)
{
    struct visited sends;
    bool right = slots_visited(&s->sends, &sends);
    for (uint32_t local = 0; local < s->hosts && right; local++)
        right = are_lanes(d, s, local, &sends);
    right = right && visited_is_full(&sends) && order_is_sound(&s->order);
    visited_fini(&sends);
    return right ? NULL : "an adapter's lists are not valid";
}

void adapters_archive(struct adapters *d, struct archive *a)
{
    for (uint32_t i = 0; i < d->nic.partitions; i++) {
        struct adapter_part *s = &d->part[i];
        archive_bytes(a, s->adapter, s->hosts * sizeof(*s->adapter));
        archive_bytes(a, s->lane, (size_t)s->hosts * d->link->lanes * sizeof(*s->lane));
        slots_archive(&s->sends, a);
        order_archive(&s->order, a);
        if (archive_has_read(a))
            archive_sound(a, lists_flaw(d, s));
    }
}
