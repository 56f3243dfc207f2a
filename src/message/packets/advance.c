/*
 * The advance loop (MSG, 5, "Advance loop"): a core polls; reads and handles packets, writes those
 * of messages in turn; and runs its process, as long as nothing holds that up. While the process
 * runs, nobody advances.
 *
 *   loop_run:   what the core was doing ends ──> its effect ──> what next? ──> busy until ...
 *                                                                 └─ nothing: it rests, and polls
 *
 * A core that rests finds what has come at its next poll, which takes no event of its own.
 */
#include "message/packets/packets.h"

/* ---- time ---- */

static void wake_at(struct here *h, cycle_t when)
{
    struct advance_loop *loop = h->loop;
    struct nic *nic = h->me.all->nic;
    cycle_t now = nic_now(nic, h->me.at.partition);
    when = when > now ? when : now + 1;
    if (loop->wake > now && loop->wake <= when)
        return;
    loop->wake = when;
    nic_wake(nic, &h->me.at, when);
}

/* A core that rests polls again and again: has it woken for the first poll that finds what is there
 * from `there` on. */
static void wake_for(struct here *h, fine_t there)
{
    fine_t since = h->loop->core.until, poll = h->all->poll;
    fine_t polls = there > since ? (there - since + poll - 1) / poll : 0;
    wake_at(h, fine_cycle_after(since + polls * poll));
}

static void wake_resting(struct here *h, fine_t there)
{
    if (h->loop->resting)
        wake_for(h, there);
}

/* The core that runs the process, and whether this is it. */
static struct here own_core(const struct here *h)
{
    return here_at(h->me.all, &h->me.at, core_main(h->all->cores.mode, h->me.slot));
}

static bool is_own(const struct here *h)
{
    return h->core == core_main(h->all->cores.mode, h->me.slot);
}

/* What happens within the node, for the process in a slot. */
static struct virtual_fifo *inside_of(const struct here *h, uint32_t slot)
{
    return &h->s->inside[(size_t)h->me.at.local * h->me.all->o.per_node + slot];
}

/* ---- reading ---- */

/* The packet at the head of a FIFO that the core reads, and when it is there. */
static bool look(const struct here *h, unsigned fifo, struct nic_packet *packet, fine_t *there)
{
    const struct self *me = &h->me;
    struct nic *nic = me->all->nic;
    cycle_t cycle;
    if (fifo == VIRTUAL_FIFO) {
        const struct virtual_fifo *v = inside_of(h, me->slot);
        if (v->packets.first == NONE)
            return false;
        *packet = virtual_at(h->s, v->packets.first)->packet;
        *there = virtual_at(h->s, v->packets.first)->there;
        return true;
    }
    if (!nic->kind->fifos->peek(nic, &me->at, fifo / GROUP_FIFOS_MOST, fifo % GROUP_FIFOS_MOST,
                                packet, &cycle))
        return false;
    *there = fine_at(cycle);
    return true;
}

/* Takes the packet out. */
static void take_out(struct here *h, unsigned fifo)
{
    const struct self *me = &h->me;
    struct nic *nic = me->all->nic;
    if (fifo != VIRTUAL_FIFO) {
        nic->kind->fifos->read(nic, &me->at, fifo / GROUP_FIFOS_MOST, fifo % GROUP_FIFOS_MOST);
        return;
    }
    struct virtual_fifo *v = inside_of(h, me->slot);
    uint32_t index = slots_take(&h->s->virtual_packets, &v->packets);
    v->bytes -= nic->kind->fifos->size(nic, &virtual_at(h->s, index)->packet);
    slots_put(&h->s->virtual_packets, index);
    nic_record(nic, me->at.partition, 0); /* what stays within a node is progress, too */
    for (uint32_t core = 0; core < h->all->loops; core++) {
        struct here other = here_at(me->all, &me->at, core);
        loop_room(&other, nic_now(nic, me->at.partition));
    }
}

