/* Numbers, retransmission buffers, control lines. */
#include "fabric/tofu/state.h"

#include "base/random.h"

enum tail_says { TAIL_GOOD, TAIL_POISONED, TAIL_BAD };

/* Flags lines that are freed but stay reserved. */
#define COMES_AGAIN 0x80000000u

/* Fields of a control line, by their lowest bit: expected 8 bits, VC 2, again 1, freed 16. */
enum { CONTROL_EXPECTED = 24, CONTROL_VC = 22, CONTROL_AGAIN = 21, CONTROL_FREED = 5 };

static struct tofu_sender *sender_at(const struct tofu_part *p, uint32_t local, unsigned output)
{
    return &p->links->sender[(size_t)local * TOFU_LINKS + output];
}

static struct tofu_receiver *receiver_at(const struct tofu_part *p, uint32_t local, unsigned input)
{
    return &p->links->receiver[(size_t)local * TOFU_LINKS + input];
}

static uint32_t local_of(const struct tofu_part *p, const struct tofu_node *s)
{
    return (uint32_t)(s - p->node);
}

static void push(struct tofu_part *p, const struct tofu_node *s, cycle_t when, enum tofu_event kind,
                 unsigned channel, uint32_t payload)
{
    wheel_push(&p->base.wheel, when, tofu_event(kind, local_of(p, s), channel, payload));
}

/* ---- sender ---- */

bool tofu_link_has_room(const struct tofu_part *p, const struct tofu_node *s, unsigned output,
                        uint32_t lines)
{
    const struct tofu_sender *x = sender_at(p, local_of(p, s), output);
    return x->count < TOFU_WINDOW && x->lines + lines <= p->derived->retransmission_lines;
}

static void transmit(struct tofu_part *p, struct tofu_node *s, unsigned output, uint32_t index,
                     cycle_t when)
{
    struct tofu_packet *packet = &p->pool[index];
    packet->frame = (uint8_t)tofu_wire_packet(p, s, output, packet, when);
    tofu_carry(p, s, output, when + p->derived->hop_cycles, TOFU_FRAME,
               tofu_channel(tofu_opposite(output), 0), index, true);
}

void tofu_link_send(struct tofu_part *p, struct tofu_node *s, unsigned output, uint32_t index,
                    cycle_t when)
{
    struct tofu_sender *x = sender_at(p, local_of(p, s), output);
    uint32_t slot = slots_get(&p->links->kept);
    if (!x->count)
        x->waits_since = when;
    p->pool[index].number = x->number++;
    *tofu_kept_at(p, slot) = p->pool[index];
    slots_append(&p->links->kept, &x->kept, slot);
    x->count++;
    x->lines += p->pool[index].lines;
    transmit(p, s, output, index, when);
}

bool tofu_link_resend(struct tofu_part *p, struct tofu_node *s, unsigned output, cycle_t now)
{
    struct tofu_sender *x = sender_at(p, local_of(p, s), output);
    if (x->resend == SLOT_NONE)
        return false;
    uint32_t index = tofu_get(p);
    p->pool[index] = *tofu_kept_at(p, x->resend);
    x->resend = p->pool[index].next;
    cycle_t lines = p->pool[index].lines;
    part_count(&p->base, LINK_RETRANSMITTED);
    s->free_at[output] = now + lines;
    s->sending |= (uint16_t)(1u << output);
    uint32_t slot = tofu_slot(local_of(p, s), output);
    p->link_busy[slot] += part_busy(&p->base, slot, p->pool[index].vc, output, now, lines);
    push(p, s, now + lines, TOFU_DONE, output, TOFU_CHANNELS);
    transmit(p, s, output, index, now);
    return true;
}

/* Frees the packets before the one that the receiver expects. */
static void acknowledge(struct tofu_part *p, struct tofu_sender *x, unsigned expected, cycle_t now)
{
    unsigned left = (uint8_t)(x->number - expected);
    if (left >= x->count)
        return;
    while (x->count > left) {
        uint32_t slot = slots_take(&p->links->kept, &x->kept);
        if (x->resend == slot)
            x->resend = x->kept.first;
        x->lines -= tofu_kept_at(p, slot)->lines;
        x->count--;
        slots_put(&p->links->kept, slot);
    }
    x->waits_since = now;
}

