/* Numbers, replay buffers, control packets. */
#include "fabric/crosspoint/state.h"

enum tail_says { TAIL_GOOD, TAIL_POISONED, TAIL_BAD, TAIL_RECOVER };

static void push(struct crosspoint_part *p, const struct crosspoint_node *s, cycle_t when,
                 enum crosspoint_event kind, unsigned port, uint32_t payload)
{
    wheel_push(&p->base.wheel, when, event_make(kind, (uint32_t)(s - p->node), port, 0, payload));
}

static unsigned next_number(unsigned number)
{
    return (number + 1) % CROSSPOINT_SEQUENCES;
}

/* ---- transmitter ---- */

bool crosspoint_link_is_open(const struct crosspoint_part *p, const struct crosspoint_node *s,
                             unsigned output)
{
    const struct crosspoint_sender *x = crosspoint_sender_at(p, (uint32_t)(s - p->node), output);
    return !x->resending && x->count < CROSSPOINT_SEQUENCES - 1;
}

static void transmit(struct crosspoint_part *p, struct crosspoint_node *s, unsigned output,
                     uint32_t index, enum frame_kind kind, cycle_t when)
{
    struct crosspoint_packet *packet = &p->pool[index];
    packet->frame = (uint8_t)(kind << 4 | crosspoint_wire_frame(p, s, output, packet, kind, when));
    crosspoint_carry(p, s->down[output], when + p->derived->hop_cycles, CROSSPOINT_FRAME, index,
                     true);
}

void crosspoint_link_send(struct crosspoint_part *p, struct crosspoint_node *s, unsigned output,
                          uint32_t index, cycle_t when)
{
    struct crosspoint_sender *x = crosspoint_sender_at(p, (uint32_t)(s - p->node), output);
    if (!x->count)
        x->waits_since = when;
    unsigned number = (x->first + x->count++) % CROSSPOINT_SEQUENCES;
    p->pool[index].number = (uint8_t)number;
    x->replay[number] = p->pool[index];
    transmit(p, s, output, index, FRAME_DATA, when);
}

/* Occupies the link for a frame sent without a grant, of a VC or, behind the last, of none. */
static void occupy(struct crosspoint_part *p, struct crosspoint_node *s, unsigned output,
                   unsigned flow, uint32_t words, cycle_t now)
{
    cycle_t length = words + p->params->overhead_words;
    s->free_at[output] = now + length;
    uint32_t slot = crosspoint_slot(p, s, output);
    p->link_busy[slot] += part_busy(&p->base, slot, flow, output, now, length);
    push(p, s, now + length, CROSSPOINT_RESEND, output, 0);
}

/* Sends one more frame of a recovery, as soon as the link is free. */
static void resend(struct crosspoint_part *p, struct crosspoint_node *s, unsigned output,
                   cycle_t now)
{
    struct crosspoint_sender *x = crosspoint_sender_at(p, (uint32_t)(s - p->node), output);
    if (!x->resending)
        return;
    if (s->free_at[output] > now) {
        push(p, s, s->free_at[output], CROSSPOINT_RESEND, output, 0);
        return;
    }
    if (x->recover) {
        uint32_t index = crosspoint_get(p);
        p->pool[index] = (struct crosspoint_packet){.words = CROSSPOINT_MIN_WORDS};
        x->recover = false;
        x->deaf_until =
            now + p->derived->hop_cycles + CROSSPOINT_MIN_WORDS + p->derived->control_cycles + 1;
        occupy(p, s, output, p->params->vcs, CROSSPOINT_MIN_WORDS, now);
        transmit(p, s, output, index, FRAME_RECOVER, now);
    } else if (x->resend < x->count) {
        uint32_t index = crosspoint_get(p);
        p->pool[index] = x->replay[(x->first + x->resend++) % CROSSPOINT_SEQUENCES];
        part_count(&p->base, LINK_RETRANSMITTED);
        occupy(p, s, output, p->pool[index].vc, p->pool[index].words, now);
        transmit(p, s, output, index, FRAME_DATA, now);
    } else {
        x->resending = false;
        s->look |= (uint8_t)(1u << output);
    }
}

