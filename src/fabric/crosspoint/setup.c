/* Building a crosspoint network: partitions, switches, wires. */
#include "fabric/crosspoint/state.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "engine/ranks.h"

/* Events a node can have pending: packets and control packets on its wires, sources. */
enum { EVENTS_PER_NODE = 4096 };

/* Packets a node can hold at most: its buffers' entries, and as many on wires or as carriers of
 * news. */
static uint64_t packets_per_node(const struct crosspoint_params *p, uint32_t ports)
{
    return 2ull * ports * ports * p->buffer_packets + 64ull * ports;
}

uint64_t crosspoint_network_memory(const struct crosspoint_params *p, const struct graph *g)
{
    uint64_t ports = g->degree + 1;
    uint64_t node = sizeof(struct crosspoint_node) +
                    ports * ports * p->vcs * sizeof(struct crosspoint_queue) +
                    g->degree * (CROSSPOINT_SEQUENCES + 1) * sizeof(uint64_t) +
                    ports * ports * sizeof(struct crosspoint_packet);
    if (p->protocol)
        node += g->degree * (sizeof(struct crosspoint_sender) + sizeof(struct crosspoint_receiver));
    return g->nodes * node;
}

/* Each link's control packets start at their own time. */
static uint8_t phase_of(const struct crosspoint_network *n, uint32_t node, uint32_t port)
{
    uint64_t link = (uint64_t)node * n->graph->degree + port;
    return (uint8_t)(random_key(n->seed, link, RANDOM_PHASE) % n->params.control_bytes);
}

static struct link_end link_end(struct crosspoint_network *n, struct crosspoint_part *p,
                                struct graph_end end)
{
    uint32_t there = n->partition[end.node];
    if (there == p->base.index)
        return (struct link_end){n->local[end.node], end.port};
    uint32_t channel = engine_connect(&n->base.engine, p->base.index, there);
    return (struct link_end){part_far(&p->base, channel, n->local[end.node]), end.port};
}

/* Channels both ways to every partition that some node here is linked with; on one thread. */
static void connect(struct crosspoint_network *n, struct crosspoint_part *p)
{
    const struct graph *g = n->graph;
    for (uint32_t i = 0; i < p->base.nodes; i++)
        for (uint32_t port = 0; port < 2 * g->degree; port++) {
            size_t at = (size_t)p->members[i] * g->degree + port / 2;
            struct graph_end end = port % 2 ? g->from[at] : g->to[at];
            if (end.node == GRAPH_NONE || n->partition[end.node] == p->base.index)
                continue;
            engine_connect(&n->base.engine, p->base.index, n->partition[end.node]);
            engine_connect(&n->base.engine, n->partition[end.node], p->base.index);
        }
}

/* What is known of a switch before anything happens: a saved state does not bring it. */
static void wire(struct crosspoint_network *n, struct crosspoint_part *p, uint32_t local)
{
    struct crosspoint_node *s = &p->node[local];
    s->node = p->members[local];
    const struct graph *g = n->graph;
    uint32_t degree = g->degree;
    s->outputs = 0;
    memset(s->peaks, 0, sizeof(s->peaks));
    for (uint32_t port = 0; port < degree; port++) {
        struct graph_end to = g->to[(size_t)s->node * degree + port];
        struct graph_end from = g->from[(size_t)s->node * degree + port];
        if (to.node != GRAPH_NONE) {
            s->outputs |= (uint8_t)(1u << port);
            s->down[port] = link_end(n, p, to);
            s->down_phase[port] = phase_of(n, s->node, port);
        }
        if (from.node == GRAPH_NONE)
            continue;
        s->up[port] = link_end(n, p, from);
        s->phase[port] = phase_of(n, from.node, from.port);
        for (uint32_t out = 0; out < degree; out++) {
            uint32_t z = g->to[(size_t)s->node * degree + out].node;
            if (z != GRAPH_NONE && crosspoint_decrements(n->params.vc_rule, from.node, s->node, z))
                s->peaks[port] |= (uint8_t)(1u << out);
        }
    }
    s->outputs |= (uint8_t)(1u << degree);
}

/* The large part of the setup, on the thread that will use it. */
static void prepare(struct network *base, struct network_part *base_part)
{
    struct crosspoint_network *n = (struct crosspoint_network *)base;
    struct crosspoint_part *p = (struct crosspoint_part *)base_part;
    uint32_t ports = n->derived.ports, nodes = p->base.nodes;
    size_t queues = (size_t)nodes * ports * ports * n->params.vcs,
           links = (size_t)nodes * p->degree;
    p->base.pool_packets = (uint32_t)(nodes * packets_per_node(&n->params, ports));
    PART_TABLE(p, &p->node, nodes, PART_SAVED);
    PART_TABLE(p, &p->queue, queues, PART_SAVED);
    PART_TABLE(p, &p->acked_at, links * CROSSPOINT_SEQUENCES, PART_SAVED);
    PART_TABLE(p, &p->link_busy, links, PART_SAVED);
    PART_TABLE(p, &p->pool, p->base.pool_packets, PART_PACKETS);
    PART_TABLE(p, &p->dirty.node, nodes, PART_SCRATCH);
    for (size_t q = 0; q < queues; q++)
        p->queue[q].head = NO_PACKET;
    for (uint32_t local = 0; local < nodes; local++)
        wire(n, p, local);
    crosspoint_links_prepare(p);
    n->client.prepare(n->client.ctx, &p->base);
    for (uint32_t local = 0; local < nodes; local++)
        if (!n->graph->dead[p->members[local]])
            part_wake(&p->base, local, 0);
}

