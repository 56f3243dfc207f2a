/*
 * Invariants of a network at rest: every packet is in one place, and for each virtual channel of
 * each link the room that its sender knows of, what is on the wire, what is in the buffer and the
 * room that is on its way back add up to the buffer. And who waits for whom.
 */
#include "fabric/tofu/state.h"

#include "base/text/text.h"
#include "fabric/check.h"

/* Counts are lines of the receivers' buffers: [node * TOFU_LINK_PLACES + queue]. */
static void add_lines(struct audit *a, uint32_t node, unsigned queue, uint32_t lines)
{
    a->count[(size_t)node * TOFU_LINK_PLACES + queue] += lines;
}

/* What a sender knows of the buffer behind one of its places. */
static void add_behind(struct audit *a, const struct tofu_part *p, uint32_t node, unsigned place,
                       uint32_t lines)
{
    unsigned port = place / TOFU_VCS;
    uint32_t behind = tofu_neighbour(p->network->routing.shape, node, port);
    if (behind != TORUS_NO_NODE)
        add_lines(a, behind, tofu_place(tofu_opposite(port), place % TOFU_VCS), lines);
}

static void audit_event(struct audit *a, const struct network_part *base, event_t e,
                        const void *packet)
{
    const struct tofu_part *p = (const struct tofu_part *)base;
    uint32_t node = p->node[event_node(e)].node;
    if (event_kind(e) == TOFU_ARRIVE)
        add_lines(a, node, tofu_event_place(e), ((const struct tofu_packet *)packet)->lines);
    if (event_kind(e) == TOFU_CREDIT)
        add_behind(a, p, node, tofu_event_place(e), event_payload(e));
}

static void audit_node(struct audit *a, const struct tofu_part *p, uint32_t local)
{
    const struct tofu_node *s = &p->node[local];
    for (unsigned queue = 0; queue < TOFU_PLACES; queue++)
        for (uint32_t i = tofu_queue_at(p, local, queue)->head; i != NO_PACKET;
             i = p->pool[i].next) {
            a->packets++;
            if (queue < TOFU_LINK_PLACES)
                add_lines(a, s->node, queue, p->pool[i].lines);
        }
    for (unsigned place = 0; place < TOFU_LINK_PLACES; place++)
        add_behind(a, p, s->node, place, s->credit[place]);
}

static void audit_part(struct audit *a, const struct network_part *base)
{
    for (uint32_t local = 0; local < base->nodes; local++)
        audit_node(a, (const struct tofu_part *)base, local);
}

/* With errors, what a sender knows is late, and ghosts take room: link.c keeps account. */
static weft_status compare(const struct audit *a)
{
    const struct tofu_network *n = (const struct tofu_network *)a->network;
    const struct torus *t = n->routing.shape;
    for (uint32_t node = 0; node < t->nodes && !n->params.protocol; node++)
        for (unsigned queue = 0; queue < TOFU_LINK_PLACES; queue++) {
            uint32_t lines = a->count[(size_t)node * TOFU_LINK_PLACES + queue];
            if (tofu_neighbour(t, node, queue / TOFU_VCS) == TORUS_NO_NODE ||
                lines == n->derived.buffer_lines)
                continue;
            return RUN_FAILED(("invariant broken: the %s buffer of node %u at %s accounts for %u "
                               "lines of %u",
                               tofu_vc_name(queue % TOFU_VCS), node,
                               tofu_port_name(queue / TOFU_VCS), lines, n->derived.buffer_lines),
                              NO_REMEDY);
        }
    return WEFT_OK;
}

weft_status tofu_check(struct network *base)
{
    struct audit a = {.network = base,
                      .counts = (size_t)base->routers * TOFU_LINK_PLACES,
                      .event = audit_event,
                      .part = audit_part,
                      .compare = compare};
    return audit_take(&a);
}

/* ---- who waits for whom ---- */

struct waiting_head tofu_waiting(const struct network_part *base, uint32_t local, uint32_t queue)
{
    const struct tofu_part *p = (const struct tofu_part *)base;
    const struct tofu_node *s = &p->node[local];
    const struct tofu_queue *q = tofu_queue_at(p, local, queue);
    struct waiting_head head = {.occupied = 0};
    for (uint32_t i = q->head; i != NO_PACKET; i = p->pool[i].next)
        head.occupied++;
    if (!head.occupied || s->reading >> queue & 1 || q->place >= TOFU_LINK_PLACES)
        return head;
    unsigned port = q->place / TOFU_VCS;
    head.waits = true;
    head.node = tofu_neighbour(p->network->routing.shape, s->node, port);
    head.buffer = tofu_place(tofu_opposite(port), q->place % TOFU_VCS);
    return head;
}

size_t tofu_print_buffer(const struct network *base, uint32_t node, uint32_t queue,
                         uint32_t occupied, char *text, size_t size, size_t at)
{
    const struct tofu_network *n = (const struct tofu_network *)base;
    char place[TORUS_NODE_TEXT];
    torus_node_text(n->routing.shape, node, place);
    if (queue >= TOFU_LINK_PLACES)
        return text_append(text, size, at, "  node %s engine %u, %u packets, waits for\n", place,
                           queue - TOFU_LINK_PLACES, occupied);
    return text_append(text, size, at, "  node %s input %s %s, %u packets, waits for\n", place,
                       tofu_port_name(queue / TOFU_VCS), tofu_vc_name(queue % TOFU_VCS), occupied);
}
