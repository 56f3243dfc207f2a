/* Scripts, matching, protocols. */
#include "message/process.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/slots.h"
#include "engine/ranks.h"

#define NONE SLOT_NONE

/* What an event says; crosspoint_packet.code. */
enum code {
    CODE_EAGER,   /* a piece of a message */
    CODE_REQUEST, /* to send a long one; argument: its bytes */
    CODE_ANSWER,  /* a command to the engine: stream it */
    CODE_DATA,    /* of a stream */
    CODE_LOCAL,   /* a whole message through memory */
};

/* Something that came before the step that it is for, or that comes through memory. */
struct note {
    fine_t when;
    uint64_t bytes;
    uint32_t source, next; /* process */
    uint8_t code, to;      /* to: slot of the node */
    bool last;
};

struct process {
    fine_t busy;       /* its processor, until then */
    fine_t sent, got;  /* when sending and receiving of this step were done */
    uint64_t received; /* bytes of the message that is being received */
    uint64_t bytes;    /* received while measuring */
    fine_t ended;      /* when it had no more to do */
    struct script_step step;
    uint32_t number;  /* of the step */
    uint32_t streams; /* of its message that have not left */
    uint32_t early;   /* notes for later steps, oldest first */
    uint32_t early_last;
    uint32_t messages;
    bool sending, receiving, answered; /* answered: its stream is on its way */
    bool receives, started, done;
};

struct part_state {
    struct process *process; /* [local * per_node + slot] */
    uint32_t *local_notes;   /* [local], messages through memory under way */
    struct slots notes;      /* struct note */
    uint32_t nodes;
    uint64_t rail_streams, rail_messages;
} __attribute__((aligned(64)));

struct processes {
    struct processes_options o;
    struct software_params software;
    struct dmas *dmas;
    uint32_t *living, *place; /* nodes with processes; of a node, which of them */
    fine_t send_time, receive_time;
    double memory_byte_cycles, reduce_byte_cycles;
    struct part_state *state;
};

/* A process while something happens to it. */
struct self {
    struct processes *all;
    struct part_state *s;
    struct process *p;
    uint32_t partition, local, node, slot;
};

static uint32_t number_of(const struct processes *all, uint32_t node, uint32_t slot)
{
    return all->place[node] == NONE ? NONE : all->place[node] * all->o.per_node + slot;
}

static uint32_t processes_node(const struct processes *all, uint32_t process)
{
    return all->living[process / all->o.per_node];
}

static struct self self_at(struct processes *all, uint32_t partition, uint32_t local, uint32_t node,
                           uint32_t slot)
{
    struct part_state *s = &all->state[partition];
    return (struct self){.all = all,
                         .s = s,
                         .p = &s->process[(size_t)local * all->o.per_node + slot],
                         .partition = partition,
                         .local = local,
                         .node = node,
                         .slot = slot};
}

/* ---- notes ---- */

static struct note *note_at(const struct part_state *s, uint32_t index)
{
    return (struct note *)s->notes.item + index;
}

static uint32_t new_note(struct part_state *s, const struct note *note)
{
    uint32_t index = slots_get(&s->notes);
    *note_at(s, index) = *note;
    note_at(s, index)->next = NONE;
    return index;
}

static void keep_early(struct self *me, const struct note *note)
{
    uint32_t index = new_note(me->s, note);
    if (me->p->early == NONE)
        me->p->early = index;
    else
        note_at(me->s, me->p->early_last)->next = index;
    me->p->early_last = index;
}

/* Takes the oldest early note of a process out of the list; false: there is none. */
static bool take_early(struct self *me, uint32_t source, struct note *note)
{
    uint32_t before = NONE;
    for (uint32_t i = me->p->early; i != NONE; before = i, i = note_at(me->s, i)->next) {
        if (note_at(me->s, i)->source != source)
            continue;
        *note = *note_at(me->s, i);
        if (before == NONE)
            me->p->early = note->next;
        else
            note_at(me->s, before)->next = note->next;
        if (me->p->early_last == i)
            me->p->early_last = before;
        slots_put(&me->s->notes, i);
        return true;
    }
    return false;
}

/* ---- sending ---- */

