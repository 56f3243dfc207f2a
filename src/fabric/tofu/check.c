/*
 * The audit: for each virtual channel of each link the room that its sender knows of, what is on
 * the wire, what is in the buffer and the room that is on its way back add up to the buffer.
 *
 * The inspection: a packet's route leads to its destination, and the masks of a router are what its
 * queues and events make of them.
 */
#include "fabric/tofu/state.h"

#include <string.h>

#include "base/text/text.h"
#include "fabric/check.h"

/* Counts are lines of the receivers' buffers, which are numbered as queues. */

/* What a sender knows of the buffer behind one of its channels. */
static void add_behind(struct audit *a, const struct tofu_part *p, uint32_t node, unsigned channel,
                       uint32_t lines)
{
    unsigned port = channel / TOFU_VCS;
    uint32_t behind = tofu_neighbour(p->network->routing.shape, node, port);
    if (behind != TORUS_NO_NODE)
        *audit_count(a, behind, tofu_channel(tofu_opposite(port), channel % TOFU_VCS)) += lines;
}

static void audit_event(struct audit *a, const struct network_part *base, event_t e,
                        const void *packet)
{
    const struct tofu_part *p = (const struct tofu_part *)base;
    uint32_t node = p->node[event_node(e)].node;
    if (event_kind(e) == TOFU_ARRIVE)
        *audit_count(a, node, tofu_event_channel(e)) += ((const struct tofu_packet *)packet)->lines;
    if (event_kind(e) == TOFU_CREDIT)
        add_behind(a, p, node, tofu_event_channel(e), event_payload(e));
}

static void audit_router(struct audit *a, const struct network_part *base, uint32_t local)
{
    const struct tofu_part *p = (const struct tofu_part *)base;
    const struct tofu_node *s = &p->node[local];
    for (unsigned queue = 0; queue < TOFU_CHANNELS; queue++)
        for (uint32_t i = tofu_queue_at(p, local, queue)->head; i != NO_PACKET;
             i = p->pool[i].next) {
            a->packets++;
            *audit_count(a, s->node, queue) += p->pool[i].lines;
        }
    for (unsigned channel = 0; channel < TOFU_LINK_CHANNELS; channel++)
        add_behind(a, p, s->node, channel, s->credit[channel]);
}

/* With errors, what a sender knows is late, and ghosts take room: link.c keeps account. */
static weft_status compare(const struct network *base, uint32_t node, uint32_t queue,
                           uint32_t lines)
{
    const struct tofu_network *n = (const struct tofu_network *)base;
    if (n->params.protocol || queue >= TOFU_LINK_CHANNELS || lines == n->derived.vc_lines ||
        tofu_neighbour(n->routing.shape, node, queue / TOFU_VCS) == TORUS_NO_NODE)
        return WEFT_OK;
    return RUN_FAILED(
        ("invariant broken: the %s buffer of node %u at %s accounts for %u lines of %u",
         tofu_vc_name(queue % TOFU_VCS), node, tofu_port_name(queue / TOFU_VCS), lines,
         n->derived.vc_lines),
        NO_REMEDY);
}

/* ---- who waits for whom ---- */

static struct waiting_head head_waiting(const struct network_part *base, uint32_t local,
                                        uint32_t queue)
{
    const struct tofu_part *p = (const struct tofu_part *)base;
    const struct tofu_node *s = &p->node[local];
    const struct tofu_queue *q = tofu_queue_at(p, local, queue);
    struct waiting_head head = {.occupied = part_queue_length(PART_POOL(p), q->head)};
    if (!head.occupied || s->reading >> queue & 1 || q->channel >= TOFU_LINK_CHANNELS)
        return head;
    unsigned port = q->channel / TOFU_VCS;
    head.waits = true;
    head.node = tofu_neighbour(p->network->routing.shape, s->node, port);
    head.buffer = tofu_channel(tofu_opposite(port), q->channel % TOFU_VCS);
    return head;
}

