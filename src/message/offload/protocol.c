/* Eager messages, requests and streams. */
#include "message/offload/offload.h"

/* ---- notices ---- */

static uint32_t new_notice(struct offload_part *s, const struct notice *notice)
{
    uint32_t index = slots_get(&s->notices);
    *notice_at(s, index) = *notice;
    return index;
}

/* Takes the oldest notice of a message; false: there is none. */
static bool take_notice(struct self *me, struct message *m, struct notice *notice)
{
    struct offload_part *s = part_of(me);
    if (m->notices.first == NONE)
        return false;
    uint32_t oldest = slots_take(&s->notices, &m->notices);
    *notice = *notice_at(s, oldest);
    slots_put(&s->notices, oldest);
    return true;
}

void offload_put_off(struct self *me, const struct notice *notice)
{
    struct offload_part *s = part_of(me);
    uint32_t index = new_notice(s, notice);
    notice_at(s, index)->next = s->later[me->at.local];
    s->later[me->at.local] = index;
    cycle_t now = nic_now(me->all->nic, me->at.partition), then = fine_cycle_after(notice->when);
    nic_wake(me->all->nic, &me->at, then > now ? then : now + 1);
}

/* ---- sending ---- */

/* What the bytes of a message cost the processor. */
static fine_t byte_time(const struct self *me, uint64_t bytes)
{
    return fine_length((double)bytes * offload_of(me)->byte_cycles);
}

/* Posts, and keeps the processor busy for as long as the nic does. */
static void post(struct self *me, const struct nic_send *send)
{
    fine_t free = nic_post(me->all->nic, &me->at, send);
    me->p->busy = fine_max(me->p->busy, free);
}

/* An event to another process, made by this one's processor. */
static struct nic_send event_to(struct self *me, uint32_t process, struct cargo cargo)
{
    fine_t when = me->p->busy, time = offload_of(me)->send_time;
    cargo.from = me->slot;
    cargo.to = process_slot(me->all, process);
    me->p->busy += time;
    return (struct nic_send){.to = process_node(me->all, process),
                             .cargo = cargo_pack(&cargo),
                             .birth = when >> FRACTION_BITS,
                             .ready = me->p->busy,
                             .gap = time,
                             .mine = NONE,
                             .flags = NIC_ADAPTIVE,
                             .queue = (uint8_t)me->slot};
}

static void post_event(struct self *me, uint32_t process, struct cargo cargo)
{
    struct nic_send send = event_to(me, process, cargo);
    post(me, &send);
}

static uint64_t own_packets(const struct self *me, uint64_t bytes)
{
    return packets_of(bytes, me->all->nic->traits.packet_payload);
}

/* Whether a message goes eagerly: it is short, and the receiver has room for it. If so, `back` is
 * what it gives back to the receiver. */
static bool is_eager(struct self *me, const struct message *m, uint32_t *back)
{
    return !(m->shape & SHAPE_SYNCHRONOUS) && m->bytes <= me->all->software.eager_bytes &&
           room_take(&part_of(me)->room, self_key(me, m->peer), (uint32_t)own_packets(me, m->bytes),
                     back);
}

static void send_eager(struct self *me, uint32_t index, uint32_t back)
{
    struct message *m = message_at(me->s, index);
    uint64_t packets = own_packets(me, m->bytes);
    struct cargo cargo = {.code = CODE_EAGER,
                          .number = back,
                          .argument = m->attachment,
                          .attachment = m->attachment != ATTACHMENT_NONE};
    struct nic_send send = event_to(me, m->peer, cargo);
    send.bytes = m->bytes;
    send.mine = index;
    send.ready = me->p->busy += byte_time(me, m->bytes);
    me->p->busy += (packets - 1) * offload_of(me)->send_time;
    m->streams = 1;
    post(me, &send);
}

static void send_request(struct self *me, uint32_t index)
{
    const struct message *m = message_at(me->s, index);
    bool attached = m->attachment != ATTACHMENT_NONE;
    struct cargo cargo = {.code = CODE_REQUEST,
                          .number = m->number,
                          .argument = attached ? m->attachment : (uint32_t)m->bytes,
                          .attachment = attached};
    process_ask(me, index);
    post_event(me, m->peer, cargo);
}

/* Through memory: the sender copies, and is done when the receiver has the message. */
static void send_local(struct self *me, uint32_t index)
{
    const struct message *m = message_at(me->s, index);
    me->p->busy += offload_of(me)->send_time;
    offload_copy(me, m->bytes);
    struct notice notice = {.when = me->p->busy,
                            .bytes = m->bytes,
                            .source = self_number(me),
                            .message = index,
                            .attachment = m->attachment,
                            .code = CODE_LOCAL,
                            .synchronous = m->shape & SHAPE_SYNCHRONOUS,
                            .to = (uint8_t)(process_slot(me->all, m->peer)),
                            .last = true};
    offload_put_off(me, &notice);
}

