/*
 * Whether a partition that was read from a file can be one: every index lies in its table, every
 * list ends, every packet is in one place and its route leads to its destination, and the masks of
 * a switch are what its queues and events make of them. After that the invariants of check.c can be
 * looked at, and the network can run.
 */
#include "fabric/crosspoint/state.h"

#include <stdlib.h>

#include "base/memory.h"

struct audit {
    const struct crosspoint_part *part;
    struct visited *packets;
    uint8_t *watched; /* [local], outputs with a LOOK event */
};

/* ---- packets ---- */

/* `from`: the node before, GRAPH_NONE for the node's own packets. */
static bool leads(const struct crosspoint_network *n, uint32_t from, uint32_t node, uint32_t to,
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

bool crosspoint_leads(const struct network_part *part, uint32_t local, uint32_t to, uint32_t route,
                      uint32_t vc)
{
    const struct crosspoint_part *p = (const struct crosspoint_part *)part;
    return leads(p->network, GRAPH_NONE, p->base.members[local], to, route, vc);
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
        packet->entry >= p->params->buffer_packets ||
        (input != p->degree && !has_input(p, local, input)))
        return false;
    if (p->links)
        return crosspoint_link_is_possible(p, &p->node[local], input, packet);
    if (input < p->degree)
        from = p->network->graph->from[(size_t)node * p->degree + input].node;
    return leads(p->network, from, node, packet->destination, packet->route, packet->vc);
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

bool crosspoint_is_event(const struct network_part *base, void *audit, event_t e,
                         const void *packet)
{
    const struct crosspoint_part *p = (const struct crosspoint_part *)base;
    struct audit *a = audit;
    uint32_t local = event_node(e), payload = event_payload(e);
    unsigned port = event_port(e);
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
        if (!out || a->watched[local] >> port & 1)
            return false;
        a->watched[local] |= (uint8_t)(1u << port);
        return true;
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
        if (!is_packet(p, kept) || kept->entry >= p->params->buffer_packets ||
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

static bool take_queue(struct audit *a, uint32_t local, unsigned output, unsigned input,
                       unsigned vc)
{
    const struct crosspoint_part *p = a->part;
    const struct crosspoint_queue *q = crosspoint_queue_at(p, local, output, input, vc);
    uint32_t last = NO_PACKET;
    for (uint32_t i = q->head; i != NO_PACKET; last = i, i = p->pool[i].next) {
        const struct crosspoint_packet *packet = &p->pool[i];
        if (!visited_mark(a->packets, i) || !fits(p, local, input, packet) || packet->vc != vc ||
            crosspoint_output(p->derived, packet->route) != output)
            return false;
    }
    return q->head == NO_PACKET || q->tail == last;
}

/* The queues of an output, which its mask names. */
static bool take_queues(struct audit *a, uint32_t local, unsigned output)
{
    const struct crosspoint_part *p = a->part;
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

static bool is_at_rest(const struct crosspoint_node *s)
{
    return !(s->arrived | s->serve | s->notes | s->dirty) && !(s->look & ~s->outputs);
}

static const char *node_flaw(struct audit *a, uint32_t local)
{
    const struct crosspoint_part *p = a->part;
    const struct crosspoint_node *s = &p->node[local];
    for (unsigned port = 0; port < CROSSPOINT_PORTS; port++) {
        if (s->last[port] > 63 || s->sequence[port] >= CROSSPOINT_SEQUENCES)
            return "an output is not valid";
        if (port < p->derived->ports ? !take_queues(a, local, port) : s->waiting[port] != 0)
            return "a queue is not valid";
    }
    if (!is_at_rest(s) || s->watched != a->watched[local])
        return "a switch is not at rest";
    return p->links ? link_flaw(p, local) : NULL;
}

const char *crosspoint_flaw(const struct network_part *base, struct visited *packets)
{
    const struct crosspoint_part *p = (const struct crosspoint_part *)base;
    struct audit a = {.part = p, .packets = packets};
    a.watched = memory_alloc(p->base.nodes, sizeof(*a.watched));
    const char *flaw = network_events_flaw(base, packets, &a);
    for (uint32_t local = 0; local < p->base.nodes && !flaw; local++)
        flaw = node_flaw(&a, local);
    free(a.watched);
    return flaw;
}
