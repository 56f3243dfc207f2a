/*
 * A node's events are arriving packets and wake-ups. All events of a cycle are collected first;
 * then each node that has some takes its step, with its packets in an order that does not depend on
 * which partition ran first.
 */
#include "fabric/ideal/network.h"

#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "base/memory.h"
#include "base/text/text.h"
#include "engine/ranks.h"
#include "fabric/check.h"

/* Events and packets that a node has pending, roughly; room for both grows. */
enum { EVENTS_PER_NODE = 16, PACKETS_PER_NODE = 4, PACKETS_LEAST = 1024 };

enum ideal_event { IDEAL_ARRIVE, IDEAL_SERVE };

struct ideal_node {
    uint32_t arrivals; /* packets of this cycle, in no order; NO_PACKET: none */
    uint8_t dirty, serve;
};

struct ideal_part {
    struct network_part base;
    struct ideal_network *network;
    uint32_t first; /* node */
    struct ideal_node *node;
    struct ideal_packet *pool;
    struct dirty_nodes dirty;
    uint32_t *channel; /* to each partition */
};

struct ideal_network {
    struct network base;
    const struct ideal_topology *topology;
    struct face_client client;
    fine_t latency, hop;
    uint32_t nodes, partitions;
};

/* Partitions are ranges of nodes, as even as possible. */
static uint32_t first_node(const struct ideal_network *n, uint32_t partition)
{
    return (uint32_t)((uint64_t)n->nodes * partition / n->partitions);
}

/* ---- a cycle ---- */

WEFT_INLINE void apply_event(struct network_part *base, event_t e)
{
    struct ideal_part *p = (struct ideal_part *)base;
    struct ideal_node *s = &p->node[event_node(e)];
    if (event_kind(e) == IDEAL_ARRIVE) {
        p->pool[event_payload(e)].next = s->arrivals;
        s->arrivals = event_payload(e);
    } else {
        s->serve = 1;
    }
    part_mark(&p->dirty, &s->dirty, event_node(e));
}

/* Of packets that come at once the next sender in numbers is first: senders that have waited for
 * all receivers alike then go to different ones, where the lowest first would send all to the same.
 */
static bool comes_before(const struct ideal_packet *a, const struct ideal_packet *b)
{
    if (a->when != b->when)
        return a->when < b->when;
    uint32_t x = a->source - a->destination, y = b->source - b->destination;
    return x != y ? x < y : a->sequence < b->sequence;
}

static uint32_t sort(struct ideal_part *p, uint32_t list);

/* Mostly there is nothing to sort. */
WEFT_INLINE uint32_t sorted(struct ideal_part *p, uint32_t list)
{
    return list == NO_PACKET || p->pool[list].next == NO_PACKET ? list : sort(p, list);
}

/* Sorts the list of a node's arrivals (merge sort). */
static uint32_t sort(struct ideal_part *p, uint32_t list)
{
    uint32_t slow = list, fast = p->pool[list].next, merged = NO_PACKET, *end = &merged;
    while (fast != NO_PACKET && p->pool[fast].next != NO_PACKET) {
        slow = p->pool[slow].next;
        fast = p->pool[p->pool[fast].next].next;
    }
    uint32_t second = p->pool[slow].next;
    p->pool[slow].next = NO_PACKET;
    uint32_t a = sorted(p, list), b = sorted(p, second);
    while (a != NO_PACKET && b != NO_PACKET) {
        uint32_t *least = comes_before(&p->pool[a], &p->pool[b]) ? &a : &b;
        *end = *least;
        end = &p->pool[*least].next;
        *least = *end;
    }
    *end = a != NO_PACKET ? a : b;
    return merged;
}

static void deliver(struct ideal_part *p, uint32_t local, uint32_t index)
{
    const struct face_client *client = &p->network->client;
    const struct ideal_packet *packet = &p->pool[index];
    struct face_packet out = {FACE_COMMON(packet),

                              .start = packet->when, .flags = FACE_LAST};
    struct delivery d = {out.source, out.sequence, out.birth, out.bytes};
    part_give(&p->base, PART_POOL(p), index);
    cycle_t came = out.start >> FRACTION_BITS;
    cycle_t done = client->deliver(client->ctx, &p->base, local, &out, came).done;
    p->base.measure.moves++;
    part_delivery(&p->base, local, &d, out.destination, done);
}