/* Starts to read the next packet that is there, FIFO by FIFO in turn. */
static bool start_read(struct here *h)
{
    struct advance_loop *loop = h->loop;
    const struct nic *nic = h->me.all->nic;
    for (unsigned i = 0; loop->coming && i <= VIRTUAL_FIFO; i++) {
        unsigned fifo = (loop->next_fifo + i) % (VIRTUAL_FIFO + 1);
        struct nic_packet packet;
        fine_t there;
        if (!(loop->coming >> fifo & 1))
            continue;
        if (!look(h, fifo, &packet, &there)) {
            loop->coming &= (uint16_t) ~(1u << fifo);
            continue;
        }
        if (there > loop->core.until)
            continue;
        loop->doing = DOING_READ;
        loop->reads = false;
        loop->fifo = (uint8_t)fifo;
        loop->next_fifo = (uint8_t)((fifo + 1) % (VIRTUAL_FIFO + 1));
        cost_read(h, nic->kind->fifos->size(nic, &packet));
        return true;
    }
    return false;
}

static void end_read(struct here *h)
{
    struct nic_packet packet;
    fine_t there;
    bool found = look(h, h->loop->fifo, &packet, &there);
    WEFT_CHECK(found, "node %u has read what is gone", h->me.at.node);
    struct cargo cargo = cargo_unpack(packet.cargo);
    WEFT_CHECK(!cargo.attachment || attachment_is(h->me.all->attachments, cargo.argument),
               "node %u was sent an attachment that is none", h->me.at.node);
    take_out(h, h->loop->fifo);
    if (cargo.code < MESSAGE_CODES)
        protocol_read(h, &packet);
    else if (cargo.code == CODE_SINGLE)
        single_read(h, &packet);
    else
        spread_read(h, &packet);
}

/* Hands a message over to the process's own core. */
static void end_flush(struct here *h)
{
    struct here own = own_core(h);
    slots_append(&h->me.s->messages, &own.loop->finished, h->loop->message);
    wake_resting(&own, h->loop->core.until);
}

/* ---- writing ---- */

bool loop_has_room(const struct here *h, const struct nic_packet *packet)
{
    const struct self *me = &h->me;
    struct nic *nic = me->all->nic;
    const struct nic_fifos *fifos = nic->kind->fifos;
    if (packet->fifo != VIRTUAL_RING)
        return fifos->has_room(nic, &me->at, packet);
    struct cargo w = cargo_unpack(packet->cargo);
    const struct virtual_fifo *v = inside_of(h, w.to);
    return v->bytes + fifos->size(nic, packet) <= h->all->cores.virtual_fifo_bytes;
}

/* Starts to write the next packet of the first message of a ring. */
static bool start_write(struct here *h, unsigned ring)
{
    struct advance_loop *loop = h->loop;
    const struct nic *nic = h->me.all->nic;
    uint32_t index = loop->out[ring].first;
    if (index == NONE)
        return false;
    struct nic_packet packet = protocol_packet(h, index);
    if (!loop_has_room(h, &packet))
        return false;
    loop->message = index;
    loop->doing = DOING_WRITE;
    loop->reads = true;
    const struct message *m = message_at(h->me.s, index);
    if (m->shape & (SHAPE_UNALIGNED | SHAPE_STRIDED)) /* not where the registers want the data */
        cost_copy(h, packet.bytes, m->bytes);
    cost_write(h, nic->kind->fifos->size(nic, &packet), m->bytes);
    return true;
}

static bool picked_packet(const struct here *h, unsigned pick, struct nic_packet *packet)
{
    return pick == PICK_SINGLE ? single_packet(h, packet) : spread_packet(h, pick, packet);
}

