/*
 * One switch, one cycle. Packets that came join their queues; heads that are ready find out which
 * outputs they want; then each output that is open takes one of those that want it, the output with
 * the most room first: so a packet with a choice takes the emptiest way that is open.
 *
 *   t                          grant; the queue and the crossbar's way to the output are busy
 *   t + words / speedup        both are free, and so is the packet's room: a credit goes back
 *   s = t + switch_cycles      the head is on the link, or later, if other packets wait for it
 *   s + wire                   it is at the next switch
 */
#include "fabric/switches/state.h"

/* ---- heads ---- */

/* A packet's own draws. */
static uint64_t draw_of(const struct switches_part *p, const struct switches_packet *packet,
                        enum random_purpose purpose, uint64_t counter)
{
    return random_draw(random_key(p->routing->seed, packet->source, purpose), counter);
}

/* Words that wait for an output, or behind it. */
static int64_t backlog(const struct switches_part *p, uint32_t local, unsigned port, cycle_t now)
{
    const struct switches_output *o = &p->output[(size_t)local * p->ports + port];
    int64_t all = (int64_t)p->params->buffer_words * p->params->vcs;
    return all - (int64_t)o->all_room + (o->free_at > now ? (int64_t)(o->free_at - now) : 0);
}

/* What a packet would find in front of it: at the output, and on the VCs that it would take. */
static int64_t queue_ahead(const struct switches_part *p, uint32_t local,
                           const struct packet_way *way, cycle_t now)
{
    struct packet_moves m = switches_moves(p->routing, p->node[local].node, way);
    int64_t least = INT64_MAX;
    for (uint64_t ports = m.ports | m.escape_ports; ports; ports &= ports - 1) {
        unsigned port = (unsigned)__builtin_ctzll(ports);
        const struct switches_output *o = &p->output[(size_t)local * p->ports + port];
        int64_t words = o->free_at > now ? (int64_t)(o->free_at - now) : 0;
        for (unsigned vcs = m.vcs | m.escape_vcs; vcs; vcs &= vcs - 1)
            words += (int64_t)p->params->buffer_words - o->room[__builtin_ctz(vcs)];
        least = words < least ? words : least;
    }
    return least;
}

/* Whether the queues at its source make a detour look shorter. */
static bool is_worth(const struct switches_part *p, uint32_t local, const struct packet_way *way,
                     uint32_t via, cycle_t now)
{
    uint32_t node = p->node[local].node;
    int64_t hops = wiring_hops(p->routing->routes, node, way->leaf),
            around = switches_hops_around(p->routing, node, via, way->leaf);
    struct packet_way straight = *way, detour = *way;
    switches_go_straight(p->routing, &straight);
    detour.via = via;
    return queue_ahead(p, local, &straight, now) * hops >
           (queue_ahead(p, local, &detour, now) + p->params->bias_words) * around;
}

/* At its first switch a packet decides on a detour. */
static void decide(struct switches_part *p, uint32_t local, struct switches_packet *packet,
                   cycle_t now)
{
    const struct switches_routing *r = p->routing;
    packet->flags |= SWITCHES_DECIDED;
    if (p->params->algorithm == ROUTING_MINIMAL)
        return;
    uint64_t draw = draw_of(p, packet, RANDOM_DETOUR, packet->sequence);
    uint32_t via = switches_detour(r, p->node[local].node, packet->way.leaf, draw);
    p->waits->decided++;
    if (via == WIRING_NONE ||
        (p->params->algorithm == ROUTING_UGAL && !is_worth(p, local, &packet->way, via, now))) {
        switches_go_straight(r, &packet->way);
        return;
    }
    packet->way.via = via;
    p->waits->detours++;
}