static void step(struct ideal_part *p, uint32_t local, cycle_t now)
{
    struct ideal_node *s = &p->node[local];
    const struct face_client *client = &p->network->client;
    uint32_t list = sorted(p, s->arrivals), next;
    s->arrivals = NO_PACKET;
    for (; list != NO_PACKET; list = next) {
        next = p->pool[list].next;
        deliver(p, local, list);
    }
    if (s->serve) {
        s->serve = 0;
        client->serve(client->ctx, &p->base, local, p->first + local, now);
    }
}

static void advance(struct network_part *part, cycle_t until)
{
    struct ideal_part *p = (struct ideal_part *)part;
    cycle_t now;
    while (part_next_cycle(&p->base, until, &now)) {
        part_apply(&p->base, now, apply_event);
        for (uint32_t i = 0; i < p->dirty.count; i++) {
            p->node[p->dirty.node[i]].dirty = 0;
            step(p, p->dirty.node[i], now);
        }
        p->dirty.count = 0;
    }
}

/* ---- for nics ---- */

/* A port is busy for a fine time; returns its cycles. Both ends are rounded down, so that the
 * cycles of packets that follow each other add up. */
static cycle_t occupy(struct ideal_part *p, uint32_t local, unsigned port, fine_t start,
                      fine_t length)
{
    cycle_t first = start >> FRACTION_BITS, cycles = ((start + length) >> FRACTION_BITS) - first;
    p->base.measure.busy[port] +=
        part_busy(&p->base, ideal_slot(local, port), 0, port, first, cycles);
    return cycles;
}

static void measure_sending(struct ideal_part *p, uint32_t local, const struct face_packet *f,
                            uint32_t hops)
{
    struct measure *m = &p->base.measure;
    cycle_t left = f->start >> FRACTION_BITS;
    cycle_t cycles = occupy(p, local, IDEAL_OUT, f->start, f->length);
    m->generated++;
    m->moves++;
    part_injection(&p->base, local, f->birth < left ? f->birth : left, f->bytes, left);
    measure_hops(m, 0, f->bytes, hops ? hops : 1, left, cycles ? cycles : 1);
}

static bool inject(const struct face *face, struct network_part *part, uint32_t local,
                   unsigned port, const struct face_packet *f, cycle_t *free_at)
{
    struct ideal_part *p = (struct ideal_part *)part;
    struct ideal_network *n = p->network;
    (void)face, (void)port;
    part_make_room(part);
    uint32_t index = part_take(part, PART_POOL(p)), to = f->destination;
    uint32_t hops = ideal_distance(n->topology, f->source, to);
    fine_t when = f->start + n->latency + hops * n->hop;
    if (__builtin_expect(when > fine_at(IDEAL_LAST_CYCLE), 0)) {
        RUN_ABANDONED(
            ("the run comes to cycle %llu, where times end", (unsigned long long)IDEAL_LAST_CYCLE),
            ("simulate fewer or shorter messages, or faster ports"));
    }
    p->pool[index] = (struct ideal_packet){FACE_COMMON(f), .when = when};
    measure_sending(p, local, f, hops);
    *free_at = part_now(part);
    cycle_t time = when >> FRACTION_BITS;
    if (to - p->first < part->nodes) {
        wheel_push(&part->wheel, time, event_make(IDEAL_ARRIVE, to - p->first, 0, 0, index));
        return true;
    }
    uint32_t partition = n->base.partition[to], there = to - first_node(n, partition);
    part_ship(part, &n->base.engine.channel[p->channel[partition]], time,
              event_make(IDEAL_ARRIVE, there, 0, 0, index), true, PART_POOL(p));
    return true;
}

static bool leads(const struct face *face, const struct network_part *part, uint32_t local,
                  uint32_t to, uint64_t route)
{
    (void)face, (void)local;
    return to < ((const struct ideal_part *)part)->network->nodes && !route;
}

static void occupy_in(struct network_part *part, uint32_t local, fine_t start, fine_t length)
{
    occupy((struct ideal_part *)part, local, IDEAL_IN, start, length);
}

const struct face ideal_face = {.routes_most = 1,
                                .ports = 1,
                                .cycles_per_us = IDEAL_CYCLES_PER_SECOND / 1e6,
                                .inject = inject,
                                .occupy = occupy_in,
                                .leads = leads};

/* ---- at rest ---- */

