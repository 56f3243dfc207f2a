/*
 * One switch, one cycle (KAUTZ, 4): arrivals are put into their crosspoint buffers; then each free
 * output takes one packet, round robin among those for which the next switch has an entry.
 *
 *   t               grant; the output, and the entry that the packet leaves, stay busy
 *   t + words       both are free, a link a few words later; a control packet tells the transmitter
 *                   behind
 *   t + hop_cycles  bypass and wire later, the head is at the next switch and may leave at once
 *
 * A partition's cycle: apply all events, then let every switch that an event touched take its step.
 * Events of one cycle touch separate inputs and entries, so their order does not matter.
 */
#include "fabric/crosspoint/network.h"
#include "fabric/crosspoint/state.h"

/* ---- a node ---- */

static unsigned next_vc(const struct crosspoint_node *s, unsigned input, unsigned output,
                        unsigned vc)
{
    return vc - (s->peaks[input] >> output & 1);
}

/* The entries behind an output that a packet could take. */
static uint16_t entries(const struct crosspoint_part *p, const struct crosspoint_node *s,
                        unsigned output, unsigned input, const struct crosspoint_packet *packet)
{
    unsigned behind = crosspoint_output(p->derived, crosspoint_shift(p->derived, packet->route));
    unsigned vc = next_vc(s, input, output, packet->vc);
    return p->derived->vc_entries[vc] & (uint16_t)~s->busy[output][behind];
}

/* Frees, from cycle `when` on, the entry that a packet leaves. */
static void release(struct crosspoint_part *p, struct crosspoint_node *s, unsigned input,
                    unsigned output, unsigned entry, cycle_t when)
{
    uint32_t local = (uint32_t)(s - p->node), what = output << 16 | 1u << entry;
    if (input == p->degree)
        wheel_push(&p->base.wheel, when, event_make(CROSSPOINT_OWN, local, input, 0, what));
    else if (p->links)
        wheel_push(&p->base.wheel, when, event_make(CROSSPOINT_RELEASE, local, input, 0, what));
    else
        crosspoint_carry(p, s->up[input], crosspoint_told_at(p, s->phase[input], when),
                         CROSSPOINT_FREE, what, false);
}

/* A packet leaves for the node. */
static void hand_over(struct crosspoint_part *p, struct crosspoint_node *s, uint32_t index,
                      cycle_t start)
{
    const struct crosspoint_packet *packet = &p->pool[index];
    const struct face_client *client = &p->network->client;
    cycle_t when = start + p->params->bypass_cycles + packet->words;
    s->free_at[p->degree] = start + packet->words;
    if (!(packet->flags & CROSSPOINT_POISONED)) {
        struct delivery d = {packet->source, packet->sequence, packet->birth, packet->bytes};
        WEFT_CHECK(packet->destination == s->node, "node %u was given a packet for node %u",
                   s->node, packet->destination);
        uint32_t local = (uint32_t)(s - p->node);
        part_delivery(&p->base, local, &d, s->node, when);
        struct face_packet out = crosspoint_face_packet(packet);
        cycle_t next = client->deliver(client->ctx, &p->base, local, &out, when).next;
        if (next > s->free_at[p->degree] + packet->words + 1)
            s->free_at[p->degree] = next - packet->words - 1;
    }
    crosspoint_put(p, index);
}

/*
 * When an output may send. One sequence number is always unused: otherwise a control packet that
 * names the last good one could not distinguish all from none.
 */
static cycle_t number_free_at(const struct crosspoint_part *p, const struct crosspoint_node *s,
                              unsigned output)
{
    size_t numbers = (size_t)crosspoint_slot(p, s, output) * CROSSPOINT_SEQUENCES;
    return p->acked_at[numbers + (s->sequence[output] + 1u) % CROSSPOINT_SEQUENCES];
}

/* A packet leaves by a link. */
static void send_on(struct crosspoint_part *p, struct crosspoint_node *s, unsigned input,
                    unsigned output, uint32_t index, cycle_t start)
{
    struct crosspoint_packet *packet = &p->pool[index];
    uint32_t slot = crosspoint_slot(p, s, output);
    unsigned entry = (unsigned)__builtin_ctz(entries(p, s, output, input, packet));
    packet->vc = (uint8_t)next_vc(s, input, output, packet->vc);
    packet->route = crosspoint_shift(p->derived, packet->route);
    packet->entry = (uint8_t)entry;
    unsigned behind = crosspoint_output(p->derived, packet->route);
    crosspoint_set_busy(p, s, output, behind, s->busy[output][behind] | (uint16_t)(1u << entry));
    cycle_t length = packet->words + p->params->overhead_words;
    s->free_at[output] = start + length;
    p->link_busy[slot] += part_busy(&p->base, slot, packet->vc, output, start, length);
    if (!(packet->flags & CROSSPOINT_POISONED))
        measure_hop(&p->base.measure, packet->vc, packet->bytes, start, length);
    if (p->links) {
        crosspoint_link_send(p, s, output, index, start);
        return;
    }
    cycle_t head = start + p->derived->hop_cycles;
    p->acked_at[(size_t)slot * CROSSPOINT_SEQUENCES + s->sequence[output]] =
        crosspoint_told_at(p, s->down_phase[output], head + packet->words);
    s->sequence[output] = (uint8_t)((s->sequence[output] + 1u) % CROSSPOINT_SEQUENCES);
    crosspoint_carry(p, s->down[output], head, CROSSPOINT_ARRIVE, index, true);
}

