/* Engines: commands, packets, arrivals. */
#include "node/tni/tni.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "node/in_order.h"

/* ---- keys ---- */

#define AT(field) offsetof(struct tni_params, field)

static weft_status parse_path(const struct key *key, const char *text, void *field)
{
    uint32_t *path = field;
    char *end;
    unsigned long number = strtoul(text, &end, 10);
    bool turn = strcmp(text, "turn") == 0;
    if (!turn && (*end || *text < '0' || *text > '9' || number < 1 || number > TNI_PATHS))
        return BAD_INPUT(NULL, ("%s = '%.60s' is no path", key->name, text),
                         ("use a number of 1 to %d, or turn", TNI_PATHS));
    *path = turn ? TNI_PATH_TURN : (uint32_t)number;
    return WEFT_OK;
}

static void print_path(const struct key *key, const void *field, char text[CONFIG_TEXT])
{
    const uint32_t *path = field;
    (void)key;
    if (*path == TNI_PATH_TURN)
        strcpy(text, "turn");
    else
        snprintf(text, CONFIG_TEXT, "%u", *path);
}

static const struct key_format path_format = {parse_path, print_path};
static const char *const commands[] = {"memory", "direct", NULL};

static const struct key rows[] = {
    {"machine.tni.engines", KEY_U32, AT(engines), "", NULL, 1, TNI_ENGINES,
     .help = "communication engines per node"},
    {"machine.tni.command", KEY_CHOICE, AT(command), "", NULL, .choices = commands,
     .help = "where an engine gets commands from: memory, or directly from the processor"},
    {"machine.tni.fetch_ns", KEY_REAL, AT(fetch_ns), "ns", NULL, 0, 1e9,
     .help = "time to fetch a command from memory"},
    {"machine.tni.start_ns", KEY_REAL, AT(start_ns), "ns", NULL, 0, 1e9,
     .help = "from a command to the first line of its first packet"},
    {"machine.tni.finish_ns", KEY_REAL, AT(finish_ns), "ns", NULL, 0, 1e9,
     .help = "from a packet's last line to when it is seen in memory"},
    {"machine.tni.header_bytes", KEY_U32, AT(header_bytes), "B", NULL, 32, 64,
     .help = "bytes of a packet that are not payload: header and CRC"},
    {"machine.tni.payload_bytes", KEY_U32, AT(packet_bytes), "B", NULL, 8, 2040,
     .help = "payload of a full packet"},
    {"machine.tni.packets_ahead", KEY_U32, AT(packets_ahead), "", NULL, 1, 1024,
     .help = "packets that the engines are given in advance, when packets are all that is sent"},
    {"machine.tni.path", KEY_OTHER, AT(path), "", NULL, .format = &path_format,
     .help = "path of messages, 1 to 12 (1: no relay), or turn: long messages and packets take "
             "paths in turn"},
    {"machine.barrier.start_ns", KEY_REAL, AT(gates.start_ns), "ns", NULL, 0, 1e9,
     .help = "from the processor's command to the first barrier gate"},
    {"machine.barrier.gate_ns", KEY_REAL, AT(gates.gate_ns), "ns", NULL, 0, 1e9,
     .help = "from a packet at its barrier gate to the packet of the next gate"},
    {"machine.barrier.finish_ns", KEY_REAL, AT(gates.finish_ns), "ns", NULL, 0, 1e9,
     .help = "from the last barrier gate to when the processor sees it"},
    {"machine.node.processors", KEY_U32, AT(queues), "", NULL, 1, 8, .help = "processors per node"},
};

const struct key_section tni_section = {sizeof(struct tni_params)};
const struct key_table tni_keys = {rows, sizeof(rows) / sizeof(rows[0]), &tni_section};

/* ---- state ---- */

