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

/* The switch that takes its step: where its state is, and when. */
struct here {
    struct switches_part *part;
    const struct switches_params *params;
    struct switches_switch *s;
    struct switches_output *output; /* [port] */
    struct switches_queue *queue;   /* [queue] */
    struct switches_head *head;     /* [queue] */
    uint64_t *wanting;              /* [port * set_words] */
    uint64_t *fresh;                /* [set_words]: queues whose head became ready in this step */
    uint32_t local, set_words;
    cycle_t now;
};

static struct here here_at(struct switches_part *p, uint32_t local, uint64_t *fresh, cycle_t now)
{
    for (uint32_t word = 0; word < p->set_words; word++)
        fresh[word] = 0;
    return (struct here){.part = p,
                         .params = p->params,
                         .s = &p->node[local],
                         .output = &p->output[(size_t)local * p->ports],
                         .queue = switches_queues(p, local),
                         .head = switches_heads(p, local),
                         .wanting = switches_wanting(p, local, 0),
                         .fresh = fresh,
                         .local = local,
                         .set_words = p->set_words,
                         .now = now};
}

/* ---- heads ---- */

/* A packet's own draws. */
static uint64_t draw_of(const struct here *at, const struct switches_packet *packet,
                        enum random_purpose purpose, uint64_t counter)
{
    return random_draw(random_key(at->part->routing->seed, packet->source, purpose), counter);
}

/* At its first switch a packet decides on a detour. */
static void decide(const struct here *at, struct switches_packet *packet)
{
    const struct switches_routing *r = at->part->routing;
    packet->flags |= SWITCHES_DECIDED;
    if (!r->rule->can_detour)
        return;
    struct detour_offer offer = {
        .part = at->part, .local = at->local, .way = &packet->way, .now = at->now};
    offer.draw = draw_of(at, packet, RANDOM_DETOUR, packet->sequence);
    offer.via = switches_detour(r, at->s->node, packet->way.leaf, offer.draw);
    at->part->waits->decided++;
    if (offer.via == GRAPH_NONE || (r->rule->takes_detour && !r->rule->takes_detour(&offer))) {
        switches_go_straight(r, &packet->way);
        return;
    }
    packet->way.via = offer.via;
    at->part->waits->detours++;
}

/* The ports that a packet wants as the head of a queue, and by which VCs. */
static uint64_t find_moves(const struct here *at, struct switches_packet *packet,
                           struct switches_head *h)
{
    const struct switches_routing *r = at->part->routing;
    uint32_t node = at->s->node;
    bool here = r->routes->leaf_at[packet->way.leaf] == node;
    if (!(packet->flags & SWITCHES_DECIDED) && !here)
        decide(at, packet);
    switches_turn(r, node, &packet->way);
    h->vcs = h->escape_vcs = 0;
    if (here && packet->way.via == GRAPH_NONE)
        return switches_lanes(at->part, at->s, packet->destination);
    struct packet_moves m = switches_moves(r, node, &packet->way);
    uint64_t turn = (uint64_t)node << 32 | packet->destination;
    if (at->params->choice == CHOICE_FIXED && m.ports)
        m.ports = switches_pick(m.ports, draw_of(at, packet, RANDOM_TIE, turn));
    if (m.escape_ports & (m.escape_ports - 1))
        m.escape_ports = switches_pick(m.escape_ports, draw_of(at, packet, RANDOM_TIE, turn));
    h->vcs = m.vcs;
    h->escape_vcs = m.escape_vcs;
    h->escape_port = m.escape_ports ? (uint8_t)__builtin_ctzll(m.escape_ports) : 0;
    return m.ports | m.escape_ports;
}

static uint64_t *wanting(const struct here *at, unsigned port)
{
    return &at->wanting[(size_t)port * at->set_words];
}