static void post(struct self *me, const struct dma_send *send)
{
    dma_post(me->all->dmas, me->partition, me->local, me->slot, send);
}

/* An event to another process, made by this one's processor. */
static struct dma_send event_to(struct self *me, uint32_t process, enum code code, fine_t when)
{
    uint32_t to = processes_node(me->all, process);
    me->p->busy = fine_max(me->p->busy, when) + me->all->send_time;
    return (struct dma_send){.birth = when >> FRACTION_BITS,
                             .ready = me->p->busy,
                             .gap = me->all->send_time,
                             .destination = to,
                             .route = paths_shortest(me->all->o.paths, me->node, to),
                             .kind = DMA_EVENT,
                             .code = (uint8_t)code,
                             .from = (uint8_t)me->slot,
                             .to = (uint8_t)(process % me->all->o.per_node)};
}

static void send_eager(struct self *me, fine_t when)
{
    const struct script_step *step = &me->p->step;
    uint64_t full = me->all->o.dma->packet_bytes;
    uint64_t packets = step->send_bytes ? (step->send_bytes + full - 1) / full : 1;
    struct dma_send send = event_to(me, step->to, CODE_EAGER, when);
    send.bytes = step->send_bytes;
    me->p->busy += (packets - 1) * me->all->send_time;
    me->p->streams = 1;
    post(me, &send);
}

static void send_request(struct self *me, fine_t when)
{
    struct dma_send send = event_to(me, me->p->step.to, CODE_REQUEST, when);
    send.argument = (uint32_t)me->p->step.send_bytes;
    post(me, &send);
}

/* Through memory: the sender copies, and is done when the receiver has it. */
static void send_local(struct self *me, fine_t when)
{
    const struct script_step *step = &me->p->step;
    double copy = (double)step->send_bytes * me->all->memory_byte_cycles;
    me->p->busy = fine_max(me->p->busy, when) + me->all->send_time + fine_length(copy);
    struct note note = {.when = me->p->busy,
                        .bytes = step->send_bytes,
                        .source = number_of(me->all, me->node, me->slot),
                        .code = CODE_LOCAL,
                        .to = (uint8_t)(step->to % me->all->o.per_node),
                        .last = true};
    uint32_t index = new_note(me->s, &note);
    note_at(me->s, index)->next = me->s->local_notes[me->local];
    me->s->local_notes[me->local] = index;
    struct crosspoint_part *part = dma_part(me->all->dmas, me->partition);
    cycle_t now = crosspoint_now(part), then = fine_cycle_after(note.when);
    crosspoint_wake(part, me->local, then > now ? then : now + 1);
}

static void send_message(struct self *me, fine_t when)
{
    const struct script_step *step = &me->p->step;
    me->p->sending = true;
    if (processes_node(me->all, step->to) == me->node)
        send_local(me, when);
    else if (step->send_bytes <= me->all->software.eager_bytes)
        send_eager(me, when);
    else
        send_request(me, when);
}

/* The routes of a message: one, or for a long one several that share nothing; how many. */
static uint32_t choose_routes(struct self *me, uint32_t to, uint64_t bytes, struct dma_route *route)
{
    const struct software_params *software = &me->all->software;
    uint64_t full = me->all->o.dma->packet_bytes, packets = (bytes + full - 1) / full;
    uint32_t most = packets < software->rails ? (uint32_t)packets : software->rails;
    if (bytes < software->rails_bytes || most < 2) {
        route[0] = paths_shortest(me->all->o.paths, me->node, to);
        return 1;
    }
    uint32_t rails = paths_disjoint(me->all->o.paths, me->node, to, most, route);
    me->s->rail_messages++;
    me->s->rail_streams += rails;
    return rails;
}

