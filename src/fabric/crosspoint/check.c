/*
 * The audit: no entry of a buffer holds two packets. A transmitter never believes a used entry to
 * be free: what its map leaves out really is free.
 *
 * The inspection: a packet's route leads to its destination, and the masks of a switch are what its
 * queues and events make of them.
 */
#include "fabric/crosspoint/state.h"

#include "base/text/text.h"
#include "fabric/check.h"

/* Counts are, for the buffers (input, output) behind the machine's links, masks of entries that
 * hold, or will hold, a packet; and, SEEN bits higher, the same as their transmitters believe. */
enum { SEEN = 16 };

static uint32_t *entries_at(const struct audit *a, const struct crosspoint_part *p, uint32_t node,
                            unsigned input, unsigned output)
{
    return audit_count(a, node, input * p->derived->ports + output);
}

static void hold(struct audit *a, const struct crosspoint_part *p, uint32_t node, unsigned input,
                 unsigned output, unsigned entry)
{
    uint32_t *held = entries_at(a, p, node, input, output);
    a->twice |= *held >> entry & 1;
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

static void audit_queue(struct audit *a, const struct crosspoint_part *p, uint32_t local,
                        unsigned input, unsigned output, unsigned vc)
{
    uint32_t i = crosspoint_queue_at(p, local, output, input, vc)->head;
    for (; i != NO_PACKET; i = p->pool[i].next) {
        a->packets++;
        if (input < p->degree)
            hold(a, p, p->base.members[local], input, output, p->pool[i].entry);
    }
}

static void audit_router(struct audit *a, const struct network_part *base, uint32_t local)
{
    const struct crosspoint_part *p = (const struct crosspoint_part *)base;
    const struct crosspoint_node *s = &p->node[local];
    uint32_t ports = p->derived->ports;
    for (unsigned output = 0; output < ports; output++)
        for (unsigned input = 0; input < ports; input++)
            for (unsigned vc = 0; vc < p->params->vcs; vc++)
                audit_queue(a, p, local, input, output, vc);
    for (unsigned port = 0; port < p->degree; port++) {
        struct graph_end end = p->network->graph->to[(size_t)s->node * p->degree + port];
        for (unsigned behind = 0; end.node != GRAPH_NONE && behind < ports; behind++)
            *entries_at(a, p, end.node, end.port, behind) |= (uint32_t)s->busy[port][behind]
                                                             << SEEN;
    }
}

/* With errors, a ghost may be in an entry that its transmitter never chose. */
static weft_status compare(const struct network *n, uint32_t node, uint32_t buffer,
                           uint32_t entries)
{
    (void)buffer;
    if (((const struct crosspoint_network *)n)->params.protocol ||
        !((uint16_t)entries & ~(entries >> SEEN)))
        return WEFT_OK;
    return RUN_FAILED(("invariant broken: node %u has packets in entries that their transmitter "
                       "believes free",
                       node),
                      NO_REMEDY);
}

/* ---- who waits for whom ---- */

/* Buffers are the queues of the switches; those of a node are numbered
 * (input * ports + output) * vcs + vc. */

static struct waiting_head head_waiting(const struct network_part *base, uint32_t local,
                                        uint32_t buffer)
{
    const struct crosspoint_part *p = (const struct crosspoint_part *)base;
    const struct crosspoint_node *s = &p->node[local];
    uint32_t ports = p->derived->ports, vcs = p->params->vcs, vc = buffer % vcs;
    uint32_t output = buffer / vcs % ports, input = buffer / vcs / ports;
    const struct crosspoint_queue *q = crosspoint_queue_at(p, local, output, input, vc);
    struct waiting_head head = {.occupied = part_queue_length(PART_POOL(p), q->head)};
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

static size_t print_buffer(const struct network *base, uint32_t node, uint32_t buffer,
                           uint32_t occupied, char *text, size_t size, size_t at)
{
    const struct crosspoint_network *n = (const struct crosspoint_network *)base;
    uint32_t ports = n->derived.ports, vcs = n->params.vcs;
    return text_append(text, size, at, "  node %u crosspoint %u,%u %s, %u packets, waits for\n",
                       node, buffer / vcs / ports, buffer / vcs % ports,
                       crosspoint_vc_name(buffer % vcs), occupied);
}

/* ---- whether a state that was read can be one ---- */

/* ---- packets ---- */

bool crosspoint_leads(const struct crosspoint_network *n, uint32_t from, uint32_t node, uint32_t to,
                      uint32_t route, uint32_t vc)
{
    const struct graph *g = n->graph;
    for (uint32_t hop = 0; hop <= n->derived.most_hops && vc < n->params.vcs; hop++) {
        unsigned output = crosspoint_output(&n->derived, route);
        if (output >= g->degree)
            return output == g->degree && node == to;
        uint32_t next = g->to[(size_t)node * g->degree + output].node;
        if (next == GRAPH_NONE)
            return false;
        if (from != GRAPH_NONE)
            vc -= crosspoint_decrements(n->params.vc_rule, from, node, next);
        from = node;
        node = next;
        route = crosspoint_shift(&n->derived, route);
    }
    return false;
}

/* Whether a packet can be one, its route aside. */
static bool is_packet(const struct crosspoint_part *p, const struct crosspoint_packet *packet)
{
    uint32_t most = p->links ? CROSSPOINT_MAX_WORDS : UINT8_MAX;
    return packet->words >= CROSSPOINT_MIN_WORDS && packet->words <= most &&
           packet->source < p->network->graph->nodes &&
           packet->destination < p->network->graph->nodes && visited_is_bool(&packet->stream);
}

static bool has_input(const struct crosspoint_part *p, uint32_t local, unsigned port)
{
    return port < p->degree &&
           p->network->graph->from[(size_t)p->base.members[local] * p->degree + port].node !=
               GRAPH_NONE;
}

/* A packet that is, or will be, in the buffer of a switch's input. Under errors a ghost may be
 * anywhere, and each switch looks for itself. */
static bool fits(const struct crosspoint_part *p, uint32_t local, unsigned input,
                 const struct crosspoint_packet *packet)
{
    uint32_t node = p->base.members[local], from = GRAPH_NONE;
    if (!is_packet(p, packet) || packet->vc >= p->params->vcs ||
        packet->entry >= p->params->crosspoint_packets ||
        (input != p->degree && !has_input(p, local, input)))
        return false;
    if (p->links)
        return crosspoint_link_is_possible(p, &p->node[local], input, packet);
    if (input < p->degree)
        from = p->network->graph->from[(size_t)node * p->degree + input].node;
    return crosspoint_leads(p->network, from, node, packet->destination, packet->route, packet->vc);
}

/* ---- events ---- */

static bool is_link_event(const struct crosspoint_part *p, event_t e,
                          const struct crosspoint_packet *packet, bool in, bool out)
{
    uint32_t payload = event_payload(e);
    switch (event_kind(e)) {
    case CROSSPOINT_FRAME:
        return in && is_packet(p, packet);
    case CROSSPOINT_TAIL:
        return in && payload < 4;
    case CROSSPOINT_RELEASE:
        return in && payload >> 16 < p->derived->ports;
    case CROSSPOINT_CONTROL:
        return in;
    case CROSSPOINT_TOLD:
    case CROSSPOINT_RESEND:
        return out;
    default:
        return false;
    }
}

static bool is_event(const struct network_part *base, void *pending, cycle_t time, event_t e,
                     const void *packet)
{
    const struct crosspoint_part *p = (const struct crosspoint_part *)base;
    uint32_t local = event_node(e), payload = event_payload(e);
    unsigned port = event_port(e);
    (void)time;
    if (local >= p->base.nodes)
        return false;
    bool in = has_input(p, local, port), out = p->node[local].outputs >> port & 1;
    switch (event_kind(e)) {
    case CROSSPOINT_ARRIVE:
        return in && !p->links && fits(p, local, port, packet);
    case CROSSPOINT_FREE:
        return out && !p->links && port < p->degree && payload >> 16 < p->derived->ports;
    case CROSSPOINT_OWN:
        return port == p->degree && payload >> 16 < p->derived->ports;
    case CROSSPOINT_LOOK:
        return out && inspect_once(pending, port); /* pending: outputs with a LOOK */
    case CROSSPOINT_SERVE:
        return true;
    default:
        return p->links && is_link_event(p, e, packet, in, out && port < p->degree);
    }
}

/* ---- links ---- */

/* Kept packets are in no queue, but an answer brings their entries back. */
static bool are_kept(const struct crosspoint_part *p, const struct crosspoint_sender *x)
{
    for (unsigned i = 0; i < x->count; i++) {
        const struct crosspoint_packet *kept = &x->replay[(x->first + i) % CROSSPOINT_SEQUENCES];
        if (!is_packet(p, kept) || kept->entry >= p->params->crosspoint_packets ||
            kept->vc >= p->params->vcs)
            return false;
    }
    return true;
}

static const char *link_flaw(const struct crosspoint_part *p, uint32_t local)
{
    for (unsigned port = 0; port < p->degree; port++) {
        const struct crosspoint_sender *x = crosspoint_sender_at(p, local, port);
        const struct crosspoint_receiver *y = crosspoint_receiver_at(p, local, port);
        bool link = p->node[local].outputs >> port & 1;
        if (!visited_is_bool(&x->resending) || !visited_is_bool(&x->recover) ||
            !visited_is_bool(&y->error) || !visited_is_bool(&y->control))
            return "the end of a link is not valid";
        if (x->first >= CROSSPOINT_SEQUENCES || x->count >= (link ? CROSSPOINT_SEQUENCES : 1) ||
            !are_kept(p, x))
            return "a replay buffer is not valid";
    }
    return NULL;
}

/* ---- a switch ---- */

static bool take_queue(const struct inspection *a, uint32_t local, unsigned output, unsigned input,
                       unsigned vc)
{
    const struct crosspoint_part *p = (const struct crosspoint_part *)a->part;
    const struct crosspoint_queue *q = crosspoint_queue_at(p, local, output, input, vc);
    if (!inspect_queue(a, q->head, q->tail))
        return false;
    for (uint32_t i = q->head; i != NO_PACKET; i = p->pool[i].next) {
        const struct crosspoint_packet *packet = &p->pool[i];
        if (!fits(p, local, input, packet) || packet->vc != vc ||
            crosspoint_output(p->derived, packet->route) != output)
            return false;
    }
    return true;
}

/* The queues of an output, which its mask names. */
static bool take_queues(const struct inspection *a, uint32_t local, unsigned output)
{
    const struct crosspoint_part *p = (const struct crosspoint_part *)a->part;
    uint64_t waiting = 0;
    for (unsigned input = 0; input < p->derived->ports; input++)
        for (unsigned vc = 0; vc < p->params->vcs; vc++) {
            bool any = crosspoint_queue_at(p, local, output, input, vc)->head != NO_PACKET;
            waiting |= (uint64_t)any << (8 * input + vc);
            if (!take_queue(a, local, output, input, vc))
                return false;
        }
    return waiting == p->node[local].waiting[output];
}

static const char *router_flaw(const struct inspection *a, uint32_t local)
{
    const struct crosspoint_part *p = (const struct crosspoint_part *)a->part;
    const struct crosspoint_node *s = &p->node[local];
    for (unsigned port = 0; port < CROSSPOINT_PORTS; port++) {
        if (s->last[port] > 63 || s->sequence[port] >= CROSSPOINT_SEQUENCES)
            return "an output is not valid";
        if (port < p->derived->ports ? !take_queues(a, local, port) : s->waiting[port] != 0)
            return "a queue is not valid";
    }
    if (s->arrived | s->serve | s->notes | s->dirty || s->look & ~s->outputs ||
        s->watched != ((const uint64_t *)a->pending)[local])
        return "a switch is not at rest";
    return p->links ? link_flaw(p, local) : NULL;
}

const struct network_checks crosspoint_checks = {.pending_size = sizeof(uint64_t),
                                                 .is_event = is_event,
                                                 .router_flaw = router_flaw,
                                                 .audit_event = audit_event,
                                                 .audit_router = audit_router,
                                                 .compare = compare,
                                                 .head = head_waiting,
                                                 .print_buffer = print_buffer};
