/* Building a crosspoint network: partitions, switches, wires. */
#include "fabric/crosspoint/link.h"

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

uint64_t crosspoint_network_memory(const struct crosspoint_params *p, const struct digraph *g)
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

/* Control packets of all links start at different times. */
static uint8_t phase_of(const struct crosspoint_network *n, uint32_t node, uint32_t port)
{
    uint64_t link = (uint64_t)node * n->graph->degree + port;
    return (uint8_t)(random_key(n->seed, link, RANDOM_PHASE) % n->params.control_bytes);
}

static struct link_end link_end(struct crosspoint_network *n, struct crosspoint_part *p,
                                struct digraph_end end)
{
    uint32_t there = n->partition[end.node];
    if (there == p->base.index)
        return (struct link_end){n->local[end.node], end.port};
    if (p->far_count % 64 == 0)
        p->far = weft_grow(p->far, p->far_count + 64, sizeof(*p->far));
    p->far[p->far_count] = (struct far_node){engine_connect(&n->base.engine, p->base.index, there),
                                             n->local[end.node]};
    return (struct link_end){FAR | p->far_count++, end.port};
}

/* Channels both ways to every partition that a node has a link with: made on one thread. */
static void connect(struct crosspoint_network *n, struct crosspoint_part *p)
{
    const struct digraph *g = n->graph;
    for (uint32_t i = 0; i < p->nodes; i++)
        for (uint32_t port = 0; port < 2 * g->degree; port++) {
            size_t at = (size_t)p->members[i] * g->degree + port / 2;
            struct digraph_end end = port % 2 ? g->from[at] : g->to[at];
            if (end.node == DIGRAPH_NO_NODE || n->partition[end.node] == p->base.index)
                continue;
            engine_connect(&n->base.engine, p->base.index, n->partition[end.node]);
            engine_connect(&n->base.engine, n->partition[end.node], p->base.index);
        }
}

static void wire(struct crosspoint_network *n, struct crosspoint_part *p, struct crosspoint_node *s)
{
    const struct digraph *g = n->graph;
    uint32_t degree = g->degree;
    for (uint32_t port = 0; port < degree; port++) {
        struct digraph_end to = g->to[(size_t)s->node * degree + port];
        struct digraph_end from = g->from[(size_t)s->node * degree + port];
        if (to.node != DIGRAPH_NO_NODE) {
            s->outputs |= (uint8_t)(1u << port);
            s->down[port] = link_end(n, p, to);
            s->down_phase[port] = phase_of(n, s->node, port);
        }
        if (from.node == DIGRAPH_NO_NODE)
            continue;
        s->up[port] = link_end(n, p, from);
        s->phase[port] = phase_of(n, from.node, from.port);
        for (uint32_t out = 0; out < degree; out++) {
            uint32_t z = g->to[(size_t)s->node * degree + out].node;
            if (z != DIGRAPH_NO_NODE &&
                crosspoint_decrements(n->params.vc_rule, from.node, s->node, z))
                s->peaks[port] |= (uint8_t)(1u << out);
        }
    }
    s->outputs |= (uint8_t)(1u << degree);
}

/* The large part of it: on the thread that will use it. */
void crosspoint_prepare(void *network, uint32_t index)
{
    struct crosspoint_network *n = network;
    struct crosspoint_part *p = crosspoint_part_at(n, index);
    uint32_t ports = n->derived.ports;
    size_t queues = (size_t)p->nodes * ports * ports * n->params.vcs;
    wheel_init(&p->base.wheel, (size_t)p->nodes * EVENTS_PER_NODE);
    measure_init(&p->base.measure, n->base.measure_from, n->base.measure_to, n->base.interval);
    p->pool_packets = (uint32_t)(p->nodes * packets_per_node(&n->params, ports));
    p->node_bytes = p->nodes * sizeof(*p->node);
    p->queue_bytes = queues * sizeof(*p->queue);
    p->acked_bytes = (size_t)p->nodes * p->degree * CROSSPOINT_SEQUENCES * sizeof(*p->acked_at);
    p->busy_bytes = (size_t)p->nodes * p->degree * sizeof(*p->link_busy);
    p->pool_bytes = p->pool_packets * sizeof(*p->pool);
    p->node = weft_reserve(p->node_bytes);
    p->queue = weft_reserve(p->queue_bytes);
    p->acked_at = weft_reserve(p->acked_bytes);
    p->link_busy = weft_reserve(p->busy_bytes);
    p->pool = weft_reserve(p->pool_bytes);
    p->dirty = weft_alloc(p->nodes, sizeof(*p->dirty));
    p->free_packet = NO_PACKET;
    for (size_t q = 0; q < queues; q++)
        p->queue[q].head = NO_PACKET;
    for (uint32_t local = 0; local < p->nodes; local++) {
        struct crosspoint_node *s = &p->node[local];
        s->node = p->members[local];
        wire(n, p, s);
    }
    crosspoint_links_prepare(p);
    n->client.prepare(n->client.ctx, p, index, p->nodes);
    for (uint32_t local = 0; local < p->nodes; local++)
        if (!n->graph->dead[p->members[local]])
            crosspoint_wake(p, local, 0);
}