static void grant(struct crosspoint_part *p, struct crosspoint_node *s, unsigned output,
                  unsigned number, bool fresh, cycle_t now)
{
    unsigned input = number / 8;
    uint32_t index = crosspoint_dequeue(p, s, output, number);
    const struct crosspoint_packet *packet = &p->pool[index];
    /* A packet that waits behind another is read from its buffer while that one leaves. */
    bool follows = s->free_at[output] == now;
    cycle_t start = now + (fresh || follows ? 0 : p->params->buffer_cycles);
    bool counts = !(packet->flags & CROSSPOINT_POISONED);
    s->last[output] = (uint8_t)number;
    p->base.measure.moves += counts;
    p->base.measure.bypassed += counts && fresh && input < p->degree && output < p->degree;
    if (input == p->degree)
        part_injection(&p->base, (uint32_t)(s - p->node), packet->birth, packet->bytes, start);
    release(p, s, input, output, packet->entry, start + packet->words);
    if (output == p->degree)
        hand_over(p, s, index, start);
    else
        send_on(p, s, input, output, index, start);
}

/* Grants a free output to one packet, round robin: queues behind the last winner come first.
 * `fresh`: queues whose packet arrived in this cycle. */
static void arbitrate(struct crosspoint_part *p, struct crosspoint_node *s, unsigned output,
                      uint64_t fresh, cycle_t now)
{
    uint64_t left = s->waiting[output];
    while (left) {
        uint64_t behind = left & (UINT64_MAX << 1 << s->last[output]);
        unsigned number = (unsigned)__builtin_ctzll(behind ? behind : left), input = number / 8;
        struct crosspoint_queue *q =
            crosspoint_queue_at(p, (uint32_t)(s - p->node), output, input, number % 8);
        const struct crosspoint_packet *packet = &p->pool[q->head];
        if (output == p->degree || entries(p, s, output, input, packet)) {
            grant(p, s, output, number, fresh >> number & 1, now);
            return;
        }
        left &= ~(1ull << number);
    }
}

/* Looks again when an output becomes free, if a packet waits for it. */
static void watch(struct crosspoint_part *p, struct crosspoint_node *s, unsigned output,
                  cycle_t when)
{
    if (!s->waiting[output] || s->watched >> output & 1)
        return;
    s->watched |= (uint8_t)(1u << output);
    wheel_push(&p->base.wheel, when,
               event_make(CROSSPOINT_LOOK, (uint32_t)(s - p->node), output, 0, 0));
}

static void look(struct crosspoint_part *p, struct crosspoint_node *s, unsigned output,
                 uint64_t fresh, cycle_t now)
{
    if (s->free_at[output] <= now && s->waiting[output]) {
        bool open = output == p->degree || (p->links ? crosspoint_link_is_open(p, s, output)
                                                     : number_free_at(p, s, output) <= now);
        if (open)
            arbitrate(p, s, output, fresh, now);
        else if (!p->links)
            watch(p, s, output, number_free_at(p, s, output));
    }
    if (s->free_at[output] > now)
        watch(p, s, output, s->free_at[output]);
}

static void step(struct crosspoint_part *p, uint32_t local, cycle_t now)
{
    struct crosspoint_node *s = &p->node[local];
    uint64_t before[CROSSPOINT_PORTS];
    for (unsigned output = 0; output < p->derived->ports; output++)
        before[output] = s->waiting[output];
    if (p->links && s->notes)
        crosspoint_link_step(p, s, now);
    for (unsigned inputs = s->arrived; inputs; inputs &= inputs - 1) {
        unsigned input = (unsigned)__builtin_ctz(inputs);
        crosspoint_enqueue(p, s, input, s->arrival[input]);
    }
    s->arrived = 0;
    if (s->serve) {
        const struct face_client *client = &p->network->client;
        s->serve = 0;
        client->serve(client->ctx, &p->base, local, s->node, now);
    }
    for (unsigned outputs = s->look; outputs; outputs &= outputs - 1) {
        unsigned output = (unsigned)__builtin_ctz(outputs);
        look(p, s, output, s->waiting[output] & ~before[output], now);
    }
    s->look = 0;
}

/* ---- a partition ---- */

WEFT_INLINE void apply_event(struct network_part *base, event_t e)
{
    struct crosspoint_part *p = (struct crosspoint_part *)base;
    struct crosspoint_node *s = &p->node[event_node(e)];
    unsigned port = event_port(e);
    uint32_t payload = event_payload(e);
    switch (event_kind(e)) {
    case CROSSPOINT_ARRIVE:
        s->arrival[port] = payload;
        s->arrived |= (uint8_t)(1u << port);
        break;
    case CROSSPOINT_FREE:
        crosspoint_set_busy(p, s, port, payload >> 16,
                            s->busy[port][payload >> 16] & (uint16_t)~payload);
        s->look |= (uint8_t)(1u << port);
        if (!s->waiting[port])
            return; /* nobody is looking for room */
        break;
    case CROSSPOINT_OWN:
        s->busy[port][payload >> 16] &= (uint16_t)~payload;
        s->serve = 1;
        break;
    case CROSSPOINT_LOOK:
        s->watched &= (uint8_t) ~(1u << port);
        s->look |= (uint8_t)(1u << port);
        break;
    case CROSSPOINT_SERVE:
        s->serve = 1;
        break;
    default:
        crosspoint_link_note(p, e);
        s->notes = 1;
        break;
    }
    part_mark(&p->dirty, &s->dirty, event_node(e));
}

void crosspoint_advance(struct network_part *part, cycle_t until)
{
    struct crosspoint_part *p = (struct crosspoint_part *)part;
    cycle_t now;
    while (part_next_cycle(&p->base, until, &now)) {
        part_apply(&p->base, now, apply_event);
        for (uint32_t i = 0; i < p->dirty.count; i++) {
            p->node[p->dirty.node[i]].dirty = 0;
            step(p, p->dirty.node[i], now);
        }
        p->dirty.count = 0;
    }
}