/* A control line has come. All that it says adds up, whatever the order of those of one cycle. */
static void hear(struct tofu_part *p, struct tofu_node *s, unsigned output, uint32_t words,
                 cycle_t now)
{
    struct tofu_sender *x = sender_at(p, local_of(p, s), output);
    unsigned vc = words >> CONTROL_VC & 3, channel = tofu_channel(output, vc);
    uint16_t freed = (uint16_t)(words >> CONTROL_FREED), more = (uint16_t)(freed - x->freed[vc]);
    acknowledge(p, x, words >> CONTROL_EXPECTED, now);
    if (more && more <= p->derived->vc_lines) {
        bool scarce = s->credit[channel] < TOFU_MAX_LINES;
        x->freed[vc] = freed;
        s->credit[channel] = (uint16_t)(s->credit[channel] + more);
        if (scarce && s->credit[channel] >= TOFU_MAX_LINES)
            part_room(&p->base, tofu_slot(local_of(p, s), output), vc, true);
    }
    if (words >> CONTROL_AGAIN & 1) {
        part_count(&p->base, LINK_RECOVERIES);
        x->resend = x->kept.first;
    }
    s->look |= (uint16_t)(1u << output);
}

/* ---- receiver ---- */

/* Sends a control line with the current state of a queue's virtual channel. One that is lost is
 * repeated. */
static void control(struct tofu_part *p, struct tofu_node *s, unsigned queue, bool again,
                    cycle_t now)
{
    unsigned input = queue / TOFU_VCS, vc = queue % TOFU_VCS;
    const struct tofu_receiver *x = receiver_at(p, local_of(p, s), input);
    uint32_t words = (uint32_t)x->expected << CONTROL_EXPECTED | vc << CONTROL_VC |
                     (uint32_t)again << CONTROL_AGAIN | (uint32_t)x->freed[vc] << CONTROL_FREED;
    s->control[input]++;
    measure_ack(&p->base.measure, now);
    if (tofu_wire_control(p, s, input, words, now))
        tofu_carry(p, s, input, now + p->derived->control_cycles, TOFU_TOLD,
                   tofu_channel(tofu_opposite(input), 0), words, false);
    else
        push(p, s, now + p->params->refresh_cycles, TOFU_CONTROL, queue, again);
}

/* Whether a route goes nowhere twice: no axis has more hops than a ring of its length. */
static bool is_bounded(const struct torus *t, tofu_route_t route)
{
    for (uint64_t xyz = route >> ROUTE_XYZ; xyz; xyz >>= ROUTE_FIELD)
        if ((xyz & 0xffff) >> ROUTE_HOPS >= t->size[(xyz & 7) / 2])
            return false;
    return true;
}

/* Whether a router can do what a header says, right or wrong. */
static bool is_possible(const struct tofu_part *p, const struct tofu_node *s,
                        const struct tofu_packet *packet)
{
    return packet->vc < p->params->vcs && tofu_route_is_one(packet->route) &&
           is_bounded(p->network->routing.shape, packet->route) &&
           (!packet->route || s->outputs >> tofu_route_port(packet->route) & 1);
}

/* The head of a packet has arrived. */
static void take_frame(struct tofu_part *p, struct tofu_node *s, unsigned input, uint32_t index,
                       cycle_t now)
{
    struct tofu_receiver *x = receiver_at(p, local_of(p, s), input);
    struct tofu_packet *packet = &p->pool[index];
    bool good = packet->frame == TOFU_WIRE_GOOD, waits = packet->number != x->expected;
    cycle_t tail = now + packet->lines;
    unsigned channel = tofu_channel(input, 0);
    if (good && (waits || x->error)) {
        if (waits || !x->error) { /* else it is the one that was asked for */
            part_count(&p->base, (uint8_t)(x->expected - packet->number) <= TOFU_WINDOW && waits
                                     ? LINK_DUPLICATES
                                     : LINK_OUT_OF_ORDER);
            tofu_put(p, index);
            return;
        }
        x->error = false;
    }
    bool ghost = !good || packet->flags & TOFU_POISONED;
    /* A ghost that is hit makes no other: else they would never die out where errors are many. */
    bool believed =
        good || (packet->frame == TOFU_WIRE_BAD && !x->error && !(packet->flags & TOFU_POISONED));
    bool taken = believed && is_possible(p, s, packet) &&
                 x->used[packet->vc] + packet->lines <= p->derived->vc_lines;
    enum tail_says says = !good ? TAIL_BAD : ghost ? TAIL_POISONED : taken ? TAIL_GOOD : TAIL_BAD;
    push(p, s, tail, TOFU_TAIL, channel + packet->vc % TOFU_VCS, says);
    if (says == TAIL_BAD)
        x->error = true; /* nothing behind it is taken */
    else
        x->expected++;
    if (!taken) {
        if (says == TAIL_POISONED) /* misrouted to where it cannot go on: it ends here */
            x->freed[packet->vc] = (uint16_t)(x->freed[packet->vc] + packet->lines);
        tofu_put(p, index);
        return;
    }
    if (!good)
        part_count(&p->base, LINK_GHOSTS);
    if (ghost) {
        packet->flags |= TOFU_POISONED;
        packet->tail_at = tail;
    }
    x->used[packet->vc] = (uint16_t)(x->used[packet->vc] + packet->lines);
    tofu_enqueue(p, s, channel + packet->vc, index);
}

