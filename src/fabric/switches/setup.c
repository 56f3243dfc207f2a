/* Building a network of switches: partitions, switches, hosts, wires. */
#include "fabric/switches/state.h"

#include <stdlib.h>

#include "base/memory.h"
#include "engine/ranks.h"

/* Events a host and its share of the switches can have pending, roughly; places for packets. */
enum { EVENTS_PER_HOST = 1024, FIRST_PACKETS = 4096 };

/* Ports of a switch, at most. */
static uint32_t most_ports(const struct switches_params *p, const struct graph *g)
{
    uint32_t most = 1;
    for (uint32_t node = 0; node < g->nodes; node++) {
        uint32_t ports = switches_ports(p, g, node);
        most = ports > most ? ports : most;
    }
    return most;
}

uint64_t switches_network_memory(const struct switches_params *p, const struct graph *g)
{
    uint64_t ports = most_ports(p, g);
    uint64_t node =
        sizeof(struct switches_switch) + ports * sizeof(struct switches_output) +
        ports * p->vcs * (sizeof(struct switches_queue) + sizeof(struct switches_head)) +
        ports * (ports * p->vcs / 64 + 1) * sizeof(uint64_t);
    return g->nodes * node + (uint64_t)g->hosts * (sizeof(struct switches_host) +
                                                   p->lanes * sizeof(struct switches_lane));
}

/* ---- wires ---- */

static uint32_t neighbour(const struct network *base, uint32_t node, unsigned port)
{
    const struct graph *g = ((const struct switches_network *)base)->routing->graph;
    return port < g->ports[node] ? graph_end_at(g, node, port)->node : GRAPH_NONE;
}

/* The ports of a switch that are along a dimension: from one to another is no turn. */
static uint64_t ports_along(const struct graph *g, uint32_t node, unsigned sort)
{
    uint64_t ports = 0;
    for (unsigned port = 0; port < g->ports[node]; port++)
        ports |= (uint64_t)(graph_end_at(g, node, port)->sort == sort) << port;
    return ports;
}

/* A switch and its hosts. */
static void wire(struct network *base, struct network_part *base_part, uint32_t local)
{
    struct switches_network *n = (struct switches_network *)base;
    struct switches_part *p = (struct switches_part *)base_part;
    const struct graph *g = n->routing->graph;
    const struct switches_params *params = p->params;
    struct switches_switch *s = &p->node[local];
    s->node = p->base.members[local];
    s->stuck = 0; /* it will be found again */
    s->first_host = g->first_host[s->node];
    s->links = g->ports[s->node];
    s->ports = (uint8_t)switches_ports(params, g, s->node);
    for (unsigned port = 0; port < s->links; port++) {
        const struct graph_end *e = graph_end_at(g, s->node, port);
        struct switches_output *o = &p->output[(size_t)local * p->ports + port];
        o->to = network_end(base, base_part, e->node);
        o->port = e->port;
        o->sort = e->sort;
        o->is_long = g->is_long[e->sort];
        o->wraps = e->wraps;
        o->is_lane = false;
        o->wire = (uint16_t)switches_wire(params, g, e->sort);
        o->along = n->routing->ring_words ? ports_along(g, s->node, e->sort) : 0;
    }
    for (uint32_t i = 0; i < graph_hosts_at(g, s->node); i++) {
        uint32_t host = g->first_host[s->node] + i, at = n->host_local[host];
        struct switches_host *h = &p->host[at];
        h->host = host;
        h->at = local;
        h->port = (uint8_t)(s->links + i * params->lanes);
        for (unsigned lane = 0; lane < params->lanes; lane++) {
            struct switches_output *o = &p->output[(size_t)local * p->ports + h->port + lane];
            o->to = at;
            o->port = (uint8_t)lane;
            o->is_lane = true;
            o->wire = (uint16_t)params->host_wire_cycles;
            for (unsigned vc = 0; vc < params->vcs; vc++)
                switches_heads(p, local)[vc * p->ports + h->port + lane].is_own =
                    params->transit_first;
        }
    }
}