enum { RAILS_MOST = 16 };

/* Chooses the routes of a message: the best or, for a long one, several that share nothing. */
static uint32_t choose_routes(struct self *me, uint32_t to, uint64_t bytes,
                              uint64_t route[RAILS_MOST])
{
    const struct software_params *software = &me->all->software;
    uint64_t packets = own_packets(me, bytes);
    uint32_t rails_most = me->all->nic->traits.routes, wanted = software->rails;
    uint32_t most = wanted < rails_most ? wanted : rails_most;
    most = packets < most ? (uint32_t)packets : most;
    route[0] = 0;
    if (bytes < software->rails_bytes || most < 2)
        return 1;
    uint32_t rails = nic_routes(me->all->nic, me->at.node, to, most, route);
    part_of(me)->rail_messages++;
    part_of(me)->rail_streams += rails;
    return rails;
}

/* Has the engine stream `bytes` from `when` on; returns over how many rails. */
static uint32_t stream(struct self *me, uint32_t peer, uint64_t bytes, const struct cargo *cargo,
                       fine_t when, uint32_t mine)
{
    uint64_t route[RAILS_MOST], left = bytes;
    uint32_t to = process_node(me->all, peer), rails = choose_routes(me, to, left, route);
    cycle_t now = nic_now(me->all->nic, me->at.partition);
    for (uint32_t rail = 0; rail < rails; rail++) {
        uint64_t share = left / (rails - rail);
        struct nic_send send = {.to = to,
                                .bytes = share,
                                .cargo = cargo_pack(cargo),
                                .route = route[rail],
                                .birth = when >> FRACTION_BITS,
                                .ready = fine_max(when, fine_at(now + 1)),
                                .mine = mine,
                                .flags = NIC_STREAM,
                                .queue = (uint8_t)me->slot};
        left -= share;
        nic_post(me->all->nic, &me->at, &send);
    }
    return rails;
}

void offload_stream(struct self *me, uint32_t number, fine_t when)
{
    uint32_t index = process_asked(me, number);
    struct message *m = message_at(me->s, index);
    struct cargo cargo = {.code = CODE_DATA,
                          .from = me->slot,
                          .to = process_slot(me->all, m->peer),
                          .number = number};
    if (offload_of(me)->byte_cycles > 0)
        when = me->p->busy = fine_max(me->p->busy, when) + byte_time(me, m->bytes);
    m->streams = stream(me, m->peer, m->bytes, &cargo, when, index);
}

/* ---- calls that engines serve ---- */

static bool is_inside(const struct self *me, uint32_t process)
{
    return process_node(me->all, process) == me->at.node;
}

/* A call goes directly where engines move all bytes, and within the node, through memory. */
static bool is_direct(const struct self *me, const struct message *m)
{
    bool direct =
        m->remote == REMOTE_CALL && attachment_at(me->all->attachments, m->attachment)->direct;
    return is_inside(me, m->peer) ? m->remote == REMOTE_CALL
                                  : direct && !(offload_of(me)->byte_cycles > 0);
}

static void post_direct(struct self *me, uint32_t peer, uint32_t number, uint32_t attachment,
                        fine_t when)
{
    uint64_t bytes = attachment_at(me->all->attachments, attachment)->bytes;
    struct cargo cargo = {.code = CODE_DIRECT,
                          .from = me->slot,
                          .to = process_slot(me->all, peer),
                          .number = number,
                          .argument = attachment,
                          .attachment = true};
    struct notice notice = {.when = when,
                            .bytes = bytes,
                            .source = self_number(me),
                            .message = number,
                            .attachment = attachment,
                            .code = CODE_DIRECT,
                            .to = (uint8_t)cargo.to,
                            .last = true};
    if (is_inside(me, peer))
        offload_put_off(me, &notice);
    else
        stream(me, peer, bytes, &cargo, when, NONE);
}

/* Its reply says that it has left, too. */
static void send_direct(struct self *me, uint32_t index)
{
    struct message *m = message_at(me->s, index);
    m->left = true;
    me->p->busy += offload_of(me)->send_time;
    if (is_inside(me, m->peer))
        offload_copy(me, m->bytes);
    post_direct(me, m->peer, m->number, m->attachment, me->p->busy);
}

void offload_reply(struct self *me, uint32_t peer, uint32_t attachment, fine_t when)
{
    const struct attachment *a = attachment_at(me->all->attachments, attachment);
    uint32_t number = me->p->sent++ & (CARGO_NUMBERS - 1);
    if (!a->direct || offload_of(me)->byte_cycles > 0)
        when = me->p->busy =
            fine_max(me->p->busy, when) + offload_of(me)->send_time + byte_time(me, a->bytes);
    post_direct(me, peer, number, attachment, when);
}

