/* Sends and arrivals, one by one. */
#include "node/ports/ports.h"

#include <math.h>

#define AT(field) offsetof(struct ports_params, field)

static const char *const gap_rules[] = {"least", "added", NULL};

static const struct key rows[] = {
    {"machine.port.mb_per_s", KEY_REAL, AT(mb_per_s), "MB/s", NULL, 1e-3, 1e9,
     .help = "bandwidth of a node's port, each way (1/G)"},
    {"machine.port.gap_ns", KEY_REAL, AT(gap_ns), "ns", NULL, 0, 1e9,
     .help = "least time between two messages at a port (g)"},
    {"machine.port.gap_rule", KEY_CHOICE, AT(gap_rule), "", NULL, .choices = gap_rules,
     .help = "least: n bytes take a port for max(g, n G); added: for g + (n - 1) G, and at least "
             "n G, as in LogGOPSim"},
    {"machine.node.processors", KEY_U32, AT(processors), "", NULL, 1, 8,
     .help = "processors per node"},
};

const struct key_section ports_section = {sizeof(struct ports_params)};
const struct key_table ports_keys = {rows, sizeof(rows) / sizeof(rows[0]), &ports_section};

/* A send that has not left completely. */
struct port_send {
    struct nic_item base; /* ready: when it can take the port */
    fine_t done;          /* when its last byte leaves, once it has the port */
};

struct port_node {
    fine_t out, in;            /* busy until */
    struct slots_list leaving; /* sends that have, or had, the port, in the order they leave */
    uint32_t waiting;  /* sends that are not ready yet, in the order in which they will be */
    uint32_t sequence; /* of the next send to leave */
};

struct ports_part {
    struct nic_part base;   /* items: struct port_send */
    struct port_node *node; /* [local] */
};

struct ports {
    struct nic nic;
    const struct face *face;
    fine_t gap, byte_24; /* a time per byte has 24 more bits */
    enum gap_rule gap_rule;
};

static struct port_send *send_at(const struct ports_part *s, uint32_t index)
{
    return (struct port_send *)s->base.items.item + index;
}

static fine_t byte_time(fine_t time_24, uint64_t bytes)
{
    return (fine_t)((unsigned __int128)bytes * time_24 >> 24);
}

/* How long a send occupies a port. */
static fine_t slot(const struct ports *p, uint64_t bytes)
{
    fine_t all = byte_time(p->byte_24, bytes), first = byte_time(p->byte_24, bytes > 0);
    return fine_max(all, p->gap_rule == GAP_ADDED ? p->gap + all - first : p->gap);
}

double ports_slot(const struct ports_params *p, double bytes)
{
    double byte_ns = 1e3 / p->mb_per_s;
    double added = p->gap_rule == GAP_ADDED ? fmax(bytes - 1, 0) * byte_ns : 0;
    return fmax(bytes * byte_ns, p->gap_ns + added);
}

/* ---- sending ---- */

/* Gives the port to a send. */
static void leave(struct ports *p, struct ports_part *s, const struct nic_node *at, uint32_t index)
{
    struct port_node *node = &s->node[at->local];
    struct port_send *x = send_at(s, index);
    cycle_t now = part_now(s->base.network), free_at;
    struct face_packet packet = nic_next_packet(&x->base, at, node->sequence++, UINT64_MAX);
    packet.start = fine_max(x->base.ready, node->out);
    packet.length = byte_time(p->byte_24, packet.bytes);
    x->done = packet.start + packet.length;
    node->out = packet.start + slot(p, packet.bytes);
    slots_append(&s->base.items, &node->leaving, index);
    cycle_t then = fine_cycle_after(x->done);
    part_wake(s->base.network, at->local, then > now ? then : now + 1);
    p->face->inject(p->face, s->base.network, at->local, 0, &packet, &free_at);
}

/* Sends take the port in the order in which they are ready, those of one cycle as posted. */
static void leave_due(struct ports *p, struct ports_part *s, const struct nic_node *at, cycle_t now)
{
    uint32_t *first = &s->node[at->local].waiting;
    while (*first != SLOT_NONE && send_at(s, *first)->base.ready >> FRACTION_BITS <= now) {
        uint32_t index = *first;
        *first = send_at(s, index)->base.next;
        leave(p, s, at, index);
    }
}

/* When a send is ready: not before what its processor has posted already, unless an engine streams
 * one of them. */
static fine_t ready_time(const struct ports_part *s, uint32_t local, const struct nic_send *send,
                         fine_t now)
{
    fine_t ready = fine_max(send->ready, now);
    for (uint32_t i = s->node[local].waiting; i != SLOT_NONE; i = send_at(s, i)->base.next) {
        const struct nic_item *other = &send_at(s, i)->base;
        if (other->send.queue == send->queue && !((other->send.flags | send->flags) & NIC_STREAM))
            ready = fine_max(ready, other->ready);
    }
    return ready;
}