/* The receiver's command has come: the engine streams the message, over its rails. */
static void stream(struct self *me, fine_t when)
{
    const struct script_step *step = &me->p->step;
    struct dma_route route[DIGRAPH_MAX_DEGREE];
    uint64_t left = step->send_bytes;
    uint32_t to = processes_node(me->all, step->to), rails = choose_routes(me, to, left, route);
    cycle_t now = crosspoint_now(dma_part(me->all->dmas, me->partition));
    me->p->streams = rails;
    for (uint32_t rail = 0; rail < rails; rail++) {
        uint64_t share = left / (rails - rail);
        struct dma_send send = {.birth = when >> FRACTION_BITS,
                                .ready = fine_max(when, fine_at(now + 1)),
                                .bytes = share,
                                .destination = to,
                                .route = route[rail],
                                .kind = DMA_STREAM,
                                .code = CODE_DATA,
                                .from = (uint8_t)me->slot,
                                .to = (uint8_t)(step->to % me->all->o.per_node)};
        left -= share;
        post(me, &send);
    }
}

/* ---- steps ---- */

static void take_note(struct self *me, const struct note *note);

static void begin_step(struct self *me, fine_t when)
{
    const struct script *script = &me->all->o.script;
    struct process *p = me->p;
    uint32_t number = number_of(me->all, me->node, me->slot);
    bool more = (when >> FRACTION_BITS) < script->stop_at &&
                script->step(script->ctx, number, p->number, &p->step);
    if (!more) {
        p->done = true;
        p->ended = when;
        if (p->number)
            crosspoint_expect(dma_part(me->all->dmas, me->partition), -1);
        return;
    }
    if (!p->number++)
        crosspoint_expect(dma_part(me->all->dmas, me->partition), 1);
    p->sent = p->got = when;
    p->received = 0;
    p->sending = false;
    p->receiving = p->step.from != NO_PROCESS;
    p->receives |= p->receiving;
    p->answered = false;
    if (p->step.to != NO_PROCESS)
        send_message(me, when);
}

/* Goes on while steps end at once: with messages that were here before. */
static void go_on(struct self *me)
{
    struct process *p = me->p;
    struct note note;
    for (;;) {
        while (p->receiving && !p->answered && take_early(me, p->step.from, &note))
            take_note(me, &note);
        if (p->sending || p->receiving || p->done)
            return;
        double reduce = (double)p->step.reduce_bytes * me->all->reduce_byte_cycles;
        p->busy = fine_max(p->busy, fine_max(p->sent, p->got)) + fine_length(reduce);
        begin_step(me, p->busy);
    }
}

static void count_bytes(struct self *me, uint64_t bytes, fine_t when)
{
    cycle_t at = when >> FRACTION_BITS;
    if (at >= me->all->o.measure_from && at < me->all->o.measure_to)
        me->p->bytes += bytes;
}

static void got_message(struct self *me, fine_t when)
{
    me->p->receiving = false;
    me->p->got = when;
    me->p->messages++;
}

/* What comes is what the script says, in order and once. */
static void expect_bytes(const struct self *me, uint64_t bytes)
{
    WEFT_CHECK(me->p->receiving && bytes == me->p->step.receive_bytes,
               "process %u was sent %llu bytes and expects %llu",
               number_of(me->all, me->node, me->slot), (unsigned long long)bytes,
               (unsigned long long)me->p->step.receive_bytes);
}

/* The processor takes what is for the message that it waits for. */
static void take_note(struct self *me, const struct note *note)
{
    struct process *p = me->p;
    fine_t when = p->busy = fine_max(p->busy, note->when) + me->all->receive_time;
    if (note->code == CODE_REQUEST) {
        expect_bytes(me, note->bytes);
        p->answered = true;
        struct dma_send send = event_to(me, note->source, CODE_ANSWER, when);
        post(me, &send);
        return;
    }
    p->received += note->bytes;
    if (!note->last)
        return;
    expect_bytes(me, p->received);
    got_message(me, when);
}

/* ---- what the engine tells ---- */

static void take_data(struct self *me, uint32_t bytes, fine_t when)
{
    struct process *p = me->p;
    p->received += bytes;
    if (p->received < p->step.receive_bytes)
        return;
    expect_bytes(me, p->received);
    when = dma_event(me->all->dmas, me->partition, me->local, when);
    p->busy = fine_max(p->busy, when) + me->all->receive_time;
    got_message(me, p->busy);
    go_on(me);
}