/* What was bad on this very link comes again, and needs its room for that. */
void tofu_link_release(struct tofu_part *p, const struct tofu_node *s, unsigned queue,
                       const struct tofu_packet *packet, cycle_t when)
{
    bool again = packet->frame != TOFU_WIRE_GOOD;
    push(p, s, when, TOFU_RELEASE, queue, packet->lines | (again ? COMES_AGAIN : 0));
}

/* Drops the poisoned packets of a queue that have wholly arrived and wait. */
static void drop_poisoned(struct tofu_part *p, struct tofu_node *s, unsigned queue, cycle_t now)
{
    struct tofu_queue *q = tofu_queue_at(p, local_of(p, s), queue);
    uint32_t before = NO_PACKET, next, head = q->head;
    for (uint32_t i = q->head; i != NO_PACKET; i = next) {
        const struct tofu_packet *packet = &p->pool[i];
        next = packet->next;
        if (!(packet->flags & TOFU_POISONED) || packet->tail_at > now) {
            before = i;
            continue;
        }
        part_remove(PART_POOL(p), &q->head, &q->tail, before, i);
        part_occupy(&p->base, tofu_slot(local_of(p, s), queue / TOFU_VCS), queue % TOFU_VCS,
                    -(int)packet->lines);
        tofu_link_release(p, s, queue, packet, now + 1);
        tofu_put(p, i);
    }
    if (q->head == head || s->reading >> queue & 1)
        return;
    s->wants[q->channel] &= ~(1ull << queue);
    tofu_expose(p, s, queue);
}

/* The tail has arrived: a good packet is acknowledged, a bad one asked for again; one that is
 * poisoned and still waits is dropped. */
static void take_tail(struct tofu_part *p, struct tofu_node *s, unsigned queue, enum tail_says says,
                      cycle_t now)
{
    struct tofu_marks *marks = &p->links->marks[local_of(p, s)];
    marks->controls |= 1ull << queue;
    if (says == TAIL_BAD)
        marks->asks |= (uint16_t)(1u << queue / TOFU_VCS);
    if (says == TAIL_GOOD)
        return;
    for (unsigned vc = 0; vc < TOFU_VCS; vc++)
        drop_poisoned(p, s, queue / TOFU_VCS * TOFU_VCS + vc, now);
}

/* ---- the step ---- */

void tofu_link_note(struct tofu_part *p, struct tofu_node *s, event_t e)
{
    struct tofu_marks *marks = &p->links->marks[event_node(e)];
    unsigned channel = tofu_event_channel(e), port = channel / TOFU_VCS;
    uint32_t payload = event_payload(e);
    switch (event_kind(e)) {
    case TOFU_FRAME:
        marks->frames |= (uint16_t)(1u << port);
        marks->frame[port] = payload;
        break;
    case TOFU_TAIL:
        marks->tails |= (uint16_t)(1u << port);
        marks->tail[port] = (uint8_t)(payload << 4 | channel % TOFU_VCS);
        break;
    case TOFU_RELEASE: {
        uint16_t *sum = payload & COMES_AGAIN ? marks->abandoned : marks->released;
        sum[channel] = (uint16_t)(sum[channel] + (uint16_t)payload);
        marks->controls |= 1ull << channel;
        break;
    }
    case TOFU_CONTROL:
        marks->controls |= 1ull << channel;
        if (payload)
            marks->asks |= (uint16_t)(1u << port);
        break;
    default:
        hear(p, s, port, payload, p->base.wheel.now);
        return;
    }
    s->notes = 1;
}