static fine_t post(struct nic *nic, const struct nic_node *at, const struct nic_send *send)
{
    struct ports *p = (struct ports *)nic;
    struct ports_part *s = nic_part(nic, at->partition);
    cycle_t now = part_now(s->base.network);
    fine_t ready = ready_time(s, at->local, send, fine_at(now));
    uint32_t index = slots_get(&s->base.items), *place = &s->node[at->local].waiting;
    while (*place != SLOT_NONE && send_at(s, *place)->base.ready <= ready)
        place = &send_at(s, *place)->base.next;
    *send_at(s, index) = (struct port_send){
        .base = {.next = *place, .send = *send, .left = send->bytes, .ready = ready}};
    *place = index;
    if (ready >> FRACTION_BITS > now)
        part_wake(s->base.network, at->local, ready >> FRACTION_BITS);
    else
        leave_due(p, s, at, now);
    return ready;
}

static fine_t serve(struct nic *nic, const struct nic_node *at, cycle_t now)
{
    struct ports_part *s = nic_part(nic, at->partition);
    struct slots_list *leaving = &s->node[at->local].leaving;
    leave_due((struct ports *)nic, s, at, now);
    while (leaving->first != SLOT_NONE) { /* the client is told which have left by now */
        fine_t done = send_at(s, leaving->first)->done;
        if (fine_cycle_after(done) > now)
            break;
        nic_finish(nic, at, slots_take(&s->base.items, leaving), done);
    }
    return NIC_NEVER;
}

/* ---- receiving ---- */

static struct face_taken deliver(void *ctx, struct network_part *part, uint32_t local,
                                 const struct face_packet *packet, cycle_t when)
{
    struct ports *p = ctx;
    struct nic_node at = {part->index, local, packet->destination};
    struct ports_part *s = nic_part(&p->nic, part->index);
    struct port_node *port = &s->node[local];
    fine_t start = fine_max(packet->start, port->in);
    fine_t done = start + byte_time(p->byte_24, packet->bytes);
    struct nic_arrival arrival = nic_arrival_of(packet);
    port->in = start + slot(p, packet->bytes);
    p->face->occupy(part, local, start, done - start); /* a gap behind it keeps nobody busy */
    nic_arrived(&p->nic, &at, &arrival, done);
    return (struct face_taken){.next = when, .done = fine_cycle_after(done)};
}

/* Whether every send has a destination, and is in one list; or is free. */
static bool is_valid(const struct nic *nic, const struct nic_part *part, struct visited *sends)
{
    const struct ports_part *s = (const struct ports_part *)part;
    const struct face *face = ((const struct ports *)nic)->face;
    uint32_t last;
    for (uint32_t i = 0; i < part->items.count; i++)
        if (!sends->taken[i] &&
            !face->leads(face, part->network, 0, send_at(s, i)->base.send.to, 0))
            return false;
    for (uint32_t local = 0; local < part->nodes; local++)
        if (!slots_list_visited(&part->items, &s->node[local].leaving, sends) ||
            !visited_list(sends, slots_items(&part->items), s->node[local].waiting, &last))
            return false;
    return true;
}

/* ---- life cycle ---- */

static void prepare(struct nic *nic, struct nic_part *part)
{
    struct ports_part *s = (struct ports_part *)part;
    (void)nic;
    NIC_TABLE(s, &s->node, part->nodes);
    for (uint32_t local = 0; local < part->nodes; local++)
        s->node[local].leaving.first = s->node[local].waiting = SLOT_NONE;
}

static const struct nic_kind ports_kind = {.post = post,
                                           .size = sizeof(struct ports),
                                           .part_size = sizeof(struct ports_part),
                                           .item_size = sizeof(struct port_send),
                                           .serves_first = true,
                                           .prepare = prepare,
                                           .serve = serve,
                                           .deliver = deliver,
                                           .is_valid = is_valid,
                                           .flaw = "a list of sends is not valid"};

struct nic *ports_create(const struct ports_params *params, const struct face *face,
                         uint32_t partitions)
{
    double bits = (double)(1ull << (FRACTION_BITS + 24));
    struct nic_traits traits = {.packet_payload = UINT32_MAX,
                                .ordered = true,
                                .engine = true,
                                .queues = params->processors,
                                .routes = 1,
                                .cycles_per_us = face->cycles_per_us};
    struct ports *p = nic_create(&ports_kind, &traits, partitions);
    p->face = face;
    p->gap = fine_length(params->gap_ns * (face->cycles_per_us / 1e3));
    p->gap_rule = params->gap_rule;
    p->byte_24 = (fine_t)(face->cycles_per_us / params->mb_per_s * bits + 0.5);
    return &p->nic;
}
