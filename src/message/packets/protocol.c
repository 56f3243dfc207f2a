/*
 * The four protocols (MSG, 6): which packets a message consists of, and what a packet does when it
 * has been read. Everything happens at the time of the core that does it, which its steps move on.
 */
#include "message/packets/packets.h"

#include "base/random.h"

/* ---- messages and their packets ---- */

enum code protocol_code(const struct packets *p, uint64_t bytes, uint8_t shape)
{
    const struct steps_params *steps = &p->steps;
    bool one = bytes + steps->metadata_bytes <= p->full;
    if (shape & SHAPE_SYNCHRONOUS)
        return CODE_SCOUT;
    switch (steps->protocol) {
    case PROTOCOL_EAGER:
        return CODE_FIRST;
    case PROTOCOL_ADAPTIVE:
        return CODE_ADAPTIVE_FIRST;
    case PROTOCOL_RENDEZVOUS:
        return CODE_SCOUT;
    case PROTOCOL_ONE_PACKET:
        return one ? CODE_ONE : CODE_FIRST;
    default:
        return one ? CODE_ONE : bytes <= steps->eager_bytes ? CODE_FIRST : CODE_SCOUT;
    }
}

static bool is_control(const struct message *m)
{
    return m->code == CODE_ACK || m->code == CODE_CONFIRM;
}

/* Whether a packet carries an envelope, and no other data but what fits beside it. */
static bool has_envelope(enum code code)
{
    return code == CODE_ONE || code == CODE_FIRST || code == CODE_SCOUT ||
           code == CODE_ADAPTIVE_FIRST;
}

/* Whether packets may take any way. */
static bool is_adaptive(enum code code)
{
    return code == CODE_DATA || code == CODE_ACK || code == CODE_ADAPTIVE_FIRST ||
           code == CODE_ADAPTIVE_NEXT || code == CODE_CONFIRM;
}

/* Bytes of the message in its next packet. */
static uint32_t payload_of(const struct packets *p, const struct message *m)
{
    uint32_t room = p->full - (has_envelope(m->code) ? p->steps.metadata_bytes : 0);
    uint64_t left = m->bytes - m->moved;
    if (m->code == CODE_SCOUT || is_control(m))
        return 0;
    return left < room ? (uint32_t)left : room;
}

/* Which of two equally long ways: ordered packets of a pair always take the same. */
static uint32_t turn_of(const struct here *h, const struct message *m)
{
    uint64_t pair =
        random_mix((uint64_t)self_drawn(&h->me) << 32 | process_drawn(h->me.all, m->peer));
    return (uint32_t)(is_adaptive(m->code) ? random_mix(pair + m->number) : pair);
}

uint8_t protocol_ring(const struct here *h, const struct nic_packet *packet)
{
    struct nic *nic = h->me.all->nic;
    if (packet->node == h->me.at.node)
        return VIRTUAL_RING;
    unsigned direction = nic->kind->fifos->direction(nic, h->me.at.node, packet);
    if (h->all->cores.mode != MODE_VIRTUAL_NODE)
        return (uint8_t)direction;
    uint32_t each = nic->traits.directions / nic->traits.groups;
    return (uint8_t)(h->me.slot * each + direction / nic->traits.groups);
}

static uint8_t ring_of(const struct here *h, const struct message *m)
{
    struct nic_packet packet = {.node = process_node(h->me.all, m->peer),
                                .turn = turn_of(h, m),
                                .flags = is_adaptive(m->code) ? NIC_ADAPTIVE : 0};
    return protocol_ring(h, &packet);
}

uint8_t protocol_group(const struct here *h, uint32_t process)
{
    bool own = h->all->cores.mode == MODE_VIRTUAL_NODE;
    return own ? (uint8_t)process_slot(h->me.all, process) : 0;
}

/* What the cargo of a message's next packet says besides who and what (packets.h). */
static uint32_t argument_of(const struct here *h, const struct message *m)
{
    const struct packets *p = h->all;
    bool coprocessor = p->cores.mode == MODE_COPROCESSOR && (m->shape & SHAPE_LINES);
    if (has_envelope(m->code))
        return m->attachment == ATTACHMENT_NONE ? (uint32_t)m->bytes : m->attachment;
    if (m->code == CODE_ACK)
        return coprocessor ? 1 : protocol_group(h, self_number(&h->me));
    return (uint32_t)((m->moved + (m->code == CODE_DATA ? 0 : p->steps.metadata_bytes)) / p->full);
}

