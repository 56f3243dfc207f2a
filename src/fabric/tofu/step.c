/*
 * One router, one cycle: each free output takes one packet, in turn among the queues that want it
 * and for which the next router has room for the whole packet (virtual cut-through).
 *
 *   t                      grant; control lines that are due go first
 *   t + control            the packet's first line leaves
 *   ... + hop_cycles       its head is at the next router, and may leave at once
 *   ... + lines            its last line has left: output and queue are free, and a control line
 *                          takes the room that it leaves back to the router before
 *
 * A partition's cycle: apply all events, then let every router at which something may move take its
 * step. Events of one cycle touch separate queues, channels and counts, or add up, so their order
 * does not matter.
 *
 * The state of a large machine is in no cache, but the wheel knows which nodes come next: what an
 * event will touch is fetched some events before, a router some steps before its own.
 */
#include "fabric/tofu/state.h"

/* ---- a node ---- */

/* A packet leaves for an engine or the barrier interface, where its last line is in cycle `when`.
 * Returns when another may follow: not so early that one of this length would be there too soon. */
static cycle_t hand_over(struct tofu_part *p, struct tofu_node *s, uint32_t index, cycle_t when)
{
    const struct tofu_packet *packet = &p->pool[index];
    const struct face_client *client = &p->network->client;
    cycle_t next = when, lines = packet->lines;
    if (!(packet->flags & TOFU_POISONED)) {
        struct delivery d = {packet->source, packet->sequence, packet->birth, packet->bytes};
        struct face_packet out = tofu_face_packet(packet);
        WEFT_CHECK(packet->destination == s->node, "node %u was given a packet for node %u",
                   s->node, packet->destination);
        uint32_t local = (uint32_t)(s - p->node);
        part_delivery(&p->base, local, &d, s->node, when);
        if (__builtin_expect(packet->started != 0, 0))
            tofu_outage_ends(p, packet);
        next = client->deliver(client->ctx, &p->base, local, &out, when).next;
    }
    tofu_put(p, index);
    return next > when + lines ? next - lines : when;
}

/* Control lines that are due, less those for which the link had time since its last packet. */
static cycle_t control_due(const struct tofu_node *s, unsigned output, cycle_t now)
{
    cycle_t idle = now - s->free_at[output], due = s->control[output];
    return due > idle ? due - idle : 0;
}

static cycle_t control_lines(struct tofu_node *s, unsigned output, cycle_t now)
{
    cycle_t due = control_due(s, output, now);
    s->control[output] = 0;
    return due;
}

/* A packet leaves by a link: returns when its last line has left. */
static cycle_t send_on(struct tofu_part *p, struct tofu_node *s, unsigned channel, uint32_t index,
                       cycle_t now)
{
    struct tofu_packet *packet = &p->pool[index];
    unsigned output = channel / TOFU_VCS, vc = channel % TOFU_VCS;
    uint32_t slot = tofu_slot((uint32_t)(s - p->node), output);
    cycle_t start = now + control_lines(s, output, now), lines = packet->lines;
    s->credit[channel] -= packet->lines;
    if (s->credit[channel] < TOFU_MAX_LINES && s->credit[channel] + lines >= TOFU_MAX_LINES)
        part_room(&p->base, slot, vc, false);
    packet->vc = (uint8_t)vc;
    packet->route = tofu_route_advance(packet->route);
    s->free_at[output] = start + lines;
    if (start > now)
        p->link_busy[slot] += part_busy_control(&p->base, slot, output, now, start - now);
    p->link_busy[slot] += part_busy(&p->base, slot, vc, output, start, lines);
    if (!(packet->flags & TOFU_POISONED))
        measure_hop(&p->base.measure, vc, packet->bytes, start, lines);
    if (p->links)
        tofu_link_send(p, s, output, index, start);
    else
        tofu_carry(p, s, output, start + p->derived->hop_cycles, TOFU_ARRIVE,
                   tofu_channel(tofu_opposite(output), vc), index, true);
    return start + lines;
}

/* The room that a packet leaves in the buffer of an input, from cycle `when` on. */
WEFT_INLINE void release(struct tofu_part *p, struct tofu_node *s, unsigned queue, uint32_t lines,
                         cycle_t when)
{
    unsigned input = queue / TOFU_VCS;
    s->control[input] += (uint16_t)p->params->control_lines;
    measure_ack(&p->base.measure, when);
    tofu_carry(p, s, input, when + p->derived->control_cycles, TOFU_CREDIT,
               tofu_channel(tofu_opposite(input), queue % TOFU_VCS), lines, false);
}

/* At a node of a unit of machine.swap: counts a packet that started before the unit was out. true:
 * the unit has failed, and loses it. */