/* A send of an engine. */
struct tni_entry {
    struct nic_item base;
    uint8_t flags;   /* enum face_flag, of its packets */
    bool silent;     /* nobody here is told when it has left */
    uint8_t started; /* what face.start said: its route is fixed; 0: it did not start */
};

struct tni_engine {
    struct slots_list sends;
    uint32_t leaving;        /* a send whose last packet waits for its grant; SLOT_NONE */
    uint32_t leaving_cycles; /* that this packet takes */
    uint32_t pending;        /* sends, that one included */
    fine_t fetched;          /* memory keeps up with its packets from then on */
    fine_t stored;           /* when the last packet that it received is in memory */
};

/* What sends: the engines and, last, the barrier interface. */
enum { SENDERS = TNI_ENGINES + 1 };

struct tni_node {
    struct tni_engine engine[SENDERS];
    uint32_t sequence; /* packets sent so far */
    uint32_t paths;    /* sends so far that took paths in turn */
};

struct tni_part {
    struct nic_part base;  /* items: struct tni_entry */
    struct tni_node *node; /* [local] */
    struct in_order order; /* where routes change: of packets that must not overtake each other */
};

struct tnis {
    struct nic nic;
    struct tni_params params;
    const struct face *face;
    fine_t start_time, finish_time;
    uint32_t nodes; /* of the machine */
};

static struct tni_entry *entry_at(const struct tni_part *s, uint32_t index)
{
    return (struct tni_entry *)s->base.items.item + index;
}

/* ---- routes ---- */

/* Each has an engine of its own, whose number is above it. */
static uint32_t routes(struct nic *nic, uint32_t from, uint32_t to, uint32_t most, uint64_t *route)
{
    const struct tnis *t = (const struct tnis *)nic;
    uint32_t limit = most < t->params.engines ? most : t->params.engines;
    uint32_t count = face_routes(t->face, from, to, limit, route);
    for (uint64_t i = 0; i < count; i++)
        route[i] |= route[i] ? i << FACE_ROUTE_BITS : 0;
    return count;
}

/* The engine with the fewest sends; among equals, the first from the usual one on. */
static unsigned least_busy(const struct tnis *t, const struct tni_node *n, unsigned usual)
{
    unsigned best = usual;
    for (unsigned i = 1; i < t->params.engines; i++) {
        unsigned engine = (usual + i) % t->params.engines;
        if (n->engine[engine].pending < n->engine[best].pending)
            best = engine;
    }
    return best;
}

/* The route of a send, and its engine. */
static uint64_t find_route(const struct tnis *t, struct tni_node *n, uint32_t from,
                           const struct nic_send *send, unsigned *engine)
{
    unsigned number = t->params.path - 1;
    *engine = (unsigned)(send->route >> FACE_ROUTE_BITS);
    if (send->route)
        return send->route & ((1ull << FACE_ROUTE_BITS) - 1);
    if (t->params.path == TNI_PATH_TURN)
        number = send->flags & NIC_STREAM ? n->paths++ % TNI_PATHS : 0;
    uint64_t route = face_route(t->face, from, send->to, number);
    unsigned usual = (send->queue + face_spread(t->face, route)) % t->params.engines;
    *engine = send->flags & NIC_STREAM ? least_busy(t, n, usual) : usual;
    return route;
}

/*
 * Where the routes of sends may change (face.start), an event could overtake those before it that
 * go by a longer way. Software numbers them, and puts them in order where they arrive. Streams need
 * no order: they are complete when all of their bytes are there.
 */
static bool is_numbered(const struct tni_entry *entry)
{
    return !(entry->base.send.flags & (NIC_STREAM | NIC_GET));
}

/* Those that one sender of a node, an engine or the barrier interface, sends to another node. */
static uint64_t key_of(uint32_t local, uint32_t other, unsigned sender)
{
    return in_order_key(local, other << 3 | sender);
}

/* ---- sending ---- */