/* ---- partitions ---- */

static void empty(struct switches_part *p)
{
    const struct switches_params *params = p->params;
    size_t outputs = (size_t)p->base.member_count * p->ports;
    for (size_t i = 0; i < outputs; i++) {
        for (unsigned vc = 0; vc < params->vcs; vc++)
            p->output[i].room[vc] = (uint16_t)params->vc_words;
        p->output[i].all_room = params->vc_words * params->vcs;
    }
    for (size_t i = 0; i < (size_t)p->base.nodes * params->lanes; i++)
        for (unsigned vc = 0; vc < params->vcs; vc++)
            p->lane[i].room[vc] = (uint16_t)params->vc_words;
    for (size_t i = 0; i < outputs * params->vcs; i++)
        p->queue[i].head = NO_PACKET;
    for (uint32_t local = 0; local < p->base.member_count; local++) {
        p->node[local].arrivals = NO_PACKET;
        p->node[local].due = NO_QUEUE;
    }
}

/* The large part of the setup, on the thread that will use it. */
static void prepare(struct network *base, struct network_part *base_part)
{
    struct switches_network *n = (struct switches_network *)base;
    struct switches_part *p = (struct switches_part *)base_part;
    size_t outputs = (size_t)p->base.member_count * n->ports;
    p->network = n;
    p->routing = n->routing;
    p->params = &n->routing->params;
    p->ports = n->ports;
    p->set_words = (n->ports * p->params->vcs + 63) / 64;
    p->base.pool_packets = FIRST_PACKETS;
    p->base.pool_grows = true;
    PART_TABLE(p, &p->node, p->base.member_count, PART_SAVED);
    PART_TABLE(p, &p->output, outputs, PART_SAVED);
    PART_TABLE(p, &p->queue, outputs * p->params->vcs, PART_SAVED);
    PART_TABLE(p, &p->head, outputs * p->params->vcs, PART_SAVED);
    PART_TABLE(p, &p->wanting, outputs * p->set_words, PART_SAVED);
    PART_TABLE(p, &p->host, p->base.nodes + 1, PART_SAVED);
    PART_TABLE(p, &p->lane, (size_t)p->base.nodes * p->params->lanes + 1, PART_SAVED);
    PART_TABLE(p, &p->waits, 1, PART_SAVED);
    PART_TABLE(p, &p->pool, p->base.pool_packets, PART_PACKETS);
    PART_TABLE(p, &p->dirty.node, p->base.member_count, PART_SCRATCH);
    PART_TABLE(p, &p->dirty_hosts.node, p->base.nodes + 1, PART_SCRATCH);
    empty(p);
    for (uint32_t local = 0; local < p->base.member_count; local++)
        wire(base, base_part, local);
    n->client.prepare(n->client.ctx, &p->base);
    for (uint32_t local = 0; local < p->base.nodes; local++)
        part_wake(&p->base, local, 0);
}

static struct network_link link(struct network_part *base, uint32_t local, unsigned port,
                                cycle_t until)
{
    const struct switches_part *p = (const struct switches_part *)base;
    struct switches_output *o = &p->output[(size_t)local * p->ports + port];
    (void)until;
    return (struct network_link){
        .busy = o->is_lane ? NULL : &o->busy, .free_at = o->free_at, .port = o->sort};
}

/* Numbers hosts within their partitions, whose nodes they are. */
static void number_hosts(struct switches_network *n)
{
    const struct graph *g = n->routing->graph;
    uint32_t *count = memory_alloc(n->base.engine.partitions, sizeof(*count));
    for (uint32_t host = 0; host < g->hosts; host++)
        n->host_local[host] = count[n->base.partition[g->host_switch[host]]]++;
    for (uint32_t i = n->base.engine.first; i < n->base.engine.end; i++) {
        WEFT_CHECK(count[i] < EVENT_MAX_NODES, "partition %u is too large", i);
        network_part(&n->base, i)->nodes = count[i];
    }
    free(count);
}