/* Enters a queue's head in the sets of the outputs that it wants, */
static void want(const struct here *at, uint32_t number, uint64_t wants)
{
    uint64_t bit = 1ull << number % 64;
    at->s->wanted |= wants;
    for (; wants; wants &= wants - 1)
        wanting(at, (unsigned)__builtin_ctzll(wants))[number / 64] |= bit;
}

/* and takes it out of them. */
static void want_no_more(const struct here *at, uint32_t number, uint64_t wants)
{
    uint64_t bit = 1ull << number % 64, wanted = at->s->wanted;
    for (; wants; wants &= wants - 1) {
        uint64_t *set = wanting(at, (unsigned)__builtin_ctzll(wants)), others = 0;
        set[number / 64] &= ~bit;
        for (uint32_t word = 0; word < at->set_words; word++)
            others |= set[word];
        wanted &= others ? UINT64_MAX : ~(wants & -wants);
    }
    at->s->wanted = wanted;
}

/* The head of a queue can be read: it wants an output. */
static void ready(const struct here *at, uint32_t number)
{
    struct switches_queue *q = &at->queue[number];
    struct switches_head *h = &at->head[number];
    struct switches_packet *packet = &at->part->pool[q->head];
    q->wants = find_moves(at, packet, h);
    h->words = packet->words;
    h->since = at->now | (h->is_own ? OWN_LAST : 0);
    at->s->look |= q->wants;
    at->fresh[number / 64] |= 1ull << number % 64;
    want(at, number, q->wants);
}

/* The same, once the packet before it has been read. */
static void ready_later(const struct here *at, uint32_t number, cycle_t when)
{
    at->head[number].pending = true;
    wheel_push(&at->part->base.wheel, when, event_make(SWITCHES_READY, at->local, 0, 0, number));
}

static void enqueue(const struct here *at, uint32_t index)
{
    struct switches_part *p = at->part;
    const struct switches_packet *packet = &p->pool[index];
    uint32_t number = packet->vc * p->ports + packet->port;
    struct switches_queue *q = &at->queue[number];
    q->whole_at = at->now + packet->words;
    part_occupy(&p->base, switches_slot(p, at->local, packet->port), packet->vc, packet->words);
    if (!part_append(PART_POOL(p), &q->head, &q->tail, index))
        return;
    if (q->ready_at <= at->now)
        ready(at, number);
    else if (!at->head[number].pending)
        ready_later(at, number, q->ready_at);
}

/* ---- grants ---- */

/* The VC behind an output with the most room, among some; vcs: none has enough. */
static unsigned roomiest(const struct here *at, const struct switches_output *o, unsigned vcs,
                         uint32_t words)
{
    unsigned best = at->params->vcs;
    for (; vcs; vcs &= vcs - 1) {
        unsigned vc = (unsigned)__builtin_ctz(vcs);
        if (o->room[vc] >= words) {
            words = o->room[vc] + 1u; /* for another one to be better */
            best = vc;
        }
    }
    return best;
}

/* A queue whose head could leave by an output now. */
struct candidate {
    uint32_t number; /* of the queue */
    unsigned vc;
    bool escape;
};

/* Finds the VC by which a candidate can leave; false: none has room. A packet that enters a ring
 * leaves some room in it. */
static bool fits(const struct here *at, unsigned port, struct candidate *c)
{
    const struct switches_output *o = &at->output[port];
    const struct switches_head *h = &at->head[c->number];
    uint32_t ring_words = at->part->routing->ring_words;
    c->escape = false;
    c->vc = 0;
    if (o->is_lane)
        return true;
    if (ring_words && at->output[c->number % at->part->ports].along >> port & 1)
        ring_words = 0;
    c->vc = roomiest(at, o, h->vcs, h->words + ring_words);
    if (c->vc == at->params->vcs && h->escape_vcs && h->escape_port == port) {
        c->vc = roomiest(at, o, h->escape_vcs, h->words);
        c->escape = true;
    }
    return c->vc < at->params->vcs;
}