static size_t print_buffer(const struct network *base, uint32_t node, uint32_t queue,
                           uint32_t occupied, char *text, size_t size, size_t at)
{
    const struct tofu_network *n = (const struct tofu_network *)base;
    char channel[TORUS_NODE_TEXT];
    torus_node_text(n->routing.shape, node, channel);
    if (queue >= TOFU_LINK_CHANNELS)
        return text_append(text, size, at, "  node %s engine %u, %u packets, waits for\n", channel,
                           queue - TOFU_LINK_CHANNELS, occupied);
    return text_append(text, size, at, "  node %s input %s %s, %u packets, waits for\n", channel,
                       tofu_port_name(queue / TOFU_VCS), tofu_vc_name(queue % TOFU_VCS), occupied);
}

/* ---- whether a state that was read can be one ---- */

/* DONE events of a router. */
struct pending {
    uint64_t reading, sending; /* queues with one, and outputs */
};

/* ---- packets ---- */

/* Whether it started in one of the times between which the same units are out. */
static bool is_start(const struct tofu_part *p, const struct tofu_packet *packet)
{
    const struct tofu_outages *o = p->network->outages;
    return o ? packet->started > 0 && packet->started <= o->count : !packet->started;
}

/* A packet on a link that makes errors: its route may be any word, and the receiver looks at it. */
static bool is_frame(const struct tofu_part *p, const struct tofu_packet *packet)
{
    uint32_t nodes = p->network->routing.shape->nodes;
    return packet->lines >= TOFU_MIN_LINES && packet->lines <= TOFU_MAX_LINES &&
           packet->source < nodes && packet->destination < nodes && packet->vc < TOFU_VCS &&
           packet->engine < TOFU_ENGINES && is_start(p, packet);
}

static bool is_packet(const struct tofu_part *p, const struct tofu_packet *packet)
{
    return is_frame(p, packet) && tofu_route_is_one(packet->route);
}

static bool has_link(const struct tofu_part *p, uint32_t local, unsigned port)
{
    return port < TOFU_LINKS && p->node[local].outputs >> port & 1;
}

/* A packet that is, or will be, in a queue. Under errors a ghost may be anywhere, and each router
 * looks for itself. */
static bool fits(const struct tofu_part *p, uint32_t local, unsigned queue,
                 const struct tofu_packet *packet)
{
    const struct tofu_node *s = &p->node[local];
    if (queue >= TOFU_CHANNELS || !is_packet(p, packet) ||
        (queue < TOFU_LINK_CHANNELS &&
         (!has_link(p, local, queue / TOFU_VCS) || packet->vc != queue % TOFU_VCS)))
        return false;
    if (p->links)
        return !packet->route || has_link(p, local, tofu_route_port(packet->route));
    return tofu_route_is_whole(&p->network->routing, s->node, packet->destination, packet->route);
}

/* ---- events ---- */

static bool is_link_event(const struct tofu_part *p, event_t e, const struct tofu_packet *packet)
{
    uint32_t payload = event_payload(e);
    switch (event_kind(e)) {
    case TOFU_FRAME:
        return is_frame(p, packet);
    case TOFU_TAIL:
        return payload < 3;
    case TOFU_RELEASE:
        return (payload & 0x7fffffff) <= TOFU_MAX_LINES;
    case TOFU_CONTROL:
        return payload < 2;
    default:
        return event_kind(e) == TOFU_TOLD;
    }
}

static bool is_done(const struct tofu_part *p, struct pending *found, uint32_t local,
                    unsigned output, uint32_t queue)
{
    if (output >= TOFU_PORTS || queue > TOFU_CHANNELS || (queue == TOFU_CHANNELS && !p->links) ||
        !(p->node[local].outputs >> output & 1))
        return false;
    return inspect_once(&found->sending, output) &&
           (queue == TOFU_CHANNELS || inspect_once(&found->reading, queue));
}

static bool is_event(const struct network_part *base, void *pending, cycle_t time, event_t e,
                     const void *packet)
{
    const struct tofu_part *p = (const struct tofu_part *)base;
    uint32_t local = event_node(e), payload = event_payload(e);
    unsigned channel = tofu_event_channel(e);
    (void)time;
    if (local >= p->base.nodes)
        return false;
    bool link = channel < TOFU_LINK_CHANNELS && has_link(p, local, channel / TOFU_VCS);
    switch (event_kind(e)) {
    case TOFU_ARRIVE:
        return link && !p->links && fits(p, local, channel, packet);
    case TOFU_DONE:
        return is_done(p, pending, local, channel, payload);
    case TOFU_CREDIT:
        return link && !p->links && payload <= TOFU_MAX_LINES;
    case TOFU_SERVE:
        return true;
    default:
        return p->links && link && is_link_event(p, e, packet);
    }
}