/* Gives a send to an engine and sees to it that it is served in time. */
static void queue_send(struct tni_part *s, const struct nic_node *at, const struct tni_entry *entry,
                       unsigned engine)
{
    uint32_t index = slots_get(&s->base.items);
    *entry_at(s, index) = *entry;
    slots_append(&s->base.items, &s->node[at->local].engine[engine].sends, index);
    s->node[at->local].engine[engine].pending++;
    nic_wake_for(&s->base, at->local, entry->base.ready);
}

static void add_send(struct tnis *t, const struct nic_node *at, const struct nic_send *send,
                     bool answer)
{
    struct tni_part *s = nic_part(&t->nic, at->partition);
    bool get = send->flags & NIC_GET;
    struct tni_entry entry = {.base = {.send = *send,
                                       .left = get ? 0 : send->bytes,
                                       .ready = send->ready + t->start_time},
                              .flags = get ? FACE_ASKS : 0,
                              .silent = answer};
    unsigned engine;
    entry.base.route = find_route(t, &s->node[at->local], at->node, send, &engine);
    queue_send(s, at, &entry, engine);
}

/* A packet of the barrier interface. */
static void send_gate(void *ctx, const struct nic_node *at, uint32_t to, uint32_t bytes,
                      uint64_t cargo, fine_t ready)
{
    struct tnis *t = ctx;
    struct tni_entry entry = {.base = {.send = {.to = to,
                                                .bytes = bytes,
                                                .cargo = cargo,
                                                .birth = ready >> FRACTION_BITS},
                                       .route = face_route(t->face, at->node, to, 0),
                                       .left = bytes,
                                       .ready = ready},
                              .flags = FACE_GATE,
                              .silent = true};
    queue_send(nic_part(&t->nic, at->partition), at, &entry, TNI_ENGINES);
}

static void gate_over(void *ctx, const struct nic_node *at, fine_t when)
{
    struct tnis *t = ctx;
    t->nic.client.gated(t->nic.client.ctx, at, when);
}

static fine_t post(struct nic *nic, const struct nic_node *at, const struct nic_send *send)
{
    add_send((struct tnis *)nic, at, send, false);
    return fine_at(nic_now(nic, at->partition));
}

static void number_packet(struct tni_part *s, const struct nic_node *at, unsigned engine,
                          struct face_packet *packet)
{
    uint64_t key = key_of(at->local, packet->destination, engine);
    packet->flags |= FACE_NUMBERED;
    packet->number = in_order_number(&s->order, key);
    in_order_sent(&s->order, key);
}

/* Puts the next packet of an engine's first send into the router, which has room. */
WEFT_INLINE void inject(struct tnis *t, struct tni_part *s, const struct nic_node *at,
                        unsigned engine, cycle_t now, bool reroutes)
{
    struct tni_node *n = &s->node[at->local];
    struct tni_engine *e = &n->engine[engine];
    struct tni_entry *entry = entry_at(s, e->sends.first);
    struct face_packet packet =
        nic_next_packet(&entry->base, at, n->sequence++, t->params.packet_bytes);
    cycle_t left = now;
    packet.flags |= entry->flags;
    packet.started = entry->started;
    if (reroutes && is_numbered(entry))
        number_packet(s, at, engine, &packet);
    t->face->inject(t->face, s->base.network, at->local, engine, &packet, &left);
    if (!(packet.flags & FACE_GATE)) /* memory may fall behind with it */
        e->fetched = nic_move(&t->nic, at, fine_at(now), packet.bytes, fine_at(left - now)) -
                     fine_at(left - now);
    entry->base.left -= packet.bytes;
    entry->base.ready += entry->base.send.gap;
    if (packet.flags & FACE_LAST) {
        e->leaving = slots_take(&s->base.items, &e->sends);
        e->leaving_cycles = (uint32_t)(left - now);
    }
}