/* All of a call has come: engines serve it now, or the processor when it has time. */
static void take_call(struct self *me, uint32_t index, fine_t when)
{
    struct message *m = message_at(me->s, index);
    const struct attachment *a = attachment_at(me->all->attachments, m->attachment);
    if (a->direct && (is_inside(me, m->peer) || !(offload_of(me)->byte_cycles > 0))) {
        process_received(me, index, when);
        return;
    }
    m->reply_when = when;
    slots_append(&me->s->messages, &part_of(me)->calls[self_index(me)], index);
}

/* A piece of a call that comes as a message: nothing is done before all of it is there. */
static void take_piece(struct self *me, uint32_t index, const struct notice *notice)
{
    struct message *m = message_at(me->s, index);
    m->moved += notice->bytes;
    m->eager = true;
    if (notice->last)
        take_call(me, index, notice->when);
}

/* The room of an eager message is free, which its sender may have to be told. */
static void free_room(struct self *me, const struct message *m)
{
    uint32_t packets = (uint32_t)own_packets(me, m->moved), source = m->peer;
    uint32_t back = room_owe(&part_of(me)->room, self_key(me, source), packets);
    if (back)
        post_event(me, source, (struct cargo){.code = CODE_ROOM, .number = back});
}

/* Each packet of an eager call takes an event. */
void offload_serve(struct self *me)
{
    uint32_t index = slots_take(&me->s->messages, &part_of(me)->calls[self_index(me)]);
    const struct message *m = message_at(me->s, index);
    uint64_t events = m->eager ? own_packets(me, m->moved) : 1;
    me->p->busy = fine_max(me->p->busy, m->reply_when) + events * offload_of(me)->receive_time +
                  (is_inside(me, m->peer) ? 0 : byte_time(me, m->moved));
    if (m->eager)
        free_room(me, m);
    if (attachment_at(me->all->attachments, m->attachment)->combines)
        offload_combine(me, m->moved);
    process_received(me, index, me->p->busy);
}

/* All of a reply has come. What engines have done within the node the processor does itself. */
static void take_reply(struct self *me, uint32_t index, fine_t when)
{
    const struct message *m = message_at(me->s, index);
    bool inside = is_inside(me, m->peer);
    bool own = inside && attachment_at(me->all->attachments, m->attachment)->direct;
    when = inside ? when : nic_notify(me->all->nic, &me->at, when);
    me->p->busy = fine_max(me->p->busy, when) + (own ? 0 : offload_of(me)->receive_time) +
                  (inside ? 0 : byte_time(me, m->moved));
    if (inside)
        offload_copy(me, m->moved);
    process_received(me, index, me->p->busy);
}

static void take_direct(struct self *me, const struct notice *notice)
{
    uint64_t key = number_key(me, notice->source, notice->message);
    const uint32_t *known = map_find(&me->s->numbered, key);
    uint32_t index = known ? *known : process_meet(me, notice->source, notice->attachment);
    struct message *m = message_at(me->s, index);
    m->moved += notice->bytes;
    if (m->moved < attachment_at(me->all->attachments, m->attachment)->bytes) {
        map_add(&me->s->numbered, key, index);
        return;
    }
    if (known)
        map_remove(&me->s->numbered, key);
    (m->remote == REMOTE_CALL ? take_call : take_reply)(me, index, notice->when);
}

/* ---- what an action sends ---- */

void offload_send(struct self *me, const struct action *action)
{
    uint32_t index = process_send(me, action), back;
    if (is_direct(me, message_at(me->s, index)))
        send_direct(me, index);
    else if (process_node(me->all, action->to) == me->at.node)
        send_local(me, index);
    else if (is_eager(me, message_at(me->s, index), &back))
        send_eager(me, index, back);
    else
        send_request(me, index);
}

/* ---- receiving ---- */

/* The receiver's engine gets the message from the sender's memory. */
static void get(struct self *me, const struct message *m)
{
    struct cargo cargo = {.code = CODE_DATA,
                          .from = process_slot(me->all, m->peer),
                          .to = me->slot,
                          .number = m->number};
    me->p->busy += offload_of(me)->send_time;
    struct nic_send send = {.to = process_node(me->all, m->peer),
                            .bytes = m->bytes,
                            .cargo = cargo_pack(&cargo),
                            .birth = me->p->busy >> FRACTION_BITS,
                            .ready = me->p->busy,
                            .mine = NONE,
                            .flags = NIC_GET,
                            .queue = (uint8_t)me->slot};
    post(me, &send);
}

static bool gets(const struct self *me)
{
    return me->all->software.rendezvous == RENDEZVOUS_GET && me->all->nic->traits.gets;
}

