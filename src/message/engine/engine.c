/* Eager messages, requests and streams. */
#include "message/engine/engine.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/random.h"
#include "engine/ranks.h"
#include "message/engine/state.h"
#include "message/cargo.h"

/* This process and another one, or a number, as a key of a map. */
static uint64_t pair_key(const struct self *me, uint32_t other)
{
    return (uint64_t)self_index(me) << 32 | other;
}

/* This process, another one, and the number of a message. */
static uint64_t message_key(const struct self *me, uint32_t source, uint32_t number)
{
    return ((uint64_t)self_index(me) * PROCESSES_MOST + source) * CARGO_NUMBERS + number;
}

static uint32_t new_message(struct carried_part *s, const struct carried_message *message)
{
    uint32_t index = slots_get(&s->messages);
    *message_at(s, index) = *message;
    message_at(s, index)->notes = NONE;
    return index;
}

/* ---- notes ---- */

static uint32_t new_note(struct carried_part *s, const struct carried_note *note)
{
    uint32_t index = slots_get(&s->notes);
    *note_at(s, index) = *note;
    note_at(s, index)->next = index;
    return index;
}

/* Adds a note to a message that nobody receives yet. */
static void keep_note(struct carried_part *s, uint32_t message, const struct carried_note *note)
{
    uint32_t index = new_note(s, note), newest = message_at(s, message)->notes;
    message_at(s, message)->notes = index;
    if (newest == NONE)
        return;
    note_at(s, index)->next = note_at(s, newest)->next;
    note_at(s, newest)->next = index;
}

/* Takes the oldest note of a message; false: there is none. */
static bool take_note(struct carried_part *s, uint32_t message, struct carried_note *note)
{
    uint32_t newest = message_at(s, message)->notes;
    if (newest == NONE)
        return false;
    uint32_t oldest = note_at(s, newest)->next;
    *note = *note_at(s, oldest);
    if (oldest == newest)
        message_at(s, message)->notes = NONE;
    else
        note_at(s, newest)->next = note->next;
    slots_put(&s->notes, oldest);
    return true;
}

/* Keeps something in the node's list until its time has come. */
static void put_off(struct self *me, const struct carried_note *note)
{
    struct carried_part *s = part_of(me);
    uint32_t index = new_note(s, note);
    note_at(s, index)->next = s->later[me->at.local];
    s->later[me->at.local] = index;
    cycle_t now = nic_now(me->all->nic, me->at.partition), then = fine_cycle_after(note->when);
    nic_wake(me->all->nic, &me->at, then > now ? then : now + 1);
}

/* ---- sending ---- */

/* What the bytes of a message cost the processor. */
static fine_t byte_time(const struct self *me, uint64_t bytes)
{
    return fine_length((double)bytes * carried_of(me)->byte_cycles);
}

/* Posts, and keeps the processor busy for as long as the nic does. */
static void post(struct self *me, const struct nic_send *send)
{
    fine_t free = nic_post(me->all->nic, &me->at, send);
    me->p->busy = fine_max(me->p->busy, free);
}

/* An event to another process, made by this one's processor. */
static struct nic_send event_to(struct self *me, uint32_t process, struct cargo words)
{
    fine_t when = me->p->busy, time = carried_of(me)->send_time;
    words.from = me->slot;
    words.to = process_slot(me->all, process);
    me->p->busy += time;
    return (struct nic_send){.to = process_node(me->all, process),
                             .cargo = cargo_pack(&words),
                             .birth = when >> FRACTION_BITS,
                             .ready = me->p->busy,
                             .gap = time,
                             .mine = NONE,
                             .flags = NIC_ADAPTIVE,
                             .queue = (uint8_t)me->slot};
}

static uint64_t packets_of(const struct self *me, uint64_t bytes)
{
    uint64_t full = me->all->nic->traits.packet_payload;
    return bytes ? (bytes + full - 1) / full : 1;
}

/* Whether a message goes eagerly: it is short, and the receiver has room for it. If so, `back` is
 * what it gives back to the receiver. */
static bool is_eager(struct self *me, uint32_t index, uint32_t *back)
{
    const struct carried_message *m = message_at(part_of(me), index);
    return !m->synchronous && m->bytes <= me->all->software.eager_bytes &&
           room_take(&part_of(me)->room, pair_key(me, m->peer), (uint32_t)packets_of(me, m->bytes),
                     back);
}