static void count_wait(const struct here *at, unsigned vc, cycle_t waited)
{
    const struct measure *m = &at->part->base.measure;
    struct switches_waits *w = at->part->waits;
    if (at->now < m->from || at->now >= m->to)
        return;
    w->packets[vc]++;
    w->cycles[vc] += waited;
    w->longest[vc] = waited > w->longest[vc] ? waited : w->longest[vc];
}

/* Takes the head out of a queue, which no longer wants anything. */
static void dequeue(const struct here *at, uint32_t number, const struct switches_packet *packet,
                    cycle_t read)
{
    struct switches_queue *q = &at->queue[number];
    const struct switches_head *h = &at->head[number];
    want_no_more(at, number, q->wants);
    count_wait(at, packet->vc, at->now - (h->since & ~OWN_LAST));
    part_occupy(&at->part->base, switches_slot(at->part, at->local, packet->port), packet->vc,
                -(int)h->words);
    q->wants = 0;
    q->ready_at = read;
    q->head = packet->next;
    if (q->head != NO_PACKET)
        ready_later(at, number, read);
}

/* Gives back the room of a packet that leaves its queue, once all of it is there and is read. */
static void give_back(const struct here *at, const struct switches_packet *packet, cycle_t when)
{
    struct switches_part *p = at->part;
    const struct switches_output *o = &at->output[packet->port];
    uint32_t what = (uint32_t)o->port << 24 | (uint32_t)packet->vc << 16 | packet->words;
    if (o->is_lane)
        wheel_push(&p->base.wheel, when + o->wire, event_make(SWITCHES_ROOM, o->to, 0, 0, what));
    else
        part_carry(&p->base, p->network->base.engine.channel, o->to, when + o->wire,
                   SWITCHES_CREDIT, 0, 0, what, false, PART_POOL(p));
}

/* A packet leaves for a host. */
static void hand_over(const struct here *at, struct switches_output *o, uint32_t index,
                      cycle_t start)
{
    struct switches_part *p = at->part;
    const struct switches_packet *packet = &p->pool[index];
    const struct face_client *client = &p->network->client;
    const struct switches_host *h = &p->host[o->to];
    cycle_t when = start + o->wire + packet->words;
    struct delivery d = {packet->source, packet->sequence, packet->birth, packet->bytes};
    WEFT_CHECK(packet->destination == h->host, "host %u was given a packet for host %u", h->host,
               packet->destination);
    switches_lane_busy(p, switches_slot(p, at->local, (unsigned)(o - at->output)), packet->vc,
                       start, packet->words);
    part_delivery(&p->base, o->to, &d, h->host, when);
    struct face_packet out = switches_face_packet(packet);
    cycle_t next = client->deliver(client->ctx, &p->base, o->to, &out, when).next;
    if (next > when + packet->words) /* another like this one would be there too early */
        o->free_at = next - packet->words - o->wire;
    part_give(&p->base, PART_POOL(p), index);
}

/* A packet leaves by a link. */
static void send_on(const struct here *at, struct switches_output *o, const struct candidate *c,
                    uint32_t index, cycle_t start)
{
    struct switches_part *p = at->part;
    struct switches_packet *packet = &p->pool[index];
    switches_way_advance(&packet->way, o->sort, o->is_long, o->wraps, c->escape);
    packet->port = o->port;
    packet->vc = (uint8_t)c->vc;
    uint32_t slot = switches_slot(p, at->local, (unsigned)(o - at->output));
    switches_room(p, slot, c->vc, o->room[c->vc], o->room[c->vc] - packet->words);
    o->room[c->vc] = (uint16_t)(o->room[c->vc] - packet->words);
    o->all_room -= packet->words;
    o->busy += part_busy(&p->base, slot, c->vc, o->sort, start, packet->words);
    measure_hop(&p->base.measure, c->vc, packet->bytes, start, packet->words);
    part_carry(&p->base, p->network->base.engine.channel, o->to, start + o->wire, SWITCHES_ARRIVE,
               0, 0, index, true, PART_POOL(p));
}