struct nic_packet protocol_packet(const struct here *h, uint32_t index)
{
    const struct message *m = message_at(h->me.s, index);
    struct cargo cargo = {.code = m->code,
                          .from = h->me.slot,
                          .to = process_slot(h->me.all, m->peer),
                          .number = m->number,
                          .argument = argument_of(h, m),
                          .attachment = has_envelope(m->code) && m->attachment != ATTACHMENT_NONE};
    return (struct nic_packet){.node = process_node(h->me.all, m->peer),
                               .bytes = payload_of(h->all, m),
                               .extra = has_envelope(m->code) ? h->all->steps.metadata_bytes : 0,
                               .cargo = cargo_pack(&cargo),
                               .turn = turn_of(h, m),
                               .flags = is_adaptive(m->code) ? NIC_ADAPTIVE : 0,
                               .group = m->group,
                               .fifo = m->ring};
}

/* ---- sending ---- */

/* A message has packets to write from now on. */
static void start_sending(struct here *h, uint32_t index)
{
    slots_append(&h->me.s->messages, &h->loop->out[message_at(h->me.s, index)->ring], index);
}

static void send_control(struct here *h, enum code code, uint32_t peer, uint32_t number,
                         uint8_t shape)
{
    uint32_t index = message_new(&h->me, peer);
    struct message *m = message_at(h->me.s, index);
    m->code = (uint8_t)code;
    m->number = number;
    m->shape = shape;
    m->group = protocol_group(h, peer);
    cost_software(h, h->all->steps.control_cycles);
    m->ring = ring_of(h, m);
    slots_prepend(&h->me.s->messages, &h->loop->out[m->ring], index);
    h->loop->controls++;
}

/* What this process has for another one; made if there is nothing yet. */
static struct partner *partner_of(struct here *h, uint64_t key)
{
    uint32_t *index = map_add(&h->s->partner, key, NONE);
    if (*index == NONE) {
        *index = slots_get(&h->s->partners);
        *partner_at(h->s, *index) = (struct partner){.queue.first = NONE, .data.first = NONE};
    }
    return partner_at(h->s, *index);
}

/* The next messages to a partner may start, if there are any. */
static void next_to_partner(struct here *h, uint64_t key)
{
    struct packets_part *s = h->s;
    uint32_t *known = map_find(&s->partner, key);
    struct partner *p = partner_at(s, *known);
    if (!p->sending && !p->unconfirmed && p->queue.first != NONE) {
        p->sending = true;
        start_sending(h, slots_take(&h->me.s->messages, &p->queue));
    }
    if (!p->streaming && p->data.first != NONE) {
        p->streaming = true;
        start_sending(h, slots_take(&h->me.s->messages, &p->data));
    }
    if (p->sending || p->streaming || p->unconfirmed)
        return;
    slots_put(&s->partners, *known);
    map_drop(&s->partner, known);
}

/* Queues a message behind those to the same peer, or starts it. */
static void queue_message(struct here *h, uint32_t index)
{
    struct message *m = message_at(h->me.s, index);
    uint64_t key = self_key(&h->me, m->peer);
    bool one = payload_of(h->all, m) == m->bytes || m->code == CODE_SCOUT;
    if (!map_find(&h->s->partner, key) && one && !is_adaptive(m->code)) {
        start_sending(h, index); /* nothing can overtake a single packet on a fixed path */
        return;
    }
    m->ordered = true;
    slots_append(&h->me.s->messages, &partner_of(h, key)->queue, index);
    next_to_partner(h, key);
}

/* Queues a new message; returns its ring. */
static uint8_t begin(struct here *h, uint32_t index)
{
    struct message *m = message_at(h->me.s, index);
    m->code = (uint8_t)protocol_code(h->all, m->bytes, m->shape);
    m->group = protocol_group(h, m->peer);
    m->ring = ring_of(h, m);
    queue_message(h, index);
    return message_at(h->me.s, index)->ring;
}

void protocol_send(struct here *h)
{
    h->loop->push = (uint8_t)(begin(h, process_send(&h->me, &h->loop->action)) + 1);
}

