/*
 * Invariants of a crosspoint network at rest between windows, and why it does not move.
 *
 * Every packet of the pool is in exactly one queue, on one wire, or carries news. No entry of a
 * buffer holds two packets. A transmitter never believes a used entry to be free: what its map
 * leaves out really is free.
 */
#include "fabric/crosspoint/state.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/text/text.h"
#include "engine/ranks.h"
#include "fabric/check.h"

/* For all buffers behind the machine's links, masks of entries that hold, or will hold, a packet;
 * then the same as their transmitters believe. [(node * degree + input) * ports + output] */
struct entries {
    struct audit audit;
    size_t buffers;
    bool twice;
};

static size_t buffer_at(const struct crosspoint_part *p, uint32_t node, unsigned input,
                        unsigned output)
{
    return ((size_t)node * p->degree + input) * p->derived->ports + output;
}

static void hold(struct audit *a, const struct crosspoint_part *p, uint32_t node, unsigned input,
                 unsigned output, unsigned entry)
{
    uint32_t *held = &a->count[buffer_at(p, node, input, output)];
    ((struct entries *)a)->twice |= *held >> entry & 1;
    *held |= 1u << entry;
}

static void audit_event(struct audit *a, const struct network_part *base, event_t e,
                        const void *body)
{
    const struct crosspoint_part *p = (const struct crosspoint_part *)base;
    const struct crosspoint_packet *packet = body;
    if (event_kind(e) == CROSSPOINT_ARRIVE)
        hold(a, p, p->members[event_node(e)], event_port(e),
             crosspoint_output(p->derived, packet->route), packet->entry);
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
                            hold(a, p, p->members[local], input, output, p->pool[i].entry);
                    }
}

static void audit_pictures(struct audit *a, const struct crosspoint_part *p)
{
    const struct graph *g = p->network->graph;
    uint32_t *seen = a->count + ((struct entries *)a)->buffers;
    for (uint32_t local = 0; local < p->base.nodes; local++)
        for (unsigned port = 0; port < p->degree; port++) {
            struct graph_end end = g->to[(size_t)p->members[local] * p->degree + port];
            for (unsigned behind = 0; end.node != GRAPH_NONE && behind < p->derived->ports;
                 behind++)
                seen[buffer_at(p, end.node, end.port, behind)] = p->node[local].busy[port][behind];
        }
}

static void audit_part(struct audit *a, const struct network_part *base)
{
    audit_queues(a, (const struct crosspoint_part *)base);
    audit_pictures(a, (const struct crosspoint_part *)base);
}

static weft_status compare(const struct crosspoint_network *n, const struct entries *e)
{
    const uint32_t *held = e->audit.count, *seen = held + e->buffers;
    if (ranks_max(e->twice))
        return RUN_FAILED(("invariant broken: two packets are in one entry"), NO_REMEDY);
    /* With errors, a ghost may be in an entry that its transmitter never chose. */
    for (size_t i = 0; i < e->buffers && !n->params.protocol; i++)
        if (held[i] & ~seen[i])
            return RUN_FAILED(("invariant broken: node %zu has packets in entries that their "
                               "transmitter believes free",
                               i / ((size_t)n->graph->degree * n->derived.ports)),
                              NO_REMEDY);
    return WEFT_OK;
}

weft_status crosspoint_check(struct network *base)
{
    struct crosspoint_network *n = (struct crosspoint_network *)base;
    size_t buffers = (size_t)n->graph->nodes * n->graph->degree * n->derived.ports;
    struct entries e = {.audit = {.network = base,
                                  .count = memory_alloc(2 * buffers + 1, sizeof(uint32_t)),
                                  .counts = 2 * buffers,
                                  .event = audit_event,
                                  .part = audit_part},
                        .buffers = buffers};
    weft_status status = audit_take(&e.audit);
    if (status == WEFT_OK)
        status = compare(n, &e);
    free(e.audit.count);
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
    struct graph_end end = p->network->graph->to[(size_t)s->node * p->degree + output];
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