static void send_eager(struct self *me, uint32_t index, uint32_t back)
{
    struct carried_message *m = message_at(part_of(me), index);
    uint64_t packets = packets_of(me, m->bytes);
    struct cargo words = {.code = CODE_EAGER,
                          .number = back,
                          .argument = m->attachment,
                          .attachment = m->attachment != ATTACHMENT_NONE};
    struct nic_send send = event_to(me, m->peer, words);
    send.bytes = m->bytes;
    send.mine = index;
    send.ready = me->p->busy += byte_time(me, m->bytes);
    me->p->busy += (packets - 1) * carried_of(me)->send_time;
    m->streams = 1;
    post(me, &send);
}

static void send_request(struct self *me, uint32_t index)
{
    struct carried_part *s = part_of(me);
    struct carried_message *m = message_at(s, index);
    bool has_letter = m->attachment != ATTACHMENT_NONE;
    struct cargo words = {.code = CODE_REQUEST,
                          .number = m->number,
                          .argument = has_letter ? m->attachment : (uint32_t)m->bytes,
                          .attachment = has_letter};
    struct nic_send send = event_to(me, m->peer, words);
    uint32_t *asked = map_add(&s->asked, pair_key(me, m->number), index);
    WEFT_CHECK(*asked == index, "process %u has more than %d sends under way", self_number(me),
               CARGO_NUMBERS);
    post(me, &send);
}

/* Through memory: the sender copies, and is done when the receiver has the message. */
static void send_local(struct self *me, uint32_t index)
{
    struct carried_part *s = part_of(me);
    const struct carried_message *m = message_at(s, index);
    double copy = (double)m->bytes * carried_of(me)->memory_byte_cycles;
    me->p->busy += carried_of(me)->send_time + fine_length(copy);
    struct carried_note note = {.when = me->p->busy,
                                .bytes = m->bytes,
                                .source = self_number(me),
                                .message = index,
                                .attachment = m->attachment,
                                .code = CODE_LOCAL,
                                .synchronous = m->synchronous,
                                .to = (uint8_t)(process_slot(me->all, m->peer)),
                                .last = true};
    put_off(me, &note);
}

static void send_message(struct self *me, const struct action *action)
{
    struct carried_message message = {.bytes = action->bytes,
                                      .peer = action->to,
                                      .attachment = action->attachment,
                                      .request = action->request,
                                      .synchronous = action->shape & SHAPE_SYNCHRONOUS,
                                      .number = me->p->sent++ & (CARGO_NUMBERS - 1)};
    uint32_t index = new_message(part_of(me), &message), back;
    me->p->sends++;
    if (process_node(me->all, message.peer) == me->at.node)
        send_local(me, index);
    else if (is_eager(me, index, &back))
        send_eager(me, index, back);
    else
        send_request(me, index);
}

enum { RAILS_MOST = 16 };

/* Chooses the routes of a message: the best or, for a long one, several that share nothing. */
static uint32_t choose_routes(struct self *me, uint32_t to, uint64_t bytes,
                              struct nic_route route[RAILS_MOST])
{
    const struct software_params *software = &me->all->software;
    uint64_t packets = packets_of(me, bytes);
    uint32_t rails_most = me->all->nic->traits.routes, wanted = software->rails;
    uint32_t most = wanted < rails_most ? wanted : rails_most;
    most = packets < most ? (uint32_t)packets : most;
    route[0] = (struct nic_route){0};
    if (bytes < software->rails_bytes || most < 2)
        return 1;
    uint32_t rails = nic_routes(me->all->nic, me->at.node, to, most, route);
    part_of(me)->rail_messages++;
    part_of(me)->rail_streams += rails;
    return rails;
}