static bool is_event(const struct network_part *base, void *pending, cycle_t time, event_t e,
                     const void *body)
{
    const struct ideal_part *p = (const struct ideal_part *)base;
    const struct ideal_packet *packet = body;
    uint32_t local = event_node(e);
    (void)pending;
    if (local >= base->nodes || event_kind(e) == IDEAL_SERVE)
        return local < base->nodes;
    return event_kind(e) == IDEAL_ARRIVE && packet->destination == p->first + local &&
           packet->source < p->network->nodes && packet->when >> FRACTION_BITS == time;
}

static const char *node_flaw(const struct inspection *a, uint32_t local)
{
    const struct ideal_node *s = &((const struct ideal_part *)a->part)->node[local];
    bool at_rest = s->arrivals == NO_PACKET && !s->dirty && !s->serve;
    return at_rest ? NULL : "a node is not at rest";
}

/* ---- life cycle ---- */

static void prepare(struct network *base, struct network_part *base_part)
{
    struct ideal_network *n = (struct ideal_network *)base;
    struct ideal_part *p = (struct ideal_part *)base_part;
    uint32_t nodes = p->base.nodes;
    p->network = n;
    p->first = first_node(n, base_part->index);
    p->base.pool_packets = nodes * PACKETS_PER_NODE + PACKETS_LEAST;
    p->base.pool_grows = true;
    PART_TABLE(p, &p->node, nodes, PART_SAVED);
    PART_TABLE(p, &p->pool, p->base.pool_packets, PART_PACKETS);
    PART_TABLE(p, &p->dirty.node, nodes, PART_SCRATCH);
    for (uint32_t local = 0; local < nodes; local++)
        p->node[local].arrivals = NO_PACKET;
    n->client.prepare(n->client.ctx, &p->base);
    for (uint32_t local = 0; local < nodes; local++)
        part_wake(&p->base, local, 0);
}

uint64_t ideal_network_memory(uint32_t nodes)
{
    return nodes * (uint64_t)(sizeof(struct ideal_node) + sizeof(struct ideal_packet) + 256);
}

static void place(struct ideal_network *n)
{
    uint32_t *partition = memory_alloc(n->nodes, sizeof(*partition));
    for (uint32_t i = 0; i < n->partitions; i++)
        for (uint32_t node = first_node(n, i); node < first_node(n, i + 1); node++)
            partition[node] = i;
    network_place(&n->base, n->nodes, partition);
    free(partition);
}

/* Every partition may send to every other. */
static void connect(struct ideal_network *n, struct ideal_part *p)
{
    uint32_t me = p->base.index;
    PART_TABLE(p, &p->channel, n->partitions, PART_SCRATCH);
    for (uint32_t other = 0; other < n->partitions; other++) {
        if (other == me)
            continue;
        p->channel[other] = engine_add_channel(&n->base.engine, me, other);
        if (engine_rank(&n->base.engine, other) != ranks_me())
            engine_add_channel(&n->base.engine, other, me);
    }
}

static const struct network_kind kind = {
    .part_size = sizeof(struct ideal_part),
    .packet_size = sizeof(struct ideal_packet),
    .next_at = offsetof(struct ideal_packet, next),
    .pool_at = offsetof(struct ideal_part, pool),
    .events_per_node = EVENTS_PER_NODE,
    .wake = (event_t)IDEAL_SERVE << EVENT_KIND_SHIFT,
    .brings = 1 << IDEAL_ARRIVE,
    .travels = 1 << IDEAL_ARRIVE,
    .advance = advance,
    .prepare = prepare,
    .checks = &(const struct network_checks){.is_event = is_event, .router_flaw = node_flaw},
    .stuck = "nothing can wait inside an ideal network; a process waits for a message that does "
             "not come"};

weft_status ideal_network_create(const struct ideal_network_options *o,
                                 struct ideal_network **network)
{
    struct ideal_network *n = memory_alloc(1, sizeof(*n));
    const struct ideal_config *c = o->config;
    n->topology = o->topology;
    n->client = o->client;
    n->nodes = c->nodes;
    n->partitions = o->partitions;
    n->latency = fine_length(c->latency_ns);
    n->hop = strcmp(c->topology, "none") == 0 ? 0 : fine_length(c->hop_ns);
    n->base.plan = o->plan;
    n->base.slots = IDEAL_PORTS;
    n->base.vcs = 1;
    network_init(&n->base, &kind, o->partitions, (n->latency + n->hop) >> FRACTION_BITS, false);
    place(n);
    for (uint32_t i = n->base.engine.first; i < n->base.engine.end; i++)
        connect(n, (struct ideal_part *)network_part(&n->base, i));
    *network = n;
    return WEFT_OK;
}