/* ---- a router ---- */

static bool take_queue(const struct inspection *a, uint32_t local, unsigned queue,
                       uint64_t wants[TOFU_CHANNELS])
{
    const struct tofu_part *p = (const struct tofu_part *)a->part;
    const struct tofu_node *s = &p->node[local];
    const struct tofu_queue *q = tofu_queue_at(p, local, queue);
    if (!inspect_queue(a, q->head, q->tail))
        return false;
    for (uint32_t i = q->head; i != NO_PACKET; i = p->pool[i].next)
        if (!fits(p, local, queue, &p->pool[i]))
            return false;
    if (q->head == NO_PACKET || s->reading >> queue & 1)
        return true;
    wants[q->channel < TOFU_CHANNELS ? q->channel : 0] |= 1ull << queue;
    return q->lines == p->pool[q->head].lines &&
           q->channel == tofu_wanted(p, s, queue, &p->pool[q->head]);
}

static bool are_turns(const struct tofu_node *s)
{
    bool right = true;
    for (unsigned channel = 0; channel < TOFU_CHANNELS; channel++)
        right = right && s->last[channel] < TOFU_CHANNELS;
    for (unsigned output = 0; output < TOFU_LINKS; output++)
        right = right && s->last_vc[output] < TOFU_VCS && s->last_new[output] < TOFU_CHANNELS;
    return right;
}

static const char *router_flaw(const struct inspection *a, uint32_t local)
{
    const struct tofu_part *p = (const struct tofu_part *)a->part;
    const struct pending *found = (const struct pending *)a->pending + local;
    const struct tofu_node *s = &p->node[local];
    uint64_t wants[TOFU_CHANNELS] = {0};
    if (s->reading != found->reading || s->sending != found->sending)
        return "a router's transfers are not valid";
    for (unsigned queue = 0; queue < TOFU_CHANNELS; queue++)
        if (!take_queue(a, local, queue, wants))
            return "a queue is not valid";
    if (memcmp(wants, s->wants, sizeof(wants)) != 0 || !are_turns(s))
        return "a router's turns are not valid";
    for (unsigned channel = 0; channel < TOFU_LINK_CHANNELS; channel++)
        if (s->credit[channel] > p->derived->vc_lines)
            return "a router has more credit than there is room";
    return s->dirty | s->serve | s->notes ? "a router is not at rest" : NULL;
}

/* ---- links ---- */

static const char *links_flaw(const struct tofu_part *p)
{
    struct visited kept;
    if (!p->links)
        return NULL;
    bool right = slots_visited(&p->links->kept, &kept);
    for (size_t i = 0; i < (size_t)p->base.nodes * TOFU_LINKS && right; i++) {
        const struct tofu_sender *x = &p->links->sender[i];
        uint32_t count = 0, lines = 0;
        bool resend = x->resend == SLOT_NONE;
        right = slots_list_visited(&p->links->kept, &x->kept, &kept);
        for (uint32_t k = x->kept.first; right && k != SLOT_NONE; k = tofu_kept_at(p, k)->next) {
            const struct tofu_packet *packet = tofu_kept_at(p, k);
            count++;
            lines += packet->lines;
            resend |= x->resend == k;
            right = is_packet(p, packet);
        }
        right = right && resend && count == x->count && lines == x->lines && count <= TOFU_WINDOW &&
                lines <= p->derived->retransmission_lines;
        right = right && visited_is_bool(&p->links->receiver[i].error);
    }
    right = right && visited_is_full(&kept);
    visited_fini(&kept);
    return right ? NULL : "a link's retransmission buffer is not valid";
}

static const char *rest_flaw(const struct network_part *base)
{
    const struct tofu_part *p = (const struct tofu_part *)base;
    const char *flaw = links_flaw(p);
    return flaw || !p->swap ? flaw : tofu_outage_flaw(p);
}

const struct network_checks tofu_checks = {.pending_size = sizeof(struct pending),
                                           .is_event = is_event,
                                           .router_flaw = router_flaw,
                                           .rest_flaw = rest_flaw,
                                           .audit_event = audit_event,
                                           .audit_router = audit_router,
                                           .compare = compare,
                                           .head = head_waiting,
                                           .print_buffer = print_buffer};