static void grant(const struct here *at, unsigned port, const struct candidate *c)
{
    struct switches_output *o = &at->output[port];
    const struct switches_queue *q = &at->queue[c->number];
    uint32_t words = at->head[c->number].words, index = q->head;
    const struct switches_packet *packet = &at->part->pool[index];
    cycle_t read = at->now + (cycle_t)((double)words / at->params->speedup + 0.999999);
    cycle_t out = at->now + at->params->switch_cycles, start = o->free_at > out ? o->free_at : out;
    cycle_t whole = index == q->tail ? q->whole_at : at->now;
    dequeue(at, c->number, packet, read);
    o->last = (uint16_t)c->number;
    o->open_at = read;
    o->free_at = start + words;
    at->part->base.measure.moves++;
    give_back(at, packet, read > whole ? read : whole);
    if (o->is_lane)
        hand_over(at, o, index, start);
    else
        send_on(at, o, c, index, start);
}

/* A set of queues in the order in which an arbiter goes through it: from one on, and around. */
struct round {
    const uint64_t *set;
    uint64_t behind; /* in the word of the first */
    uint32_t first, word, words;
};

static struct round round_of(const struct here *at, unsigned port, const uint64_t *set)
{
    uint32_t from = at->params->arbiter == ARBITER_FIXED ? 0 : at->output[port].last + 1u;
    from = from < at->part->ports * at->params->vcs ? from : 0;
    return (struct round){
        .set = set, .behind = UINT64_MAX << from % 64, .first = from / 64, .words = at->set_words};
}

/* The next word of it, and the number of that word's first queue; false: there is none. */
static bool round_next(struct round *r, uint64_t *queues, uint32_t *number)
{
    if (r->word > r->words)
        return false;
    uint32_t word = r->first + r->word;
    word = word < r->words ? word : word - r->words;
    *queues = r->set[word];
    *queues &= r->word == 0 ? r->behind : r->word == r->words ? ~r->behind : UINT64_MAX;
    *number = word * 64;
    r->word++;
    return true;
}

/* Of a set of queues, the one whose head was ready first; NO_QUEUE: it is empty. */
static uint32_t find_oldest(const struct here *at, unsigned port, const uint64_t *set)
{
    struct round r = round_of(at, port, set);
    uint32_t oldest = NO_QUEUE, first;
    cycle_t since = CYCLE_NEVER;
    for (uint64_t left; round_next(&r, &left, &first);)
        for (; left; left &= left - 1) {
            uint32_t number = first + (uint32_t)__builtin_ctzll(left);
            cycle_t other = at->head[number].since;
            oldest = other < since ? number : oldest;
            since = other < since ? other : since;
        }
    return oldest;
}

/* The same among those that find room; or the first of them, as the arbiter wants it. */
static bool find_fitting(const struct here *at, unsigned port, const uint64_t *set,
                         struct candidate *c)
{
    struct round r = round_of(at, port, set);
    uint32_t first;
    cycle_t since = CYCLE_NEVER;
    for (uint64_t left; round_next(&r, &left, &first);)
        for (; left; left &= left - 1) {
            struct candidate other = {.number = first + (uint32_t)__builtin_ctzll(left)};
            if (at->head[other.number].since >= since || !fits(at, port, &other))
                continue;
            *c = other;
            since = at->head[other.number].since;
            if (at->params->arbiter != ARBITER_OLDEST)
                return true;
        }
    return since != CYCLE_NEVER;
}

/* Of the queues that want an output, finds the one that gets it; false: there is room for none. In
 * an output that had none, and no credit since, only those that are new can find some. */
