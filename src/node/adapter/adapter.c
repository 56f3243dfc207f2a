/* Sends as packets on lanes, and arrivals in order. */
#include "node/adapter/adapter.h"

#include "base/random.h"
#include "node/in_order.h"

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

struct adapter_send {
    struct nic_item base;
    cycle_t gone;  /* when its last word leaves, of those that have been sent */
    uint8_t lanes; /* by which it may leave, as a mask */
};

/* A lane and its engine. */
struct adapter_lane {
    struct slots_list queue;   /* one after the other */
    struct slots_list streams; /* in turn */
    fine_t free_at;            /* its engine can start another send from then on, */
    cycle_t port;              /* and the network takes another packet */
    uint32_t waiting;          /* sends, in both lists */
    bool stream;               /* whose turn it is */
};

struct adapter {
    uint32_t sequence, waiting; /* sends, of all lanes */
};

struct adapter_part {
    struct nic_part base;      /* items: struct adapter_send */
    struct adapter *adapter;   /* [local] */
    struct adapter_lane *lane; /* [local * lanes + lane] */
    struct in_order order;     /* of the packets of two hosts */
};

struct adapters {
    struct nic nic;
    struct adapter_params params;
    const struct face *face;
    fine_t message_time;
    bool ordered;
};

static struct adapter_send *send_at(const struct adapter_part *s, uint32_t index)
{
    return (struct adapter_send *)s->base.items.item + index;
}

/* ---- sending ---- */

static struct adapter_lane *lane_at(const struct adapters *d, const struct adapter_part *s,
                                    uint32_t local, unsigned lane)
{
    return &s->lane[(size_t)local * d->face->ports + lane];
}

static uint8_t lanes_to(const struct adapters *d, const struct adapter_part *s, uint32_t local,
                        uint32_t to)
{
    return (uint8_t)face_ports_to(d->face, s->base.network, local, to);
}

