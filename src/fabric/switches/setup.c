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

static uint32_t end_of(struct switches_network *n, struct switches_part *p, uint32_t node)
{
    uint32_t there = n->partition[node];
    if (there == p->base.index)
        return n->local[node];
    return part_far(&p->base, engine_connect(&n->base.engine, p->base.index, there),
                    n->local[node]);
}

/* Channels both ways to every partition that some switch here is linked with; on one thread. */
static void connect(struct switches_network *n, struct switches_part *p)
{
    const struct graph *g = n->routing->graph;
    for (uint32_t i = 0; i < p->switches; i++)
        for (unsigned port = 0; port < g->ports[p->members[i]]; port++) {
            uint32_t to = graph_end_at(g, p->members[i], port)->node;
            if (n->partition[to] == p->base.index)
                continue;
            engine_connect(&n->base.engine, p->base.index, n->partition[to]);
            engine_connect(&n->base.engine, n->partition[to], p->base.index);
        }
}

/* The ports of a switch that are along a dimension: from one to another is no turn. */
static uint64_t ports_along(const struct graph *g, uint32_t node, unsigned sort)
{
    uint64_t ports = 0;
    for (unsigned port = 0; port < g->ports[node]; port++)
        ports |= (uint64_t)(graph_end_at(g, node, port)->sort == sort) << port;
    return ports;
}

/* What is known of a switch and its hosts before anything happens: a saved state does not bring
 * it. */
static void wire(struct switches_network *n, struct switches_part *p, uint32_t local)
{
    const struct graph *g = n->routing->graph;
    const struct switches_params *params = p->params;
    struct switches_switch *s = &p->node[local];
    s->node = p->members[local];
    s->first_host = g->first_host[s->node];
    s->links = g->ports[s->node];
    s->ports = (uint8_t)switches_ports(params, g, s->node);
    for (unsigned port = 0; port < s->links; port++) {
        const struct graph_end *e = graph_end_at(g, s->node, port);
        struct switches_output *o = &p->output[(size_t)local * p->ports + port];
        o->to = end_of(n, p, e->node);
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
    size_t outputs = (size_t)p->switches * p->ports;
    for (size_t i = 0; i < outputs; i++) {
        for (unsigned vc = 0; vc < params->vcs; vc++)
            p->output[i].room[vc] = (uint16_t)params->buffer_words;
        p->output[i].all_room = params->buffer_words * params->vcs;
    }
    for (size_t i = 0; i < (size_t)p->base.nodes * params->lanes; i++)
        for (unsigned vc = 0; vc < params->vcs; vc++)
            p->lane[i].room[vc] = (uint16_t)params->buffer_words;
    for (size_t i = 0; i < outputs * params->vcs; i++)
        p->queue[i].head = NO_PACKET;
    for (uint32_t local = 0; local < p->switches; local++) {
        p->node[local].arrivals = NO_PACKET;
        p->node[local].due = NO_QUEUE;
    }
}

/* The large part of the setup, on the thread that will use it. */
static void prepare(struct network *base, struct network_part *base_part)
{
    struct switches_network *n = (struct switches_network *)base;
    struct switches_part *p = (struct switches_part *)base_part;
    size_t outputs = (size_t)p->switches * p->ports;
    p->base.pool_packets = FIRST_PACKETS;
    p->base.pool_grows = true;
    PART_TABLE(p, &p->node, p->switches, PART_SAVED);
    PART_TABLE(p, &p->output, outputs, PART_SAVED);
    PART_TABLE(p, &p->queue, outputs * p->params->vcs, PART_SAVED);
    PART_TABLE(p, &p->head, outputs * p->params->vcs, PART_SAVED);
    PART_TABLE(p, &p->wanting, outputs * p->set_words, PART_SAVED);
    PART_TABLE(p, &p->host, p->base.nodes + 1, PART_SAVED);
    PART_TABLE(p, &p->lane, (size_t)p->base.nodes * p->params->lanes + 1, PART_SAVED);
    PART_TABLE(p, &p->waits, 1, PART_SAVED);
    PART_TABLE(p, &p->pool, p->base.pool_packets, PART_PACKETS);
    PART_TABLE(p, &p->dirty.node, p->switches, PART_SCRATCH);
    PART_TABLE(p, &p->dirty_hosts.node, p->base.nodes + 1, PART_SCRATCH);
    empty(p);
    for (uint32_t local = 0; local < p->switches; local++)
        wire(n, p, local);
    n->client.prepare(n->client.ctx, &p->base);
    for (uint32_t local = 0; local < p->base.nodes; local++)
        part_wake(&p->base, local, 0);
}

static void archive(struct network_part *base, struct archive *a)
{
    struct switches_part *p = (struct switches_part *)base;
    if (!archive_has_read(a))
        return;
    p->base.far_count = 0;
    for (uint32_t local = 0; local < p->switches; local++) {
        wire(p->network, p, local);
        p->node[local].stuck = 0; /* it will be found again */
    }
}

static struct part_pool pool(const struct network_part *base)
{
    return switches_pool((const struct switches_part *)base);
}

static void release(struct network *base)
{
    struct switches_network *n = (struct switches_network *)base;
    for (uint32_t i = n->base.engine.first; i < n->base.engine.end; i++)
        free(switches_part_at(n, i)->members);
    free(n->partition);
    free(n->local);
    free(n->host_local);
}

static struct detail_size detail(const struct network_part *base)
{
    const struct switches_part *p = (const struct switches_part *)base;
    return (struct detail_size){2 * p->switches * p->ports, p->params->vcs};
}

static void close_part(struct network_part *base, cycle_t until)
{
    struct switches_part *p = (struct switches_part *)base;
    for (size_t i = 0; i < (size_t)p->switches * p->ports; i++) {
        cycle_t free_at = p->output[i].free_at;
        uint64_t over = free_at > until ? free_at - until : 0, *busy = &p->output[i].busy;
        if (p->output[i].is_lane)
            continue;
        *busy = over < *busy ? *busy - over : 0;
        p->base.measure.busy[p->output[i].sort] += *busy;
    }
}

static const struct network_kind kind = {.part_size = sizeof(struct switches_part),
                                         .wake = (event_t)SWITCHES_SERVE << EVENT_KIND_SHIFT,
                                         .events_per_node = EVENTS_PER_HOST,
                                         .prepare = prepare,
                                         .release = release,
                                         .archive = archive,
                                         .flaw = switches_flaw,
                                         .message_flaw = switches_message_flaw,
                                         .brings = switches_brings,
                                         .pool = pool,
                                         .detail = detail,
                                         .check = switches_check,
                                         .close = close_part,
                                         .explain = switches_explain};

/* The small part, needed before the run: for all partitions of this rank, on one thread. */
static void part_init(struct switches_network *n, uint32_t index)
{
    struct switches_part *p = switches_part_at(n, index);
    const struct graph *g = n->routing->graph;
    p->network = n;
    p->routing = n->routing;
    p->params = &n->routing->params;
    p->ports = n->ports;
    p->set_words = (n->ports * p->params->vcs + 63) / 64;
    p->members = memory_alloc(g->nodes, sizeof(*p->members));
    for (uint32_t node = 0; node < g->nodes; node++)
        if (n->partition[node] == index) {
            p->members[p->switches++] = node;
            p->base.nodes += graph_hosts_at(g, node);
        }
    WEFT_CHECK(p->switches < EVENT_MAX_NODES && p->base.nodes < EVENT_MAX_NODES,
               "partition %u is too large", index);
    connect(n, p);
}

/* Numbers switches and hosts within their partitions. */
static void place(struct switches_network *n, const uint32_t *partition, uint32_t partitions)
{
    const struct graph *g = n->routing->graph;
    uint32_t *switches = memory_alloc(partitions, sizeof(*switches));
    uint32_t *hosts = memory_alloc(partitions, sizeof(*hosts));
    n->partition = memory_alloc(g->nodes, sizeof(*n->partition));
    n->local = memory_alloc(g->nodes, sizeof(*n->local));
    n->host_local = memory_alloc(g->hosts, sizeof(*n->host_local));
    for (uint32_t node = 0; node < g->nodes; node++) {
        n->partition[node] = partition[node];
        n->local[node] = switches[partition[node]]++;
        for (uint32_t host = g->first_host[node]; host < g->first_host[node + 1]; host++)
            n->host_local[host] = hosts[partition[node]]++;
    }
    free(switches);
    free(hosts);
}

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
    struct switches_network *n = memory_alloc(1, sizeof(*n));
    n->routing = o->routing;
    n->client = o->client;
    n->ports = most_ports(&o->routing->params, o->routing->graph);
    n->full_words = o->full_words;
    n->base.plan = o->plan;
    place(n, o->partition, o->partitions);
    struct engine_model model = switches_engine_model(n);
    network_init(&n->base, &kind, &model, o->partitions, lookahead(n));
    for (uint32_t i = n->base.engine.first; i < n->base.engine.end; i++)
        part_init(n, i);
    *network = n;
    return WEFT_OK;
}

