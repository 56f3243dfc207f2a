/*
 * Invariants of a crosspoint network at rest between windows, and why it does not move.
 *
 * Every packet of the pool is in exactly one queue, on one wire, or carries news. No entry of a
 * buffer holds two packets. A transmitter never believes a used entry to be free: what its map
 * leaves out really is free.
 */
#include "fabric/crosspoint/state.h"

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
        hold(a, p, p->base.members[event_node(e)], event_port(e),
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
                            hold(a, p, p->base.members[local], input, output, p->pool[i].entry);
                    }
}

static void audit_pictures(struct audit *a, const struct crosspoint_part *p)
{
    const struct graph *g = p->network->graph;
    uint32_t *seen = a->count + ((struct entries *)a)->buffers;
    for (uint32_t local = 0; local < p->base.nodes; local++)
        for (unsigned port = 0; port < p->degree; port++) {
            struct graph_end end = g->to[(size_t)p->base.members[local] * p->degree + port];
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

static weft_status compare(const struct audit *a)
{
    const struct crosspoint_network *n = (const struct crosspoint_network *)a->network;
    const struct entries *e = (const struct entries *)a;
    const uint32_t *held = a->count, *seen = held + e->buffers;
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
    size_t buffers = (size_t)base->routers * n->graph->degree * n->derived.ports;
    struct entries e = {.audit = {.network = base,
                                  .counts = 2 * buffers,
                                  .event = audit_event,
                                  .part = audit_part,
                                  .compare = compare},
                        .buffers = buffers};
    return audit_take(&e.audit);
}

/* ---- who waits for whom ---- */

/* Buffers are the queues of the switches; those of a node are numbered
 * (input * ports + output) * vcs + vc. */

struct waiting_head crosspoint_waiting(const struct network_part *base, uint32_t local,
                                       uint32_t buffer)
{
    const struct crosspoint_part *p = (const struct crosspoint_part *)base;
    const struct crosspoint_node *s = &p->node[local];
    uint32_t ports = p->derived->ports, vcs = p->params->vcs, vc = buffer % vcs;
    uint32_t output = buffer / vcs % ports, input = buffer / vcs / ports;
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
    head.buffer = (end.port * ports + crosspoint_output(p->derived, route)) * vcs + next;
    return head;
}

size_t crosspoint_print_buffer(const struct network *base, uint32_t node, uint32_t buffer,
                               uint32_t occupied, char *text, size_t size, size_t at)
{
    const struct crosspoint_network *n = (const struct crosspoint_network *)base;
    uint32_t ports = n->derived.ports, vcs = n->params.vcs;
    return text_append(text, size, at, "  node %u crosspoint %u,%u %s, %u packets, waits for\n",
                       node, buffer / vcs / ports, buffer / vcs % ports,
                       crosspoint_vc_name(buffer % vcs), occupied);
}