/* The lane among some with the fewest sends: the first of them behind `from`. */
static unsigned shortest(const struct adapters *d, const struct adapter_part *s, uint32_t local,
                         unsigned lanes, unsigned from)
{
    unsigned all = d->face->ports, best = all;
    for (unsigned i = 1; i <= all; i++) {
        unsigned lane = (from + i) % all;
        if (lanes >> lane & 1 && (best == all || lane_at(d, s, local, lane)->waiting <
                                                     lane_at(d, s, local, best)->waiting))
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
    if (!d->ordered || x->base.send.flags & NIC_STREAM)
        return shortest(d, s, local, x->lanes, from);
    uint32_t count = (uint32_t)__builtin_popcount(x->lanes), lanes = x->lanes;
    for (uint32_t skip = random_below(random_mix(x->base.send.to), count); skip; skip--)
        lanes &= lanes - 1;
    return (unsigned)__builtin_ctz(lanes);
}

static void enqueue(struct adapters *d, struct adapter_part *s, uint32_t local, uint32_t index,
                    unsigned lane)
{
    struct adapter_lane *l = lane_at(d, s, local, lane);
    bool stream = send_at(s, index)->base.send.flags & NIC_STREAM;
    slots_append(&s->base.items, stream ? &l->streams : &l->queue, index);
    l->waiting++;
}

static fine_t post(struct nic *nic, const struct nic_node *at, const struct nic_send *send)
{
    struct adapters *d = (struct adapters *)nic;
    struct adapter_part *s = nic_part(nic, at->partition);
    uint32_t index = slots_get(&s->base.items);
    *send_at(s, index) =
        (struct adapter_send){.base = {.send = *send, .left = send->bytes, .ready = send->ready},
                              .lanes = lanes_to(d, s, at->local, send->to)};
    s->adapter[at->local].waiting++;
    enqueue(d, s, at->local, index,
            choose_lane(d, s, at->local, send_at(s, index), d->face->ports - 1));
    nic_wake_for(&s->base, at->local, send->ready);
    return fine_at(part_now(s->base.network));
}

/* Sends the next packet of a send by a lane; false: the switch has no room. */
static bool inject(struct adapters *d, struct adapter_part *s, const struct nic_node *at,
                   unsigned lane, struct adapter_send *x)
{
    struct adapter *e = &s->adapter[at->local];
    struct adapter_lane *l = lane_at(d, s, at->local, lane);
    struct face_packet packet = nic_next_packet(&x->base, at, e->sequence, d->params.packet_bytes);
    if (d->ordered)
        packet.number = in_order_number(&s->order, in_order_key(at->local, packet.destination));
    if (!d->face->inject(d->face, s->base.network, at->local, lane, &packet, &l->port))
        return false;
    if (d->ordered)
        in_order_sent(&s->order, in_order_key(at->local, packet.destination));
    e->sequence++;
    x->base.left -= packet.bytes;
    x->gone = l->port > x->gone ? l->port : x->gone;
    return true;
}

/* A packet of the first send of a list has left: a stream goes on by the lane that then is best, a
 * send that is over is told of. */
static void moved(struct adapters *d, struct adapter_part *s, const struct nic_node *at,
                  unsigned lane, struct slots_list *list)
{
    uint32_t index = list->first;
    struct adapter_send *x = send_at(s, index);
    bool stream = x->base.send.flags & NIC_STREAM;
    if (x->base.left && !stream)
        return;
    slots_take(&s->base.items, list);
    lane_at(d, s, at->local, lane)->waiting--;
    if (x->base.left) {
        enqueue(d, s, at->local, index, choose_lane(d, s, at->local, x, lane));
        return;
    }
    s->adapter[at->local].waiting--;
    nic_finish(&d->nic, at, index, fine_at(x->gone));
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
        bool first = x->base.left == x->base.send.bytes;
        fine_t start = first ? fine_max(x->base.ready, l->free_at) : 0;
        if (start > fine_at(now)) {
            *next = start < *next ? start : *next;
            continue;
        }
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
    *next = NIC_NEVER;
    for (unsigned lane = 0; lane < d->face->ports; lane++) {
        const struct adapter_lane *l = lane_at(d, s, at->local, lane);
        if (!l->waiting)
            continue;
        if (l->port <= now)
            any |= serve_lane(d, s, at, lane, now, next);
        if (l->port > now && fine_at(l->port) < *next)
            *next = fine_at(l->port);
    }
    return any;
}

static fine_t serve(struct nic *nic, const struct nic_node *at, cycle_t now)
{
    struct adapters *d = (struct adapters *)nic;
    struct adapter_part *s = nic_part(nic, at->partition);
    const uint32_t *waiting = &s->adapter[at->local].waiting;
    fine_t next = NIC_NEVER;
    while (*waiting && serve_lanes(d, s, at, now, &next))
        continue;
    return *waiting ? next : NIC_NEVER;
}

/* ---- receiving ---- */

static struct face_taken deliver(void *ctx, struct network_part *part, uint32_t local,
                                 const struct face_packet *packet, cycle_t when)
{
    struct adapters *d = ctx;
    struct nic_node at = {part->index, local, packet->destination};
    struct adapter_part *s = nic_part(&d->nic, part->index);
    struct face_taken taken = {when, when};
    struct in_order_kept next = {
        .arrival = nic_arrival_of(packet), .when = fine_at(when), .number = packet->number};
    if (!d->ordered) {
        nic_arrived(&d->nic, &at, &next.arrival, next.when);
        return taken;
    }
    next.arrival.bytes = packet->whole;
    struct in_order_pair *pair = in_order_pair_of(&s->order, in_order_key(local, packet->source));
    in_order_keep(&s->order, pair, &next);
    while (in_order_take(&s->order, pair, &next))
        if (next.arrival.last) /* a send has come: its packets before are there */
            nic_arrived(&d->nic, &at, &next.arrival, next.when);
    return taken;
}

/* ---- whether a state can be one ---- */

/* Whether a list of a lane can be one; counts its sends. */
static bool is_list(const struct adapters *d, const struct adapter_part *s, uint32_t local,
                    unsigned lane, const struct slots_list *list, struct visited *sends,
                    uint32_t *count)
{
    const struct adapter_lane *l = lane_at(d, s, local, lane);
    if (!slots_list_visited(&s->base.items, list, sends))
        return false;
    for (uint32_t i = list->first; i != SLOT_NONE; i = send_at(s, i)->base.next) {
        const struct adapter_send *x = send_at(s, i);
        const struct nic_send *send = &x->base.send;
        bool stream = send->flags & NIC_STREAM;
        if (!d->face->leads(d->face, s->base.network, local, send->to, 0) ||
            x->base.left > send->bytes || send->bytes > UINT32_MAX ||
            stream != (list == &l->streams) || x->lanes != lanes_to(d, s, local, send->to) ||
            !(x->lanes >> lane & 1))
            return false;
        ++*count;
    }
    return true;
}

static bool are_lanes(const struct adapters *d, const struct adapter_part *s, uint32_t local,
                      struct visited *sends)
{
    uint32_t all = 0;
    for (unsigned lane = 0; lane < d->face->ports; lane++) {
        const struct adapter_lane *l = lane_at(d, s, local, lane);
        uint32_t count = 0;
        if (!is_list(d, s, local, lane, &l->queue, sends, &count) ||
            !is_list(d, s, local, lane, &l->streams, sends, &count) || count != l->waiting)
            return false;
        all += count;
    }
    return all == s->adapter[local].waiting;
}

static bool is_valid(const struct nic *nic, const struct nic_part *part, struct visited *sends)
{
    const struct adapter_part *s = (const struct adapter_part *)part;
    bool valid = in_order_is_sound(&s->order, UINT32_MAX);
    for (uint32_t local = 0; local < part->nodes && valid; local++)
        valid = are_lanes((const struct adapters *)nic, s, local, sends);
    return valid;
}

/* ---- life cycle ---- */

static void prepare(struct nic *nic, struct nic_part *part)
{
    struct adapter_part *s = (struct adapter_part *)part;
    size_t lanes = (size_t)part->nodes * ((struct adapters *)nic)->face->ports;
    in_order_init(&s->order);
    NIC_TABLE(s, &s->adapter, part->nodes);
    NIC_TABLE(s, &s->lane, lanes);
    for (size_t i = 0; i < lanes; i++)
        s->lane[i].queue.first = s->lane[i].streams.first = SLOT_NONE;
}

static void archive(struct nic *nic, struct nic_part *part, struct archive *a)
{
    struct adapter_part *s = (struct adapter_part *)part;
    (void)nic;
    in_order_archive(&s->order, a);
}

static void release_part(struct nic_part *part)
{
    in_order_fini(&((struct adapter_part *)part)->order);
}

static const struct nic_kind adapter_kind = {.post = post,
                                             .size = sizeof(struct adapters),
                                             .part_size = sizeof(struct adapter_part),
                                             .item_size = sizeof(struct adapter_send),
                                             .remembers_wakes = true,
                                             .prepare = prepare,
                                             .serve = serve,
                                             .deliver = deliver,
                                             .archive = archive,
                                             .is_valid = is_valid,
                                             .flaw = "an adapter's lists are not valid",
                                             .release_part = release_part};

struct nic *adapters_create(const struct adapter_params *p, const struct face *face, bool ordered,
                            uint32_t partitions)
{
    struct nic_traits traits = {.packet_payload = ordered ? UINT32_MAX : p->packet_bytes,
                                .ordered = ordered,
                                .engine = true,
                                .queues = p->processors,
                                .routes = 1,
                                .cycles_per_us = face->cycles_per_us};
    WEFT_CHECK(!ordered || face->labels, "packets of this network have no room for a number");
    struct adapters *d = nic_create(&adapter_kind, &traits, partitions);
    d->params = *p;
    d->face = face;
    d->ordered = ordered;
    d->message_time = fine_length(p->message_ns * 1e-3 * face->cycles_per_us);
    return &d->nic;
}