/* On the receiver's command, the engine streams the message over its rails. */
static void stream(struct self *me, uint32_t number, fine_t when)
{
    struct carried_part *s = part_of(me);
    struct nic_route route[RAILS_MOST];
    const uint32_t *asked = map_find(&s->asked, pair_key(me, number));
    WEFT_CHECK(asked, "process %u is told to send and has nothing to", self_number(me));
    uint32_t index = *asked;
    struct carried_message *m = message_at(s, index);
    struct cargo words = {.code = CODE_DATA,
                          .from = me->slot,
                          .to = process_slot(me->all, m->peer),
                          .number = number};
    map_remove(&s->asked, pair_key(me, number));
    uint64_t left = m->bytes;
    uint32_t to = process_node(me->all, m->peer), rails = choose_routes(me, to, left, route);
    cycle_t now = nic_now(me->all->nic, me->at.partition);
    if (carried_of(me)->byte_cycles > 0)
        when = me->p->busy = fine_max(me->p->busy, when) + byte_time(me, m->bytes);
    m->streams = rails;
    for (uint32_t rail = 0; rail < rails; rail++) {
        uint64_t share = left / (rails - rail);
        struct nic_send send = {.to = to,
                                .bytes = share,
                                .cargo = cargo_pack(&words),
                                .route = route[rail],
                                .birth = when >> FRACTION_BITS,
                                .ready = fine_max(when, fine_at(now + 1)),
                                .mine = index,
                                .flags = NIC_STREAM,
                                .queue = (uint8_t)me->slot};
        left -= share;
        nic_post(me->all->nic, &me->at, &send);
    }
}

/* ---- receiving ---- */

static void finish_receive(struct self *me, uint32_t index)
{
    struct carried_part *s = part_of(me);
    const struct carried_message *m = message_at(s, index);
    struct completion done = {.peer = m->peer,
                              .request = m->request,
                              .attachment = m->attachment,
                              .bytes = m->moved,
                              .expected = m->expected,
                              .when = me->p->busy};
    slots_put(&s->messages, index);
    process_received(me, &done);
}

static void finish_send(struct self *me, uint32_t index, fine_t when)
{
    const struct carried_message *m = message_at(part_of(me), index);
    struct completion done = {.peer = m->peer,
                              .request = m->request,
                              .attachment = ATTACHMENT_NONE,
                              .bytes = m->bytes,
                              .when = when};
    slots_put(&part_of(me)->messages, index);
    process_sent(me, &done);
}

