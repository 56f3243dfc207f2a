/* The carrier: what processes do, and what the nic calls. */
#include "message/offload/offload.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/random.h"
#include "engine/ranks.h"

/* ---- gates ---- */

/* Takes part in an operation of gates, and waits for its end. */
static void enter_gates(struct self *me, const struct action *action)
{
    bool barrier = action->collective == STEP_BARRIER;
    const struct action_data *d = barrier ? NULL : action->data;
    unsigned operation = barrier ? OPERATION_NONE : d ? d->operation : OPERATION_ADD_REAL;
    unsigned width = barrier ? 0 : d ? d->width : TREE_OPERAND_MOST;
    me->p->busy += offload_of(me)->send_time;
    me->p->waiting = me->p->gated = true;
    me->p->sends_left = me->p->receives_left = ANY_NUMBER;
    part_of(me)->gate_data[self_index(me)] = d;
    me->all->nic->gates->enter(me->all->nic->gates, &me->at, me->p->busy,
                               (enum nic_operation)operation, width, d ? d->data : NULL);
}

/* The operation is over: its process takes the result. */
static void leave_gates(struct self *me, fine_t when)
{
    const struct action_data *d = part_of(me)->gate_data[self_index(me)];
    me->p->gated = false;
    me->p->busy = fine_max(me->p->busy, when) + offload_of(me)->receive_time;
    if (d)
        me->all->nic->gates->take(me->all->nic->gates, &me->at, d->width, d->data);
    uint64_t hash = random_mix((uint64_t)self_number(me) << 32 | CODE_GATED);
    nic_record(me->all->nic, me->at.partition, random_mix(hash + me->p->busy));
}

/* ---- actions ---- */

static void perform(struct self *me, const struct action *action)
{
    struct process *p = me->p;
    const struct offload *e = offload_of(me);
    if (action->before > 0)
        p->busy += fine_length(action->before * e->cycles_per_cycle);
    if (action->kinds & ACTION_SEND)
        offload_send(me, action);
    if (action->kinds & ACTION_RECEIVE)
        offload_receive(me, action);
    if (action->kinds & ACTION_POLL)
        p->busy += e->receive_time ? e->receive_time : 1; /* or it would look for ever */
    if (action->kinds & ACTION_CANCEL)
        process_cancel(me, action);
    process_probe(me, action);
    if (action->kinds & ACTION_WAIT)
        process_wait(me, action);
    if (p->deadline > fine_at(nic_now(me->all->nic, me->at.partition)))
        nic_wake(me->all->nic, &me->at, fine_cycle_after(p->deadline));
    if (action->kinds & ACTION_COLLECTIVE)
        enter_gates(me, action);
    p->combine_bytes = 0;
    if ((action->kinds & ACTION_COMBINE) && p->waiting)
        p->combine_bytes = action->pass_bytes;
    else if (action->kinds & ACTION_COMBINE)
        offload_combine(me, action->pass_bytes);
    if (action->kinds & ACTION_COPY)
        offload_copy(me, action->pass_bytes);
    if (action->kinds & ACTION_STREAM)
        offload_move(me, action->pass_bytes, 1, e->memory_byte_cycles);
    if (action->kinds & ACTION_COMPUTE)
        p->busy += fine_length(action->cycles * e->cycles_per_cycle);
}

/* What a process waited for is there. */
static void end_wait(struct self *me)
{
    struct process *p = me->p;
    p->waiting = false;
    if (p->deadline && p->watched) /* nothing else has come */
        p->busy = fine_max(p->busy, p->deadline);
    p->busy = fine_max(fine_max(p->busy, p->reached), p->sleep);
    offload_combine(me, p->combine_bytes);
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
    fine_t now = fine_at(nic_now(me->all->nic, me->at.partition));
    while (!p->done && !process_is_held(me, now) && !is_asleep(me)) {
        struct action action;
        if (p->waiting)
            end_wait(me);
        if (timely && p->busy > now) {
            nic_wake(me->all->nic, &me->at, fine_cycle_after(p->busy));
            return;
        }
        p->served = false;
        process_next(me, &action);
        perform(me, &action);
    }
}

