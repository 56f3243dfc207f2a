/*
 * Checks on a network at rest: its invariants (--check), and who waits for whom when nothing moves
 * any more.
 */
#include "fabric/torus/queue.h"
#include "fabric/torus/link.h"

#include "base/text/text.h"
#include "engine/ranks.h"
#include "fabric/check.h"

/* ---- invariants ---- */

/* Counts are chunks accounted for each buffer, by receiving node, port and VC. */
static uint32_t *buffer_at(const struct audit *a, uint32_t receiver, unsigned port, unsigned vc)
{
    return &a->count[((size_t)receiver * TORUS_PORTS + port) * TORUS_VCS + vc];
}

static void audit_event(struct audit *a, const struct network_part *base, event_t e,
                        const void *packet)
{
    const struct torus_part *p = (const struct torus_part *)base;
    uint32_t node = p->router[event_node(e)].node;
    unsigned port = event_port(e), vc = event_vc(e);
    if (event_kind(e) == TORUS_EVENT_ARRIVE)
        *buffer_at(a, node, port, vc) += vc_tokens(p->derived, vc, packet);
    else if (event_kind(e) == TORUS_EVENT_ACK)
        *buffer_at(a, torus_neighbour(p->network->torus, node, port), port, vc) += event_payload(e);
}

/* With the link protocol: packets that the receiver has not yet taken, and chunks that it has freed
 * without the sender knowing. */
static void audit_link(struct audit *a, const struct torus_part *p, uint32_t local, unsigned port)
{
    const struct torus_network *n = p->network;
    uint32_t to = torus_neighbour(n->torus, p->router[local].node, port);
    const struct torus_part *behind = torus_part_at(n, n->base.partition[to]);
    const struct torus_link_sender *s = torus_sender_at(p, local, port);
    const struct torus_link_receiver *x = torus_receiver_at(behind, n->base.local[to], port);
    for (uint32_t i = 0; i < s->count; i++) {
        const struct torus_packet *packet = &s->frame[(s->first + i) % LINK_FRAMES].packet;
        if ((uint8_t)((uint8_t)packet->next - x->expected) < 128)
            *buffer_at(a, to, port, packet->vc) += vc_tokens(p->derived, packet->vc, packet);
    }
    for (unsigned vc = 0; vc < p->derived->vcs; vc++)
        *buffer_at(a, to, port, vc) += (uint16_t)(x->freed[vc] - s->freed[vc]);
}

/* A router's tokens, at its senders or on their way there, and chunks in its VC FIFOs. */
static void audit_router(struct audit *a, const struct torus_part *p, uint32_t local)
{
    const struct torus_router *r = &p->router[local];
    for (unsigned port = 0; port < TORUS_PORTS; port++) {
        if (p->links && (r->links >> port & 1) && ranks_count() == 1)
            audit_link(a, p, local, port);
        for (unsigned vc = 0; vc < p->derived->vcs; vc++) {
            if (r->links >> port & 1)
                *buffer_at(a, torus_neighbour(p->network->torus, r->node, port), port, vc) +=
                    r->port[port].tokens[vc] + noted_tokens(&r->port[port], vc);
            *buffer_at(a, r->node, port, vc) += r->filled[vc][port];
        }
    }
}

static void audit_part(struct audit *a, const struct network_part *base)
{
    const struct torus_part *p = (const struct torus_part *)base;
    for (uint32_t local = 0; local < base->nodes; local++)
        audit_router(a, p, local);
    for (size_t q = 0; q < (size_t)base->nodes * p->derived->queues; q++)
        for (uint32_t i = p->queue[q].head; i != NO_PACKET; i = p->pool[i].next)
            if (a->packets++ > base->packets)
                break;
}

static weft_status compare(const struct audit *a)
{
    const struct torus_network *n = (const struct torus_network *)a->network;
    bool counted = !n->params.link.protocol || ranks_count() == 1; /* see audit_router() */
    for (uint32_t node = 0; counted && node < n->torus->nodes; node++)
        for (unsigned port = 0; port < 2 * n->torus->dims; port++)
            for (unsigned vc = 0; vc < n->derived.vcs; vc++) {
                unsigned back = torus_opposite(port);
                bool link = faults_neighbour(&n->faults, n->torus, node, back) != TORUS_NO_NODE;
                uint32_t found = *buffer_at(a, node, port, vc);
                uint32_t right = link ? n->derived.capacity[vc] : 0;
                if (found != right)
                    return RUN_FAILED(("invariant broken: node %u receiver %u VC %u: tokens, "
                                       "packets and acknowledgments add up to %u chunks, not %u",
                                       node, port, vc, found, right),
                                      NO_REMEDY);
            }
    return WEFT_OK;
}

weft_status torus_check(struct network *base)
{
    struct audit a = {.network = base,
                      .counts = (size_t)base->routers * TORUS_PORTS * TORUS_VCS,
                      .event = audit_event,
                      .part = audit_part,
                      .compare = compare};
    return audit_take(&a);
}

/* ---- who waits for whom ---- */

/* Buffers are the VC FIFOs of receivers; those of a node are numbered port * vcs + vc. */

struct waiting_head torus_waiting(const struct network_part *base, uint32_t local, uint32_t buffer)
{
    const struct torus_part *p = (const struct torus_part *)base;
    const struct torus_derived *d = p->derived;
    const struct torus_router *r = &p->router[local];
    unsigned vc = buffer % d->vcs, receiver = buffer / d->vcs;
    unsigned q = receiver * d->lanes + vc, hint = head_ports(r, q);
    struct waiting_head head = {.occupied = r->filled[vc][receiver],
                                .waits = !(r->busy >> q & 1) && hint};
    if (head.waits) {
        unsigned port = d->escape_port[hint];
        head.node = torus_neighbour(p->network->torus, r->node, port);
        head.buffer = port * d->vcs + d->class_vc[head_class(r, q)];
    }
    return head;
}

size_t torus_print_buffer(const struct network *base, uint32_t node, uint32_t buffer,
                          uint32_t occupied, char *text, size_t size, size_t at)
{
    const struct torus_network *n = (const struct torus_network *)base;
    uint32_t c[TORUS_MAX_DIMS];
    unsigned vc = buffer % n->derived.vcs, port = buffer / n->derived.vcs;
    torus_coordinates(n->torus, node, c);
    at = text_append(text, size, at, "  node (");
    for (unsigned d = 0; d < n->torus->dims; d++)
        at = text_append(text, size, at, d ? ",%u" : "%u", c[d]);
    return text_append(text, size, at, ") receiver %s VC %s, %u of %u chunks taken, waits for\n",
                       torus_port_name(port), torus_vc_name(&n->params, vc), occupied,
                       n->derived.capacity[vc]);
}