/* Tails before heads: both may come in one cycle. News last: it tells of all that. */
void tofu_link_step(struct tofu_part *p, struct tofu_node *s, cycle_t now)
{
    struct tofu_marks *marks = &p->links->marks[local_of(p, s)];
    unsigned tails = marks->tails, frames = marks->frames;
    s->notes = 0;
    marks->tails = marks->frames = 0;
    for (; tails; tails &= tails - 1) {
        unsigned input = (unsigned)__builtin_ctz(tails), tail = marks->tail[input];
        take_tail(p, s, tofu_channel(input, tail & 15), (enum tail_says)(tail >> 4), now);
    }
    for (uint64_t left = marks->controls; left; left &= left - 1) {
        unsigned queue = (unsigned)__builtin_ctzll(left), vc = queue % TOFU_VCS;
        struct tofu_receiver *x = receiver_at(p, local_of(p, s), queue / TOFU_VCS);
        x->used[vc] = (uint16_t)(x->used[vc] - marks->released[queue] - marks->abandoned[queue]);
        x->freed[vc] = (uint16_t)(x->freed[vc] + marks->released[queue]);
        marks->released[queue] = marks->abandoned[queue] = 0;
    }
    for (; frames; frames &= frames - 1) {
        unsigned input = (unsigned)__builtin_ctz(frames);
        take_frame(p, s, input, marks->frame[input], now);
    }
    for (uint64_t left = marks->controls; left; left &= left - 1) {
        unsigned queue = (unsigned)__builtin_ctzll(left), input = queue / TOFU_VCS;
        control(p, s, queue, marks->asks >> input & 1, now);
        marks->asks &= (uint16_t) ~(1u << input);
    }
    marks->controls = 0;
}

/* ---- life cycle ---- */

void tofu_links_prepare(struct tofu_part *p)
{
    size_t links = (size_t)p->base.nodes * TOFU_LINKS;
    const struct error_params *rates = &p->params->errors;
    PART_TABLE(p, &p->links, 1, PART_SCRATCH);
    PART_TABLE(p, &p->links->sender, links, PART_SAVED);
    PART_TABLE(p, &p->links->receiver, links, PART_SAVED);
    PART_TABLE(p, &p->links->marks, p->base.nodes, PART_SCRATCH);
    slots_init(&p->links->kept, sizeof(struct tofu_packet), offsetof(struct tofu_packet, next));
    for (size_t i = 0; i < links; i++) {
        uint64_t link = (uint64_t)p->node[i / TOFU_LINKS].node * TOFU_LINKS + i % TOFU_LINKS;
        struct tofu_sender *x = &p->links->sender[i];
        x->kept.first = x->resend = SLOT_NONE;
        errors_init(&x->errors, rates, random_key(p->network->seed, 2 * link, RANDOM_LINK));
        errors_init(&p->links->receiver[i].errors, rates,
                    random_key(p->network->seed, 2 * link + 1, RANDOM_LINK));
    }
}

void tofu_links_release(struct network_part *part)
{
    const struct tofu_part *p = (const struct tofu_part *)part;
    if (p->links)
        slots_fini(&p->links->kept);
}

void tofu_links_archive(struct network_part *base, struct archive *a)
{
    const struct tofu_part *p = (const struct tofu_part *)base;
    if (p->links)
        slots_archive(&p->links->kept, a);
}

/* A kept packet is also on its way or has arrived, unless the receiver dropped it: those that it
 * must still get are counted from the number that it expects, which only the control lines tell. So
 * all that are kept count: a run ends when all are acknowledged. */
struct network_sender tofu_link_sender(const struct network_part *base, uint32_t local,
                                       unsigned output)
{
    const struct tofu_part *p = (const struct tofu_part *)base;
    if (!p->links)
        return (struct network_sender){.kept = 0};
    const struct tofu_sender *x = sender_at(p, local, output);
    return (struct network_sender){x->count, x->waits_since};
}

/* ---- the report ---- */

void tofu_network_links(const struct tofu_network *n, struct link_report *report)
{
    *report = (struct link_report){.links = 0};
    if (!n->params.protocol)
        return;
    for (uint32_t node = 0; node < n->base.routers; node++)
        for (unsigned port = 0; port < TOFU_LINKS; port++)
            report->links += tofu_link_lives(n->routing.faults, n->routing.shape, node, port);
    network_report_in_vain(&n->base, report);
}