void protocol_reply(struct self *me, uint32_t peer, uint32_t attachment, fine_t when)
{
    struct here *h = (struct here *)me;
    (void)when; /* the core's own time */
    cost_software(h, h->all->steps.post_cycles);
    begin(h, process_send_reply(me, peer, attachment));
}

/* The last packet that a message had to write has left. */
static void finish_writing(struct here *h, uint32_t index, enum code code)
{
    const struct message *m = message_at(h->me.s, index);
    uint64_t key = self_key(&h->me, m->peer);
    bool ordered = m->ordered, data = code == CODE_DATA;
    if (code == CODE_SCOUT) {
        message_at(h->me.s, index)->code = CODE_DATA;
        process_ask(&h->me, index);
    } else if (is_control(m)) {
        slots_put(&h->me.s->messages, index);
    } else { /* the sender's buffer is free */
        cost_software(h, h->all->steps.callback_cycles);
        process_sent(&h->me, index, h->loop->core.until);
    }
    if (!ordered && !data)
        return;
    struct partner *partner = partner_at(h->s, *map_find(&h->s->partner, key));
    *(data ? &partner->streaming : &partner->sending) = false;
    next_to_partner(h, key);
}

void protocol_written(struct here *h, uint32_t index)
{
    struct message *m = message_at(h->me.s, index);
    struct slots_list *ring = &h->loop->out[m->ring];
    enum code code = (enum code)m->code;
    m->moved += payload_of(h->all, m);
    h->loop->controls -= is_control(m);
    if (code == CODE_FIRST)
        m->code = CODE_NEXT;
    if (code == CODE_ADAPTIVE_FIRST) {
        m->code = CODE_ADAPTIVE_NEXT;
        partner_at(h->s, *map_find(&h->s->partner, self_key(&h->me, m->peer)))->unconfirmed = true;
    }
    WEFT_CHECK(ring->first == index, "process %u has written out of turn", self_number(&h->me));
    slots_take(&h->me.s->messages, ring);
    if (m->moved < m->bytes && code != CODE_SCOUT)
        start_sending(h, index); /* after those to other processes */
    else
        finish_writing(h, index, code);
}

/* ---- receiving ---- */

/* A packet of a message, as it has been read. */
struct arrival {
    struct cargo cargo;
    uint32_t source, bytes; /* process; of payload */
};

/* A message has arrived that its process waits for. Packets that come in any order have numbers:
 * each has come once. */
static void finish_receive(struct here *h, uint32_t index)
{
    const struct message *m = message_at(h->me.s, index);
    bool adaptive = m->code == CODE_ADAPTIVE_FIRST;
    uint64_t bytes = m->bytes + (adaptive ? h->all->steps.metadata_bytes : 0);
    uint64_t packets = packets_of(bytes, h->all->full);
    WEFT_CHECK((!adaptive && m->code != CODE_SCOUT) || m->pieces == packets * (packets - 1) / 2,
               "process %u has got a packet twice, or not at all", self_number(&h->me));
    if (m->remote == REMOTE_CALL && attachment_at(h->me.all->attachments, m->attachment)->combines)
        cost_combine(h, m->moved, m->moved);
    process_received(&h->me, index, h->loop->core.until);
}

/* The envelope of a message has come (recvnew): the receive that it is for, or a new arrival. */
static uint32_t meet(struct here *h, enum code code, const struct arrival *a)
{
    const struct cargo *w = &a->cargo;
    uint32_t attachment = w->attachment ? w->argument : ATTACHMENT_NONE;
    cost_software(h, h->all->steps.callback_cycles);
    uint32_t index = process_meet(&h->me, a->source, attachment);
    struct message *m = message_at(h->me.s, index);
    h->s->unexpected += !m->received;
    m->bytes =
        w->attachment ? attachment_at(h->me.all->attachments, attachment)->bytes : w->argument;
    m->number = w->number;
    m->code = (uint8_t)code;
    m->known = true;
    return index;
}

