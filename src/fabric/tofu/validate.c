/*
 * Whether a partition that was read from a file can be one: every index lies in its table, every
 * list ends, every packet is in one place and its route leads to its destination, and the masks of
 * a router are what its queues and events make of them. After that the invariants of check.c can be
 * looked at, and the network can run.
 */
#include "fabric/tofu/state.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

struct audit {
    const struct tofu_part *part;
    struct visited *packets;
    uint16_t *sending; /* [local], outputs with a DONE event */
    uint64_t *reading; /* [local], queues with one */
};

/* ---- packets ---- */

/* A packet on a link that makes errors: its route may be any word, and the receiver looks at it. */
static bool is_frame(const struct tofu_part *p, const struct tofu_packet *packet)
{
    uint32_t nodes = p->network->routing.shape->nodes;
    return packet->lines >= TOFU_MIN_LINES && packet->lines <= TOFU_MAX_LINES &&
           packet->source < nodes && packet->destination < nodes && packet->vc < TOFU_VCS &&
           packet->engine < TOFU_ENGINES;
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
    if (queue >= TOFU_PLACES || !is_packet(p, packet) ||
        (queue < TOFU_LINK_PLACES &&
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

static bool is_done(struct audit *a, uint32_t local, unsigned output, uint32_t queue)
{
    const struct tofu_part *p = a->part;
    if (output >= TOFU_PORTS || queue > TOFU_PLACES || (queue == TOFU_PLACES && !p->links) ||
        !(p->node[local].outputs >> output & 1) || a->sending[local] >> output & 1 ||
        (queue < TOFU_PLACES && a->reading[local] >> queue & 1))
        return false;
    a->sending[local] |= (uint16_t)(1u << output);
    if (queue < TOFU_PLACES)
        a->reading[local] |= 1ull << queue;
    return true;
}

bool tofu_is_event(const struct network_part *base, void *audit, event_t e, const void *packet)
{
    const struct tofu_part *p = (const struct tofu_part *)base;
    uint32_t local = event_node(e), payload = event_payload(e);
    unsigned place = tofu_event_place(e);
    if (local >= p->base.nodes)
        return false;
    bool link = place < TOFU_LINK_PLACES && has_link(p, local, place / TOFU_VCS);
    switch (event_kind(e)) {
    case TOFU_ARRIVE:
        return link && !p->links && fits(p, local, place, packet);
    case TOFU_DONE:
        return is_done(audit, local, place, payload);
    case TOFU_CREDIT:
        return link && !p->links && payload <= TOFU_MAX_LINES;
    case TOFU_SERVE:
        return true;
    default:
        return p->links && link && is_link_event(p, e, packet);
    }
}

/* ---- a router ---- */

static bool take_queue(struct audit *a, uint32_t local, unsigned queue, uint64_t wants[TOFU_PLACES])
{
    const struct tofu_part *p = a->part;
    const struct tofu_node *s = &p->node[local];
    const struct tofu_queue *q = tofu_queue_at(p, local, queue);
    uint32_t last = NO_PACKET;
    for (uint32_t i = q->head; i != NO_PACKET; last = i, i = p->pool[i].next)
        if (!visited_mark(a->packets, i) || !fits(p, local, queue, &p->pool[i]))
            return false;
    if (q->head == NO_PACKET || s->reading >> queue & 1)
        return q->head == NO_PACKET || q->tail == last;
    wants[q->place < TOFU_PLACES ? q->place : 0] |= 1ull << queue;
    return q->tail == last && q->lines == p->pool[q->head].lines &&
           q->place == tofu_wanted(p, s, queue, &p->pool[q->head]);
}

static bool are_turns(const struct tofu_node *s)
{
    bool right = true;
    for (unsigned place = 0; place < TOFU_PLACES; place++)
        right = right && s->last[place] < TOFU_PLACES;
    for (unsigned output = 0; output < TOFU_LINKS; output++)
        right = right && s->last_vc[output] < TOFU_VCS && s->last_new[output] < TOFU_PLACES;
    return right;
}

static const char *node_flaw(struct audit *a, uint32_t local)
{
    const struct tofu_part *p = a->part;
    const struct tofu_node *s = &p->node[local];
    uint64_t wants[TOFU_PLACES] = {0};
    if (s->reading != a->reading[local] || s->sending != a->sending[local])
        return "a router's transfers are not valid";
    for (unsigned queue = 0; queue < TOFU_PLACES; queue++)
        if (!take_queue(a, local, queue, wants))
            return "a queue is not valid";
    if (memcmp(wants, s->wants, sizeof(wants)) != 0 || !are_turns(s))
        return "a router's turns are not valid";
    for (unsigned place = 0; place < TOFU_LINK_PLACES; place++)
        if (s->credit[place] > p->derived->buffer_lines)
            return "a router has more credit than there is room";
    return s->dirty | s->serve | s->notes ? "a router is not at rest" : NULL;
}

/* ---- links ---- */

static const char *links_flaw(const struct tofu_part *p)
{
    struct visited kept;
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

/* ---- a partition ---- */

const char *tofu_flaw(const struct network_part *base, struct visited *packets)
{
    const struct tofu_part *p = (const struct tofu_part *)base;
    struct audit a = {.part = p, .packets = packets};
    a.sending = memory_alloc(p->base.nodes, sizeof(*a.sending));
    a.reading = memory_alloc(p->base.nodes, sizeof(*a.reading));
    const char *flaw = network_events_flaw(base, packets, &a);
    for (uint32_t local = 0; local < p->base.nodes && !flaw; local++)
        flaw = node_flaw(&a, local);
    free(a.sending);
    free(a.reading);
    return flaw || !p->links ? flaw : links_flaw(p);
}