static void destroy(struct network *base)
{
    struct crosspoint_network *n = (struct crosspoint_network *)base;
    for (uint32_t i = n->base.engine.first; i < n->base.engine.end; i++) {
        struct crosspoint_part *p = crosspoint_part_at(n, i);
        weft_release(p->node, p->node_bytes);
        weft_release(p->queue, p->queue_bytes);
        weft_release(p->acked_at, p->acked_bytes);
        weft_release(p->link_busy, p->busy_bytes);
        weft_release(p->pool, p->pool_bytes);
        free(p->members);
        free(p->dirty);
        free(p->far);
        crosspoint_links_release(p);
    }
    network_fini(base);
    free(n->partition);
    free(n->local);
    free(n);
}

static void archive_part(struct crosspoint_part *p, struct archive *a)
{
    archive_same(a, p->nodes);
    archive_same(a, p->queue_bytes);
    wheel_archive(&p->base.wheel, a);
    archive_bytes(a, p->node, p->node_bytes);
    archive_bytes(a, p->queue, p->queue_bytes);
    archive_bytes(a, p->acked_at, p->acked_bytes);
    archive_bytes(a, p->link_busy, p->busy_bytes);
    p->fresh_packet = (uint32_t)archive_count(a, p->fresh_packet, p->pool_packets);
    archive_bytes(a, p->pool, p->fresh_packet * sizeof(*p->pool));
    archive_bytes(a, &p->free_packet, sizeof(p->free_packet));
    archive_bytes(a, &p->base.packets, sizeof(p->base.packets));
    archive_bytes(a, &p->base.awaited, sizeof(p->base.awaited));
    crosspoint_links_archive(p, a);
    measure_archive(&p->base.measure, a);
}

static void archive(struct network *base, struct archive *a)
{
    engine_archive(&base->engine, a);
    for (uint32_t i = base->engine.first; i < base->engine.end; i++)
        archive_part((struct crosspoint_part *)network_part(base, i), a);
}

static void close_part(struct network_part *base)
{
    struct crosspoint_part *p = (struct crosspoint_part *)base;
    for (size_t i = 0; i < (size_t)p->nodes * p->degree; i++)
        p->base.measure.busy[i % p->degree] += p->link_busy[i];
}

static uint64_t kept(const struct network_part *base)
{
    const struct crosspoint_part *p = (const struct crosspoint_part *)base;
    return crosspoint_links_kept(p);
}

static const struct network_kind kind = {.destroy = destroy,
                                         .check = crosspoint_check,
                                         .archive = archive,
                                         .close = close_part,
                                         .kept = kept,
                                         .explain = crosspoint_explain};

/* What is needed before the run: small, and for all partitions of this rank on one thread. */
static void part_init(struct crosspoint_network *n, uint32_t index)
{
    struct crosspoint_part *p = crosspoint_part_at(n, index);
    p->network = n;
    p->params = &n->params;
    p->derived = &n->derived;
    p->degree = n->graph->degree;
    p->members = weft_alloc(n->graph->nodes, sizeof(*p->members));
    for (uint32_t node = 0; node < n->graph->nodes; node++)
        if (n->partition[node] == index)
            p->members[p->nodes++] = node;
    WEFT_CHECK(p->nodes < EVENT_MAX_NODES, "partition %u is too large", index);
    connect(n, p);
}

weft_status crosspoint_network_create(const struct crosspoint_network_options *o,
                                      struct crosspoint_network **network)
{
    struct crosspoint_network *n = weft_alloc(1, sizeof(*n));
    weft_status status = crosspoint_params_derive(o->params, o->graph, &n->derived);
    if (status != WEFT_OK) {
        free(n);
        return status;
    }
    n->params = *o->params;
    n->graph = o->graph;
    n->client = o->client;
    n->seed = o->seed;
    n->base.measure_from = o->measure_from;
    n->base.measure_to = o->measure_to;
    n->base.interval = o->interval;
    n->partition = weft_alloc(o->graph->nodes, sizeof(*n->partition));
    n->local = weft_alloc(o->graph->nodes, sizeof(*n->local));
    uint32_t *count = weft_alloc(o->partitions, sizeof(*count));
    for (uint32_t node = 0; node < o->graph->nodes; node++) {
        n->partition[node] = o->partition[node];
        n->local[node] = count[o->partition[node]]++;
    }
    free(count);
    struct engine_model model = crosspoint_engine_model(n);
    uint32_t hop = n->derived.hop_cycles, control = n->derived.control_cycles;
    network_init(&n->base, &kind, &model, o->partitions, sizeof(struct crosspoint_part),
                 hop < control ? hop : control);
    for (uint32_t i = n->base.engine.first; i < n->base.engine.end; i++)
        part_init(n, i);
    *network = n;
    return WEFT_OK;
}

uint64_t crosspoint_network_busiest(const struct crosspoint_network *n)
{
    uint64_t most = 0;
    for (uint32_t i = n->base.engine.first; i < n->base.engine.end; i++) {
        const struct crosspoint_part *p = crosspoint_part_at(n, i);
        for (size_t link = 0; link < (size_t)p->nodes * p->degree; link++)
            most = p->link_busy[link] > most ? p->link_busy[link] : most;
    }
    return ranks_max(most);
}
