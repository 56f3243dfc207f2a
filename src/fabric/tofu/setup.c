/* Building a Tofu network: partitions, routers, wires. */
#include "fabric/tofu/state.h"

#include "base/memory.h"

/* Events that a node can have pending, and packets that it has at first, roughly: pool and wheel
 * grow. */
enum { EVENTS_PER_NODE = 256, PACKETS_PER_NODE = 64 };

uint64_t tofu_network_memory(const struct tofu_params *p, uint32_t nodes)
{
    uint64_t node = sizeof(struct tofu_node) + TOFU_CHANNELS * sizeof(struct tofu_queue) +
                    TOFU_LINKS * sizeof(uint64_t) + PACKETS_PER_NODE * sizeof(struct tofu_packet);
    uint64_t links = TOFU_LINKS * (sizeof(struct tofu_sender) + sizeof(struct tofu_receiver)) +
                     sizeof(struct tofu_marks);
    return nodes * (node + (p->protocol ? links : 0));
}

static uint32_t neighbour(const struct network *base, uint32_t node, unsigned port)
{
    return tofu_neighbour(((const struct tofu_network *)base)->routing.shape, node, port);
}

static void wire(struct network *base, struct network_part *base_part, uint32_t local)
{
    struct tofu_network *n = (struct tofu_network *)base;
    struct tofu_part *p = (struct tofu_part *)base_part;
    const struct torus *t = n->routing.shape;
    struct tofu_node *s = &p->node[local];
    s->node = p->base.members[local];
    s->outputs = (uint16_t)(((1u << TOFU_PORTS) - 1) & ~((1u << TOFU_LINKS) - 1));
    s->ring_ends = 0;
    s->swapped = 0;
    for (uint32_t i = 0; n->outages && i < n->outages->swaps->count; i++)
        s->swapped |= tofu_swap_has(t, &n->outages->swaps->swap[i], s->node);
    for (unsigned port = 0; port < TOFU_LINKS; port++) {
        s->behind[port] = UINT32_MAX;
        if (!tofu_link_lives(n->routing.faults, t, s->node, port))
            continue;
        s->outputs |= (uint16_t)(1u << port);
        bool ends_ring = port < TOFU_PORT_A && torus_link_wraps(t, s->node, port);
        s->ring_ends |= (uint16_t)(ends_ring << port);
        s->behind[port] = network_end(base, base_part, tofu_neighbour(t, s->node, port));
    }
}

/* The large part of the setup, on the thread that will use it. */
static void prepare(struct network *base, struct network_part *base_part)
{
    struct tofu_network *n = (struct tofu_network *)base;
    struct tofu_part *p = (struct tofu_part *)base_part;
    uint32_t nodes = p->base.nodes;
    size_t queues = (size_t)nodes * TOFU_CHANNELS;
    p->network = n;
    p->params = &n->params;
    p->derived = &n->derived;
    p->base.pool_packets = nodes * PACKETS_PER_NODE;
    p->base.pool_grows = true;
    PART_TABLE(p, &p->node, nodes, PART_SAVED);
    PART_TABLE(p, &p->queue, queues, PART_SAVED);
    PART_TABLE(p, &p->link_busy, (size_t)nodes * TOFU_LINKS, PART_SAVED);
    PART_TABLE(p, &p->pool, p->base.pool_packets, PART_PACKETS);
    PART_TABLE(p, &p->dirty.node, nodes, PART_SCRATCH);
    if (n->outages)
        PART_TABLE(p, &p->swap, n->outages->swaps->count, PART_SAVED);
    for (size_t q = 0; q < queues; q++)
        p->queue[q].head = NO_PACKET;
    for (uint32_t local = 0; local < nodes; local++) {
        wire(base, base_part, local);
        for (unsigned channel = 0; channel < TOFU_LINK_CHANNELS; channel++)
            p->node[local].credit[channel] = (uint16_t)n->derived.vc_lines;
    }
    if (n->params.protocol)
        tofu_links_prepare(p);
    n->client.prepare(n->client.ctx, &p->base);
    for (uint32_t local = 0; local < nodes; local++)
        if (!tofu_is_dead(n->routing.faults, p->node[local].node))
            part_wake(&p->base, local, 0);
}

static struct network_link link(struct network_part *base, uint32_t local, unsigned port,
                                cycle_t until)
{
    const struct tofu_part *p = (const struct tofu_part *)base;
    (void)until;
    return (struct network_link){.busy = &p->link_busy[tofu_slot(local, port)],
                                 .free_at = p->node[local].free_at[port],
                                 .port = port};
}

static void name_link(const struct network *base, uint32_t node, unsigned port, char *text)
{
    tofu_link_text(((const struct tofu_network *)base)->routing.shape, node, port, text);
}

static const struct network_kind kind = {
    .part_size = sizeof(struct tofu_part),
    .packet_size = sizeof(struct tofu_packet),
    .next_at = offsetof(struct tofu_packet, next),
    .pool_at = offsetof(struct tofu_part, pool),
    .events_per_node = EVENTS_PER_NODE,
    .wake = (event_t)TOFU_SERVE << EVENT_KIND_SHIFT,
    .brings = 1 << TOFU_ARRIVE | 1 << TOFU_FRAME,
    .travels = 1 << TOFU_ARRIVE | 1 << TOFU_CREDIT | 1 << TOFU_FRAME | 1 << TOFU_TOLD,
    .advance = tofu_advance,
    .neighbour = neighbour,
    .prepare = prepare,
    .wire = wire,
    .release = tofu_links_release,
    .archive = tofu_links_archive,
    .link = link,
    .sender = tofu_link_sender,
    .name_link = name_link,
    .checks = &tofu_checks,
    .stuck = "a process waits for a message that does not come"};

weft_status tofu_network_create(const struct tofu_network_options *o, struct tofu_network **network)
{
    struct tofu_derived derived;
    TRY(tofu_params_derive(o->params, &derived));
    struct tofu_network *n = memory_alloc(1, sizeof(*n));
    uint32_t hop = derived.hop_cycles, control = derived.control_cycles;
    n->params = *o->params;
    n->derived = derived;
    n->routing = *o->routing;
    n->outages = o->outages;
    n->client = o->client;
    n->seed = o->seed;
    n->base.plan = o->plan;
    n->base.ports = n->base.slots = TOFU_LINKS;
    n->base.vcs = TOFU_VCS;
    n->base.buffers = TOFU_CHANNELS;
    network_init(&n->base, &kind, o->bricks.count, hop < control ? hop : control, false);
    network_place_bricks(&n->base, &o->bricks);
    *network = n;
    return WEFT_OK;
}
