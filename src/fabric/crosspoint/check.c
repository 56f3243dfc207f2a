/*
 * Invariants of a crosspoint network at rest between windows, and why it does not move.
 *
 * Every packet of the pool is in exactly one queue, on one wire, or carries news. No entry of a
 * buffer holds two packets. A transmitter never believes a used entry to be free: what its map
 * leaves out really is free.
 */
#include "fabric/crosspoint/link.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/text.h"
#include "engine/ranks.h"
#include "fabric/waiting.h"

/* For all buffers behind the machine's links: entries that hold, or will hold, a packet. */
struct audit {
    const struct crosspoint_network *network;
    const struct crosspoint_part *part;
    uint32_t *held; /* [(node * degree + input) * ports + output], mask */
    uint32_t *seen; /* the same, as the transmitters believe */
    uint64_t packets;
    bool twice;
};

static uint32_t *buffer_at(const struct audit *a, uint32_t *map, uint32_t node, unsigned input,
                           unsigned output)
{
    const struct crosspoint_network *n = a->network;
    return &map[((size_t)node * n->graph->degree + input) * n->derived.ports + output];
}

static void hold(struct audit *a, uint32_t node, unsigned input, unsigned output, unsigned entry)
{
    uint32_t *held = buffer_at(a, a->held, node, input, output);
    a->twice |= *held >> entry & 1;
    *held |= 1u << entry;
}

static void audit_event(void *arg, cycle_t time, event_t e)
{
    struct audit *a = arg;
    unsigned kind = event_kind(e);
    (void)time;
    if (kind == CROSSPOINT_ARRIVE || kind == CROSSPOINT_FRAME || kind == CROSSPOINT_TOLD)
        a->packets++;
    if (kind != CROSSPOINT_ARRIVE)
        return;
    const struct crosspoint_packet *packet = &a->part->pool[event_payload(e)];
    hold(a, a->part->members[event_node(e)], event_port(e),
         crosspoint_output(a->part->derived, packet->route), packet->entry);
}

static void audit_queues(struct audit *a, const struct crosspoint_part *p)
{
    uint32_t ports = p->derived->ports;
    for (uint32_t local = 0; local < p->base.nodes; local++)
        for (unsigned output = 0; output < ports; output++)
            for (unsigned input = 0; input < ports; input++)
                for (unsigned vc = 0; vc < p->params->vcs; vc++)
                    for (uint32_t i = crosspoint_queue_at(p, local, output, input, vc)->head;
                         i != NO_PACKET; i = p->pool[i].next) {
                        a->packets++;
                        if (input < p->degree)
                            hold(a, p->members[local], input, output, p->pool[i].entry);
                    }
}

static void audit_pictures(struct audit *a, const struct crosspoint_part *p)
{
    const struct digraph *g = p->network->graph;
    for (uint32_t local = 0; local < p->base.nodes; local++)
        for (unsigned port = 0; port < p->degree; port++) {
            struct digraph_end end = g->to[(size_t)p->members[local] * p->degree + port];
            for (unsigned behind = 0; end.node != DIGRAPH_NO_NODE && behind < p->derived->ports;
                 behind++)
                *buffer_at(a, a->seen, end.node, end.port, behind) =
                    p->node[local].busy[port][behind];
        }
}

/* Messages that their partition has not yet received. */
static void audit_channels(struct audit *a)
{
    const struct engine *engine = &a->network->base.engine;
    for (uint32_t c = 0; c < engine->channels; c++) {
        if (engine_rank(engine, engine->channel[c].to) != ranks_me())
            continue;
        const struct crosspoint_part *to = crosspoint_part_at(a->network, engine->channel[c].to);
        for (unsigned i = 0; i < 2; i++) {
            const struct channel_buffer *b = &engine->channel[c].buffer[i];
            const struct crosspoint_packet *body = (const struct crosspoint_packet *)b->body;
            for (uint32_t m = 0; m < b->count; m++) {
                event_t e = b->message[m].event;
                if (event_kind(e) == CROSSPOINT_ARRIVE)
                    hold(a, to->members[event_node(e)], event_port(e),
                         crosspoint_output(to->derived, body->route), body->entry);
                if (event_kind(e) != CROSSPOINT_FREE)
                    body++;
            }
        }
    }
}

