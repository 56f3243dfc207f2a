/* Which packets a broadcast or an all-to-all consists of, and what has come of them. */
#include "message/packets/packets.h"

#include <string.h>

#include "base/random.h"

/* What has come of an operation; made if nothing has. */
static struct gathering *gathering_of(struct here *h, uint32_t context, uint32_t number)
{
    uint32_t *index = map_add(&h->s->gathering, operation_key(&h->me, context, number), NONE);
    if (*index == NONE) {
        *index = slots_get(&h->s->gatherings);
        *gathering_at(h->s, *index) = (struct gathering){.attachment = ATTACHMENT_NONE};
    }
    return gathering_at(h->s, *index);
}

/* The same of the operation that the process is in. */
static struct gathering *own_gathering(struct here *h)
{
    const struct collective *c = &h->loop->collective;
    return gathering_of(h, c->context, c->number);
}

/* ---- broadcasts ---- */

/* None for no bytes. */
static uint64_t whole_packets(uint64_t bytes, uint32_t full)
{
    return (bytes + full - 1) / full;
}

/* The next packet of a colour that the root writes: one for each of its ways. */
static bool root_packet(const struct here *h, unsigned colour, struct forward *f, unsigned *port)
{
    const struct advance_loop *loop = h->loop;
    const struct action *a = &loop->action;
    const struct flood *flood = &h->all->flood;
    struct flood_way way[FLOOD_WAYS_MOST];
    if (loop->collective.kind != STEP_FLOOD || a->root != self_number(&h->me) ||
        colour >= flood->colours)
        return false;
    unsigned ways = flood_ways(flood, h->me.at.node, colour, h->me.at.node, way);
    uint32_t written = loop->collective.written[colour];
    /* Every so many-th packet of the message is of this colour. */
    uint64_t first = ((uint64_t)(written / ways) * flood->colours + colour) * h->all->full;
    if (first >= a->bytes)
        return false;
    uint64_t left = a->bytes - first;
    *port = way[written % ways].port;
    *f = (struct forward){.root = a->root,
                          .number = loop->collective.number,
                          .bytes = left < h->all->full ? (uint32_t)left : h->all->full,
                          .attachment = loop->collective.attachment,
                          .hops = way[written % ways].hops,
                          .colour = (uint8_t)colour};
    return true;
}

static struct nic_packet cast_packet(const struct here *h, const struct forward *f, unsigned port)
{
    struct cargo cargo = {.code = CODE_CAST,
                          .from = h->me.slot,
                          .to = f->colour,
                          .number = f->number,
                          .argument = f->attachment == ATTACHMENT_NONE ? f->root : f->attachment,
                          .attachment = f->attachment != ATTACHMENT_NONE};
    return (struct nic_packet){.node = h->me.at.node,
                               .bytes = f->bytes,
                               .cargo = cargo_pack(&cargo),
                               .flags = NIC_DEPOSIT,
                               .fifo = (uint8_t)port,
                               .port = (uint8_t)port,
                               .hops = f->hops};
}

/* Sends a packet on, as its colour wants. */
static void send_on(struct here *h, const struct cargo *w, uint32_t bytes)
{
    const struct processes *all = h->me.all;
    struct flood_way way[FLOOD_WAYS_MOST];
    uint32_t attachment = w->attachment ? w->argument : ATTACHMENT_NONE;
    uint32_t root = w->attachment ? attachment_at(all->attachments, attachment)->tag : w->argument;
    WEFT_CHECK(w->to < h->all->flood.colours && root < all->o.processes,
               "node %u was sent what no process sends", h->me.at.node);
    unsigned ways = flood_ways(&h->all->flood, process_node(all, root), w->to, h->me.at.node, way);
    for (unsigned i = 0; i < ways; i++) {
        uint32_t index = slots_get(&h->s->forwards);
        *forward_at(h->s, index) = (struct forward){.root = root,
                                                    .number = w->number,
                                                    .bytes = bytes,
                                                    .attachment = attachment,
                                                    .hops = way[i].hops,
                                                    .colour = (uint8_t)w->to};
        slots_append(&h->s->forwards, &h->loop->forward[way[i].port], index);
        h->loop->forwards++;
    }
}