static void arrived(void *ctx, uint32_t partition, uint32_t local, uint32_t node,
                    const struct crosspoint_packet *packet, fine_t when)
{
    struct self me = self_at(ctx, partition, local, node, packet->to);
    uint32_t source = number_of(me.all, packet->source, packet->from);
    count_bytes(&me, packet->bytes, when);
    if (packet->code == CODE_ANSWER) {
        stream(&me, when);
        return;
    }
    if (packet->code == CODE_DATA) {
        take_data(&me, packet->bytes, when);
        return;
    }
    bool request = packet->code == CODE_REQUEST;
    struct note note = {.when = when,
                        .bytes = request ? packet->argument : packet->bytes,
                        .source = source,
                        .code = packet->code,
                        .last = packet->flags & CROSSPOINT_LAST};
    keep_early(&me, &note);
    if (me.p->receiving)
        go_on(&me);
}

static void sent(void *ctx, uint32_t partition, uint32_t local, uint32_t node,
                 const struct dma_send *send, fine_t when)
{
    struct self me = self_at(ctx, partition, local, node, send->from);
    if (send->code == CODE_REQUEST || send->code == CODE_ANSWER || --me.p->streams)
        return;
    me.p->sending = false;
    me.p->sent = fine_max(when, me.p->busy);
    go_on(&me);
}

/* Messages through memory whose time has come, in the order of their times and sources. */
static void take_local(struct processes *all, uint32_t partition, uint32_t local, uint32_t node,
                       cycle_t now)
{
    struct part_state *s = &all->state[partition];
    for (;;) {
        uint32_t best = NONE, best_before = NONE, before = NONE;
        for (uint32_t i = s->local_notes[local]; i != NONE; before = i, i = note_at(s, i)->next) {
            const struct note *n = note_at(s, i), *b = note_at(s, best == NONE ? i : best);
            if (n->when > fine_at(now))
                continue;
            if (best == NONE || n->when < b->when ||
                (n->when == b->when && n->source < b->source)) {
                best = i;
                best_before = before;
            }
        }
        if (best == NONE)
            return;
        struct note note = *note_at(s, best);
        if (best_before == NONE)
            s->local_notes[local] = note.next;
        else
            note_at(s, best_before)->next = note.next;
        slots_put(&s->notes, best);
        struct self me = self_at(all, partition, local, node, note.to);
        struct self sender = self_at(all, partition, local, node, note.source % all->o.per_node);
        count_bytes(&me, note.bytes, note.when);
        keep_early(&me, &note);
        go_on(&me);
        sender.p->sending = false;
        sender.p->sent = note.when;
        go_on(&sender);
    }
}

static void serve(void *ctx, uint32_t partition, uint32_t local, uint32_t node, cycle_t now)
{
    struct processes *all = ctx;
    for (uint32_t slot = 0; slot < all->o.per_node; slot++) {
        struct self me = self_at(all, partition, local, node, slot);
        if (me.p->started)
            continue;
        me.p->started = true;
        me.p->early = NONE;
        uint32_t number = number_of(all, node, slot);
        if (number >= all->o.processes) {
            me.p->done = true;
            continue;
        }
        begin_step(&me, fine_at(now));
        go_on(&me);
    }
    take_local(all, partition, local, node, now);
}

/* ---- life cycle ---- */

static void prepare(void *ctx, struct crosspoint_part *part, uint32_t partition, uint32_t nodes)
{
    struct processes *all = ctx;
    struct part_state *s = &all->state[partition];
    (void)part;
    s->nodes = nodes;
    slots_init(&s->notes, sizeof(struct note), offsetof(struct note, next));
    s->process = weft_alloc((size_t)nodes * all->o.per_node, sizeof(*s->process));
    s->local_notes = weft_alloc(nodes, sizeof(*s->local_notes));
    for (uint32_t i = 0; i < nodes; i++)
        s->local_notes[i] = NONE;
    for (uint32_t i = 0; i < nodes * all->o.per_node; i++)
        s->process[i].early = NONE;
}