/* The ports that the head of a queue wants, and by which VCs. */
static uint64_t find_moves(struct switches_part *p, uint32_t local, struct switches_packet *packet,
                           struct switches_head *h, cycle_t now)
{
    const struct switches_routing *r = p->routing;
    struct switches_switch *s = &p->node[local];
    if (!(packet->flags & SWITCHES_DECIDED) && r->routes->leaf[s->node] != packet->way.leaf)
        decide(p, local, packet, now);
    switches_turn(r, s->node, &packet->way);
    h->vcs = h->escape_vcs = 0;
    if (packet->way.via == WIRING_NONE && r->routes->leaf_at[packet->way.leaf] == s->node)
        return switches_lanes(p, s, packet->destination);
    struct packet_moves m = switches_moves(r, s->node, &packet->way);
    uint64_t turn = (uint64_t)s->node << 32 | packet->destination;
    if (p->params->choice == CHOICE_FIXED && m.ports)
        m.ports = switches_pick(m.ports, draw_of(p, packet, RANDOM_TIE, turn));
    if (m.escape_ports & (m.escape_ports - 1))
        m.escape_ports = switches_pick(m.escape_ports, draw_of(p, packet, RANDOM_TIE, turn));
    h->vcs = m.vcs;
    h->escape_vcs = m.escape_vcs;
    h->escape_port = m.escape_ports ? (uint8_t)__builtin_ctzll(m.escape_ports) : 0;
    return m.ports | m.escape_ports;
}

/* Enters a queue's head in the sets of the outputs that it wants, */
static void want(struct switches_part *p, uint32_t local, uint32_t number, uint64_t wants)
{
    for (uint64_t ports = wants; ports; ports &= ports - 1)
        switches_wanting(p, local, (unsigned)__builtin_ctzll(ports))[number / 64] |= 1ull
                                                                                     << number % 64;
    p->node[local].wanted |= wants;
}

/* and takes it out of them. */
static void want_no_more(struct switches_part *p, uint32_t local, uint32_t number, uint64_t wants)
{
    for (uint64_t ports = wants; ports; ports &= ports - 1) {
        unsigned port = (unsigned)__builtin_ctzll(ports);
        uint64_t *wanting = switches_wanting(p, local, port), any = 0;
        wanting[number / 64] &= ~(1ull << number % 64);
        for (uint32_t word = 0; word < p->set_words; word++)
            any |= wanting[word];
        p->node[local].wanted &= ~((uint64_t)!any << port);
    }
}

/* The head of a queue can be read: it wants an output. */
static void ready(struct switches_part *p, uint32_t local, uint32_t number, cycle_t now)
{
    struct switches_queue *q = &switches_queues(p, local)[number];
    struct switches_head *h = &switches_heads(p, local)[number];
    struct switches_packet *packet = &p->pool[q->head];
    q->wants = find_moves(p, local, packet, h, now);
    h->words = packet->words;
    h->since = now | (h->is_own ? OWN_LAST : 0);
    p->node[local].look |= q->wants;
    want(p, local, number, q->wants);
}

/* The same, once the packet before it has been read. */
static void ready_later(struct switches_part *p, uint32_t local, uint32_t number, cycle_t when)
{
    switches_heads(p, local)[number].pending = true;
    wheel_push(&p->base.wheel, when, event_make(SWITCHES_READY, local, 0, 0, number));
}

static void enqueue(struct switches_part *p, uint32_t local, uint32_t index, cycle_t now)
{
    struct switches_packet *packet = &p->pool[index];
    uint32_t number = packet->vc * p->ports + packet->port;
    struct switches_queue *q = &switches_queues(p, local)[number];
    packet->next = NO_PACKET;
    q->whole_at = now + packet->words;
    measure_occupy(&p->base.measure, packet->vc, packet->words);
    if (q->head != NO_PACKET) {
        p->pool[q->tail].next = index;
        q->tail = index;
        return;
    }
    q->head = q->tail = index;
    if (q->ready_at <= now)
        ready(p, local, number, now);
    else if (!switches_heads(p, local)[number].pending)
        ready_later(p, local, number, q->ready_at);
}

/* ---- grants ---- */

/* The VC behind an output with the most room, among some; vcs: none has enough. */
static unsigned roomiest(const struct switches_part *p, const struct switches_output *o,
                         unsigned vcs, uint32_t words)
{
    unsigned best = p->params->vcs;
    for (; vcs; vcs &= vcs - 1) {
        unsigned vc = (unsigned)__builtin_ctz(vcs);
        if (o->room[vc] >= words) {
            words = o->room[vc] + 1u; /* for another one to be better */
            best = vc;
        }
    }
    return best;
}