/* ---- all-to-all ---- */

/* Bytes of data in a full packet: fewer than in one of a message. */
static uint32_t each_full(const struct here *h)
{
    return h->all->full - h->all->steps.each_bytes;
}

/* How many processes take part, which one this is, and the process that one of them is. */
static uint32_t each_members(const struct here *h)
{
    const struct members *m = h->loop->action.members;
    return m ? m->size : h->me.all->o.processes;
}

static uint32_t each_me(const struct here *h)
{
    const struct members *m = h->loop->action.members;
    return m ? m->me : self_number(&h->me);
}

static uint32_t each_process(const struct here *h, uint32_t member)
{
    const struct members *m = h->loop->action.members;
    return m ? member_process(m, member) : member;
}

static uint64_t each_bytes(const struct here *h, uint32_t from, uint32_t to)
{
    const struct action *a = &h->loop->action;
    if (a->data)
        return from == each_me(h) ? a->data->out_bytes[to] : a->data->in_bytes[from];
    return varied_bytes(a->bytes, a->varied, from, to);
}

/* Whose turn it is: unless another order was asked for, a random one that differs from process to
 * process. The process itself is among them, in another order the last. */
static uint32_t each_to(const struct here *h)
{
    const struct members *members = h->loop->action.members;
    const struct send_order *order = members ? NULL : h->me.all->o.order;
    uint32_t me = self_number(&h->me), turn = h->loop->collective.turn;
    if (members && members->turns)
        return members->turns[turn];
    if (order && order->kind != ORDER_AUTO && order->kind != ORDER_RANDOM)
        return turn + 1 < order->count ? order_other(order, me, turn) : me;
    return random_permute(random_mix(self_drawn(&h->me) + 1), each_members(h), turn);
}

/* Packets to each, at most. With data, the action's bytes are those of the longest. */
static uint64_t each_rounds(const struct here *h)
{
    const struct action *a = &h->loop->action;
    return whole_packets(a->varied ? 2 * a->bytes : a->bytes, each_full(h));
}

/* Data travel with the first packet of each pair, if there are any. */
static uint32_t each_attachment(const struct here *h, uint32_t to)
{
    struct processes *all = h->me.all;
    const struct action_data *data = h->loop->action.data;
    if (!data || h->loop->collective.round)
        return ATTACHMENT_NONE;
    uint32_t number = attachment_new(all->attachments, h->me.at.partition, data->out_bytes[to]);
    struct attachment *l = attachment_at(all->attachments, number);
    memcpy(l->data, data->data + data->out_at[to], data->out_bytes[to]);
    l->tag = each_me(h);
    l->context = h->loop->collective.context;
    return number;
}

/* Moves on to the next process that gets another packet. */
static void each_settle(struct here *h)
{
    struct collective *c = &h->loop->collective;
    uint32_t me = each_me(h), members = each_members(h);
    for (; c->round < each_rounds(h); c->round++, c->turn = 0)
        for (; c->turn < members; c->turn++) {
            uint32_t to = each_to(h);
            if (to != me && whole_packets(each_bytes(h, me, to), each_full(h)) > c->round) {
                c->attachment = each_attachment(h, to);
                return;
            }
        }
}