void switches_network_locate(const struct switches_network *n, uint32_t host, uint32_t *partition,
                             uint32_t *local)
{
    *partition = n->partition[n->routing->graph->host_switch[host]];
    *local = n->host_local[host];
}

/* ---- figures ---- */

struct switches_waits switches_network_waits(const struct switches_network *n)
{
    struct switches_waits all = {.decided = 0};
    for (uint32_t i = n->base.engine.first; i < n->base.engine.end; i++) {
        const struct switches_waits *w = switches_part_at(n, i)->waits;
        for (unsigned vc = 0; vc < SWITCHES_VCS; vc++) {
            all.packets[vc] += w->packets[vc];
            all.cycles[vc] += w->cycles[vc];
            all.longest[vc] = w->longest[vc] > all.longest[vc] ? w->longest[vc] : all.longest[vc];
        }
        all.detours += w->detours;
        all.decided += w->decided;
    }
    ranks_sum(all.packets, SWITCHES_VCS);
    ranks_sum(all.cycles, SWITCHES_VCS);
    for (unsigned vc = 0; vc < SWITCHES_VCS; vc++)
        all.longest[vc] = ranks_max(all.longest[vc]);
    ranks_sum(&all.detours, 1);
    ranks_sum(&all.decided, 1);
    return all;
}

uint64_t switches_network_link_busy(const struct switches_network *n, uint32_t node, unsigned port)
{
    uint32_t partition = n->partition[node];
    if (engine_rank(&n->base.engine, partition) != ranks_me())
        return 0;
    return switches_part_at(n, partition)->output[(size_t)n->local[node] * n->ports + port].busy;
}

uint32_t switches_network_slot(const struct switches_network *n, uint32_t node, unsigned port)
{
    return n->local[node] * n->ports + port;
}

uint32_t switches_network_host_slot(const struct switches_network *n, uint32_t node, unsigned port)
{
    const struct switches_part *p = switches_part_at(n, n->partition[node]);
    return switches_host_slot(p, n->local[node], port);
}