/* Starts to write a packet that is not of a message, of those that can go in turn. */
static bool start_pick(struct here *h)
{
    struct advance_loop *loop = h->loop;
    const struct nic *nic = h->me.all->nic;
    for (unsigned i = 0; i < PICKS; i++) {
        unsigned pick = (loop->next_pick + i) % PICKS;
        struct nic_packet packet;
        if (!picked_packet(h, pick, &packet) || !loop_has_room(h, &packet))
            continue;
        loop->pick = (uint8_t)pick;
        loop->next_pick = (uint8_t)((pick + 1) % PICKS);
        loop->doing = DOING_PICK;
        loop->reads = true;
        cost_write(h, nic->kind->fifos->size(nic, &packet),
                   pick < PICK_COLOUR ? 0 : loop->action.bytes); /* just read: from the cache */
        return true;
    }
    return false;
}

static bool start_any_write(struct here *h)
{
    if ((h->loop->forwards || picks_are(h->loop->collective.kind)) && start_pick(h))
        return true;
    for (unsigned i = 0; i < RINGS_MOST; i++) {
        unsigned ring = (h->loop->next_out + i) % RINGS_MOST;
        if (start_write(h, ring)) {
            h->loop->next_out = (uint8_t)((ring + 1) % RINGS_MOST);
            return true;
        }
    }
    return false;
}

/* Acknowledgments and confirmations go before everything else; they are first in their rings. */
static bool start_control(struct here *h)
{
    for (unsigned ring = 0; ring < RINGS_MOST; ring++) {
        uint32_t first = h->loop->out[ring].first;
        enum code code = first == NONE ? CODE_ONE : (enum code)message_at(h->me.s, first)->code;
        if ((code == CODE_ACK || code == CODE_CONFIRM) && start_write(h, ring))
            return true;
    }
    return false;
}

/* Into a virtual FIFO, for a process of the same node. */
static void write_inside(struct here *h, const struct nic_packet *packet)
{
    struct self *me = &h->me;
    struct nic *nic = me->all->nic;
    struct cargo w = cargo_unpack(packet->cargo);
    struct here other = here_at(me->all, &me->at, core_main(h->all->cores.mode, w.to));
    struct virtual_fifo *v = inside_of(h, w.to);
    uint32_t index = slots_get(&h->s->virtual_packets);
    struct virtual_packet *p = virtual_at(h->s, index);
    *p = (struct virtual_packet){.packet = *packet, .there = h->loop->core.until};
    p->packet.node = me->at.node;
    v->bytes += nic->kind->fifos->size(nic, packet);
    slots_append(&h->s->virtual_packets, &v->packets, index);
    loop_coming(&other, VIRTUAL_FIFO, p->there);
}

static void write_packet(struct here *h, struct nic_packet *packet)
{
    struct nic *nic = h->me.all->nic;
    packet->birth = nic_now(nic, h->me.at.partition);
    if (packet->fifo == VIRTUAL_RING)
        write_inside(h, packet);
    else
        nic->kind->fifos->write(nic, &h->me.at, packet);
}

static void end_write(struct here *h)
{
    struct nic_packet packet = protocol_packet(h, h->loop->message);
    write_packet(h, &packet);
    protocol_written(h, h->loop->message);
}

static void end_pick(struct here *h)
{
    struct nic_packet packet;
    unsigned pick = h->loop->pick;
    bool found = picked_packet(h, pick, &packet);
    WEFT_CHECK(found, "node %u has written what is not to be", h->me.at.node);
    write_packet(h, &packet);
    if (pick == PICK_SINGLE)
        single_written(h);
    else
        spread_written(h, pick);
}

/* A packet of the tree may be for the node's other process; and its core may use the FIFO now. */
static void wake_others(struct here *h)
{
    for (uint32_t core = 0; core < h->all->loops; core++) {
        struct here other = here_at(h->me.all, &h->me.at, core);
        if (core != h->core)
            wake_resting(&other, h->loop->core.until);
    }
}

static void end_point_read(struct here *h)
{
    point_read(h);
    wake_others(h);
}