/* Calls have the processor's time one by one, and in turns with its program: else calls without end
 * would hold the program up for ever. */
static __attribute__((noinline)) void serve_calls(struct self *me, const struct slots_list *calls)
{
    struct process *p = me->p;
    cycle_t now = nic_now(me->all->nic, me->at.partition);
    for (bool ready; calls->first != NONE && p->busy <= fine_at(now);) {
        ready = !p->done && !process_is_held(me, fine_at(now)) &&
                !(p->waiting && p->sleep > fine_at(now));
        if (ready && p->served)
            break;
        p->served = true;
        offload_serve(me);
    }
    go_on(me);
    cycle_t then = fine_cycle_after(p->busy);
    if (calls->first != NONE)
        nic_wake(me->all->nic, &me->at, then > now ? then : now + 1);
}

static void serve_and_go_on(struct self *me)
{
    const struct slots_list *calls = &part_of(me)->calls[self_index(me)];
    if (calls->first == NONE)
        go_on(me);
    else
        serve_calls(me, calls);
}

/* ---- calls from the nic ---- */

/* Something has come for a process, whose time it is. */
static void handle(struct self *me, const struct notice *notice)
{
    if (notice->code == CODE_GATED)
        leave_gates(me, notice->when);
    else
        offload_take(me, notice);
    if (notice->code != CODE_ROOM) /* nobody waits for room */
        serve_and_go_on(me);
}

/* The nic is done with something, maybe ahead of the process's time. */
static void come(struct self *me, const struct notice *notice)
{
    cycle_t now = nic_now(me->all->nic, me->at.partition);
    if (me->all->runner.timely && notice->when > fine_at(now))
        offload_put_off(me, notice);
    else
        handle(me, notice);
}

/* The nic is done with something of the process's own. */
static void come_own(struct self *me, enum offload_code code, uint32_t message, fine_t when)
{
    come(me, &(struct notice){.when = when,
                              .source = self_number(me),
                              .message = message,
                              .attachment = ATTACHMENT_NONE,
                              .code = (uint8_t)code,
                              .to = (uint8_t)me->slot,
                              .last = true});
}

static void arrived(void *ctx, const struct nic_node *at, const struct nic_arrival *a, fine_t when)
{
    const struct processes *all = ctx;
    struct cargo cargo = cargo_unpack(a->cargo);
    WEFT_CHECK(cargo.to < all->o.per_node && cargo.from < all->o.per_node &&
                   process_number(all, a->source, cargo.from) < all->o.processes &&
                   (cargo.code <= CODE_ROOM || cargo.code == CODE_DIRECT) &&
                   (!cargo.attachment || attachment_is(all->attachments, cargo.argument)),
               "node %u was sent what no process sends", at->node);
    struct self me = self_at(ctx, at, cargo.to);
    if (cargo.code == CODE_ANSWER) {
        offload_stream(&me, cargo.number, when);
        return;
    }
    if (cargo.code == CODE_TAKEN) { /* its sender may have the memory back */
        come_own(&me, CODE_SENT, process_asked(&me, cargo.number), when);
        return;
    }
    bool request = cargo.code == CODE_REQUEST;
    uint64_t asked =
        cargo.attachment ? attachment_at(all->attachments, cargo.argument)->bytes : cargo.argument;
    struct notice notice = {.when = when,
                            .bytes = request ? asked : a->bytes,
                            .source = process_number(all, a->source, cargo.from),
                            .message = cargo.number,
                            .attachment = cargo.attachment ? cargo.argument : ATTACHMENT_NONE,
                            .code = (uint8_t)cargo.code,
                            .to = (uint8_t)cargo.to,
                            .last = a->last};
    come(&me, &notice);
}