static const struct network_kind kind = {.part_size = sizeof(struct switches_part),
                                         .packet_size = sizeof(struct switches_packet),
                                         .next_at = offsetof(struct switches_packet, next),
                                         .pool_at = offsetof(struct switches_part, pool),
                                         .events_per_node = EVENTS_PER_HOST,
                                         .wake = (event_t)SWITCHES_SERVE << EVENT_KIND_SHIFT,
                                         .brings = 1 << SWITCHES_ARRIVE,
                                         .travels = 1 << SWITCHES_ARRIVE | 1 << SWITCHES_CREDIT,
                                         .advance = switches_advance,
                                         .neighbour = neighbour,
                                         .prepare = prepare,
                                         .wire = wire,
                                         .link = link,
                                         .checks = &switches_checks,
                                         .stuck =
                                             "a process waits for a message that does not come"};

/* News reaches another partition after a wire, at least. */
static cycle_t lookahead(const struct switches_network *n)
{
    const struct switches_params *p = &n->routing->params;
    const struct graph *g = n->routing->graph;
    cycle_t least = p->long_wire_cycles;
    for (unsigned sort = 0; sort < g->sorts; sort++)
        if (switches_wire(p, g, sort) < least)
            least = switches_wire(p, g, sort);
    return least;
}

weft_status switches_network_create(const struct switches_network_options *o,
                                    struct switches_network **network)
{
    struct switches_network *n =
        memory_alloc(1, sizeof(*n) + o->routing->graph->hosts * sizeof(n->host_local[0]));
    n->routing = o->routing;
    n->client = o->client;
    n->ports = most_ports(&o->routing->params, o->routing->graph);
    n->full_words = o->full_words;
    n->base.plan = o->plan;
    /* A grid has ports for links that sides of one do not have: no switch has so many. */
    uint32_t degree = o->routing->graph->degree;
    n->base.ports = degree < n->ports ? degree : n->ports;
    n->base.slots = 2 * n->ports; /* what leaves by a port; what a host sends to it */
    n->base.vcs = o->routing->params.vcs;
    n->base.buffers = n->ports * o->routing->params.vcs;
    network_init(&n->base, &kind, o->partitions, lookahead(n), false);
    network_place(&n->base, o->routing->graph->nodes, o->partition);
    number_hosts(n);
    *network = n;
    return WEFT_OK;
}

void switches_network_locate(const struct switches_network *n, uint32_t host, uint32_t *partition,
                             uint32_t *local)
{
    *partition = n->base.partition[n->routing->graph->host_switch[host]];
    *local = n->host_local[host];
}

/* ---- figures ---- */

struct switches_waits switches_network_waits(const struct switches_network *n)
{
    enum { SUMS = offsetof(struct switches_waits, longest) / sizeof(uint64_t) };
    struct switches_waits all = {.decided = 0};
    uint64_t *sum = (uint64_t *)&all;
    for (uint32_t i = n->base.engine.first; i < n->base.engine.end; i++) {
        const struct network_part *part = network_part(&n->base, i);
        const struct switches_waits *w = ((const struct switches_part *)part)->waits;
        for (unsigned k = 0; k < SUMS; k++)
            sum[k] += ((const uint64_t *)w)[k];
        for (unsigned vc = 0; vc < SWITCHES_VCS; vc++)
            all.longest[vc] = w->longest[vc] > all.longest[vc] ? w->longest[vc] : all.longest[vc];
    }
    ranks_sum(sum, SUMS);
    for (unsigned vc = 0; vc < SWITCHES_VCS; vc++)
        all.longest[vc] = ranks_max(all.longest[vc]);
    return all;
}