/* Releases the replay buffer up to the last good packet. */
static void acknowledge(struct crosspoint_sender *x, unsigned last, cycle_t now)
{
    unsigned good = (last + 1 + CROSSPOINT_SEQUENCES - x->first) % CROSSPOINT_SEQUENCES;
    if (good > x->count || !good)
        return;
    x->first = (uint8_t)((x->first + good) % CROSSPOINT_SEQUENCES);
    x->count = (uint8_t)(x->count - good);
    x->resend = (uint8_t)(x->resend > good ? x->resend - good : 0);
    x->waits_since = now;
}

/* A control packet has arrived: busy is what it says, plus what was sent since. */
static void hear(struct crosspoint_part *p, struct crosspoint_node *s, unsigned output,
                 uint32_t index, cycle_t now)
{
    struct crosspoint_sender *x = crosspoint_sender_at(p, (uint32_t)(s - p->node), output);
    const struct crosspoint_packet *c = &p->pool[index];
    acknowledge(x, c->number, now);
    for (unsigned behind = 0; behind < p->derived->ports; behind++)
        crosspoint_set_busy(p, s, output, behind, c->map[behind]);
    for (unsigned i = 0; i < x->count; i++) {
        const struct crosspoint_packet *kept = &x->replay[(x->first + i) % CROSSPOINT_SEQUENCES];
        unsigned behind = crosspoint_output(p->derived, kept->route);
        crosspoint_set_busy(p, s, output, behind,
                            s->busy[output][behind] | (uint16_t)(1u << kept->entry));
    }
    s->look |= (uint8_t)(1u << output);
    if (c->frame && now >= x->deaf_until && !x->recover) {
        part_count(&p->base, LINK_RECOVERIES);
        x->resending = x->recover = true;
        x->resend = 0;
        resend(p, s, output, now);
    }
    crosspoint_put(p, index);
}

/* ---- receiver ---- */

/* There is news: the next control packet brings it. */
static void tell(struct crosspoint_part *p, struct crosspoint_node *s, unsigned input, cycle_t from)
{
    struct crosspoint_receiver *x = crosspoint_receiver_at(p, (uint32_t)(s - p->node), input);
    if (x->control)
        return;
    x->control = true;
    push(p, s, crosspoint_told_at(p, s->phase[input], from) - p->derived->control_cycles,
         CROSSPOINT_CONTROL, input, 0);
}

/* Sends a control packet with the current state. One that is lost, or that reports an error, is
 * followed by another. */
static void control(struct crosspoint_part *p, struct crosspoint_node *s, unsigned input,
                    cycle_t now)
{
    struct crosspoint_receiver *x = crosspoint_receiver_at(p, (uint32_t)(s - p->node), input);
    x->control = false;
    bool arrives = crosspoint_wire_control(p, s, input, now);
    if (arrives) {
        uint32_t index = crosspoint_get(p);
        p->pool[index] = (struct crosspoint_packet){.number = x->last, .frame = x->error};
        for (unsigned output = 0; output < p->derived->ports; output++)
            p->pool[index].map[output] = x->used[output];
        crosspoint_carry(p, s->up[input], now + p->derived->control_cycles, CROSSPOINT_TOLD, index,
                         true);
    }
    if (!arrives || x->error)
        tell(p, s, input, now + 1);
}

bool crosspoint_link_is_possible(const struct crosspoint_part *p, const struct crosspoint_node *s,
                                 unsigned input, const struct crosspoint_packet *packet)
{
    unsigned output = crosspoint_output(p->derived, packet->route);
    return (s->outputs >> output & 1) && packet->vc < p->params->vcs &&
           packet->entry < p->params->crosspoint_packets &&
           (packet->vc > 0 || !(s->peaks[input] >> output & 1));
}