static bool each_packet(const struct here *h, struct nic_packet *packet)
{
    const struct collective *c = &h->loop->collective;
    const struct processes *all = h->me.all;
    if (c->kind != STEP_EACH || c->round >= each_rounds(h))
        return false;
    uint32_t member = each_to(h), to = each_process(h, member), full = each_full(h);
    uint64_t left = each_bytes(h, each_me(h), member) - (uint64_t)c->round * full;
    struct cargo cargo = {.code = CODE_EACH,
                          .from = h->me.slot,
                          .to = process_slot(all, to),
                          .number = c->number,
                          .argument = c->attachment == ATTACHMENT_NONE ? c->context : c->attachment,
                          .attachment = c->attachment != ATTACHMENT_NONE};
    *packet = (struct nic_packet){
        .node = process_node(all, to),
        .bytes = left < full ? (uint32_t)left : full,
        .extra = h->all->steps.each_bytes,
        .cargo = cargo_pack(&cargo),
        .turn = (uint32_t)random_mix(((uint64_t)process_drawn(all, to) << 32 | c->round) +
                                     self_drawn(&h->me)),
        .flags = NIC_ADAPTIVE,
        .group = protocol_group(h, to)};
    packet->fifo = protocol_ring(h, packet);
    return true;
}

/* Bytes that a process is to get from others. */
static uint64_t each_expected(const struct here *h)
{
    uint32_t me = each_me(h), members = each_members(h);
    uint64_t sum = 0;
    if (!h->loop->action.varied && !h->loop->action.data)
        return h->loop->action.bytes * (members - 1);
    for (uint32_t from = 0; from < members; from++)
        sum += from == me ? 0 : each_bytes(h, from, me);
    return sum;
}

/* ---- both ---- */

/* A broadcast's root makes one attachment for all others. */
static uint32_t root_attachment(const struct here *h)
{
    const struct action *a = &h->loop->action;
    struct processes *all = h->me.all;
    if (!a->data || !a->bytes || all->o.processes == 1)
        return ATTACHMENT_NONE;
    uint32_t number = attachment_new(all->attachments, h->me.at.partition, a->bytes);
    struct attachment *l = attachment_at(all->attachments, number);
    memcpy(l->data, a->data->data, a->bytes);
    l->tag = a->root;
    attachment_share(all->attachments, number, all->o.processes - 1);
    return number;
}

/* More than was said cannot be told from what is still to come. */
static void check_arrived(const struct here *h, const struct gathering *g)
{
    if (g->arrived > h->loop->collective.expected)
        RUN_ABANDONED(("process %u is sent more bytes than it expects", self_number(&h->me)),
                      NO_REMEDY);
}

/* The operation's context and number. */
static void enter_context(struct advance_loop *loop)
{
    const struct members *m = loop->action.members;
    struct collective *c = &loop->collective;
    c->context = m ? m->context : 0;
    c->number = (c->context ? m->number : loop->spreads++) & (CARGO_NUMBERS - 1);
}

void spread_start(struct here *h)
{
    struct advance_loop *loop = h->loop;
    struct collective *c = &loop->collective;
    const struct action_data *data = loop->action.data;
    bool each = c->kind == STEP_EACH, root = !each && loop->action.root == self_number(&h->me);
    enter_context(loop);
    uint64_t early = own_gathering(h)->arrived;
    cost_copy(h, early, early); /* out of a buffer of the layer's own */
    c->expected = each ? each_expected(h) : root ? 0 : loop->action.bytes;
    h->me.p->receiver |= c->expected > 0;
    check_arrived(h, own_gathering(h));
    if (each) {
        uint32_t me = each_me(h);
        uint64_t own = each_bytes(h, me, me);
        cost_copy(h, own, own); /* what it sends to itself */
        if (data && data->out_bytes[me])
            memcpy(data->in + data->in_at[me], data->data + data->out_at[me], data->out_bytes[me]);
        each_settle(h);
    } else if (root) {
        c->attachment = root_attachment(h);
    }
}

bool spread_packet(const struct here *h, unsigned pick, struct nic_packet *packet)
{
    struct forward f;
    unsigned port = pick;
    if (pick == PICK_EACH)
        return each_packet(h, packet);
    if (pick >= PICK_COLOUR) {
        if (!root_packet(h, pick - PICK_COLOUR, &f, &port))
            return false;
    } else if (h->loop->forward[pick].first != NONE) {
        f = *forward_at(h->s, h->loop->forward[pick].first);
    } else {
        return false;
    }
    *packet = cast_packet(h, &f, port);
    return true;
}