static __attribute__((noinline)) bool is_lost(struct tofu_part *p, struct tofu_node *s,
                                              unsigned channel, unsigned queue, cycle_t now)
{
    const struct tofu_packet *packet =
        &p->pool[tofu_queue_at(p, (uint32_t)(s - p->node), queue)->head];
    unsigned output = tofu_channel_port(channel);
    bool lost = tofu_outage_loses(p, s, now);
    cycle_t start = now;
    if (output < TOFU_LINKS && !lost)
        start += control_due(s, output, now);
    if (!(packet->flags & TOFU_POISONED))
        tofu_outage_passes(p, s, packet, lost, now, start + packet->lines);
    return lost;
}

/* What waits for it does not know: its room is given back, and its output is taken as long. */
static void lose(struct tofu_part *p, struct tofu_node *s, unsigned channel, unsigned queue,
                 cycle_t now)
{
    bool fresh;
    uint32_t index = tofu_dequeue(p, s, queue, now, &fresh), local = (uint32_t)(s - p->node);
    struct tofu_packet left = p->pool[index];
    unsigned output = tofu_channel_port(channel);
    cycle_t end = now + left.lines;
    bool counts = !(left.flags & TOFU_POISONED);
    s->sending |= (uint16_t)(1u << output);
    p->base.measure.moves += counts;
    if (counts) {
        measure_loss(&p->base.measure, left.source, left.destination);
        tofu_outage_ends(p, &left);
    }
    tofu_put(p, index);
    if (queue >= TOFU_LINK_CHANNELS) {
        part_injection(&p->base, local, left.birth, left.bytes, now);
        s->serve = 1;
    } else if (p->links) {
        tofu_link_release(p, s, queue, &left, end);
    } else {
        release(p, s, queue, left.lines, end);
    }
    wheel_push(&p->base.wheel, end, tofu_event(TOFU_DONE, local, output, queue));
}

static void grant(struct tofu_part *p, struct tofu_node *s, unsigned channel, unsigned queue,
                  cycle_t now)
{
    if (__builtin_expect(s->swapped, 0) && is_lost(p, s, channel, queue, now)) {
        lose(p, s, channel, queue, now);
        return;
    }
    bool fresh;
    uint32_t index = tofu_dequeue(p, s, queue, now, &fresh), lines = p->pool[index].lines;
    unsigned output = tofu_channel_port(channel);
    bool counts = !(p->pool[index].flags & TOFU_POISONED);
    struct tofu_packet left = {.lines = (uint16_t)lines, .frame = p->pool[index].frame};
    bool own = queue >= TOFU_LINK_CHANNELS;
    cycle_t end = now + lines;
    s->sending |= (uint16_t)(1u << output);
    p->base.measure.moves += counts;
    p->base.measure.bypassed += counts && !own && output < TOFU_LINKS && fresh;
    if (own) {
        part_injection(&p->base, (uint32_t)(s - p->node), p->pool[index].birth,
                       p->pool[index].bytes, now);
        s->serve = 1;
    }
    if (output < TOFU_LINKS)
        end = send_on(p, s, channel, index, now);
    else
        end = hand_over(p, s, index, end);
    if (!own && p->links)
        tofu_link_release(p, s, queue, &left, end);
    else if (!own)
        release(p, s, queue, lines, end);
    wheel_push(&p->base.wheel, end, tofu_event(TOFU_DONE, (uint32_t)(s - p->node), output, queue));
}

/* The first of some queues in turn: behind the last winner. */
static unsigned turn(uint64_t queues, unsigned last)
{
    uint64_t behind = queues & (UINT64_MAX << 1 << last);
    return (unsigned)__builtin_ctzll(behind ? behind : queues);
}

/*
 * Grants a link to a packet under way; or else to a new one, by a channel that none under way
 * wants, so that it takes no room that one of them waits for. The virtual channels take turns.
 */
static void arbitrate_link(struct tofu_part *p, struct tofu_node *s, unsigned output, cycle_t now)
{
    const uint64_t under_way = (1ull << TOFU_LINK_CHANNELS) - 1;
    bool alike = p->params->arbiter == TOFU_TURNS;
    uint32_t local = (uint32_t)(s - p->node);
    for (unsigned i = 0; i < (alike ? TOFU_VCS : 2 * TOFU_VCS); i++) {
        unsigned vc = (s->last_vc[output] + 1 + i) % TOFU_VCS, channel = TOFU_VCS * output + vc;
        uint64_t wants = s->wants[channel], first = alike ? wants : wants & under_way;
        bool new = i >= TOFU_VCS;
        uint8_t *last = new ? &s->last_new[output] : &s->last[channel];
        if (new ? first || !wants : !first)
            continue;
        unsigned queue = turn(new ? wants : first, *last);
        uint32_t lines = tofu_queue_at(p, local, queue)->lines;
        if (lines > s->credit[channel] || (p->links && !tofu_link_has_room(p, s, output, lines)))
            continue;
        *last = (uint8_t)queue;
        s->last_vc[output] = (uint8_t)vc;
        grant(p, s, channel, queue, now);
        return;
    }
}