static void end_tree_read(struct here *h)
{
    collective_read(h);
    if (h->me.all->nic->tree->classes > 1)
        wake_others(h);
}

static void end_tree_write(struct here *h)
{
    collective_written(h);
    if (point_is(h->loop->collective.kind))
        wake_others(h);
}

/* ---- advancing ---- */

/* Starts what another core has handed over: messages that it has received, which their own
 * core makes visible; transient work. */
static bool start_handed_over(struct here *h)
{
    struct advance_loop *loop = h->loop;
    if (loop->finished.first != NONE) {
        loop->message = slots_take(&h->me.s->messages, &loop->finished);
        loop->doing = DOING_FINISH;
        cost_software(h, h->all->cores.in_cycles);
        cost_flush(h);
    } else if (loop->co_waits) {
        loop->co_waits = false;
        loop->doing = DOING_CO_WORK;
        core_spend(&loop->core, WORK_PROGRAM, loop->co_work);
    } else {
        return false;
    }
    return true;
}

/* The core that gave the work may go on. */
static void end_co(struct here *h)
{
    const struct runner *runner = &h->me.all->runner;
    struct here own = own_core(h);
    struct seat seat = self_seat(&h->me);
    runner->co_done(runner->ctx, &seat);
    cost_flush(h);
    own.loop->co_busy = false;
    wake_resting(&own, h->loop->core.until);
}

/* Reads and writes take turns. */
static bool advance(struct here *h)
{
    if (start_handed_over(h) || point_start_read(h) || collective_advance(h) || early_start_read(h))
        return true;
    return h->loop->reads ? start_read(h) || start_any_write(h)
                          : start_any_write(h) || start_read(h);
}

/* ---- the process ---- */

/* Gives transient work to the node's other core. */
static void start_co_work(struct here *h)
{
    struct here other = here_at(h->me.all, &h->me.at, 1 - h->core);
    cost_flush(h); /* the other core must see what this one wrote */
    other.loop->co_work = cost_length(h->all, h->loop->action.cycles);
    other.loop->co_waits = h->loop->co_busy = true;
    wake_resting(&other, h->loop->core.until);
}

static uint64_t pass_whole(const struct action *a)
{
    return a->pass_whole ? a->pass_whole : a->pass_bytes;
}

/* Starts something of an action that takes time of its own. */
static void start_timed(struct here *h, enum action_kind kind)
{
    struct advance_loop *loop = h->loop;
    const struct steps_params *steps = &h->all->steps;
    const struct action *a = &loop->action;
    bool queue = protocol_code(h->all, a->bytes, a->shape) != CODE_ONE;
    switch (kind) {
    case ACTION_SEND:
        loop->doing = DOING_SEND;
        cost_software(h, steps->post_cycles + (queue ? steps->connect_cycles : 0));
        break;
    case ACTION_RECEIVE:
        loop->doing = DOING_RECEIVE;
        cost_software(h, steps->post_cycles);
        break;
    case ACTION_COMBINE:
        loop->doing = DOING_WORK;
        cost_combine(h, a->pass_bytes, pass_whole(a));
        break;
    case ACTION_COPY:
        loop->doing = DOING_WORK;
        cost_copy(h, a->pass_bytes, pass_whole(a));
        break;
    case ACTION_STREAM:
        loop->doing = DOING_WORK;
        cost_stream(h, a->pass_bytes);
        break;
    case ACTION_COMPUTE:
        loop->doing = DOING_WORK;
        cost_spend(h, WORK_PROGRAM, a->cycles);
        break;
    case ACTION_CO_START:
        start_co_work(h);
        break;
    case ACTION_COLLECTIVE:
        collective_start(h);
        break;
    default: /* ACTION_POLL */
        if (!advance(h))
            cost_software(h, steps->poll_cycles);
        break;
    }
}