/* The head of a packet has arrived. */
static void take_frame(struct crosspoint_part *p, struct crosspoint_node *s, unsigned input,
                       uint32_t index, cycle_t now)
{
    struct crosspoint_receiver *x = crosspoint_receiver_at(p, (uint32_t)(s - p->node), input);
    struct crosspoint_packet *packet = &p->pool[index];
    enum frame_kind kind = (enum frame_kind)(packet->frame >> 4);
    enum crosspoint_wire outcome = (enum crosspoint_wire)(packet->frame & 15);
    bool good = outcome == WIRE_GOOD;
    if (x->error || kind == FRAME_RECOVER) {
        bool recovers = kind == FRAME_RECOVER && good;
        if (!recovers)
            part_count(&p->base, LINK_OUT_OF_ORDER);
        if (recovers || !x->error) /* else it is dropped unread */
            push(p, s, now + packet->words, CROSSPOINT_TAIL, input,
                 recovers ? TAIL_RECOVER : TAIL_BAD);
        crosspoint_put(p, index);
        return;
    }
    if (good && packet->number != next_number(x->last)) {
        part_count(&p->base, LINK_DUPLICATES);
        crosspoint_put(p, index);
        return;
    }
    /* A misrouted, poisoned packet may come to where it cannot continue: it ends there. */
    bool taken = outcome != WIRE_NO_HEAD && crosspoint_link_is_possible(p, s, input, packet) &&
                 !(x->used[crosspoint_output(p->derived, packet->route)] >> packet->entry & 1);
    bool poisoned = packet->flags & CROSSPOINT_POISONED;
    push(p, s, now + packet->words, CROSSPOINT_TAIL, input,
         good && poisoned ? TAIL_POISONED
         : good && taken  ? TAIL_GOOD
                          : TAIL_BAD);
    if (!taken) {
        crosspoint_put(p, index);
        return;
    }
    if (!good) {
        part_count(&p->base, LINK_GHOSTS);
        packet->flags |= CROSSPOINT_POISONED;
    }
    if (packet->flags & CROSSPOINT_POISONED)
        packet->tail_at = now + packet->words;
    x->used[crosspoint_output(p->derived, packet->route)] |= (uint16_t)(1u << packet->entry);
    crosspoint_enqueue(p, s, input, index);
}

/* Removes from a queue the poisoned packets that have wholly arrived. */
static void drop_poisoned(struct crosspoint_part *p, struct crosspoint_node *s, unsigned input,
                          unsigned output, unsigned vc, cycle_t now)
{
    struct crosspoint_queue *q = crosspoint_queue_at(p, (uint32_t)(s - p->node), output, input, vc);
    uint32_t before = NO_PACKET, next;
    for (uint32_t i = q->head; i != NO_PACKET; i = next) {
        const struct crosspoint_packet *packet = &p->pool[i];
        next = packet->next;
        if (!(packet->flags & CROSSPOINT_POISONED) || packet->tail_at > now) {
            before = i;
            continue;
        }
        part_remove(PART_POOL(p), &q->head, &q->tail, before, i);
        push(p, s, now + 1, CROSSPOINT_RELEASE, input, output << 16 | 1u << packet->entry);
        crosspoint_occupy(p, s, input, vc, -1);
        crosspoint_put(p, i);
    }
    if (q->head == NO_PACKET)
        s->waiting[output] &= ~(1ull << (8 * input + vc));
}

/* The tail has arrived: a good packet is acknowledged; a poisoned one still waiting is dropped. */
static void take_tail(struct crosspoint_part *p, struct crosspoint_node *s, unsigned input,
                      enum tail_says says, cycle_t now)
{
    struct crosspoint_receiver *x = crosspoint_receiver_at(p, (uint32_t)(s - p->node), input);
    if (says == TAIL_BAD || says == TAIL_RECOVER)
        x->error = says == TAIL_BAD;
    else
        x->last = (uint8_t)next_number(x->last);
    tell(p, s, input, now);
    if (says == TAIL_GOOD || says == TAIL_RECOVER)
        return;
    for (unsigned output = 0; output < p->derived->ports; output++)
        for (unsigned vc = 0; vc < p->params->vcs; vc++)
            drop_poisoned(p, s, input, output, vc, now);
    s->look = s->outputs;
}

/* ---- the step ---- */