/* The VC by which the head of a queue can leave; vcs: none. A packet that enters a ring leaves some
 * room in it. */
static unsigned fitting_vc(const struct switches_part *p, uint32_t local, unsigned port,
                           uint32_t number, bool *escape)
{
    const struct switches_output *outputs = &p->output[(size_t)local * p->ports];
    const struct switches_head *h = &switches_heads(p, local)[number];
    uint32_t ring_words = p->routing->ring_words;
    *escape = false;
    if (outputs[port].is_lane)
        return 0;
    if (ring_words && outputs[number % p->ports].along >> port & 1)
        ring_words = 0;
    unsigned vc = roomiest(p, &outputs[port], h->vcs, h->words + ring_words);
    if (vc == p->params->vcs && h->escape_vcs && h->escape_port == port) {
        vc = roomiest(p, &outputs[port], h->escape_vcs, h->words);
        *escape = true;
    }
    return vc;
}

static void count_wait(struct switches_part *p, unsigned vc, cycle_t waited, cycle_t now)
{
    struct switches_waits *w = p->waits;
    if (now < p->base.measure.from || now >= p->base.measure.to)
        return;
    w->packets[vc]++;
    w->cycles[vc] += waited;
    w->longest[vc] = waited > w->longest[vc] ? waited : w->longest[vc];
}

/* Takes the head out of a queue, which no longer wants anything. */
static uint32_t dequeue(struct switches_part *p, uint32_t local, uint32_t number, cycle_t now,
                        cycle_t read)
{
    struct switches_queue *q = &switches_queues(p, local)[number];
    const struct switches_head *h = &switches_heads(p, local)[number];
    uint32_t index = q->head;
    const struct switches_packet *packet = &p->pool[index];
    want_no_more(p, local, number, q->wants);
    count_wait(p, packet->vc, now - (h->since & ~OWN_LAST), now);
    measure_occupy(&p->base.measure, packet->vc, -(int)h->words);
    q->wants = 0;
    q->ready_at = read;
    q->head = packet->next;
    if (q->head != NO_PACKET)
        ready_later(p, local, number, read);
    return index;
}

/* Gives back the room of a packet that leaves its queue, once all of it is there and is read. */
static void give_back(struct switches_part *p, uint32_t local, unsigned port, unsigned vc,
                      uint32_t words, cycle_t when)
{
    struct switches_output *o = &p->output[(size_t)local * p->ports + port];
    uint32_t what = vc << 16 | words;
    if (o->is_lane) {
        uint32_t lane = (uint32_t)(port - p->host[o->to].port);
        wheel_push(&p->base.wheel, when + o->wire,
                   event_make(SWITCHES_ROOM, o->to, 0, 0, lane << 24 | what));
        return;
    }
    part_carry(&p->base, p->network->base.engine.channel, o->to, when + o->wire, SWITCHES_CREDIT, 0,
               0, (uint32_t)o->port << 24 | what, false, switches_pool(p));
}

/* A packet leaves for a host. */
static void hand_over(struct switches_part *p, struct switches_output *o, uint32_t index,
                      cycle_t start)
{
    const struct switches_packet *packet = &p->pool[index];
    const struct switches_client *client = &p->network->client;
    const struct switches_host *h = &p->host[o->to];
    cycle_t when = start + o->wire + packet->words;
    struct delivery d = {.source = packet->source,
                         .sequence = packet->sequence,
                         .birth = packet->birth,
                         .payload = packet->bytes};
    WEFT_CHECK(packet->destination == h->host, "host %u was given a packet for host %u", h->host,
               packet->destination);
    measure_delivery(&p->base.measure, &d, h->host, when);
    cycle_t free_at = client->deliver(client->ctx, p, o->to, h->host, packet, when);
    o->free_at = free_at > o->free_at ? free_at : o->free_at;
    part_give(&p->base, switches_pool(p), index);
}