static weft_status audit_parts(struct audit *a)
{
    const struct crosspoint_network *n = a->network;
    for (uint32_t i = n->base.engine.first; i < n->base.engine.end; i++) {
        const struct crosspoint_part *p = a->part = crosspoint_part_at(n, i);
        a->packets = 0;
        wheel_visit(&p->base.wheel, audit_event, a);
        audit_queues(a, p);
        audit_pictures(a, p);
        if (a->packets != p->base.packets)
            return RUN_FAILED(("invariant broken: partition %u holds %u packets; %llu were found",
                               i, p->base.packets, (unsigned long long)a->packets),
                              NO_REMEDY);
    }
    audit_channels(a);
    if (a->twice)
        return RUN_FAILED(("invariant broken: two packets are in one entry"), NO_REMEDY);
    return WEFT_OK;
}

weft_status crosspoint_check(struct network *base)
{
    struct crosspoint_network *n = (struct crosspoint_network *)base;
    size_t buffers = (size_t)n->graph->nodes * n->graph->degree * n->derived.ports;
    struct audit a = {.network = n,
                      .held = memory_alloc(buffers + 1, sizeof(*a.held)),
                      .seen = memory_alloc(buffers + 1, sizeof(*a.seen))};
    weft_status status = audit_parts(&a);
    ranks_sum_32(a.held, buffers);
    ranks_sum_32(a.seen, buffers);
    if (ranks_max(status != WEFT_OK) && status == WEFT_OK)
        status = RUN_FAILED(("invariant broken in another rank"), NO_REMEDY);
    /* With errors, a ghost may be in an entry that its transmitter never chose. */
    for (size_t i = 0; i < buffers && status == WEFT_OK && !n->params.protocol; i++)
        if (a.held[i] & ~a.seen[i])
            status = RUN_FAILED(("invariant broken: node %zu has packets in entries that their "
                                 "transmitter believes free",
                                 i / ((size_t)n->graph->degree * n->derived.ports)),
                                NO_REMEDY);
    free(a.held);
    free(a.seen);
    return status;
}

/* ---- who waits for whom ---- */

/* Buffers are the queues of the switches; those of a node are numbered
 * (input * ports + output) * vcs + vc. */

static bool member_node(const struct network_part *base, uint32_t local, uint32_t *node)
{
    const struct crosspoint_part *p = (const struct crosspoint_part *)base;
    if (local == p->base.nodes)
        return false;
    *node = p->members[local];
    return true;
}

static struct waiting_head look_at_head(const struct network_part *base, uint32_t local,
                                        uint32_t place)
{
    const struct crosspoint_part *p = (const struct crosspoint_part *)base;
    const struct crosspoint_node *s = &p->node[local];
    uint32_t ports = p->derived->ports, vcs = p->params->vcs, vc = place % vcs;
    uint32_t output = place / vcs % ports, input = place / vcs / ports;
    const struct crosspoint_queue *q = crosspoint_queue_at(p, local, output, input, vc);
    struct waiting_head head = {.occupied = 0};
    for (uint32_t i = q->head; i != NO_PACKET; i = p->pool[i].next)
        head.occupied++;
    if (!head.occupied || output == p->degree)
        return head;
    struct digraph_end end = p->network->graph->to[(size_t)s->node * p->degree + output];
    uint32_t route = crosspoint_shift(p->derived, p->pool[q->head].route);
    uint32_t next = vc - (s->peaks[input] >> output & 1);
    head.waits = true;
    head.node = end.node;
    head.place = (end.port * ports + crosspoint_output(p->derived, route)) * vcs + next;
    return head;
}

static size_t print_buffer(const struct network *base, uint32_t node, uint32_t place,
                           uint32_t occupied, char *text, size_t size, size_t at)
{
    const struct crosspoint_network *n = (const struct crosspoint_network *)base;
    uint32_t ports = n->derived.ports, vcs = n->params.vcs;
    return text_append(text, size, at, "  node %u crosspoint %u,%u %s, %u packets, waits for\n",
                       node, place / vcs / ports, place / vcs % ports,
                       crosspoint_vc_name(place % vcs), occupied);
}

void crosspoint_explain(const struct network *base, char *text, size_t size)
{
    const struct crosspoint_network *n = (const struct crosspoint_network *)base;
    struct waiting_buffers buffers = {
        .nodes = n->graph->nodes,
        .per_node = n->derived.ports * n->derived.ports * n->params.vcs,
        .node = member_node,
        .head = look_at_head,
        .print = print_buffer,
        .otherwise = "a process waits for a message that does not come"};
    waiting_explain(base, &buffers, text, size);
}