/* The receiver's software has seen a request: it commands the sender's engine, or its own. */
static void answer(struct self *me, uint32_t index, const struct notice *request)
{
    struct message *m = message_at(me->s, index);
    m->bytes = request->bytes;
    m->number = request->message;
    map_add(&me->s->numbered, number_key(me, m->peer, m->number), index);
    if (gets(me))
        get(me, m);
    else
        post_event(me, m->peer, (struct cargo){.code = CODE_ANSWER, .number = m->number});
}

static void regain_room(struct self *me, uint32_t peer, uint32_t packets)
{
    bool can = room_regain(&part_of(me)->room, self_key(me, peer), packets);
    WEFT_CHECK(can, "process %u is given room for %u packets that it did not take", self_number(me),
               packets);
}

/* The processor takes something for a message that it is receiving. */
static void take(struct self *me, uint32_t index, const struct notice *notice)
{
    bool request = notice->code == CODE_REQUEST;
    bool bare = request || notice->code == CODE_LOCAL;
    if (!request && message_at(me->s, index)->remote == REMOTE_CALL) {
        take_piece(me, index, notice);
        return;
    }
    me->p->busy = fine_max(me->p->busy, notice->when) + offload_of(me)->receive_time +
                  (bare ? 0 : byte_time(me, notice->bytes));
    if (request) {
        answer(me, index, notice);
        return;
    }
    struct message *m = message_at(me->s, index);
    m->moved += notice->bytes;
    if (!notice->last)
        return;
    if (notice->code == CODE_EAGER)
        free_room(me, m);
    if (notice->synchronous) { /* within the node; its sender has waited for the receive */
        struct self sender = self_at(me->all, &me->at, process_slot(me->all, notice->source));
        process_sent(&sender, notice->message, me->p->busy);
        nic_wake(me->all->nic, &me->at, fine_cycle_after(me->p->busy) + 1);
    }
    process_received(me, index, me->p->busy);
}

/* The message that something from a source belongs to; a new one, if none is arriving. */
static uint32_t arriving(struct self *me, const struct notice *notice)
{
    uint64_t key = self_key(me, notice->source);
    const uint32_t *known = map_find(&me->s->incoming, key);
    uint32_t index = known ? *known : process_meet(me, notice->source, notice->attachment);
    if (known && notice->last)
        map_remove(&me->s->incoming, key);
    else if (!known && !notice->last)
        map_add(&me->s->incoming, key, index);
    return index;
}

/* What of the message has arrived is taken at once. */
void offload_receive(struct self *me, const struct action *action)
{
    uint32_t index = process_receive(me, action);
    struct notice notice;
    for (bool last = false; !last && take_notice(me, message_at(me->s, index), &notice);
         last = notice.last)
        take(me, index, &notice);
}

static void take_data(struct self *me, const struct notice *notice)
{
    uint64_t key = number_key(me, notice->source, notice->message);
    const uint32_t *known = map_find(&me->s->numbered, key);
    WEFT_CHECK(known, "process %u is sent what it did not ask for", self_number(me));
    uint32_t index = *known;
    struct message *m = message_at(me->s, index);
    m->moved += notice->bytes;
    if (m->moved < m->bytes)
        return;
    map_remove(&me->s->numbered, key);
    fine_t when = nic_notify(me->all->nic, &me->at, notice->when);
    bool call = m->remote == REMOTE_CALL;
    if (!call)
        me->p->busy =
            fine_max(me->p->busy, when) + offload_of(me)->receive_time + byte_time(me, m->moved);
    if (gets(me))
        post_event(me, notice->source,
                   (struct cargo){.code = CODE_TAKEN, .number = notice->message});
    if (call)
        take_call(me, index, when);
    else
        process_received(me, index, me->p->busy);
}

void offload_take(struct self *me, const struct notice *notice)
{
    if (notice->code == CODE_ROOM) {
        regain_room(me, notice->source, notice->message);
        return;
    }
    process_count(me, notice->code == CODE_REQUEST ? 0 : notice->bytes, notice->when);
    if (notice->code == CODE_EAGER && notice->last && notice->message)
        regain_room(me, notice->source, notice->message);
    if (notice->code == CODE_DATA) {
        take_data(me, notice);
    } else if (notice->code == CODE_DIRECT) {
        take_direct(me, notice);
    } else if (notice->code == CODE_SENT) { /* the engine's event: a message has left */
        me->p->busy = fine_max(me->p->busy, notice->when) + offload_of(me)->receive_time;
        process_sent(me, notice->message, me->p->busy);
    } else {
        struct offload_part *s = part_of(me);
        uint32_t index = arriving(me, notice);
        if (message_at(me->s, index)->received)
            take(me, index, notice);
        else
            slots_append(&s->notices, &message_at(me->s, index)->notices, new_notice(s, notice));
    }
}