/* A packet leaves by a link. */
static void send_on(struct switches_part *p, uint32_t local, unsigned port, unsigned vc,
                    bool escape, uint32_t index, cycle_t start)
{
    struct switches_output *o = &p->output[(size_t)local * p->ports + port];
    struct switches_packet *packet = &p->pool[index];
    switches_advance(&packet->way, o->sort, o->is_long, o->wraps, escape);
    packet->port = o->port;
    packet->vc = (uint8_t)vc;
    o->room[vc] = (uint16_t)(o->room[vc] - packet->words);
    o->all_room -= packet->words;
    o->busy += measure_busy(&p->base.measure, o->sort, start, packet->words);
    measure_hop(&p->base.measure, vc, packet->bytes, start, packet->words);
    part_carry(&p->base, p->network->base.engine.channel, o->to, start + o->wire, SWITCHES_ARRIVE,
               0, 0, index, true, switches_pool(p));
}

static void grant(struct switches_part *p, uint32_t local, unsigned port, uint32_t number,
                  unsigned vc, bool escape, cycle_t now)
{
    struct switches_output *o = &p->output[(size_t)local * p->ports + port];
    const struct switches_queue *q = &switches_queues(p, local)[number];
    uint32_t words = switches_heads(p, local)[number].words;
    cycle_t read = now + (cycle_t)((double)words / p->params->speedup + 0.999999);
    cycle_t out = now + p->params->switch_cycles, start = o->free_at > out ? o->free_at : out;
    cycle_t whole = q->head == q->tail ? q->whole_at : now;
    uint32_t index = dequeue(p, local, number, now, read);
    const struct switches_packet *packet = &p->pool[index];
    o->last = (uint16_t)number;
    o->open_at = read;
    o->free_at = start + words;
    p->base.measure.moves++;
    give_back(p, local, packet->port, packet->vc, words, read > whole ? read : whole);
    if (o->is_lane)
        hand_over(p, o, index, start);
    else
        send_on(p, local, port, vc, escape, index, start);
}

/* A queue whose head could leave by an output now. */
struct candidate {
    uint32_t number; /* of the queue */
    unsigned vc;
    bool escape;
};

/* Of a set of queues, from one on and around, the one whose head was ready first. */
static uint32_t find_oldest(const struct switches_part *p, uint32_t local, const uint64_t *set,
                            uint32_t from)
{
    const struct switches_head *h = switches_heads(p, local);
    uint32_t oldest = NO_QUEUE, word = from / 64;
    uint64_t behind = UINT64_MAX << from % 64;
    cycle_t since = CYCLE_NEVER;
    for (uint32_t i = 0; i <= p->set_words; i++) {
        uint64_t left = set[word] & (i == 0 ? behind : i == p->set_words ? ~behind : UINT64_MAX);
        for (; left; left &= left - 1) {
            uint32_t number = word * 64 + (uint32_t)__builtin_ctzll(left);
            oldest = h[number].since < since ? number : oldest;
            since = h[number].since < since ? h[number].since : since;
        }
        word = word + 1 < p->set_words ? word + 1 : 0;
    }
    return oldest;
}

/* The same, the first one. */
static uint32_t find_first(const struct switches_part *p, const uint64_t *set, uint32_t from)
{
    uint32_t word = from / 64;
    uint64_t behind = UINT64_MAX << from % 64;
    for (uint32_t i = 0; i <= p->set_words; i++) {
        uint64_t left = set[word] & (i == 0 ? behind : i == p->set_words ? ~behind : UINT64_MAX);
        if (left)
            return word * 64 + (uint32_t)__builtin_ctzll(left);
        word = word + 1 < p->set_words ? word + 1 : 0;
    }
    return NO_QUEUE;
}

/* Of a set of queues, the first in the arbiter's order; false: it is empty. */
static bool find_next(const struct switches_part *p, uint32_t local, unsigned port,
                      const uint64_t *set, struct candidate *c)
{
    uint32_t from = p->params->arbiter == ARBITER_FIXED
                        ? 0
                        : p->output[(size_t)local * p->ports + port].last + 1u;
    from = from < p->ports * p->params->vcs ? from : 0;
    c->number = p->params->arbiter == ARBITER_OLDEST ? find_oldest(p, local, set, from)
                                                     : find_first(p, set, from);
    return c->number != NO_QUEUE;
}

/* Of the queues that want an output, the first in the arbiter's order that finds room behind it.
 * Mostly the first one does; to go on, the others are looked at in a copy of the set. */