static bool find(const struct here *at, unsigned port, struct candidate *c)
{
    uint64_t new[SWITCHES_SET_WORDS];
    const uint64_t *set = wanting(at, port);
    if (at->s->stuck >> port & 1) {
        for (uint32_t word = 0; word < at->set_words; word++)
            new[word] = set[word] & at->fresh[word];
        set = new;
    }
    if (at->params->arbiter == ARBITER_OLDEST) { /* mostly it finds room */
        c->number = find_oldest(at, port, set);
        if (c->number == NO_QUEUE || fits(at, port, c))
            return c->number != NO_QUEUE;
    }
    return find_fitting(at, port, set, c);
}

/* ---- outputs ---- */

/* When an output can take a packet. */
static cycle_t opens_at(const struct here *at, const struct switches_output *o)
{
    cycle_t ahead = at->params->switch_cycles + at->params->output_words;
    cycle_t link = o->free_at > ahead ? o->free_at - ahead : 0;
    return link > o->open_at ? link : o->open_at;
}

/* Those of some outputs that can take a packet now; and how full each is: words that wait for it,
 * less the room behind it. */
static uint64_t find_open(const struct here *at, uint64_t ports, int64_t *fill)
{
    uint64_t open = 0;
    for (; ports; ports &= ports - 1) {
        unsigned port = (unsigned)__builtin_ctzll(ports);
        const struct switches_output *o = &at->output[port];
        open |= (uint64_t)(opens_at(at, o) <= at->now) << port;
        fill[port] = switches_line_up(o, at->now) - (int64_t)o->all_room;
    }
    return open;
}

/* The emptiest of some outputs. */
static unsigned emptiest(uint64_t ports, const int64_t *fill)
{
    unsigned best = (unsigned)__builtin_ctzll(ports);
    for (ports &= ports - 1; ports; ports &= ports - 1) {
        unsigned port = (unsigned)__builtin_ctzll(ports);
        best = fill[port] < fill[best] ? port : best;
    }
    return best;
}

/* Has outputs looked at again when they open. */
static void watch(const struct here *at, uint64_t ports)
{
    at->s->watched |= ports;
    for (; ports; ports &= ports - 1) {
        unsigned port = (unsigned)__builtin_ctzll(ports);
        wheel_push(&at->part->base.wheel, opens_at(at, &at->output[port]),
                   event_make(SWITCHES_LOOK, at->local, 0, 0, port << 24));
    }
}

/* Outputs with something new: those that are open take a packet each. One that finds room for none
 * is brought back by credits and arrivals. */
static void serve_outputs(const struct here *at)
{
    struct switches_switch *s = at->s;
    int64_t fill[GRAPH_MAX_PORTS];
    uint64_t looked = s->look & s->wanted & ~s->watched;
    uint64_t open = find_open(at, looked, fill), taken = looked & ~open;
    s->look = 0;
    while (open &= s->wanted) { /* a packet with a choice may be gone */
        struct candidate c;
        unsigned port = emptiest(open, fill);
        uint64_t bit = 1ull << port;
        bool found = find(at, port, &c);
        open &= ~bit;
        s->stuck = found ? s->stuck & ~bit : s->stuck | bit;
        if (!found)
            continue;
        grant(at, port, &c);
        taken |= bit;
    }
    watch(at, taken & s->wanted);
}

void switches_step(struct switches_part *p, uint32_t local, cycle_t now)
{
    uint64_t fresh[SWITCHES_SET_WORDS];
    struct here at = here_at(p, local, fresh, now);
    struct switches_switch *s = at.s;
    while (s->due != NO_QUEUE) {
        uint32_t number = s->due;
        s->due = at.head[number].next_due;
        if (at.queue[number].head != NO_PACKET)
            ready(&at, number);
    }
    while (s->arrivals != NO_PACKET) {
        uint32_t index = s->arrivals;
        s->arrivals = p->pool[index].next;
        enqueue(&at, index);
    }
    serve_outputs(&at);
}
