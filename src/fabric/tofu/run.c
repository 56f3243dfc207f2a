/*
 * A partition's cycle: apply all events, then let every router at which something may move take its
 * step. Events of one cycle touch separate queues, places and counts, or add up, so their order
 * does not matter.
 *
 * The state of a large machine is in no cache, but the wheel knows which nodes come next: what an
 * event will touch is fetched some events before, a router some steps before its own.
 */
#include "fabric/tofu/state.h"

enum { FETCH_STEPS = 6 };

/* Something at an output may go on: its router takes a step, unless the output is busy. */
WEFT_INLINE void stir(struct tofu_part *p, struct tofu_node *s)
{
    if (s->look & ~s->sending)
        tofu_mark(p, s);
    else
        s->look = 0;
}

WEFT_INLINE void apply_credit(struct tofu_part *p, struct tofu_node *s, unsigned place,
                              uint32_t lines)
{
    if (s->credit[place] < TOFU_MAX_LINES && s->credit[place] + lines >= TOFU_MAX_LINES)
        part_room(&p->base, tofu_slot((uint32_t)(s - p->node), place / TOFU_VCS), place % TOFU_VCS,
                  true);
    s->credit[place] += (uint16_t)lines;
    if (!s->wants[place])
        return; /* nobody is looking for room */
    s->look |= (uint16_t)(1u << place / TOFU_VCS);
    if (!(s->sending >> place / TOFU_VCS & 1))
        tofu_mark(p, s);
}

WEFT_INLINE void apply_event(struct network_part *base, event_t e)
{
    struct tofu_part *p = (struct tofu_part *)base;
    struct tofu_node *s = &p->node[event_node(e)];
    unsigned place = tofu_event_place(e);
    uint32_t payload = event_payload(e);
    switch (event_kind(e)) {
    case TOFU_ARRIVE:
        tofu_enqueue(p, s, place, payload);
        break;
    case TOFU_DONE:
        s->sending &= (uint16_t) ~(1u << place);
        s->look |= (uint16_t)(1u << place);
        if (payload == TOFU_PLACES)
            break; /* it came from a retransmission buffer */
        s->reading &= ~(1ull << payload);
        tofu_expose(p, s, payload);
        break;
    case TOFU_CREDIT:
        apply_credit(p, s, place, payload);
        return;
    case TOFU_SERVE:
        s->serve = 1;
        tofu_mark(p, s);
        return;
    default:
        tofu_link_note(p, s, e);
        tofu_mark(p, s);
        return;
    }
    if (!s->dirty)
        stir(p, s);
}

WEFT_INLINE void fetch(const void *ctx, event_t e)
{
    const struct tofu_part *p = ctx;
    unsigned kind = event_kind(e), place = tofu_event_place(e);
    const struct tofu_node *s = &p->node[event_node(e)];
    unsigned queue = kind == TOFU_ARRIVE ? place : kind == TOFU_DONE ? event_payload(e) : 0;
    __builtin_prefetch(s, 1);
    __builtin_prefetch(&s->wants[place], 1);
    __builtin_prefetch(tofu_queue_at(p, event_node(e), queue), 1);
    if (kind == TOFU_ARRIVE)
        __builtin_prefetch(&p->pool[event_payload(e)], 1);
}

WEFT_INLINE void fetch_router(const struct tofu_part *p, uint32_t i)
{
    if (i >= p->dirty.count)
        return;
    const char *s = (const char *)&p->node[p->dirty.node[i]];
    for (size_t line = 0; line < sizeof(struct tofu_node); line += 64)
        __builtin_prefetch(s + line, 1);
}

void tofu_advance(void *ctx, uint32_t partition, cycle_t until)
{
    struct tofu_part *p = tofu_part_at(ctx, partition);
    cycle_t now;
    while (part_next_cycle(&p->base, until, &now)) {
        part_apply_fetched(&p->base, now, fetch, p, apply_event);
        for (uint32_t i = 0; i < FETCH_STEPS; i++)
            fetch_router(p, i);
        for (uint32_t i = 0; i < p->dirty.count; i++) {
            fetch_router(p, i + FETCH_STEPS);
            p->node[p->dirty.node[i]].dirty = 0;
            tofu_step(p, p->dirty.node[i], now);
        }
        p->dirty.count = 0;
    }
}

/* ---- for clients ---- */

bool tofu_has_room(const struct network_part *part, uint32_t local, unsigned port)
{
    const struct tofu_part *p = (const struct tofu_part *)part;
    return tofu_queue_at(p, local, tofu_place(port, 0))->head == NO_PACKET;
}

void tofu_inject(struct network_part *part, uint32_t local, unsigned port,
                 const struct tofu_packet *packet)
{
    struct tofu_part *p = (struct tofu_part *)part;
    uint32_t index = tofu_get(p);
    p->pool[index] = *packet;
    p->base.measure.generated++;
    tofu_enqueue(p, &p->node[local], tofu_place(port, 0), index);
}

uint32_t tofu_node_at(const struct network_part *part, uint32_t local)
{
    const struct tofu_part *p = (const struct tofu_part *)part;
    return p->node[local].node;
}