void crosspoint_link_note(struct crosspoint_part *p, event_t e)
{
    struct crosspoint_marks *m = &p->links->marks[event_node(e)];
    unsigned kind = event_kind(e) - CROSSPOINT_FRAME, port = event_port(e);
    uint32_t payload = event_payload(e);
    m->ports[kind] |= (uint8_t)(1u << port);
    m->payload[kind][port] = payload;
    if (event_kind(e) == CROSSPOINT_RELEASE) /* which add up */
        m->released[port][payload >> 16] |= (uint16_t)payload;
}

/* Whether an event of a kind was noted at a port; its payload. */
static bool is_marked(const struct crosspoint_marks *m, enum crosspoint_event kind, unsigned port,
                      uint32_t *payload)
{
    *payload = m->payload[kind - CROSSPOINT_FRAME][port];
    return m->ports[kind - CROSSPOINT_FRAME] >> port & 1;
}

static void release_entries(struct crosspoint_part *p, struct crosspoint_node *s,
                            const struct crosspoint_marks *m, cycle_t now)
{
    for (unsigned input = 0; input < p->degree; input++)
        for (unsigned output = 0; output < p->derived->ports; output++)
            if (m->released[input][output]) {
                struct crosspoint_receiver *x =
                    crosspoint_receiver_at(p, (uint32_t)(s - p->node), input);
                x->used[output] &= (uint16_t)~m->released[input][output];
                tell(p, s, input, now);
            }
}

/* In this order: freed entries, tails before the heads behind them, then what leaves. */
void crosspoint_link_step(struct crosspoint_part *p, struct crosspoint_node *s, cycle_t now)
{
    struct crosspoint_marks *marks = &p->links->marks[s - p->node], m = *marks;
    uint32_t payload;
    *marks = (struct crosspoint_marks){.ports = {0}};
    s->notes = 0;
    release_entries(p, s, &m, now);
    for (unsigned port = 0; port < p->degree; port++) {
        if (is_marked(&m, CROSSPOINT_TAIL, port, &payload))
            take_tail(p, s, port, (enum tail_says)payload, now);
        if (is_marked(&m, CROSSPOINT_FRAME, port, &payload))
            take_frame(p, s, port, payload, now);
        if (is_marked(&m, CROSSPOINT_CONTROL, port, &payload))
            control(p, s, port, now);
    }
    for (unsigned port = 0; port < p->degree; port++) {
        if (is_marked(&m, CROSSPOINT_TOLD, port, &payload))
            hear(p, s, port, payload, now);
        if (is_marked(&m, CROSSPOINT_RESEND, port, &payload))
            resend(p, s, port, now);
    }
}

/* ---- life cycle ---- */

void crosspoint_links_prepare(struct crosspoint_part *p)
{
    const struct error_params *errors = &p->params->errors;
    size_t links = (size_t)p->base.nodes * p->degree;
    struct crosspoint_links *l = PART_TABLE(p, &p->links, 1, PART_SCRATCH);
    PART_TABLE(p, &l->sender, links, PART_SAVED);
    PART_TABLE(p, &l->receiver, links, PART_SAVED);
    PART_TABLE(p, &l->marks, p->base.nodes, PART_SCRATCH);
    for (size_t i = 0; i < links; i++) {
        uint64_t link = (uint64_t)p->base.members[i / p->degree] * p->degree + i % p->degree;
        uint64_t key = random_key(p->network->seed, link, RANDOM_LINK);
        errors_init(&l->sender[i].errors, errors, key);
        errors_init(&l->receiver[i].errors, errors, random_mix(key));
        l->receiver[i].last = CROSSPOINT_SEQUENCES - 1;
    }
}

struct network_sender crosspoint_link_sender(const struct network_part *base, uint32_t local,
                                             unsigned output)
{
    const struct crosspoint_part *p = (const struct crosspoint_part *)base;
    if (!p->links)
        return (struct network_sender){.kept = 0};
    const struct crosspoint_sender *x = crosspoint_sender_at(p, local, output);
    return (struct network_sender){x->count, x->waits_since};
}

void crosspoint_network_links(const struct crosspoint_network *n, struct link_report *report)
{
    *report = (struct link_report){.links = n->graph->links};
    if (n->params.protocol)
        network_report_in_vain(&n->base, report);
}