static bool find(const struct switches_part *p, uint32_t local, unsigned port, struct candidate *c)
{
    const uint64_t *wanting = switches_wanting(p, local, port);
    uint64_t set[SWITCHES_SET_WORDS];
    if (!find_next(p, local, port, wanting, c))
        return false;
    c->vc = fitting_vc(p, local, port, c->number, &c->escape);
    if (c->vc < p->params->vcs)
        return true;
    for (uint32_t word = 0; word < p->set_words; word++)
        set[word] = wanting[word];
    do {
        set[c->number / 64] &= ~(1ull << c->number % 64);
        if (!find_next(p, local, port, set, c))
            return false;
        c->vc = fitting_vc(p, local, port, c->number, &c->escape);
    } while (c->vc == p->params->vcs);
    return true;
}

/* Grants an output to one of the queues that want it; false: there is room for none. */
static bool arbitrate(struct switches_part *p, uint32_t local, unsigned port, cycle_t now)
{
    struct candidate c;
    bool found = find(p, local, port, &c);
    if (found)
        grant(p, local, port, c.number, c.vc, c.escape, now);
    return found;
}

/* ---- outputs ---- */

/* When an output can take a packet. */
static cycle_t opens_at(const struct switches_part *p, const struct switches_output *o)
{
    cycle_t ahead = p->params->switch_cycles + p->params->output_words;
    cycle_t link = o->free_at > ahead ? o->free_at - ahead : 0;
    return link > o->open_at ? link : o->open_at;
}

/* Those of some outputs that can take a packet now, and the backlog of each. */
static uint64_t find_open(const struct switches_part *p, uint32_t local, uint64_t ports,
                          cycle_t now, int64_t *words)
{
    uint64_t open = 0;
    for (; ports; ports &= ports - 1) {
        unsigned port = (unsigned)__builtin_ctzll(ports);
        if (opens_at(p, &p->output[(size_t)local * p->ports + port]) > now)
            continue;
        words[port] = backlog(p, local, port, now);
        open |= 1ull << port;
    }
    return open;
}

/* The emptiest of some outputs. */
static unsigned emptiest(uint64_t ports, const int64_t *words)
{
    unsigned best = (unsigned)__builtin_ctzll(ports);
    for (ports &= ports - 1; ports; ports &= ports - 1) {
        unsigned port = (unsigned)__builtin_ctzll(ports);
        best = words[port] < words[best] ? port : best;
    }
    return best;
}

/* Has outputs looked at again when they open. */
static void watch(struct switches_part *p, uint32_t local, uint64_t ports)
{
    p->node[local].watched |= ports;
    for (; ports; ports &= ports - 1) {
        unsigned port = (unsigned)__builtin_ctzll(ports);
        wheel_push(&p->base.wheel, opens_at(p, &p->output[(size_t)local * p->ports + port]),
                   event_make(SWITCHES_LOOK, local, 0, 0, port << 24));
    }
}

/* Outputs with something new: those that are open take a packet each. One that finds room for none
 * is brought back by credits and arrivals. */
static void serve_outputs(struct switches_part *p, uint32_t local, cycle_t now)
{
    struct switches_switch *s = &p->node[local];
    int64_t words[WIRING_MAX_PORTS];
    uint64_t looked = s->look & s->wanted & ~s->watched;
    uint64_t open = find_open(p, local, looked, now, words), taken = looked & ~open;
    s->look = 0;
    while (open &= s->wanted) { /* a packet with a choice may be gone */
        unsigned port = emptiest(open, words);
        open &= ~(1ull << port);
        taken |= (uint64_t)arbitrate(p, local, port, now) << port;
    }
    watch(p, local, taken & s->wanted);
}

void switches_step(struct switches_part *p, uint32_t local, cycle_t now)
{
    struct switches_switch *s = &p->node[local];
    while (s->due != NO_QUEUE) {
        uint32_t number = s->due;
        s->due = switches_heads(p, local)[number].next_due;
        if (switches_queues(p, local)[number].head != NO_PACKET)
            ready(p, local, number, now);
    }
    while (s->arrivals != NO_PACKET) {
        uint32_t index = s->arrivals;
        s->arrivals = p->pool[index].next;
        enqueue(p, local, index, now);
    }
    serve_outputs(p, local, now);
}