bool spread_has_packets(const struct here *h)
{
    struct nic_packet packet;
    if (h->loop->forwards)
        return true;
    if (!spread_is(h->loop->collective.kind))
        return false;
    for (unsigned pick = PICK_COLOUR; pick <= PICK_EACH; pick++)
        if (spread_packet(h, pick, &packet))
            return true;
    return false;
}

void spread_written(struct here *h, unsigned pick)
{
    struct advance_loop *loop = h->loop;
    if (pick == PICK_EACH) {
        loop->collective.turn++;
        each_settle(h);
    } else if (pick >= PICK_COLOUR) {
        loop->collective.written[pick - PICK_COLOUR]++;
    } else {
        slots_put(&h->s->forwards, slots_take(&h->s->forwards, &loop->forward[pick]));
        loop->forwards--;
    }
}

void spread_read(struct here *h, const struct nic_packet *packet)
{
    struct cargo w = cargo_unpack(packet->cargo);
    bool each = w.code == CODE_EACH;
    WEFT_CHECK(w.code == CODE_CAST || (each && w.to == h->me.slot),
               "node %u was sent what no process sends", h->me.at.node);
    uint32_t context = !each          ? 0
                       : w.attachment ? attachment_at(h->me.all->attachments, w.argument)->context
                                      : w.argument;
    WEFT_CHECK(context < CONTEXTS_MOST, "node %u was sent what no process sends", h->me.at.node);
    const struct collective *c = &h->loop->collective;
    struct gathering *g = gathering_of(h, context, w.number);
    g->arrived += packet->bytes;
    /* A broadcast's attachment comes again and again, those of an all-to-all once. */
    if (w.attachment && w.argument != g->attachment) {
        if (each)
            attachment_at(h->me.all->attachments, w.argument)->next = g->attachment;
        g->attachment = w.argument;
    }
    bool own = spread_is(c->kind) && w.number == c->number && context == c->context;
    if (own)
        check_arrived(h, g);
    cost_store(h, packet->bytes, own ? c->expected : 0);
    process_count(&h->me, packet->bytes, h->loop->core.until);
    if (!each)
        send_on(h, &w, packet->bytes);
}

/* Of the operation that the process is in. */
static uint32_t *find_own(const struct here *h)
{
    const struct collective *c = &h->loop->collective;
    uint32_t *known = map_find(&h->s->gathering, operation_key(&h->me, c->context, c->number));
    WEFT_CHECK(known, "process %u is in no operation", self_number(&h->me));
    return known;
}

bool spread_is_over(const struct here *h)
{
    const uint32_t *known = find_own(h);
    return gathering_at(h->s, *known)->arrived == h->loop->collective.expected &&
           !spread_has_packets(h);
}

/* Takes out what attachments brought. */
static void open_attachments(struct here *h, uint32_t first)
{
    struct attachments *attachments = h->me.all->attachments;
    const struct action *a = &h->loop->action;
    bool each = h->loop->collective.kind == STEP_EACH;
    while (first != ATTACHMENT_NONE) {
        const struct attachment *l = attachment_at(attachments, first);
        uint32_t number = first, source = l->tag;
        uint64_t expected = each ? a->data->in_bytes[source] : a->bytes;
        if (l->bytes != expected)
            RUN_ABANDONED(("process %u expects %llu bytes of process %u, which sends %llu",
                           self_number(&h->me), (unsigned long long)expected,
                           each ? each_process(h, source) : source, (unsigned long long)l->bytes),
                          NO_REMEDY);
        memcpy(each ? a->data->in + a->data->in_at[source] : a->data->data, l->data, l->bytes);
        first = each ? l->next : ATTACHMENT_NONE;
        attachment_free(attachments, number);
    }
}

void spread_end(struct here *h)
{
    uint32_t *known = find_own(h);
    open_attachments(h, gathering_at(h->s, *known)->attachment);
    h->me.p->messages += h->loop->collective.expected > 0;
    slots_put(&h->s->gatherings, *known);
    map_drop(&h->s->gathering, known);
}