/* The last packet of a send was granted its output. */
static void tell_sent(struct tnis *t, struct tni_part *s, const struct nic_node *at,
                      struct tni_engine *e, cycle_t now)
{
    uint32_t index = e->leaving;
    e->leaving = SLOT_NONE;
    e->pending--;
    if (entry_at(s, index)->silent)
        slots_put(&s->base.items, index);
    else
        nic_finish(&t->nic, at, index, fine_at(now + e->leaving_cycles));
}

/* Whether a send may go on: it has started, or may do so now. */
static bool may_go_on(const struct tnis *t, const struct tni_part *s, const struct nic_node *at,
                      struct tni_entry *entry)
{
    uint64_t full = t->params.packet_bytes, bytes = entry->base.left;
    if (!entry->started)
        entry->started = t->face->start(t->face, s->base.network, at->local, entry->base.send.to,
                                        bytes ? (bytes + full - 1) / full : 1, &entry->base.route);
    return entry->started;
}

/* The first send of an engine must not start: for its poster it is over. */
static void withhold(struct tnis *t, struct tni_part *s, const struct nic_node *at,
                     struct tni_engine *e, cycle_t now)
{
    e->leaving = slots_take(&s->base.items, &e->sends);
    e->leaving_cycles = 0;
    tell_sent(t, s, at, e, now);
}

/* Where routes change: makes the first send of an engine one that may go on, and is ready; false:
 * there is none. */
static bool start_first(struct tnis *t, struct tni_part *s, const struct nic_node *at,
                        struct tni_engine *e, cycle_t now, fine_t *next)
{
    while (e->sends.first != SLOT_NONE) {
        struct tni_entry *entry = entry_at(s, e->sends.first);
        fine_t ready = fine_max(entry->base.ready, e->fetched);
        if (ready > fine_at(now)) {
            *next = ready < *next ? ready : *next;
            return false;
        }
        if (may_go_on(t, s, at, entry))
            return true;
        withhold(t, s, at, e, now);
    }
    return false;
}

WEFT_INLINE void serve_engine(struct tnis *t, struct tni_part *s, const struct nic_node *at,
                              unsigned engine, cycle_t now, bool reroutes, fine_t *next)
{
    struct tni_engine *e = &s->node[at->local].engine[engine];
    if (!face_is_free(t->face, s->base.network, at->local, engine))
        return; /* the router wakes the node when it has */
    if (e->leaving != SLOT_NONE)
        tell_sent(t, s, at, e, now);
    if (e->sends.first == SLOT_NONE)
        return;
    fine_t ready = fine_max(entry_at(s, e->sends.first)->base.ready, e->fetched);
    if (ready > fine_at(now))
        *next = ready < *next ? ready : *next;
    else if (!reroutes || start_first(t, s, at, e, now, next))
        inject(t, s, at, engine, now, reroutes);
}

WEFT_INLINE fine_t serve_engines(struct nic *nic, const struct nic_node *at, cycle_t now,
                                 bool reroutes)
{
    struct tni_part *s = nic_part(nic, at->partition);
    fine_t next = NIC_NEVER;
    for (unsigned engine = 0; engine < SENDERS; engine++)
        serve_engine((struct tnis *)nic, s, at, engine, now, reroutes, &next);
    return next;
}

static fine_t serve(struct nic *nic, const struct nic_node *at, cycle_t now)
{
    return serve_engines(nic, at, now, false);
}

static fine_t serve_rerouting(struct nic *nic, const struct nic_node *at, cycle_t now)
{
    return serve_engines(nic, at, now, true);
}

/* ---- receiving ---- */

/* A get: this node's engine sends what was asked for. */
static void answer(struct tnis *t, const struct nic_node *at, const struct face_packet *packet,
                   cycle_t when)
{
    struct nic_send send = {.to = packet->source,
                            .bytes = packet->whole,
                            .cargo = packet->cargo,
                            .birth = when,
                            .ready = fine_at(when),
                            .flags = NIC_STREAM,
                            .queue = packet->port};
    add_send(t, at, &send, true);
}