/* Starts what comes next of the process's action, or its next action. */
static void start_next(struct here *h)
{
    struct advance_loop *loop = h->loop;
    struct process *p = h->me.p;
    unsigned kinds = loop->action.kinds;
    enum action_kind kind = (enum action_kind)(kinds & -kinds);
    loop->action.kinds &= ~(unsigned)kind;
    if (!kind) {
        p->busy = loop->core.until;
        process_next(&h->me, &loop->action);
        if (loop->action.before > 0) {
            loop->doing = DOING_WORK;
            cost_spend(h, WORK_PROGRAM, loop->action.before);
        }
    } else if (kind == ACTION_PROBE) {
        loop->action.kinds |= kind;
        process_probe(&h->me, &loop->action);
        loop->action.kinds &= ~(unsigned)kind;
    } else if (kind == ACTION_CANCEL) {
        p->busy = loop->core.until;
        process_cancel(&h->me, &loop->action);
    } else if (kind == ACTION_WAIT) {
        process_wait(&h->me, &loop->action);
    } else if (kind != ACTION_END) {
        start_timed(h, kind);
    }
}

/* When the next packet that the core reads is there. */
static fine_t next_there(const struct here *h)
{
    fine_t first = UINT64_MAX;
    for (unsigned rest = h->loop->coming; rest; rest &= rest - 1) {
        struct nic_packet packet;
        fine_t there;
        if (look(h, (unsigned)__builtin_ctz(rest), &packet, &there) && there < first)
            first = there;
    }
    return first;
}

/* Whether the core's process sleeps. */
static bool is_asleep(const struct here *h)
{
    const struct process *p = h->me.p;
    return is_own(h) && !p->done && p->waiting && p->sleep > h->loop->core.until;
}

/* Whether the core runs a process that nothing holds up, but maybe a collective operation. Between
 * two polls the clock may have passed a deadline that the core's time has not: it looks at the
 * next. */
static bool goes_on(const struct here *h)
{
    const struct process *p = h->me.p;
    fine_t now = fine_at(nic_now(h->me.all->nic, h->me.at.partition)), own = h->loop->core.until;
    return is_own(h) && !p->done && !process_is_held(&h->me, own < now ? own : now) &&
           !is_asleep(h) && !(p->waiting && h->loop->co_busy);
}

/* Polls from now on; if something is on its way, until it is there. */
static void rest(struct here *h)
{
    fine_t first = next_there(h), due;
    if (point_is_due(h, &due) && due < first)
        first = due;
    if (early_is_due(h, &due) && due < first)
        first = due;
    if (is_asleep(h) && h->me.p->sleep < first)
        first = h->me.p->sleep;
    if (collective_is_due(h, nic_now(h->me.all->nic, h->me.at.partition), &due) && due < first)
        first = due;
    const struct process *p = h->me.p;
    if (is_own(h) && p->waiting && p->deadline && p->deadline < first)
        first = p->deadline;
    h->loop->resting = true;
    if (first != UINT64_MAX)
        wake_for(h, first);
}

/* ---- interrupts ---- */

/* Whether the core does what a packet may interrupt: the program's own work. */
static bool is_interruptible(const struct here *h)
{
    return h->all->cores.interrupts && h->loop->doing == DOING_WORK;
}

/* From when on what a reception FIFO holds calls for an interrupt. A FIFO within the node has no
 * watermark: every packet does. */
static bool calls(const struct here *h, unsigned fifo, fine_t *when)
{
    struct nic_packet packet;
    struct nic *nic = h->me.all->nic;
    cycle_t cycle;
    if (fifo == VIRTUAL_FIFO)
        return look(h, fifo, &packet, when);
    if (!nic->kind->fifos->calls(nic, &h->me.at, fifo / GROUP_FIFOS_MOST, fifo % GROUP_FIFOS_MOST,
                                 &cycle))
        return false;
    *when = fine_at(cycle);
    return true;
}