static void sent(void *ctx, const struct nic_node *at, const struct nic_send *send, fine_t when)
{
    const struct processes *all = ctx;
    struct cargo cargo = cargo_unpack(send->cargo);
    WEFT_CHECK(cargo.from < all->o.per_node, "node %u has sent what no process sends", at->node);
    struct self me = self_at(ctx, at, cargo.from);
    if (send->flags & NIC_GET || (cargo.code != CODE_EAGER && cargo.code != CODE_DATA))
        return;
    WEFT_CHECK(send->mine < me.s->messages.count, "node %u has sent no message", at->node);
    if (--message_at(me.s, send->mine)->streams)
        return;
    if (cargo.code == CODE_DATA && all->nic->traits.events) {
        come_own(&me, CODE_SENT, send->mine, nic_notify(all->nic, at, when));
        return;
    }
    process_sent(&me, send->mine, fine_max(when, me.p->busy));
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
        come_own(&me, CODE_GATED, 0, when);
    }
}

/* The first in a node's list that is due, by time, source and age; NONE: none is. *before: the one
 * before it in the list, whose newest item is first. */
static uint32_t first_due(const struct offload_part *s, uint32_t list, cycle_t now,
                          uint32_t *before)
{
    uint32_t best = NONE, last = NONE;
    for (uint32_t i = list; i != NONE; last = i, i = notice_at(s, i)->next) {
        const struct notice *n = notice_at(s, i), *b = notice_at(s, best == NONE ? i : best);
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
    struct offload_part *s = offload_part(all, at->partition);
    uint32_t *list = &s->later[at->local], best, before = NONE;
    while ((best = first_due(s, *list, now, &before)) != NONE) {
        struct notice notice = *notice_at(s, best);
        *(before == NONE ? list : &notice_at(s, before)->next) = notice.next;
        slots_put(&s->notices, best);
        struct self me = self_at(all, at, notice.to);
        handle(&me, &notice);
        if (notice.code == CODE_LOCAL && !notice.synchronous) {
            struct self sender = self_at(all, at, process_slot(all, notice.source));
            process_sent(&sender, notice.message, notice.when);
            go_on(&sender);
        }
        before = NONE;
    }
}

static void woken(void *ctx, const struct nic_node *at, cycle_t now)
{
    struct processes *all = ctx;
    bool started = self_at(all, at, 0).p->started; /* all processes start when first woken */
    for (uint32_t slot = 0; !started && slot < all->o.per_node; slot++) {
        struct self me = self_at(all, at, slot);
        process_start(&me);
        me.p->busy = fine_at(now);
        go_on(&me);
    }
    take_due(all, at, now);
    bool asks = all->runner.timely || all->runner.timed;
    for (uint32_t slot = 0; asks && slot < all->o.per_node; slot++) {
        struct self me = self_at(all, at, slot);
        serve_and_go_on(&me);
    }
}

/* ---- life cycle ---- */

static void *create(struct processes *all)
{
    struct offload *e = memory_alloc(1, sizeof(*e));
    double cycles_per_us = all->nic->traits.cycles_per_us;
    WEFT_CHECK(all->nic->traits.engine && all->nic->traits.ordered,
               "the nic does not work by itself, or does not keep packets in order");
    *e = (struct offload){.send_time = fine_length(all->software.send_ns * 1e-3 * cycles_per_us),
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
    struct offload *e = all->carried;
    for (uint32_t i = 0; i < all->nic->partitions; i++) {
        struct offload_part *s = &e->part[i];
        free(s->later);
        free(s->gate_data);
        free(s->calls);
        slots_fini(&s->notices);
        map_fini(&s->room.pairs);
    }
    free(e->part);
    free(e);
}

static void prepare(struct processes *all, uint32_t partition)
{
    struct offload_part *s = offload_part(all, partition);
    uint32_t nodes = all->part[partition].nodes;
    slots_init(&s->notices, sizeof(struct notice), offsetof(struct notice, next));
    s->room.most = all->software.eager_packets;
    s->later = memory_alloc(nodes, sizeof(*s->later));
    s->gate_data = memory_alloc(all->part[partition].processes, sizeof(*s->gate_data));
    s->calls = memory_alloc(all->part[partition].processes, sizeof(*s->calls));
    for (uint32_t i = 0; i < all->part[partition].processes; i++)
        s->calls[i].first = NONE;
    for (uint32_t i = 0; i < nodes; i++)
        s->later[i] = NONE;
}

/* ---- whether a state can be one ---- */

/* Every notice is in a list of its node, in that of a message, or free. */
static bool are_notices(const struct processes *all, uint32_t partition,
                        const struct visited *unused, struct visited *notices)
{
    const struct offload_part *s = offload_part(all, partition);
    const struct process_part *part = &all->part[partition];
    uint32_t last;
    for (uint32_t i = 0; i < s->notices.count; i++) {
        const struct notice *n = notice_at(s, i);
        bool mine = n->code == CODE_LOCAL || n->code == CODE_SENT;
        if (!notices->taken[i] &&
            (n->source >= all->o.processes || n->to >= all->o.per_node || n->code >= CODES ||
             n->message >= (mine ? part->messages.count : CARGO_NUMBERS) ||
             !visited_is_bool(&n->last) || n->attachment != ATTACHMENT_NONE))
            return false;
    }
    for (uint32_t local = 0; local < part->nodes; local++)
        if (!visited_list(notices, slots_items(&s->notices), s->later[local], &last))
            return false;
    for (uint32_t i = 0; i < part->messages.count; i++)
        if (!unused->taken[i] &&
            !slots_list_visited(&s->notices, &message_at(part, i)->notices, notices))
            return false;
    return visited_is_full(notices);
}

static bool is_sound(const struct processes *all, uint32_t partition, const struct visited *unused)
{
    const struct offload_part *s = offload_part(all, partition);
    struct visited notices;
    bool right = slots_visited(&s->notices, &notices) &&
                 are_notices(all, partition, unused, &notices) && room_is_sound(&s->room);
    visited_fini(&notices);
    return right;
}

/* ---- checkpoints, figures ---- */

static void archive(struct processes *all, uint32_t partition, struct archive *a)
{
    struct offload_part *s = offload_part(all, partition);
    archive_bytes(a, s->later, all->part[partition].nodes * sizeof(*s->later));
    slots_archive(&s->notices, a);
    map_archive(&s->room.pairs, a);
    archive_bytes(a, &s->rail_streams, sizeof(s->rail_streams));
    archive_bytes(a, &s->rail_messages, sizeof(s->rail_messages));
}

static enum task_way way(const void *layer, uint64_t bytes, uint8_t shape)
{
    const struct processes *all = layer;
    bool eager = bytes <= all->software.eager_bytes && !(shape & SHAPE_SYNCHRONOUS);
    return eager ? WAY_EAGER : WAY_RENDEZVOUS;
}

static void result(const struct processes *all, struct processes_result *r)
{
    uint64_t sums[2] = {0, 0};
    for (uint32_t i = 0; i < all->nic->partitions; i++) {
        const struct offload_part *s = offload_part(all, i);
        sums[0] += s->rail_streams;
        sums[1] += s->rail_messages;
    }
    ranks_sum(sums, 2);
    r->rail_streams = sums[0];
    r->rail_messages = sums[1];
}

static enum collecting collects(const struct processes *all, uint32_t partition, uint32_t process)
{
    return all->part[partition].process[process].gated ? COLLECTS : COLLECTS_NOT;
}

const struct carrier offload_carrier = {
    .client = {.woken = woken, .arrived = arrived, .sent = sent, .gated = gated},
    .collects = collects,
    .create = create,
    .destroy = destroy,
    .prepare = prepare,
    .way = way,
    .archive = archive,
    .is_sound = is_sound,
    .result = result,
    .reply = offload_reply};