/* A packet for a gate, or another, is there. */
static void take(struct tnis *t, const struct nic_node *at, bool gate,
                 const struct nic_arrival *arrival, fine_t when)
{
    if (gate)
        gates_arrived(t->nic.gates, at, arrival->cargo, when);
    else
        nic_arrived(&t->nic, at, arrival, when + t->finish_time);
}

/* A packet with a number: it, and those that waited for it, are taken in order. */
static void take_in_order(struct tnis *t, const struct nic_node *at,
                          const struct face_packet *packet, fine_t when)
{
    struct tni_part *s = nic_part(&t->nic, at->partition);
    bool gate = packet->flags & FACE_GATE;
    struct in_order_kept next = {
        .arrival = nic_arrival_of(packet), .when = when, .number = packet->number};
    struct in_order_pair *pair = in_order_pair_of(
        &s->order, key_of(at->local, packet->source, gate ? TNI_ENGINES : packet->port));
    in_order_keep(&s->order, pair, &next);
    while (in_order_take(&s->order, pair, &next))
        take(t, at, gate, &next.arrival, next.when);
}

/* One that is not just handed to the client; it is in memory at `stored`. */
static __attribute__((noinline)) void take_special(struct tnis *t, const struct nic_node *at,
                                                   const struct face_packet *packet, cycle_t when,
                                                   fine_t stored)
{
    if (packet->flags & FACE_NUMBERED)
        take_in_order(t, at, packet, stored);
    else if (packet->flags & FACE_GATE)
        gates_arrived(t->nic.gates, at, packet->cargo, fine_at(when));
    else
        answer(t, at, packet, when);
}

/* When a packet is in memory: of an engine, in the order in which packets came. */
static fine_t store(struct tnis *t, const struct nic_node *at, const struct face_packet *packet,
                    fine_t when)
{
    if (!t->nic.memory)
        return when;
    struct tni_part *s = nic_part(&t->nic, at->partition);
    struct tni_engine *e = &s->node[at->local].engine[packet->port];
    e->stored = fine_max(e->stored, nic_store(&t->nic, at, when, packet->bytes));
    return e->stored;
}

static struct face_taken deliver(void *ctx, struct network_part *part, uint32_t local,
                                 const struct face_packet *packet, cycle_t when)
{
    struct tnis *t = ctx;
    struct nic_node at = {part->index, local, packet->destination};
    struct nic_arrival arrival = nic_arrival_of(packet);
    fine_t stored = fine_at(when);
    if (!(packet->flags & (FACE_GATE | FACE_ASKS)))
        stored = store(t, &at, packet, stored);
    if (packet->flags & (FACE_GATE | FACE_ASKS | FACE_NUMBERED))
        take_special(t, &at, packet, when, stored);
    else
        nic_arrived(&t->nic, &at, &arrival, stored + t->finish_time);
    return (struct face_taken){fine_cycle_after(stored), fine_cycle_after(stored)};
}

/* ---- whether a state can be one ---- */

static bool is_entry(const struct tnis *t, const struct tni_part *s, uint32_t local,
                     const struct tni_entry *entry)
{
    const struct nic_send *send = &entry->base.send;
    return send->bytes <= UINT32_MAX && entry->base.left <= send->bytes &&
           t->face->leads(t->face, s->base.network, local, send->to, entry->base.route) &&
           !(entry->flags & ~(FACE_ASKS | FACE_GATE)) && visited_is_bool(&entry->silent) &&
           entry->started <= t->face->starts;
}

static bool is_engine(const struct tnis *t, const struct tni_part *s, uint32_t local,
                      const struct tni_engine *e, struct visited *entries)
{
    if (!slots_list_visited(&s->base.items, &e->sends, entries))
        return false;
    for (uint32_t i = e->sends.first; i != SLOT_NONE; i = entry_at(s, i)->base.next)
        if (!is_entry(t, s, local, entry_at(s, i)))
            return false;
    if (e->leaving == SLOT_NONE)
        return true;
    return e->leaving_cycles <= UINT16_MAX && visited_mark(entries, e->leaving) &&
           is_entry(t, s, local, entry_at(s, e->leaving));
}