/* When the first of the core's reception FIFOs does. */
static fine_t next_call(const struct here *h)
{
    fine_t first = UINT64_MAX, when;
    for (unsigned rest = h->loop->coming; rest; rest &= rest - 1)
        if (calls(h, (unsigned)__builtin_ctz(rest), &when) && when < first)
            first = when;
    return first;
}

/* Whether a packet that waits has room, in a FIFO that calls for an interrupt. */
static bool room_calls(const struct here *h, const struct nic_packet *packet)
{
    struct nic *nic = h->me.all->nic;
    return loop_has_room(h, packet) && (packet->fifo == VIRTUAL_RING ||
                                        nic->kind->fifos->drained(nic, &h->me.at, packet->fifo));
}

/* Whether a packet waits for whose room an injection FIFO calls. */
static bool can_write(const struct here *h)
{
    struct nic_packet packet;
    for (unsigned ring = 0; ring < RINGS_MOST; ring++)
        if (h->loop->out[ring].first != NONE) {
            packet = protocol_packet(h, h->loop->out[ring].first);
            if (room_calls(h, &packet))
                return true;
        }
    for (unsigned pick = 0; h->loop->forwards && pick < PICK_COLOUR; pick++)
        if (spread_packet(h, pick, &packet) && room_calls(h, &packet))
            return true;
    return false;
}

/* Leaves the program's work to handle what is there, in FIFOs that did not call, too. */
static void interrupt(struct here *h, fine_t clock, unsigned by)
{
    struct advance_loop *loop = h->loop;
    h->s->interrupts[by]++;
    loop->left = loop->core.until - clock;
    loop->core.until = clock;
    loop->doing = DOING_NOTHING;
    loop->interrupted = true;
    cost_spend(h, WORK_INTERRUPT, h->all->cores.interrupt_cycles);
}

/* Handles something more; or goes back to the program's work. */
static void handle(struct here *h)
{
    struct advance_loop *loop = h->loop;
    if ((loop->controls && start_control(h)) || advance(h))
        return;
    loop->interrupted = false;
    loop->doing = DOING_WORK;
    loop->core.until += loop->left;
}

/* ---- the loop ---- */

/* Starts something; false: there is nothing to do. */
static bool start(struct here *h)
{
    struct advance_loop *loop = h->loop;
    unsigned push = loop->push;
    if (loop->interrupted) {
        handle(h);
        return true;
    }
    loop->push = 0;
    if (loop->controls && start_control(h))
        return true;
    if (push && start_write(h, push - 1))
        return true;
    if (!goes_on(h) || (loop->collective.kind && !collective_is_over(h)))
        return advance(h);
    struct here partner;
    bool serves = loop->collective.kind && collective_serves(h, &partner);
    if (loop->collective.kind)
        collective_end(h);
    if (serves)
        wake_resting(&partner, loop->core.until);
    h->me.p->waiting = false;
    start_next(h);
    return true;
}

/* What comes of what a core was doing; NULL: nothing but that its time has passed. */
static void (*const effects[])(struct here *h) = {
    [DOING_SEND] = protocol_send,
    [DOING_RECEIVE] = protocol_receive,
    [DOING_WRITE] = end_write,
    [DOING_READ] = end_read,
    [DOING_FLUSH] = end_flush,
    [DOING_FINISH] = protocol_finish,
    [DOING_CO_WORK] = end_co,
    [DOING_ENTER] = collective_enter,
    [DOING_TREE_WRITE] = end_tree_write,
    [DOING_TREE_READ] = end_tree_read,
    [DOING_PICK] = end_pick,
    [DOING_POINT_READ] = end_point_read,
};

/* What a core does with its own memory only, as a mask: nobody else can tell when its effect comes.
 */
enum { DOING_PRIVATE = 1 << DOING_SEND | 1 << DOING_RECEIVE | 1 << DOING_WORK | 1 << DOING_FINISH };

/* Whether the core can decide now what to do when it is free: its process goes on, and nothing that
 * may still come before then matters. */