/* The receiver's engine gets the message from the sender's memory. */
static void get(struct self *me, const struct carried_message *m)
{
    struct cargo words = {.code = CODE_DATA,
                          .from = process_slot(me->all, m->peer),
                          .to = me->slot,
                          .number = m->number};
    me->p->busy += carried_of(me)->send_time;
    struct nic_send send = {.to = process_node(me->all, m->peer),
                            .bytes = m->bytes,
                            .cargo = cargo_pack(&words),
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
static void answer(struct self *me, uint32_t index, const struct carried_note *request)
{
    struct carried_part *s = part_of(me);
    struct carried_message *m = message_at(s, index);
    m->bytes = request->bytes;
    m->number = request->message;
    map_add(&s->streaming, message_key(me, m->peer, m->number), index);
    if (gets(me)) {
        get(me, m);
        return;
    }
    struct cargo words = {.code = CODE_ANSWER, .number = m->number};
    struct nic_send send = event_to(me, m->peer, words);
    post(me, &send);
}

/* An eager message was taken: its room is free, which its sender may have to be told. */
static void free_room(struct self *me, uint32_t source, uint64_t bytes)
{
    uint32_t packets = (uint32_t)packets_of(me, bytes);
    uint32_t back = room_owe(&part_of(me)->room, pair_key(me, source), packets);
    if (!back)
        return;
    struct nic_send send = event_to(me, source, (struct cargo){.code = CODE_ROOM, .number = back});
    post(me, &send);
}

static void regain_room(struct self *me, uint32_t peer, uint32_t packets)
{
    bool can = room_regain(&part_of(me)->room, pair_key(me, peer), packets);
    WEFT_CHECK(can, "process %u is given room for %u packets that it did not take", self_number(me),
               packets);
}

/* A message within the node has met its receive: its sender has waited for that. */
static void meet_sender(struct self *me, const struct carried_note *note)
{
    struct self sender = self_at(me->all, &me->at, process_slot(me->all, note->source));
    finish_send(&sender, note->message, me->p->busy);
    nic_wake(me->all->nic, &me->at, fine_cycle_after(me->p->busy) + 1);
}

/* The processor takes something for a message that it is receiving. */
static void take(struct self *me, uint32_t index, const struct carried_note *note)
{
    bool request = note->code == CODE_REQUEST;
    bool bare = request || note->code == CODE_LOCAL;
    me->p->busy = fine_max(me->p->busy, note->when) + carried_of(me)->receive_time +
                  (bare ? 0 : byte_time(me, note->bytes));
    if (request) {
        answer(me, index, note);
        return;
    }
    struct carried_message *m = message_at(part_of(me), index);
    m->moved += note->bytes;
    if (!note->last)
        return;
    if (note->code == CODE_EAGER)
        free_room(me, m->peer, m->moved);
    if (note->synchronous)
        meet_sender(me, note);
    finish_receive(me, index);
}

/* The message that something from a source belongs to; a new one, if none is arriving. */
static uint32_t arriving(struct self *me, const struct carried_note *note, bool *posted)
{
    struct carried_part *s = part_of(me);
    uint64_t key = pair_key(me, note->source);
    const uint32_t *known = map_find(&s->incoming, key);
    if (known) {
        uint32_t index = *known;
        *posted = !(index & ARRIVED);
        if (note->last)
            map_remove(&s->incoming, key);
        return index & ~ARRIVED;
    }
    struct envelope envelope = process_envelope(me, note->source, note->attachment);
    uint32_t index = match_take_posted(&me->s->match, &envelope);
    *posted = index != MATCH_NONE;
    if (!*posted) {
        index = new_message(s, &(struct carried_message){.request = NO_REQUEST});
        match_add_arrived(&me->s->match, &envelope, index);
    }
    message_at(s, index)->peer = note->source;
    message_at(s, index)->attachment = note->attachment;
    if (!note->last)
        map_add(&s->incoming, key, index | (*posted ? 0 : ARRIVED));
    return index;
}

/* Something has arrived for a process. */
static void arrive(struct self *me, const struct carried_note *note)
{
    bool posted;
    uint32_t index = arriving(me, note, &posted);
    if (posted)
        take(me, index, note);
    else
        keep_note(part_of(me), index, note);
}

/* Receives a message: what of it has arrived is taken at once. */
static void receive_message(struct self *me, const struct action *action)
{
    struct carried_part *s = part_of(me);
    struct envelope envelope = {.process = self_index(me),
                                .context = action->context,
                                .source = action->from,
                                .tag = action->tag};
    uint32_t index = match_take_arrived(&me->s->match, &envelope);
    bool arrived = index != MATCH_NONE;
    struct carried_note note;
    me->p->receives++;
    me->p->receiver = true;
    if (!arrived) {
        index = new_message(s, &(struct carried_message){.attachment = ATTACHMENT_NONE});
        match_add_posted(&me->s->match, &envelope, index);
    }
    struct carried_message *m = message_at(s, index);
    m->expected = action->from_bytes;
    m->request = action->from_request;
    if (!arrived)
        return;
    uint32_t *incoming = map_find(&s->incoming, pair_key(me, m->peer));
    if (incoming && *incoming == (index | ARRIVED))
        *incoming = index;
    for (bool last = false; !last && take_note(s, index, &note); last = note.last)
        take(me, index, &note);
}

/* ---- gates ---- */

/* Takes part in an operation of gates, and waits for its end. */
static void enter_gates(struct self *me, const struct action *action)
{
    const struct action_data *d = action->data;
    bool barrier = action->collective == STEP_BARRIER;
    enum nic_operation operation = d ? (enum nic_operation)d->operation : OPERATION_ADD_REAL;
    unsigned width = d ? d->width : TREE_OPERAND_MOST;
    me->p->busy += carried_of(me)->send_time;
    me->p->waiting = me->p->gated = true;
    me->p->sends_left = me->p->receives_left = ANY_NUMBER;
    part_of(me)->gate_data[self_index(me)] = barrier ? NULL : d;
    me->all->nic->gates->enter(me->all->nic->gates, &me->at, me->p->busy,
                               barrier ? OPERATION_NONE : operation, barrier ? 0 : width,
                               barrier || !d ? NULL : d->data);
}

/* The operation is over: its process takes the result. */
static void leave_gates(struct self *me, fine_t when)
{
    const struct action_data *d = part_of(me)->gate_data[self_index(me)];
    me->p->gated = false;
    me->p->busy = fine_max(me->p->busy, when) + carried_of(me)->receive_time;
    if (d)
        me->all->nic->gates->take(me->all->nic->gates, &me->at, d->width, d->data);
    uint64_t hash = random_mix((uint64_t)self_number(me) << 32 | CODE_GATED);
    nic_record(me->all->nic, me->at.partition, random_mix(hash + me->p->busy));
}

/* ---- actions ---- */

static void perform(struct self *me, const struct action *action)
{
    struct process *p = me->p;
    const struct carried *e = carried_of(me);
    if (action->before > 0)
        p->busy += fine_length(action->before * e->cycles_per_cycle);
    if (action->parts & ACTION_SEND)
        send_message(me, action);
    if (action->parts & ACTION_RECEIVE)
        receive_message(me, action);
    if (action->parts & ACTION_POLL)
        p->busy += e->receive_time ? e->receive_time : 1; /* or it would look for ever */
    if (action->parts & ACTION_CANCEL)
        process_cancel(me, action);
    process_probe(me, action);
    if (action->parts & ACTION_WAIT)
        process_wait(me, action);
    if (p->deadline > fine_at(nic_now(me->all->nic, me->at.partition)))
        nic_wake(me->all->nic, &me->at, fine_cycle_after(p->deadline));
    if (action->parts & ACTION_COLLECTIVE)
        enter_gates(me, action);
    p->combine_bytes = 0;
    if ((action->parts & ACTION_COMBINE) && p->waiting)
        p->combine_bytes = action->pass_bytes;
    else if (action->parts & ACTION_COMBINE)
        p->busy += fine_length((double)action->pass_bytes * e->reduce_byte_cycles);
    if (action->parts & ACTION_COPY)
        p->busy += fine_length((double)action->pass_bytes * e->memory_byte_cycles);
    if (action->parts & ACTION_COMPUTE)
        p->busy += fine_length(action->cycles * e->cycles_per_cycle);
}

/* What a process waited for is there. */
static void end_wait(struct self *me)
{
    struct process *p = me->p;
    p->waiting = false;
    if (p->deadline && p->watched) /* nothing else has come */
        p->busy = fine_max(p->busy, p->deadline);
    p->busy = fine_max(fine_max(p->busy, p->reached), p->sleep) +
              fine_length((double)p->combine_bytes * carried_of(me)->reduce_byte_cycles);
}

/* Whether a process sleeps, and will be woken. */
static bool is_asleep(struct self *me)
{
    struct process *p = me->p;
    if (!p->waiting || p->sleep <= fine_at(nic_now(me->all->nic, me->at.partition)))
        return false;
    cycle_t when = fine_cycle_after(p->sleep);
    if (p->alarm != when)
        nic_wake(me->all->nic, &me->at, when);
    p->alarm = when;
    return true;
}

/* Continues as long as nothing holds the process up. */
static void go_on(struct self *me)
{
    struct process *p = me->p;
    bool timely = me->all->runner.timely;
    while (!p->done && !process_is_held(me) && !is_asleep(me)) {
        struct action action;
        if (p->waiting)
            end_wait(me);
        if (timely && p->busy > fine_at(nic_now(me->all->nic, me->at.partition))) {
            nic_wake(me->all->nic, &me->at, fine_cycle_after(p->busy));
            return;
        }
        process_next(me, &action);
        perform(me, &action);
    }
}

/* ---- calls from the nic ---- */

static void take_data(struct self *me, uint32_t source, uint32_t number, uint64_t bytes,
                      fine_t when)
{
    struct carried_part *s = part_of(me);
    uint64_t key = message_key(me, source, number);
    const uint32_t *known = map_find(&s->streaming, key);
    WEFT_CHECK(known, "process %u is sent what it did not ask for", self_number(me));
    uint32_t index = *known;
    struct carried_message *m = message_at(s, index);
    m->moved += bytes;
    if (m->moved < m->bytes)
        return;
    map_remove(&s->streaming, key);
    when = nic_notify(me->all->nic, &me->at, when);
    me->p->busy =
        fine_max(me->p->busy, when) + carried_of(me)->receive_time + byte_time(me, m->moved);
    if (gets(me)) {
        struct nic_send send =
            event_to(me, source, (struct cargo){.code = CODE_TAKEN, .number = number});
        post(me, &send);
    }
    finish_receive(me, index);
}

/* The processor takes the engine's event: a message has left. */
static void take_sent(struct self *me, const struct carried_note *note)
{
    me->p->busy = fine_max(me->p->busy, note->when) + carried_of(me)->receive_time;
    finish_send(me, note->message, me->p->busy);
}

/* Something has come for a process, whose time it is. */
static void handle(struct self *me, const struct carried_note *note)
{
    if (note->code == CODE_ROOM) {
        regain_room(me, note->source, note->message);
        return;
    }
    if (note->code == CODE_GATED) {
        leave_gates(me, note->when);
        go_on(me);
        return;
    }
    process_count(me, note->code == CODE_REQUEST ? 0 : note->bytes, note->when);
    if (note->code == CODE_EAGER && note->last && note->message)
        regain_room(me, note->source, note->message);
    if (note->code == CODE_DATA)
        take_data(me, note->source, note->message, note->bytes, note->when);
    else if (note->code == CODE_SENT)
        take_sent(me, note);
    else
        arrive(me, note);
    go_on(me);
}

/* The nic is done with something, maybe ahead of the process's time. */
static void come(struct self *me, const struct carried_note *note)
{
    if (me->all->runner.timely && note->when > fine_at(nic_now(me->all->nic, me->at.partition)))
        put_off(me, note);
    else
        handle(me, note);
}

/* A message that was asked for has been got: its sender may have the memory back. */
static void was_taken(struct self *me, uint32_t number, fine_t when)
{
    struct carried_part *s = part_of(me);
    const uint32_t *asked = map_find(&s->asked, pair_key(me, number));
    WEFT_CHECK(asked, "process %u is told of what it did not send", self_number(me));
    struct carried_note note = {.when = when,
                                .source = self_number(me),
                                .message = *asked,
                                .attachment = ATTACHMENT_NONE,
                                .code = CODE_SENT,
                                .to = (uint8_t)me->slot,
                                .last = true};
    map_remove(&s->asked, pair_key(me, number));
    come(me, &note);
}

static void arrived(void *ctx, const struct nic_node *at, const struct nic_arrival *a, fine_t when)
{
    const struct processes *all = ctx;
    struct cargo words = cargo_unpack(a->cargo);
    WEFT_CHECK(words.to < all->o.per_node && words.from < all->o.per_node &&
                   process_number(all, a->source, words.from) < all->o.processes &&
                   words.code <= CODE_ROOM &&
                   (!words.attachment || attachment_is(all->attachments, words.argument)),
               "node %u was sent what no process sends", at->node);
    struct self me = self_at(ctx, at, words.to);
    if (words.code == CODE_ANSWER) {
        stream(&me, words.number, when);
        return;
    }
    if (words.code == CODE_TAKEN) {
        was_taken(&me, words.number, when);
        return;
    }
    bool request = words.code == CODE_REQUEST;
    uint64_t asked =
        words.attachment ? attachment_at(all->attachments, words.argument)->bytes : words.argument;
    struct carried_note note = {.when = when,
                                .bytes = request ? asked : a->bytes,
                                .source = process_number(all, a->source, words.from),
                                .message = words.number,
                                .attachment = words.attachment ? words.argument : ATTACHMENT_NONE,
                                .code = (uint8_t)words.code,
                                .to = (uint8_t)words.to,
                                .last = a->last};
    come(&me, &note);
}

static void sent(void *ctx, const struct nic_node *at, const struct nic_send *send, fine_t when)
{
    const struct processes *all = ctx;
    struct cargo words = cargo_unpack(send->cargo);
    WEFT_CHECK(words.from < all->o.per_node, "node %u has sent what no process sends", at->node);
    struct self me = self_at(ctx, at, words.from);
    struct carried_part *s = part_of(&me);
    if (send->flags & NIC_GET || (words.code != CODE_EAGER && words.code != CODE_DATA))
        return;
    WEFT_CHECK(send->mine < s->messages.count, "node %u has sent no message", at->node);
    if (--message_at(s, send->mine)->streams)
        return;
    if (words.code == CODE_DATA && all->nic->traits.events) {
        when = nic_notify(all->nic, at, when);
        come(&me, &(struct carried_note){.when = when,
                                         .source = self_number(&me),
                                         .message = send->mine,
                                         .attachment = ATTACHMENT_NONE,
                                         .code = CODE_SENT,
                                         .to = (uint8_t)me.slot,
                                         .last = true});
        return;
    }
    finish_send(&me, send->mine, fine_max(when, me.p->busy));
    go_on(&me);
}

/* Gates: the operation that the processes of a node are in is over. */
static void gated(void *ctx, const struct nic_node *at, fine_t when)
{
    struct processes *all = ctx;
    for (uint32_t slot = 0; slot < all->o.per_node; slot++) {
        struct self me = self_at(ctx, at, slot);
        if (process_number(all, at->node, slot) >= all->o.processes)
            continue;
        WEFT_CHECK(me.p->gated, "process %u is told the end of what it is not in",
                   self_number(&me));
        come(&me, &(struct carried_note){.when = when,
                                         .source = self_number(&me),
                                         .attachment = ATTACHMENT_NONE,
                                         .code = CODE_GATED,
                                         .to = (uint8_t)slot,
                                         .last = true});
    }
}

/* The first in a node's list that is due, by time, source and age; NONE: none is. *before: the one
 * before it in the list, whose newest item is first. */
static uint32_t first_due(const struct carried_part *s, uint32_t list, cycle_t now,
                          uint32_t *before)
{
    uint32_t best = NONE, last = NONE;
    for (uint32_t i = list; i != NONE; last = i, i = note_at(s, i)->next) {
        const struct carried_note *n = note_at(s, i), *b = note_at(s, best == NONE ? i : best);
        if (n->when > fine_at(now))
            continue;
        if (best == NONE || n->when < b->when || (n->when == b->when && n->source <= b->source)) {
            best = i;
            *before = last;
        }
    }
    return best;
}

/* Takes what is due from a node's list. */
static void take_due(struct processes *all, const struct nic_node *at, cycle_t now)
{
    struct carried_part *s = &((struct carried *)all->carried)->part[at->partition];
    uint32_t *list = &s->later[at->local], best, before = NONE;
    while ((best = first_due(s, *list, now, &before)) != NONE) {
        struct carried_note note = *note_at(s, best);
        *(before == NONE ? list : &note_at(s, before)->next) = note.next;
        slots_put(&s->notes, best);
        struct self me = self_at(all, at, note.to);
        handle(&me, &note);
        if (note.code == CODE_LOCAL && !note.synchronous) {
            struct self sender = self_at(all, at, process_slot(all, note.source));
            finish_send(&sender, note.message, note.when);
            go_on(&sender);
        }
        before = NONE;
    }
}

/* All processes of a node start when it is first woken. */
static void start_processes(struct processes *all, const struct nic_node *at, cycle_t now)
{
    for (uint32_t slot = 0; slot < all->o.per_node; slot++) {
        struct self me = self_at(all, at, slot);
        me.p->started = true;
        me.p->busy = fine_at(now);
        me.p->done = process_number(all, at->node, slot) >= all->o.processes;
        go_on(&me);
    }
}

static void woken(void *ctx, const struct nic_node *at, cycle_t now)
{
    struct processes *all = ctx;
    const struct carried_part *s = &((struct carried *)all->carried)->part[at->partition];
    if (!self_at(all, at, 0).p->started)
        start_processes(all, at, now);
    if (s->later[at->local] != NONE)
        take_due(all, at, now);
    bool asks = all->runner.timely || all->runner.timed;
    for (uint32_t slot = 0; asks && slot < all->o.per_node; slot++) {
        struct self me = self_at(all, at, slot);
        go_on(&me);
    }
}

/* ---- life cycle ---- */

static void *create(struct processes *all)
{
    struct carried *e = memory_alloc(1, sizeof(*e));
    double cycles_per_us = all->nic->traits.cycles_per_us;
    WEFT_CHECK(all->nic->traits.engine && all->nic->traits.ordered,
               "the nic does not work by itself, or does not keep packets in order");
    *e = (struct carried){.send_time = fine_length(all->software.send_ns * 1e-3 * cycles_per_us),
                          .receive_time =
                              fine_length(all->software.receive_ns * 1e-3 * cycles_per_us),
                          .byte_cycles = all->software.byte_ns * 1e-3 * cycles_per_us,
                          .memory_byte_cycles = cycles_per_us / all->software.memory_mb_per_s,
                          .reduce_byte_cycles = cycles_per_us / all->software.reduce_mb_per_s,
                          .cycles_per_cycle = cycles_per_us / all->software.clock_mhz};
    e->part = memory_alloc_lines(all->nic->partitions, sizeof(*e->part));
    return e;
}

static void destroy(struct processes *all)
{
    struct carried *e = all->carried;
    for (uint32_t i = 0; i < all->nic->partitions; i++) {
        struct carried_part *s = &e->part[i];
        free(s->later);
        free(s->gate_data);
        slots_fini(&s->notes);
        slots_fini(&s->messages);
        map_fini(&s->incoming);
        map_fini(&s->asked);
        map_fini(&s->streaming);
        map_fini(&s->room.pairs);
    }
    free(e->part);
    free(e);
}

static void prepare(struct processes *all, uint32_t partition)
{
    struct carried_part *s = &((struct carried *)all->carried)->part[partition];
    uint32_t nodes = all->part[partition].nodes;
    slots_init(&s->notes, sizeof(struct carried_note), offsetof(struct carried_note, next));
    slots_init(&s->messages, sizeof(struct carried_message),
               offsetof(struct carried_message, next));
    s->room.most = all->software.eager_packets;
    s->later = memory_alloc(nodes, sizeof(*s->later));
    s->gate_data = memory_alloc(all->part[partition].processes, sizeof(*s->gate_data));
    for (uint32_t i = 0; i < nodes; i++)
        s->later[i] = NONE;
}

/* ---- checkpoints, figures ---- */

static void archive(struct processes *all, uint32_t partition, struct archive *a)
{
    struct carried_part *s = &((struct carried *)all->carried)->part[partition];
    archive_bytes(a, s->later, all->part[partition].nodes * sizeof(*s->later));
    slots_archive(&s->notes, a);
    slots_archive(&s->messages, a);
    map_archive(&s->incoming, a);
    map_archive(&s->asked, a);
    map_archive(&s->streaming, a);
    map_archive(&s->room.pairs, a);
    archive_bytes(a, &s->rail_streams, sizeof(s->rail_streams));
    archive_bytes(a, &s->rail_messages, sizeof(s->rail_messages));
    if (archive_has_read(a))
        archive_sound(a, carried_flaw(all, partition));
}

static uint32_t attachment(const struct self *me, uint32_t value)
{
    return message_at(part_of(me), value)->attachment;
}

static enum task_way way(const struct processes *all, uint64_t bytes, uint8_t shape)
{
    bool eager = bytes <= all->software.eager_bytes && !(shape & SHAPE_SYNCHRONOUS);
    return eager ? WAY_EAGER : WAY_RENDEZVOUS;
}

static uint32_t request(const struct self *me, uint32_t value)
{
    return message_at(part_of(me), value)->request;
}

static void take_back(const struct self *me, uint32_t value)
{
    slots_put(&part_of(me)->messages, value);
}

static void result(const struct processes *all, struct processes_result *r)
{
    uint64_t sums[2] = {0, 0};
    for (uint32_t i = 0; i < all->nic->partitions; i++) {
        const struct carried_part *s = &((const struct carried *)all->carried)->part[i];
        sums[0] += s->rail_streams;
        sums[1] += s->rail_messages;
    }
    ranks_sum(sums, 2);
    r->rail_streams = sums[0];
    r->rail_messages = sums[1];
}

static bool collects(const struct processes *all, uint32_t partition, uint32_t process)
{
    return all->part[partition].process[process].gated;
}

const struct carrier engine_carrier = {
    .client = {.woken = woken, .arrived = arrived, .sent = sent, .gated = gated},
    .collects = collects,
    .create = create,
    .destroy = destroy,
    .prepare = prepare,
    .attachment = attachment,
    .request = request,
    .take_back = take_back,
    .way = way,
    .archive = archive,
    .result = result};