/* Bytes of a message have come; those of an arrival are in a buffer of the layer's own. */
static void take_bytes(struct here *h, uint32_t index, uint32_t bytes)
{
    enum { QUAD_WORD = 16 };
    struct message *m = message_at(h->me.s, index);
    m->moved += bytes;
    m->early += m->received ? 0 : bytes;
    cost_store(h, bytes, m->bytes);
    if (m->received && m->shape & SHAPE_STRIDED)
        cost_copy(h, bytes, m->bytes);
    else if (m->received && m->shape & SHAPE_UNALIGNED)
        /* Realignment overlaps with the read (MSG, 5.3), all but that of the last quad word. */
        cost_copy(h, bytes < QUAD_WORD ? bytes : QUAD_WORD, 0);
    process_count(&h->me, bytes, h->loop->core.until);
    WEFT_CHECK(!m->known || m->moved <= m->bytes, "process %u is sent more than it was told",
               self_number(&h->me));
}

static bool is_whole(const struct message *m)
{
    return m->known && m->moved == m->bytes;
}

/* recvdone, if the message is whole and a receive: by the process's own core. */
static void settle(struct here *h, uint32_t index)
{
    const struct message *m = message_at(h->me.s, index);
    if (!is_whole(m) || !m->received)
        return;
    cost_software(h, h->all->steps.callback_cycles);
    finish_receive(h, index);
}

void protocol_finish(struct here *h)
{
    settle(h, h->loop->message);
}

static void read_one(struct here *h, const struct arrival *a)
{
    uint32_t index = meet(h, CODE_ONE, a);
    take_bytes(h, index, a->bytes);
    cost_copy(h, a->bytes, a->bytes); /* out of the packet, before the callback returns */
    if (message_at(h->me.s, index)->received)
        finish_receive(h, index);
}

static void read_first(struct here *h, const struct arrival *a)
{
    uint32_t index = meet(h, CODE_FIRST, a);
    cost_software(h, h->all->steps.object_cycles);
    take_bytes(h, index, a->bytes);
    if (!is_whole(message_at(h->me.s, index)))
        map_add(&h->me.s->incoming, self_key(&h->me, a->source), index);
    settle(h, index);
}

static void read_next(struct here *h, const struct arrival *a)
{
    uint32_t *known = map_find(&h->me.s->incoming, self_key(&h->me, a->source));
    WEFT_CHECK(known, "process %u is sent a packet of no message", self_number(&h->me));
    uint32_t index = *known;
    take_bytes(h, index, a->bytes);
    if (is_whole(message_at(h->me.s, index)))
        map_drop(&h->me.s->incoming, known);
    settle(h, index);
}

/* Tells the sender where the data go. */
static void answer(struct here *h, uint32_t index)
{
    const struct message *m = message_at(h->me.s, index);
    uint32_t source = m->peer, number = m->number;
    map_add(&h->me.s->numbered, number_key(&h->me, source, number), index);
    send_control(h, CODE_ACK, source, number, m->shape);
}

static void read_scout(struct here *h, const struct arrival *a)
{
    uint32_t index = meet(h, CODE_SCOUT, a);
    cost_software(h, h->all->steps.object_cycles);
    if (message_at(h->me.s, index)->received)
        answer(h, index);
}

/* The data may go, after those of earlier messages to the same process. */
static void read_ack(struct here *h, const struct arrival *a)
{
    uint32_t index = process_asked(&h->me, a->cargo.number);
    struct message *m = message_at(h->me.s, index);
    cost_software(h, h->all->steps.lookup_cycles + h->all->steps.connect_cycles);
    m->ordered = false;
    m->group = (uint8_t)(a->cargo.argument & 1);
    m->ring = ring_of(h, m);
    uint64_t key = self_key(&h->me, m->peer);
    slots_append(&h->me.s->messages, &partner_of(h, key)->data, index);
    next_to_partner(h, key);
}

/* Data know where they go: they are counted, no more. */
static void read_data(struct here *h, const struct arrival *a)
{
    uint64_t key = number_key(&h->me, a->source, a->cargo.number);
    uint32_t *known = map_find(&h->me.s->numbered, key);
    WEFT_CHECK(known, "process %u is sent data that it did not ask for", self_number(&h->me));
    uint32_t index = *known;
    take_bytes(h, index, a->bytes);
    message_at(h->me.s, index)->pieces += a->cargo.argument;
    if (!is_whole(message_at(h->me.s, index)))
        return;
    map_drop(&h->me.s->numbered, known);
    if (h->core == core_main(h->all->cores.mode, h->me.slot)) {
        settle(h, index);
        return;
    }
    /* The other core must see what this one wrote: the caches are not coherent. */
    h->loop->message = index;
    h->loop->doing = DOING_FLUSH;
    cost_flush(h);
}

