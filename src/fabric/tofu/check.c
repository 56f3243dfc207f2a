/*
 * Invariants of a network at rest: every packet is in one place, and for each virtual channel of
 * each link the room that its sender knows of, what is on the wire, what is in the buffer and the
 * room that is on its way back add up to the buffer. And who waits for whom.
 */
#include "fabric/tofu/link.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/text.h"
#include "engine/ranks.h"
#include "fabric/waiting.h"

struct audit {
    const struct tofu_network *network;
    const struct tofu_part *part;
    uint32_t *lines; /* [node * TOFU_LINK_PLACES + queue], of the receiver */
    uint64_t packets;
};

static void add_lines(struct audit *a, uint32_t node, unsigned queue, uint32_t lines)
{
    a->lines[(size_t)node * TOFU_LINK_PLACES + queue] += lines;
}

/* What a sender knows of the buffer behind one of its places. */
static void add_behind(struct audit *a, uint32_t node, unsigned place, uint32_t lines)
{
    unsigned port = place / TOFU_VCS;
    uint32_t behind = tofu_neighbour(a->network->routing.shape, node, port);
    if (behind != TORUS_NO_NODE)
        add_lines(a, behind, tofu_place(tofu_opposite(port), place % TOFU_VCS), lines);
}

static void audit_event(void *arg, cycle_t time, event_t e)
{
    struct audit *a = arg;
    const struct tofu_part *p = a->part;
    uint32_t node = p->node[event_node(e)].node;
    (void)time;
    a->packets += tofu_brings(e);
    if (event_kind(e) == TOFU_ARRIVE)
        add_lines(a, node, tofu_event_place(e), p->pool[event_payload(e)].lines);
    if (event_kind(e) == TOFU_CREDIT)
        add_behind(a, node, tofu_event_place(e), event_payload(e));
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
        add_behind(a, s->node, place, s->credit[place]);
}

/* Messages that their partition has not yet received. */
static void audit_channels(struct audit *a)
{
    const struct engine *engine = &a->network->base.engine;
    for (uint32_t c = 0; c < engine->channels; c++) {
        if (engine_rank(engine, engine->channel[c].to) != ranks_me())
            continue;
        const struct tofu_part *to = tofu_part_at(a->network, engine->channel[c].to);
        for (unsigned i = 0; i < 2; i++) {
            const struct channel_buffer *b = &engine->channel[c].buffer[i];
            const struct tofu_packet *body = (const struct tofu_packet *)b->body;
            for (uint32_t m = 0; m < b->count; m++) {
                event_t e = b->message[m].event;
                uint32_t node = to->node[event_node(e)].node;
                if (event_kind(e) == TOFU_ARRIVE)
                    add_lines(a, node, tofu_event_place(e), body->lines);
                if (event_kind(e) == TOFU_CREDIT)
                    add_behind(a, node, tofu_event_place(e), event_payload(e));
                if (tofu_brings(e))
                    body++;
            }
        }
    }
}

static weft_status audit_parts(struct audit *a)
{
    const struct tofu_network *n = a->network;
    for (uint32_t i = n->base.engine.first; i < n->base.engine.end; i++) {
        const struct tofu_part *p = a->part = tofu_part_at(n, i);
        a->packets = 0;
        wheel_visit(&p->base.wheel, audit_event, a);
        for (uint32_t local = 0; local < p->base.nodes; local++)
            audit_node(a, p, local);
        if (a->packets != p->base.packets)
            return RUN_FAILED(("invariant broken: partition %u holds %u packets; %llu were found",
                               i, p->base.packets, (unsigned long long)a->packets),
                              NO_REMEDY);
    }
    audit_channels(a);
    return WEFT_OK;
}

/* With errors, what a sender knows is late, and ghosts take room: link.c keeps account. */
static weft_status compare(const struct audit *a)
{
    const struct tofu_network *n = a->network;
    const struct torus *t = n->routing.shape;
    for (uint32_t node = 0; node < t->nodes && !n->params.protocol; node++)
        for (unsigned queue = 0; queue < TOFU_LINK_PLACES; queue++) {
            uint32_t lines = a->lines[(size_t)node * TOFU_LINK_PLACES + queue];
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
    struct tofu_network *n = (struct tofu_network *)base;
    size_t buffers = (size_t)n->routing.shape->nodes * TOFU_LINK_PLACES;
    struct audit a = {.network = n, .lines = memory_alloc(buffers, sizeof(*a.lines))};
    weft_status status = audit_parts(&a);
    ranks_sum_32(a.lines, buffers);
    if (ranks_max(status != WEFT_OK) && status == WEFT_OK)
        status = RUN_FAILED(("invariant broken in another rank"), NO_REMEDY);
    if (status == WEFT_OK)
        status = compare(&a);
    free(a.lines);
    return status;
}

/* ---- who waits for whom ---- */

static bool member_node(const struct network_part *base, uint32_t local, uint32_t *node)
{
    const struct tofu_part *p = (const struct tofu_part *)base;
    if (local == p->base.nodes)
        return false;
    *node = p->node[local].node;
    return true;
}

static struct waiting_head look_at_head(const struct network_part *base, uint32_t local,
                                        uint32_t queue)
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
    head.place = tofu_place(tofu_opposite(port), q->place % TOFU_VCS);
    return head;
}

static size_t print_buffer(const struct network *base, uint32_t node, uint32_t queue,
                           uint32_t occupied, char *text, size_t size, size_t at)
{
    const struct tofu_network *n = (const struct tofu_network *)base;
    char place[TORUS_PLACE_TEXT];
    torus_place_text(n->routing.shape, node, place);
    if (queue >= TOFU_LINK_PLACES)
        return text_append(text, size, at, "  node %s engine %u, %u packets, waits for\n", place,
                           queue - TOFU_LINK_PLACES, occupied);
    return text_append(text, size, at, "  node %s input %s %s, %u packets, waits for\n", place,
                       tofu_port_name(queue / TOFU_VCS), tofu_vc_name(queue % TOFU_VCS), occupied);
}

void tofu_explain(const struct network *base, char *text, size_t size)
{
    const struct tofu_network *n = (const struct tofu_network *)base;
    struct waiting_buffers buffers = {.nodes = n->routing.shape->nodes,
                                      .per_node = TOFU_PLACES,
                                      .node = member_node,
                                      .head = look_at_head,
                                      .print = print_buffer,
                                      .otherwise =
                                          "a process waits for a message that does not come"};
    waiting_explain(base, &buffers, text, size);
}