static void archive(struct network_part *base, struct archive *a)
{
    struct crosspoint_part *p = (struct crosspoint_part *)base;
    if (!archive_has_read(a))
        return;
    p->base.far_count = 0;
    for (uint32_t local = 0; local < p->base.nodes; local++)
        wire(p->network, p, local);
}

static struct part_pool pool(const struct network_part *base)
{
    return crosspoint_pool((const struct crosspoint_part *)base);
}

static void release(struct network *base)
{
    struct crosspoint_network *n = (struct crosspoint_network *)base;
    for (uint32_t i = n->base.engine.first; i < n->base.engine.end; i++) {
        free(crosspoint_part_at(n, i)->members);
        free(crosspoint_part_at(n, i)->links);
    }
    free(n->partition);
    free(n->local);
}

static struct detail_size detail(const struct network_part *base)
{
    const struct crosspoint_part *p = (const struct crosspoint_part *)base;
    return (struct detail_size){base->nodes * p->degree, p->params->vcs};
}

static void close_part(struct network_part *base, cycle_t until)
{
    struct crosspoint_part *p = (struct crosspoint_part *)base;
    for (size_t i = 0; i < (size_t)p->base.nodes * p->degree; i++) {
        cycle_t free_at = p->node[i / p->degree].free_at[i % p->degree];
        uint64_t over = free_at > until ? free_at - until : 0, *busy = &p->link_busy[i];
        *busy = over < *busy ? *busy - over : 0;
        p->base.measure.busy[i % p->degree] += *busy;
    }
}

static uint64_t kept(const struct network_part *base)
{
    const struct crosspoint_part *p = (const struct crosspoint_part *)base;
    return crosspoint_links_kept(p);
}

static const struct network_kind kind = {.part_size = sizeof(struct crosspoint_part),
                                         .wake = (event_t)CROSSPOINT_SERVE << EVENT_KIND_SHIFT,
                                         .events_per_node = EVENTS_PER_NODE,
                                         .prepare = prepare,
                                         .release = release,
                                         .archive = archive,
                                         .flaw = crosspoint_flaw,
                                         .message_flaw = crosspoint_message_flaw,
                                         .brings = crosspoint_brings,
                                         .pool = pool,
                                         .detail = detail,
                                         .check = crosspoint_check,
                                         .close = close_part,
                                         .kept = kept,
                                         .explain = crosspoint_explain};

/* The small part, needed before the run: for all partitions of this rank, on one thread. */
static void part_init(struct crosspoint_network *n, uint32_t index)
{
    struct crosspoint_part *p = crosspoint_part_at(n, index);
    p->network = n;
    p->params = &n->params;
    p->derived = &n->derived;
    p->degree = n->graph->degree;
    p->members = memory_alloc(n->graph->nodes, sizeof(*p->members));
    for (uint32_t node = 0; node < n->graph->nodes; node++)
        if (n->partition[node] == index)
            p->members[p->base.nodes++] = node;
    WEFT_CHECK(p->base.nodes < EVENT_MAX_NODES, "partition %u is too large", index);
    connect(n, p);
}

weft_status crosspoint_network_create(const struct crosspoint_network_options *o,
                                      struct crosspoint_network **network)
{
    struct crosspoint_network *n = memory_alloc(1, sizeof(*n));
    weft_status status = crosspoint_params_derive(o->params, o->graph, &n->derived);
    if (status != WEFT_OK) {
        free(n);
        return status;
    }
    n->params = *o->params;
    n->graph = o->graph;
    n->client = o->client;
    n->seed = o->seed;
    n->base.plan = o->plan;
    n->partition = memory_alloc(o->graph->nodes, sizeof(*n->partition));
    n->local = memory_alloc(o->graph->nodes, sizeof(*n->local));
    uint32_t *count = memory_alloc(o->partitions, sizeof(*count));
    for (uint32_t node = 0; node < o->graph->nodes; node++) {
        n->partition[node] = o->partition[node];
        n->local[node] = count[o->partition[node]]++;
    }
    free(count);
    struct engine_model model = crosspoint_engine_model(n);
    uint32_t hop = n->derived.hop_cycles, control = n->derived.control_cycles;
    network_init(&n->base, &kind, &model, o->partitions, hop < control ? hop : control);
    for (uint32_t i = n->base.engine.first; i < n->base.engine.end; i++)
        part_init(n, i);
    *network = n;
    return WEFT_OK;
}

void crosspoint_network_locate(const struct crosspoint_network *n, uint32_t node,
                               uint32_t *partition, uint32_t *local)
{
    *partition = n->partition[node];
    *local = n->local[node];
}

uint64_t crosspoint_network_link_busy(const struct crosspoint_network *n, uint32_t node,
                                      unsigned output)
{
    uint32_t partition = n->partition[node];
    if (engine_rank(&n->base.engine, partition) != ranks_me())
        return 0;
    return crosspoint_part_at(n, partition)->link_busy[crosspoint_network_slot(n, node, output)];
}

uint32_t crosspoint_network_slot(const struct crosspoint_network *n, uint32_t node, unsigned port)
{
    return n->local[node] * n->graph->degree + port;
}
