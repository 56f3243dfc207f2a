/* Building a crosspoint network: partitions, switches, wires. */
#include "fabric/crosspoint/state.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"

/* Events a node can have pending: packets and control packets on its wires, sources. */
enum { EVENTS_PER_NODE = 4096 };

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
    return (struct link_end){network_end(&n->base, &p->base, end.node), end.port};
}

static uint32_t neighbour(const struct network *base, uint32_t node, unsigned port)
{
    const struct graph *g = ((const struct crosspoint_network *)base)->graph;
    return g->to[(size_t)node * g->degree + port].node;
}

static void wire(struct network *base, struct network_part *base_part, uint32_t local)
{
    struct crosspoint_network *n = (struct crosspoint_network *)base;
    struct crosspoint_part *p = (struct crosspoint_part *)base_part;
    struct crosspoint_node *s = &p->node[local];
    s->node = p->base.members[local];
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
    size_t queues = (size_t)nodes * n->base.buffers, links = (size_t)nodes * n->base.ports;
    p->network = n;
    p->params = &n->params;
    p->derived = &n->derived;
    p->degree = n->graph->degree;
    /* A node's at most: its buffers' entries, and as many on wires or as carriers of news. */
    p->base.pool_packets = nodes * (2 * ports * ports * n->params.crosspoint_packets + 64 * ports);
    PART_TABLE(p, &p->node, nodes, PART_SAVED);
    PART_TABLE(p, &p->queue, queues, PART_SAVED);
    PART_TABLE(p, &p->acked_at, links * CROSSPOINT_SEQUENCES, PART_SAVED);
    PART_TABLE(p, &p->link_busy, links, PART_SAVED);
    PART_TABLE(p, &p->pool, p->base.pool_packets, PART_PACKETS);
    PART_TABLE(p, &p->dirty.node, nodes, PART_SCRATCH);
    for (size_t q = 0; q < queues; q++)
        p->queue[q].head = NO_PACKET;
    for (uint32_t local = 0; local < nodes; local++)
        wire(base, base_part, local);
    if (n->params.protocol)
        crosspoint_links_prepare(p);
    n->client.prepare(n->client.ctx, &p->base);
    for (uint32_t local = 0; local < nodes; local++)
        if (!n->graph->dead[p->base.members[local]])
            part_wake(&p->base, local, 0);
}

static struct network_link link(struct network_part *base, uint32_t local, unsigned output,
                                cycle_t until)
{
    const struct crosspoint_part *p = (const struct crosspoint_part *)base;
    (void)until;
    return (struct network_link){.busy = &p->link_busy[local * p->degree + output],
                                 .free_at = p->node[local].free_at[output],
                                 .port = output};
}

static void name_link(const struct network *base, uint32_t node, unsigned output, char *text)
{
    snprintf(text, 64, "%u>%u", node, neighbour(base, node, output));
}

static const struct network_kind kind = {
    .part_size = sizeof(struct crosspoint_part),
    .packet_size = sizeof(struct crosspoint_packet),
    .next_at = offsetof(struct crosspoint_packet, next),
    .pool_at = offsetof(struct crosspoint_part, pool),
    .events_per_node = EVENTS_PER_NODE,
    .wake = (event_t)CROSSPOINT_SERVE << EVENT_KIND_SHIFT,
    .brings = 1 << CROSSPOINT_ARRIVE | 1 << CROSSPOINT_FRAME | 1 << CROSSPOINT_TOLD,
    .travels = 1 << CROSSPOINT_ARRIVE | 1 << CROSSPOINT_FREE | 1 << CROSSPOINT_FRAME |
               1 << CROSSPOINT_TOLD,
    .advance = crosspoint_advance,
    .neighbour = neighbour,
    .prepare = prepare,
    .wire = wire,
    .link = link,
    .sender = crosspoint_link_sender,
    .name_link = name_link,
    .checks = &crosspoint_checks,
    .stuck = "a process waits for a message that does not come"};

weft_status crosspoint_network_create(const struct crosspoint_network_options *o,
                                      struct crosspoint_network **network)
{
    struct crosspoint_derived derived;
    TRY(crosspoint_params_derive(o->params, o->graph, &derived));
    struct crosspoint_network *n = memory_alloc(1, sizeof(*n));
    uint32_t hop = derived.hop_cycles, control = derived.control_cycles;
    n->params = *o->params;
    n->derived = derived;
    n->graph = o->graph;
    n->client = o->client;
    n->seed = o->seed;
    n->base.plan = o->plan;
    n->base.ports = n->base.slots = o->graph->degree;
    n->base.vcs = n->params.vcs;
    n->base.buffers = derived.ports * derived.ports * n->params.vcs;
    network_init(&n->base, &kind, o->partitions, hop < control ? hop : control, false);
    network_place(&n->base, o->graph->nodes, o->partition);
    *network = n;
    return WEFT_OK;
}