/* ---- adaptive eager ---- */

/* Joins what came before the first packet to the message that it belongs to. */
static void join(struct here *h, uint32_t index, uint32_t early)
{
    struct message *m = message_at(h->me.s, index), *e = message_at(h->me.s, early);
    m->moved = e->moved;
    m->pieces = e->pieces;
    m->early = m->received ? 0 : e->moved;
    if (m->received)
        cost_copy(h, e->moved, m->bytes);
    slots_put(&h->me.s->messages, early);
}

static void settle_numbered(struct here *h, uint32_t index, uint64_t key)
{
    if (is_whole(message_at(h->me.s, index)))
        map_remove(&h->me.s->numbered, key);
    settle(h, index);
}

static void read_adaptive_first(struct here *h, const struct arrival *a)
{
    uint64_t key = number_key(&h->me, a->source, a->cargo.number);
    cost_software(h, h->all->steps.lookup_cycles + h->all->steps.object_cycles);
    uint32_t index = meet(h, CODE_ADAPTIVE_FIRST, a);
    uint32_t *known = map_find(&h->me.s->numbered, key);
    if (known)
        join(h, index, *known);
    *map_add(&h->me.s->numbered, key, index) = index;
    take_bytes(h, index, a->bytes);
    send_control(h, CODE_CONFIRM, a->source, a->cargo.number, 0);
    settle_numbered(h, index, key);
}

static void read_adaptive_next(struct here *h, const struct arrival *a)
{
    uint64_t key = number_key(&h->me, a->source, a->cargo.number);
    cost_software(h, h->all->steps.lookup_cycles);
    uint32_t *known = map_add(&h->me.s->numbered, key, NONE);
    if (*known == NONE) /* before its first one: it has no envelope yet */
        *known = message_new(&h->me, a->source);
    uint32_t index = *known;
    take_bytes(h, index, a->bytes);
    message_at(h->me.s, index)->pieces += a->cargo.argument;
    settle_numbered(h, index, key);
}

static void read_confirm(struct here *h, const struct arrival *a)
{
    uint64_t key = self_key(&h->me, a->source);
    uint32_t *known = map_find(&h->s->partner, key);
    cost_software(h, h->all->steps.lookup_cycles);
    WEFT_CHECK(known, "process %u is confirmed what it did not send", self_number(&h->me));
    partner_at(h->s, *known)->unconfirmed = false;
    next_to_partner(h, key);
}

static void (*const readers[MESSAGE_CODES])(struct here *h, const struct arrival *a) = {
    [CODE_ONE] = read_one,
    [CODE_FIRST] = read_first,
    [CODE_NEXT] = read_next,
    [CODE_SCOUT] = read_scout,
    [CODE_ACK] = read_ack,
    [CODE_DATA] = read_data,
    [CODE_ADAPTIVE_FIRST] = read_adaptive_first,
    [CODE_ADAPTIVE_NEXT] = read_adaptive_next,
    [CODE_CONFIRM] = read_confirm,
};

void protocol_read(struct here *h, const struct nic_packet *packet)
{
    const struct processes *all = h->me.all;
    struct arrival a = {.cargo = cargo_unpack(packet->cargo), .bytes = packet->bytes};
    const struct cargo *w = &a.cargo;
    bool known = w->to == h->me.slot && w->from < all->o.per_node && w->code < MESSAGE_CODES;
    a.source = known ? process_number(all, packet->node, w->from) : MAPPING_NONE;
    WEFT_CHECK(a.source < all->o.processes, "node %u was sent what no process sends",
               h->me.at.node);
    readers[w->code](h, &a);
}

/* ---- posting a receive ---- */

void protocol_receive(struct here *h)
{
    uint32_t index = process_receive(&h->me, &h->loop->action);
    const struct message *m = message_at(h->me.s, index);
    if (!m->known) /* nothing has come for it */
        return;
    cost_copy(h, m->early, m->bytes);
    if (m->code == CODE_SCOUT)
        answer(h, index);
    else if (m->code == CODE_ONE)
        finish_receive(h, index);
    else
        settle(h, index);
}