static bool is_foregone(const struct here *h)
{
    const struct advance_loop *loop = h->loop;
    return !loop->push && !loop->controls && goes_on(h) && !loop->collective.kind &&
           !(loop->action.kinds & ACTION_POLL) &&
           !(loop->action.collective == STEP_PACKET_OUT && loop->action.single);
}

/* Whether what comes next is a transfer of a memory that others use: it begins when its time has
 * come, so that they take turns. */
static bool is_next_shared(const struct here *h)
{
    const unsigned transfers = ACTION_COMBINE | ACTION_COPY | ACTION_STREAM;
    unsigned kinds = h->loop->action.kinds;
    return h->me.all->nic->memory && h->loop->doing == DOING_NOTHING &&
           (kinds & -kinds & transfers);
}

/*
 * Goes on with what the core does up to now; and beyond, as long as that concerns the core alone.
 * (Half of all wake-ups are saved: 0.84 -> 1.04 million one-packet messages per CPU second.)
 */
void loop_run(struct here *h, cycle_t now)
{
    enum { AHEAD_MOST = 1 << 16 }; /* cycles; a program that never waits must not stop the clock */
    struct advance_loop *loop = h->loop;
    fine_t clock = fine_at(now), most = fine_at(now + AHEAD_MOST);
    if (loop->resting) { /* its last poll */
        loop->core.until += (clock - loop->core.until) / h->all->poll * h->all->poll;
        loop->resting = false;
    }
    if (is_interruptible(h) && loop->core.until > clock) {
        bool filled = next_call(h) <= clock;
        if (filled || can_write(h))
            interrupt(h, clock, filled ? INTERRUPT_RECEPTION : INTERRUPT_INJECTION);
    }
    for (;;) {
        unsigned doing = loop->doing;
        bool ahead = loop->core.until > clock;
        if (ahead && (loop->core.until > most || h->all->cores.interrupts || is_next_shared(h)))
            break;
        if (doing != DOING_NOTHING) {
            if (ahead && !(DOING_PRIVATE >> doing & 1))
                break;
            loop->doing = DOING_NOTHING;
            if (effects[doing])
                effects[doing](h);
        } else if (ahead && loop->push && start_write(h, loop->push - 1u)) {
            loop->push = 0; /* there is room already, and only this core could fill it */
        } else if (ahead && !is_foregone(h)) {
            break;
        } else if (!start(h)) {
            rest(h);
            return;
        }
    }
    fine_t until = loop->core.until, call = UINT64_MAX;
    if (is_interruptible(h)) /* FIFOs may have drained before the work began */
        call = can_write(h) ? clock : next_call(h);
    wake_at(h, fine_cycle_after(call < until ? call : until));
}

void loop_coming(struct here *h, unsigned fifo, fine_t there)
{
    fine_t when;
    h->loop->coming |= (uint16_t)(1u << fifo);
    if (h->loop->resting)
        wake_for(h, there);
    else if (is_interruptible(h) && there < h->loop->core.until && calls(h, fifo, &when))
        wake_at(h, fine_cycle_after(there));
}

void loop_tree(struct here *h, cycle_t now)
{
    fine_t when;
    if (h->loop->resting && collective_is_due(h, now, &when))
        wake_for(h, when);
    if (h->loop->resting && point_is_due(h, &when))
        wake_for(h, when);
    if (h->loop->resting && early_is_due(h, &when))
        wake_for(h, when);
}

void loop_room(struct here *h, cycle_t now)
{
    if (is_interruptible(h) && can_write(h))
        wake_at(h, now);
    if (!h->loop->resting)
        return;
    struct nic_packet packet;
    bool waits = spread_has_packets(h) || single_packet(h, &packet);
    for (unsigned ring = 0; ring < RINGS_MOST; ring++)
        waits = waits || h->loop->out[ring].first != NONE;
    if (waits)
        wake_for(h, fine_at(now));
}
