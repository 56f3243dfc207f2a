/* Building a Tofu network: partitions, routers, wires. */
#include "fabric/tofu/state.h"

#include <stdlib.h>

#include "base/memory.h"
#include "engine/ranks.h"

/* Events that a node can have pending, and packets that it has at first, roughly: pool and wheel
 * grow. */
enum { EVENTS_PER_NODE = 256, PACKETS_PER_NODE = 64 };

uint64_t tofu_network_memory(const struct tofu_params *p, uint32_t nodes)
{
    uint64_t node = sizeof(struct tofu_node) + TOFU_PLACES * sizeof(struct tofu_queue) +
                    TOFU_LINKS * sizeof(uint64_t) + PACKETS_PER_NODE * sizeof(struct tofu_packet);
    return nodes * (node + (p->protocol ? tofu_links_memory() : 0));
}

/* Whether a link is the last of its ring, in its direction. */
static bool ends_ring(const struct torus *t, uint32_t node, unsigned port)
{
    return port < TOFU_PORT_A && torus_neighbour(t, node, port) != TORUS_NO_NODE &&
           torus_link_wraps(t, node, port);
}

/* What is known of a router before anything happens: a saved state does not bring it. */
static void wire(struct tofu_network *n, struct tofu_part *p, uint32_t local)
{
    const struct torus *t = n->routing.shape;
    struct tofu_node *s = &p->node[local];
    s->node = bricks_node(&n->bricks, p->base.index, local);
    s->outputs = (uint16_t)(((1u << TOFU_PORTS) - 1) & ~((1u << TOFU_LINKS) - 1));
    s->ring_ends = 0;
    for (unsigned port = 0; port < TOFU_LINKS; port++) {
        uint32_t partition, there, to = tofu_neighbour(t, s->node, port);
        s->behind[port] = UINT32_MAX;
        if (!tofu_link_lives(n->routing.faults, t, s->node, port))
            continue;
        s->outputs |= (uint16_t)(1u << port);
        s->ring_ends |= (uint16_t)(ends_ring(t, s->node, port) << port);
        bricks_find(&n->bricks, to, &partition, &there);
        s->behind[port] =
            partition == p->base.index
                ? there
                : part_far(&p->base, engine_connect(&n->base.engine, p->base.index, partition),
                           there);
    }
}

/* Channels to every partition that some node here is linked with; on one thread. */
static void connect(struct tofu_network *n, struct tofu_part *p)
{
    for (uint32_t local = 0; n->bricks.count > 1 && local < p->base.nodes; local++) {
        uint32_t node = bricks_node(&n->bricks, p->base.index, local), partition, there;
        for (unsigned port = 0; port < TOFU_LINKS; port++) {
            uint32_t to = tofu_neighbour(n->routing.shape, node, port);
            if (to == TORUS_NO_NODE)
                continue;
            bricks_find(&n->bricks, to, &partition, &there);
            if (partition == p->base.index)
                continue;
            engine_connect(&n->base.engine, p->base.index, partition);
            engine_connect(&n->base.engine, partition, p->base.index);
        }
    }
}

/* The large part of the setup, on the thread that will use it. */
static void prepare(struct network *base, struct network_part *base_part)
{
    struct tofu_network *n = (struct tofu_network *)base;
    struct tofu_part *p = (struct tofu_part *)base_part;
    uint32_t nodes = p->base.nodes;
    size_t queues = (size_t)nodes * TOFU_PLACES;
    p->base.pool_packets = nodes * PACKETS_PER_NODE;
    p->base.pool_grows = true;
    PART_TABLE(p, &p->node, nodes, PART_SAVED);
    PART_TABLE(p, &p->queue, queues, PART_SAVED);
    PART_TABLE(p, &p->link_busy, (size_t)nodes * TOFU_LINKS, PART_SAVED);
    PART_TABLE(p, &p->pool, p->base.pool_packets, PART_PACKETS);
    PART_TABLE(p, &p->dirty.node, nodes, PART_SCRATCH);
    for (size_t q = 0; q < queues; q++)
        p->queue[q].head = NO_PACKET;
    for (uint32_t local = 0; local < nodes; local++) {
        wire(n, p, local);
        for (unsigned place = 0; place < TOFU_LINK_PLACES; place++)
            p->node[local].credit[place] = (uint16_t)n->derived.buffer_lines;
    }
    tofu_links_prepare(p);
    n->client.prepare(n->client.ctx, &p->base);
    for (uint32_t local = 0; local < nodes; local++)
        if (!tofu_is_dead(n->routing.faults, p->node[local].node))
            part_wake(&p->base, local, 0);
}