static void arbitrate(struct tofu_part *p, struct tofu_node *s, unsigned output, cycle_t now)
{
    unsigned channel = tofu_channel(output, 0);
    if (output < TOFU_LINKS) {
        if (!p->links || !tofu_link_resend(p, s, output, now))
            arbitrate_link(p, s, output, now);
    } else if (s->wants[channel]) {
        s->last[channel] = (uint8_t)turn(s->wants[channel], s->last[channel]);
        grant(p, s, channel, s->last[channel], now);
    }
}

/* Serving the client may make packets for outputs that are free. */
static void step(struct tofu_part *p, uint32_t local, cycle_t now)
{
    struct tofu_node *s = &p->node[local];
    const struct face_client *client = &p->network->client;
    if (p->links && s->notes)
        tofu_link_step(p, s, now);
    while (s->serve || (s->look & ~s->sending)) {
        if (s->serve) {
            s->serve = 0;
            client->serve(client->ctx, &p->base, local, s->node, now);
        }
        unsigned looks = s->look & ~(unsigned)s->sending;
        s->look = 0;
        for (; looks; looks &= looks - 1)
            arbitrate(p, s, (unsigned)__builtin_ctz(looks), now);
    }
    s->look = 0;
}

/* ---- a partition ---- */

enum { FETCH_STEPS = 6 };

/* Something at an output may go on: its router takes a step, unless the output is busy. */
WEFT_INLINE void stir(struct tofu_part *p, struct tofu_node *s)
{
    if (s->look & ~s->sending)
        tofu_mark(p, s);
    else
        s->look = 0;
}

WEFT_INLINE void apply_credit(struct tofu_part *p, struct tofu_node *s, unsigned channel,
                              uint32_t lines)
{
    if (s->credit[channel] < TOFU_MAX_LINES && s->credit[channel] + lines >= TOFU_MAX_LINES)
        part_room(&p->base, tofu_slot((uint32_t)(s - p->node), channel / TOFU_VCS),
                  channel % TOFU_VCS, true);
    s->credit[channel] += (uint16_t)lines;
    if (!s->wants[channel])
        return; /* nobody is looking for room */
    s->look |= (uint16_t)(1u << channel / TOFU_VCS);
    if (!(s->sending >> channel / TOFU_VCS & 1))
        tofu_mark(p, s);
}

WEFT_INLINE void apply_event(struct network_part *base, event_t e)
{
    struct tofu_part *p = (struct tofu_part *)base;
    struct tofu_node *s = &p->node[event_node(e)];
    unsigned channel = tofu_event_channel(e);
    uint32_t payload = event_payload(e);
    switch (event_kind(e)) {
    case TOFU_ARRIVE:
        tofu_enqueue(p, s, channel, payload);
        break;
    case TOFU_DONE:
        s->sending &= (uint16_t) ~(1u << channel);
        s->look |= (uint16_t)(1u << channel);
        if (payload == TOFU_CHANNELS)
            break; /* it came from a retransmission buffer */
        s->reading &= ~(1ull << payload);
        tofu_expose(p, s, payload);
        break;
    case TOFU_CREDIT:
        apply_credit(p, s, channel, payload);
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
    unsigned kind = event_kind(e), channel = tofu_event_channel(e);
    const struct tofu_node *s = &p->node[event_node(e)];
    unsigned queue = kind == TOFU_ARRIVE ? channel : kind == TOFU_DONE ? event_payload(e) : 0;
    __builtin_prefetch(s, 1);
    __builtin_prefetch(&s->wants[channel], 1);
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

void tofu_advance(struct network_part *part, cycle_t until)
{
    struct tofu_part *p = (struct tofu_part *)part;
    cycle_t now;
    while (part_next_cycle(&p->base, until, &now)) {
        part_apply_fetched(&p->base, now, fetch, p, apply_event);
        for (uint32_t i = 0; i < FETCH_STEPS; i++)
            fetch_router(p, i);
        for (uint32_t i = 0; i < p->dirty.count; i++) {
            fetch_router(p, i + FETCH_STEPS);
            p->node[p->dirty.node[i]].dirty = 0;
            step(p, p->dirty.node[i], now);
        }
        p->dirty.count = 0;
    }
}