static bool is_valid(const struct nic *nic, const struct nic_part *part, struct visited *entries)
{
    const struct tni_part *s = (const struct tni_part *)part;
    bool valid = in_order_is_sound(&s->order, ((const struct tnis *)nic)->nodes);
    for (uint32_t local = 0; local < part->nodes && valid; local++)
        for (unsigned engine = 0; engine < SENDERS && valid; engine++)
            valid = is_engine((const struct tnis *)nic, s, local, &s->node[local].engine[engine],
                              entries);
    return valid;
}

/* ---- life cycle ---- */

static void prepare(struct nic *nic, struct nic_part *part)
{
    struct tni_part *s = (struct tni_part *)part;
    NIC_TABLE(s, &s->node, part->nodes);
    in_order_init(&s->order);
    for (uint32_t local = 0; local < part->nodes; local++)
        for (unsigned engine = 0; engine < SENDERS; engine++)
            s->node[local].engine[engine] =
                (struct tni_engine){.sends.first = SLOT_NONE, .leaving = SLOT_NONE};
    gates_prepare(nic->gates, part->network->index, part->nodes);
}

static void archive(struct nic *nic, struct nic_part *part, struct archive *a)
{
    gates_archive(nic->gates, part->network->index, a);
    in_order_archive(&((struct tni_part *)part)->order, a);
}

static void release_part(struct nic_part *part)
{
    in_order_fini(&((struct tni_part *)part)->order);
}

static void release(struct nic *nic)
{
    gates_destroy(nic->gates);
}

/* Two sorts: routes stay as they are, or the network may change them when sends start. */
#define TNI_KIND(SERVE)                                                                            \
    {                                                                                              \
        .post = post, .routes = routes, .size = sizeof(struct tnis),                               \
        .part_size = sizeof(struct tni_part), .item_size = sizeof(struct tni_entry),               \
        .remembers_wakes = true, .prepare = prepare, .serve = SERVE, .deliver = deliver,           \
        .archive = archive, .is_valid = is_valid, .flaw = "an engine's sends are not valid",       \
        .release_part = release_part, .release = release                                           \
    }

static const struct nic_kind tni_kind = TNI_KIND(serve);
static const struct nic_kind rerouting_kind = TNI_KIND(serve_rerouting);

struct nic *tnis_create(const struct tni_params *p, const struct face *face, uint32_t nodes,
                        uint32_t partitions)
{
    double cycles_per_us = face->cycles_per_us;
    double start_ns = p->start_ns + (p->command == TNI_COMMAND_MEMORY ? p->fetch_ns : 0);
    struct nic_traits traits = {.packet_payload = p->packet_bytes,
                                .ordered = true,
                                .engine = true,
                                .gets = true,
                                .queues = p->queues,
                                .fetches = 2 * p->engines, /* each, out and in */
                                .routes = p->engines,
                                .ahead = p->packets_ahead,
                                .cycles_per_us = cycles_per_us};
    struct tnis *t = nic_create(face->start ? &rerouting_kind : &tni_kind, &traits, partitions);
    t->nic.gates = gates_create(&(struct gates_options){.params = &p->gates,
                                                        .face = {t, send_gate, gate_over},
                                                        .cycles_per_us = cycles_per_us,
                                                        .partitions = partitions,
                                                        .nodes = nodes});
    t->params = *p;
    t->face = face;
    t->nodes = nodes;
    t->start_time = fine_length(start_ns * 1e-3 * cycles_per_us);
    t->finish_time = fine_length(p->finish_ns * 1e-3 * cycles_per_us);
    return &t->nic;
}