static void archive(struct network_part *base, struct archive *a)
{
    struct tofu_part *p = (struct tofu_part *)base;
    tofu_links_archive(p, a);
    if (!archive_has_read(a))
        return;
    p->base.far_count = 0;
    for (uint32_t local = 0; local < p->base.nodes; local++)
        wire(p->network, p, local);
}

static struct part_pool pool(const struct network_part *base)
{
    return tofu_pool((const struct tofu_part *)base);
}

static struct detail_size detail(const struct network_part *base)
{
    return (struct detail_size){tofu_slot(base->nodes, 0), TOFU_VCS};
}

static void release(struct network *base)
{
    struct tofu_network *n = (struct tofu_network *)base;
    for (uint32_t i = n->base.engine.first; i < n->base.engine.end; i++)
        tofu_links_fini(tofu_part_at(n, i));
}

static void close_part(struct network_part *base, cycle_t until)
{
    struct tofu_part *p = (struct tofu_part *)base;
    for (size_t i = 0; i < (size_t)p->base.nodes * TOFU_LINKS; i++) {
        cycle_t free_at = p->node[i / TOFU_LINKS].free_at[i % TOFU_LINKS];
        uint64_t over = free_at > until ? free_at - until : 0, *busy = &p->link_busy[i];
        *busy = over < *busy ? *busy - over : 0;
        p->base.measure.busy[i % TOFU_LINKS] += *busy;
    }
}

static uint64_t kept(const struct network_part *base)
{
    return tofu_links_kept((const struct tofu_part *)base);
}

static const struct network_kind kind = {.part_size = sizeof(struct tofu_part),
                                         .wake = (event_t)TOFU_SERVE << EVENT_KIND_SHIFT,
                                         .events_per_node = EVENTS_PER_NODE,
                                         .prepare = prepare,
                                         .release = release,
                                         .archive = archive,
                                         .flaw = tofu_flaw,
                                         .message_flaw = tofu_message_flaw,
                                         .brings = tofu_brings,
                                         .pool = pool,
                                         .detail = detail,
                                         .check = tofu_check,
                                         .close = close_part,
                                         .kept = kept,
                                         .explain = tofu_explain};

/* The small part, needed before the run: for all partitions of this rank, on one thread. */
static void part_init(struct tofu_network *n, uint32_t index)
{
    struct tofu_part *p = tofu_part_at(n, index);
    p->network = n;
    p->params = &n->params;
    p->derived = &n->derived;
    p->base.nodes = bricks_nodes(&n->bricks, index);
    WEFT_CHECK(p->base.nodes < EVENT_MAX_NODES, "partition %u is too large", index);
    connect(n, p);
}

weft_status tofu_network_create(const struct tofu_network_options *o, struct tofu_network **network)
{
    struct tofu_network *n = memory_alloc(1, sizeof(*n));
    weft_status status = tofu_params_derive(o->params, &n->derived);
    if (status != WEFT_OK) {
        free(n);
        return status;
    }
    n->params = *o->params;
    n->routing = *o->routing;
    n->client = o->client;
    n->bricks = o->bricks;
    n->seed = o->seed;
    n->base.plan = o->plan;
    struct engine_model model = tofu_engine_model(n);
    uint32_t hop = n->derived.hop_cycles, control = n->derived.control_cycles;
    network_init(&n->base, &kind, &model, o->bricks.count, hop < control ? hop : control);
    for (uint32_t i = n->base.engine.first; i < n->base.engine.end; i++)
        part_init(n, i);
    *network = n;
    return WEFT_OK;
}

uint64_t tofu_network_link_busy(const struct tofu_network *n, uint32_t node, unsigned port)
{
    uint32_t partition, local;
    bricks_find(&n->bricks, node, &partition, &local);
    if (partition < n->base.engine.first || partition >= n->base.engine.end)
        return 0;
    return tofu_part_at(n, partition)->link_busy[tofu_slot(local, port)];
}