struct processes *processes_create(const struct processes_options *o)
{
    const struct digraph *g = o->paths->graph;
    struct processes *all = weft_alloc(1, sizeof(*all));
    double cycles_per_us = o->paths->params->link_mb_per_s / CROSSPOINT_WORD_BYTES;
    all->o = *o;
    all->software = *o->software;
    all->send_time = fine_length(o->software->send_ns * 1e-3 * cycles_per_us);
    all->receive_time = fine_length(o->software->receive_ns * 1e-3 * cycles_per_us);
    all->memory_byte_cycles = cycles_per_us / o->software->memory_mb_per_s;
    all->reduce_byte_cycles = cycles_per_us / o->software->reduce_mb_per_s;
    all->living = weft_alloc(g->nodes, sizeof(*all->living));
    all->place = weft_alloc(g->nodes, sizeof(*all->place));
    uint32_t count = 0;
    for (uint32_t node = 0; node < g->nodes; node++) {
        all->place[node] = g->dead[node] ? NONE : count;
        if (!g->dead[node])
            all->living[count++] = node;
    }
    all->state = weft_alloc_lines(o->partitions, sizeof(*all->state));
    return all;
}

void processes_destroy(struct processes *all)
{
    if (!all)
        return;
    for (uint32_t i = 0; i < all->o.partitions; i++) {
        free(all->state[i].process);
        free(all->state[i].local_notes);
        slots_fini(&all->state[i].notes);
    }
    free(all->state);
    free(all->living);
    free(all->place);
    free(all);
}

struct dma_client processes_client(struct processes *all)
{
    return (struct dma_client){
        .ctx = all, .prepare = prepare, .serve = serve, .arrived = arrived, .sent = sent};
}

void processes_attach(struct processes *all, struct dmas *dmas)
{
    all->dmas = dmas;
}

void processes_archive(struct processes *all, struct archive *a)
{
    for (uint32_t i = 0; i < all->o.partitions; i++) {
        struct part_state *s = &all->state[i];
        archive_bytes(a, s->process, (size_t)s->nodes * all->o.per_node * sizeof(*s->process));
        archive_bytes(a, s->local_notes, s->nodes * sizeof(*s->local_notes));
        slots_archive(&s->notes, a);
        archive_bytes(a, &s->rail_streams, sizeof(s->rail_streams));
        archive_bytes(a, &s->rail_messages, sizeof(s->rail_messages));
    }
}

/* Bytes a second that a process received: while measuring or, in a run to the end, until its own.
 */
static uint64_t rate_of(const struct processes *all, const struct process *p)
{
    bool window = all->o.measure_to != CYCLE_NEVER;
    double cycles = window ? (double)(all->o.measure_to - all->o.measure_from)
                           : (double)p->ended / (1 << FRACTION_BITS);
    double cycles_per_second = all->o.paths->params->link_mb_per_s * 1e6 / CROSSPOINT_WORD_BYTES;
    return cycles > 0 ? (uint64_t)((double)p->bytes / cycles * cycles_per_second) : 0;
}

struct processes_result processes_result(const struct processes *all)
{
    uint64_t sums[7] = {0}, least = UINT64_MAX, most = 0;
    fine_t ended = 0;
    for (uint32_t i = 0; i < all->o.partitions; i++) {
        const struct part_state *s = &all->state[i];
        sums[3] += s->rail_streams;
        sums[4] += s->rail_messages;
        for (size_t p = 0; p < (size_t)s->nodes * all->o.per_node; p++) {
            const struct process *process = &s->process[p];
            uint64_t rate = rate_of(all, process);
            if (!process->number)
                continue;
            ended = fine_max(ended, process->ended);
            sums[0]++;
            sums[1] += process->messages;
            sums[2] += process->bytes;
            if (!process->receives)
                continue;
            sums[5]++;
            sums[6] += rate;
            least = rate < least ? rate : least;
            most = rate > most ? rate : most;
        }
    }
    ranks_sum(sums, 7);
    return (struct processes_result){.active = sums[0],
                                     .messages = sums[1],
                                     .bytes = sums[2],
                                     .rail_streams = sums[3],
                                     .rail_messages = sums[4],
                                     .receivers = sums[5],
                                     .mean_rate = sums[5] ? (double)sums[6] / (double)sums[5] : 0,
                                     .least_rate = UINT64_MAX - ranks_max(UINT64_MAX - least),
                                     .most_rate = ranks_max(most),
                                     .ended = fine_cycle_after(ranks_max(ended))};
}
