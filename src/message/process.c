/* Programs of messages, matching, protocols. */
#include "message/process.h"

#include <stdlib.h>

#include "base/map.h"
#include "base/memory.h"
#include "base/slots.h"
#include "engine/ranks.h"

#define NONE SLOT_NONE

/* What a packet says. */
enum code {
    CODE_EAGER,   /* a piece of a message; argument, if packets overtake: the message's bytes */
    CODE_REQUEST, /* to send a long message; argument: its bytes */
    CODE_ANSWER,  /* a command to the engine: stream the message */
    CODE_DATA,    /* a piece of a stream */
    CODE_LOCAL,   /* a whole message through memory */
    CODE_WHOLE,   /* a whole message, reassembled and read */
};

/* The cargo of a send: | argument 32 | number 12 | to 8 | from 8 | code 4 |. `to` and `from` are
 * slots of the two nodes. */
struct words {
    enum code code;
    uint32_t from, to, number, argument;
};

enum { NUMBER_BITS = 12 };

static uint64_t pack(const struct words *w)
{
    return (uint64_t)w->argument << 32 | (uint64_t)w->number << 20 | w->to << 12 | w->from << 4 |
           w->code;
}

static struct words unpack(uint64_t cargo)
{
    return (struct words){.code = (enum code)(cargo & 15),
                          .from = cargo >> 4 & 255,
                          .to = cargo >> 12 & 255,
                          .number = cargo >> 20 & ((1u << NUMBER_BITS) - 1),
                          .argument = (uint32_t)(cargo >> 32)};
}

/* Something that arrived before the step that needs it, or that comes through memory. */
struct note {
    fine_t when;
    uint64_t bytes;
    uint32_t source, next; /* process; next in its queue, a ring, or in the node's list */
    uint8_t code, to;      /* to: slot of the node */
    bool last;
};

/* A message that has arrived in part. */
struct partial {
    uint64_t bytes;
    uint32_t next; /* of the free ones */
    bool whole;
};

struct process {
    fine_t busy;       /* its processor is busy until then */
    fine_t sent, got;  /* when this step's sending and receiving were done */
    uint64_t received; /* bytes so far of the message being received */
    uint64_t bytes;    /* received while measuring */
    fine_t ended;      /* when it had nothing more to do */
    struct step step;
    uint32_t number;  /* of the step */
    uint32_t streams; /* streams of its message that have not left */
    uint32_t messages;
    bool sending, receiving, answered; /* answered: its stream is on its way */
    bool receives, started, done;
};

struct process_part {
    struct process *process; /* [local * per_node + slot] */
    uint32_t *local_notes;   /* [local], messages through memory under way */
    struct slots notes;      /* struct note */
    struct map early;        /* (process, source): the newest note of their queue */
    /* If packets overtake each other: */
    struct slots partials;    /* struct partial */
    struct map parts;         /* (process, source, number): its partial */
    struct map posted, taken; /* (process, other): messages so far */
    uint32_t nodes;
    uint64_t rail_streams, rail_messages;
} __attribute__((aligned(64)));

struct processes {
    struct processes_options o;
    struct software_params software;
    struct nic *nic;
    uint32_t *living, *place; /* nodes with processes; by node: its index in living */
    fine_t send_time, receive_time;
    double byte_cycles, memory_byte_cycles, reduce_byte_cycles;
    struct process_part *part;
};

/* A process that something happens to. */
struct self {
    struct processes *all;
    struct process_part *s;
    struct process *p;
    struct nic_node at;
    uint32_t slot;
};

static uint32_t number_of(const struct processes *all, uint32_t node, uint32_t slot)
{
    return all->place[node] == NONE ? NONE : all->place[node] * all->o.per_node + slot;
}

static uint32_t node_of(const struct processes *all, uint32_t process)
{
    return all->living[process / all->o.per_node];
}

static struct self self_at(struct processes *all, const struct nic_node *at, uint32_t slot)
{
    struct process_part *s = &all->part[at->partition];
    return (struct self){.all = all,
                         .s = s,
                         .p = &s->process[(size_t)at->local * all->o.per_node + slot],
                         .at = *at,
                         .slot = slot};
}

/* This process and another one, as a key of a map. */
static uint64_t pair_key(const struct self *me, uint32_t other)
{
    return (uint64_t)(me->p - me->s->process) << 32 | other;
}

/* ---- notes ---- */

static struct note *note_at(const struct process_part *s, uint32_t index)
{
    return (struct note *)s->notes.item + index;
}

static uint32_t new_note(struct process_part *s, const struct note *note)
{
    uint32_t index = slots_get(&s->notes);
    *note_at(s, index) = *note;
    note_at(s, index)->next = index;
    return index;
}

/* Adds a note to the queue of its source: a ring, with a pointer to the newest note. */
static void keep_early(struct self *me, const struct note *note)
{
    uint32_t index = new_note(me->s, note);
    uint32_t *newest = map_add(&me->s->early, pair_key(me, note->source), index);
    if (*newest == index)
        return;
    note_at(me->s, index)->next = note_at(me->s, *newest)->next;
    note_at(me->s, *newest)->next = index;
    *newest = index;
}

/* Takes the oldest early note of a source out of its queue; false: there is none. */
static bool take_early(struct self *me, uint32_t source, struct note *note)
{
    uint32_t *newest = map_find(&me->s->early, pair_key(me, source));
    if (!newest)
        return false;
    uint32_t oldest = note_at(me->s, *newest)->next;
    *note = *note_at(me->s, oldest);
    if (oldest == *newest)
        map_remove(&me->s->early, pair_key(me, source));
    else
        note_at(me->s, *newest)->next = note->next;
    slots_put(&me->s->notes, oldest);
    return true;
}

/* ---- sending ---- */

/* What the bytes of a message cost the processor. */
static fine_t byte_time(const struct self *me, uint64_t bytes)
{
    return fine_length((double)bytes * me->all->byte_cycles);
}

/* Posts, and keeps the processor busy for as long as the nic does. */
static void post(struct self *me, const struct nic_send *send)
{
    fine_t free = nic_post(me->all->nic, &me->at, send);
    me->p->busy = fine_max(me->p->busy, free);
}

/* An event to another process, made by this one's processor. */
static struct nic_send event_to(struct self *me, uint32_t process, struct words words, fine_t when)
{
    words.from = me->slot;
    words.to = process % me->all->o.per_node;
    me->p->busy = fine_max(me->p->busy, when) + me->all->send_time;
    return (struct nic_send){.to = node_of(me->all, process),
                             .cargo = pack(&words),
                             .birth = when >> FRACTION_BITS,
                             .ready = me->p->busy,
                             .gap = me->all->send_time,
                             .flags = NIC_ADAPTIVE,
                             .queue = (uint8_t)me->slot};
}

/* The number of a message to another process, if packets may overtake each other. */
static uint32_t next_number(struct self *me, uint32_t to)
{
    if (me->all->nic->traits.ordered)
        return 0;
    uint32_t *count = map_add(&me->s->posted, pair_key(me, to), 0);
    return (*count)++ & ((1u << NUMBER_BITS) - 1);
}

static void send_eager(struct self *me, fine_t when)
{
    const struct step *step = &me->p->step;
    uint64_t full = me->all->nic->traits.packet_payload;
    uint64_t packets = step->bytes ? (step->bytes + full - 1) / full : 1;
    struct words words = {
        .code = CODE_EAGER, .number = next_number(me, step->to), .argument = (uint32_t)step->bytes};
    struct nic_send send = event_to(me, step->to, words, when);
    send.bytes = step->bytes;
    send.ready = me->p->busy += byte_time(me, step->bytes);
    me->p->busy += (packets - 1) * me->all->send_time;
    me->p->streams = 1;
    post(me, &send);
}

static void send_request(struct self *me, fine_t when)
{
    struct words words = {.code = CODE_REQUEST, .argument = (uint32_t)me->p->step.bytes};
    struct nic_send send = event_to(me, me->p->step.to, words, when);
    post(me, &send);
}

/* Through memory: the sender copies, and is done when the receiver has the message. */
static void send_local(struct self *me, fine_t when)
{
    const struct step *step = &me->p->step;
    double copy = (double)step->bytes * me->all->memory_byte_cycles;
    me->p->busy = fine_max(me->p->busy, when) + me->all->send_time + fine_length(copy);
    struct note note = {.when = me->p->busy,
                        .bytes = step->bytes,
                        .source = number_of(me->all, me->at.node, me->slot),
                        .code = CODE_LOCAL,
                        .to = (uint8_t)(step->to % me->all->o.per_node),
                        .last = true};
    uint32_t index = new_note(me->s, &note);
    note_at(me->s, index)->next = me->s->local_notes[me->at.local];
    me->s->local_notes[me->at.local] = index;
    cycle_t now = nic_now(me->all->nic, me->at.partition), then = fine_cycle_after(note.when);
    nic_wake(me->all->nic, &me->at, then > now ? then : now + 1);
}

static void send_message(struct self *me, fine_t when)
{
    const struct step *step = &me->p->step;
    bool engine = me->all->nic->traits.engine;
    me->p->sending = true;
    if (node_of(me->all, step->to) == me->at.node)
        send_local(me, when);
    else if (!engine || step->bytes <= me->all->software.eager_bytes)
        send_eager(me, when);
    else
        send_request(me, when);
}

enum { RAILS_MOST = 16 };

/* Chooses the routes of a message: the best or, for a long one, several that share nothing. */
static uint32_t choose_routes(struct self *me, uint32_t to, uint64_t bytes,
                              struct nic_route route[RAILS_MOST])
{
    const struct software_params *software = &me->all->software;
    uint64_t full = me->all->nic->traits.packet_payload, packets = (bytes + full - 1) / full;
    uint32_t rails_most = me->all->nic->traits.routes, wanted = software->rails;
    uint32_t most = wanted < rails_most ? wanted : rails_most;
    most = packets < most ? (uint32_t)packets : most;
    route[0] = (struct nic_route){0};
    if (bytes < software->rails_bytes || most < 2)
        return 1;
    uint32_t rails = nic_routes(me->all->nic, me->at.node, to, most, route);
    me->s->rail_messages++;
    me->s->rail_streams += rails;
    return rails;
}

/* On the receiver's command, the engine streams the message over its rails. */
static void stream(struct self *me, fine_t when)
{
    const struct step *step = &me->p->step;
    struct nic_route route[RAILS_MOST];
    struct words words = {
        .code = CODE_DATA, .from = me->slot, .to = step->to % me->all->o.per_node};
    uint64_t left = step->bytes;
    WEFT_CHECK(me->p->sending && step->to < me->all->o.processes,
               "process %u is told to send and has nothing to",
               number_of(me->all, me->at.node, me->slot));
    uint32_t to = node_of(me->all, step->to), rails = choose_routes(me, to, left, route);
    cycle_t now = nic_now(me->all->nic, me->at.partition);
    if (me->all->byte_cycles > 0)
        when = me->p->busy = fine_max(me->p->busy, when) + byte_time(me, step->bytes);
    me->p->streams = rails;
    for (uint32_t rail = 0; rail < rails; rail++) {
        uint64_t share = left / (rails - rail);
        struct nic_send send = {.to = to,
                                .bytes = share,
                                .cargo = pack(&words),
                                .route = route[rail],
                                .birth = when >> FRACTION_BITS,
                                .ready = fine_max(when, fine_at(now + 1)),
                                .flags = NIC_STREAM,
                                .queue = (uint8_t)me->slot};
        left -= share;
        nic_post(me->all->nic, &me->at, &send);
    }
}

/* ---- steps ---- */

static void take_note(struct self *me, const struct note *note);

static void begin_step(struct self *me, fine_t when)
{
    const struct program *program = &me->all->o.program;
    struct process *p = me->p;
    uint32_t number = number_of(me->all, me->at.node, me->slot);
    WEFT_CHECK(number < me->all->o.processes, "node %u has no process %u", me->at.node, me->slot);
    bool more = (when >> FRACTION_BITS) < program->stop_at &&
                program->step(program->ctx, number, p->number, &p->step);
    if (!more) {
        p->done = true;
        p->ended = when;
        if (p->number)
            nic_await(me->all->nic, me->at.partition, -1);
        return;
    }
    if (!p->number++)
        nic_await(me->all->nic, me->at.partition, 1);
    p->sent = p->got = when;
    p->received = 0;
    p->sending = false;
    p->receiving = p->step.from != NOBODY;
    p->receives |= p->receiving;
    p->answered = false;
    if (p->step.to != NOBODY)
        send_message(me, when);
}

/* Continues while steps end at once, because their messages have already arrived. */
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

/* Checks that what arrives is what the program expects, in order and once. */
static void expect_bytes(const struct self *me, uint64_t bytes)
{
    WEFT_CHECK(me->p->receiving && bytes == me->p->step.from_bytes,
               "process %u was sent %llu bytes but expects %llu",
               number_of(me->all, me->at.node, me->slot), (unsigned long long)bytes,
               (unsigned long long)me->p->step.from_bytes);
}

/* The processor takes a note for the message that it waits for. */
static void take_note(struct self *me, const struct note *note)
{
    struct process *p = me->p;
    fine_t when = p->busy =
        fine_max(p->busy, note->when) + (note->code == CODE_WHOLE ? 0 : me->all->receive_time) +
        (note->code == CODE_REQUEST || note->code == CODE_LOCAL ? 0 : byte_time(me, note->bytes));
    if (note->code == CODE_REQUEST) {
        expect_bytes(me, note->bytes);
        p->answered = true;
        struct nic_send send =
            event_to(me, note->source, (struct words){.code = CODE_ANSWER}, when);
        post(me, &send);
        return;
    }
    p->received += note->bytes;
    if (!note->last)
        return;
    expect_bytes(me, p->received);
    got_message(me, when);
}

/* ---- packets that overtake each other ---- */

static uint64_t partial_key(const struct self *me, uint32_t source, uint32_t number)
{
    return (uint64_t)(me->p - me->s->process) << 36 | (uint64_t)source << NUMBER_BITS | number;
}

/* Moves the next messages of a source to its queue, as long as they are whole. */
static void release_whole(struct self *me, uint32_t source, fine_t when)
{
    uint32_t *taken = map_add(&me->s->taken, pair_key(me, source), 0);
    for (;;) {
        uint64_t key = partial_key(me, source, *taken & ((1u << NUMBER_BITS) - 1));
        uint32_t *index = map_find(&me->s->parts, key);
        struct partial *part = index ? (struct partial *)me->s->partials.item + *index : NULL;
        if (!part || !part->whole)
            return;
        struct note note = {
            .when = when, .bytes = part->bytes, .source = source, .code = CODE_WHOLE, .last = true};
        slots_put(&me->s->partials, *index);
        map_remove(&me->s->parts, key);
        ++*taken;
        keep_early(me, &note);
    }
}

/* The processor has read a packet of a message, which is whole when all its bytes are there. */
static void put_together(struct self *me, uint32_t source, const struct words *w, uint32_t bytes,
                         fine_t when)
{
    uint32_t *index = map_find(&me->s->parts, partial_key(me, source, w->number));
    if (!index) {
        uint32_t fresh = slots_get(&me->s->partials);
        ((struct partial *)me->s->partials.item)[fresh] = (struct partial){.bytes = 0};
        index = map_add(&me->s->parts, partial_key(me, source, w->number), fresh);
    }
    struct partial *part = (struct partial *)me->s->partials.item + *index;
    part->bytes += bytes;
    part->whole = part->bytes == w->argument;
    me->p->busy = fine_max(me->p->busy, when) + me->all->receive_time;
    if (part->whole)
        release_whole(me, source, me->p->busy);
}

/* ---- calls from the nic ---- */

static void take_data(struct self *me, uint32_t bytes, fine_t when)
{
    struct process *p = me->p;
    p->received += bytes;
    if (p->received < p->step.from_bytes)
        return;
    expect_bytes(me, p->received);
    when = nic_notify(me->all->nic, &me->at, when);
    p->busy = fine_max(p->busy, when) + me->all->receive_time + byte_time(me, p->received);
    got_message(me, p->busy);
    go_on(me);
}

static void arrived(void *ctx, const struct nic_node *at, const struct nic_arrival *a, fine_t when)
{
    const struct processes *all = ctx;
    struct words words = unpack(a->cargo);
    uint32_t source = number_of(all, a->source, words.from);
    WEFT_CHECK(words.to < all->o.per_node && words.from < all->o.per_node &&
                   source < all->o.processes && words.code <= CODE_DATA,
               "node %u was sent what no process sends", at->node);
    struct self me = self_at(ctx, at, words.to);
    count_bytes(&me, a->bytes, when);
    if (words.code == CODE_ANSWER) {
        stream(&me, when);
        return;
    }
    if (words.code == CODE_DATA) {
        take_data(&me, a->bytes, when);
        return;
    }
    if (words.code == CODE_EAGER && !me.all->nic->traits.ordered) {
        put_together(&me, source, &words, a->bytes, when);
    } else {
        bool request = words.code == CODE_REQUEST;
        struct note note = {.when = when,
                            .bytes = request ? words.argument : a->bytes,
                            .source = source,
                            .code = (uint8_t)words.code,
                            .last = a->last};
        keep_early(&me, &note);
    }
    if (me.p->receiving)
        go_on(&me);
}

static void sent(void *ctx, const struct nic_node *at, const struct nic_send *send, fine_t when)
{
    const struct processes *all = ctx;
    struct words words = unpack(send->cargo);
    WEFT_CHECK(words.from < all->o.per_node, "node %u has sent what no process sends", at->node);
    struct self me = self_at(ctx, at, words.from);
    if (words.code == CODE_REQUEST || words.code == CODE_ANSWER || --me.p->streams)
        return;
    me.p->sending = false;
    me.p->sent = fine_max(when, me.p->busy);
    go_on(&me);
}

/* Takes messages through memory that are due, in order of their times and sources. */
static void take_local(struct processes *all, const struct nic_node *at, cycle_t now)
{
    struct process_part *s = &all->part[at->partition];
    uint32_t *list = &s->local_notes[at->local];
    for (;;) {
        uint32_t best = NONE, best_before = NONE, before = NONE;
        for (uint32_t i = *list; i != NONE; before = i, i = note_at(s, i)->next) {
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
        *(best_before == NONE ? list : &note_at(s, best_before)->next) = note.next;
        slots_put(&s->notes, best);
        struct self me = self_at(all, at, note.to);
        struct self sender = self_at(all, at, note.source % all->o.per_node);
        count_bytes(&me, note.bytes, note.when);
        keep_early(&me, &note);
        go_on(&me);
        sender.p->sending = false;
        sender.p->sent = note.when;
        go_on(&sender);
    }
}

/* All processes of a node start when it is first woken. */
static void start_processes(struct processes *all, const struct nic_node *at, cycle_t now)
{
    for (uint32_t slot = 0; slot < all->o.per_node; slot++) {
        struct self me = self_at(all, at, slot);
        me.p->started = true;
        if (number_of(all, at->node, slot) >= all->o.processes) {
            me.p->done = true;
            continue;
        }
        begin_step(&me, fine_at(now));
        go_on(&me);
    }
}

static void woken(void *ctx, const struct nic_node *at, cycle_t now)
{
    struct processes *all = ctx;
    const struct process_part *s = &all->part[at->partition];
    if (!s->process[(size_t)at->local * all->o.per_node].started)
        start_processes(all, at, now);
    if (s->local_notes[at->local] != NONE)
        take_local(all, at, now);
}

/* ---- life cycle ---- */

static void prepare(void *ctx, uint32_t partition, uint32_t nodes)
{
    struct processes *all = ctx;
    struct process_part *s = &all->part[partition];
    s->nodes = nodes;
    slots_init(&s->notes, sizeof(struct note), offsetof(struct note, next));
    slots_init(&s->partials, sizeof(struct partial), offsetof(struct partial, next));
    s->process = memory_alloc((size_t)nodes * all->o.per_node, sizeof(*s->process));
    s->local_notes = memory_alloc(nodes, sizeof(*s->local_notes));
    for (uint32_t i = 0; i < nodes; i++)
        s->local_notes[i] = NONE;
}

struct processes *processes_create(const struct processes_options *o)
{
    struct processes *all = memory_alloc(1, sizeof(*all));
    double cycles_per_us = o->nic->traits.cycles_per_us;
    WEFT_CHECK(o->per_node <= o->nic->traits.queues, "%u processes share %u queues", o->per_node,
               o->nic->traits.queues);
    all->o = *o;
    all->nic = o->nic;
    all->software = *o->software;
    all->send_time = fine_length(o->software->send_ns * 1e-3 * cycles_per_us);
    all->receive_time = fine_length(o->software->receive_ns * 1e-3 * cycles_per_us);
    all->byte_cycles = o->software->byte_ns * 1e-3 * cycles_per_us;
    all->memory_byte_cycles = cycles_per_us / o->software->memory_mb_per_s;
    all->reduce_byte_cycles = cycles_per_us / o->software->reduce_mb_per_s;
    all->living = memory_alloc(o->nodes, sizeof(*all->living));
    all->place = memory_alloc(o->nodes, sizeof(*all->place));
    uint32_t count = 0;
    for (uint32_t node = 0; node < o->nodes; node++) {
        bool dead = o->dead && o->dead[node];
        all->place[node] = dead ? NONE : count;
        if (!dead)
            all->living[count++] = node;
    }
    all->part = memory_alloc_lines(o->nic->partitions, sizeof(*all->part));
    return all;
}

void processes_destroy(struct processes *all)
{
    if (!all)
        return;
    for (uint32_t i = 0; i < all->nic->partitions; i++) {
        struct process_part *s = &all->part[i];
        free(s->process);
        free(s->local_notes);
        slots_fini(&s->notes);
        slots_fini(&s->partials);
        map_fini(&s->early);
        map_fini(&s->parts);
        map_fini(&s->posted);
        map_fini(&s->taken);
    }
    free(all->part);
    free(all->living);
    free(all->place);
    free(all);
}

struct nic_client processes_client(struct processes *all)
{
    return (struct nic_client){
        .ctx = all, .prepare = prepare, .woken = woken, .arrived = arrived, .sent = sent};
}

/* ---- whether a state can be one ---- */

static bool is_process(const struct processes *all, const struct process *p)
{
    const struct step *step = &p->step;
    return (step->to == NOBODY || step->to < all->o.processes) &&
           (step->from == NOBODY || step->from < all->o.processes) && step->bytes <= UINT32_MAX &&
           step->from_bytes <= UINT32_MAX && step->reduce_bytes <= UINT32_MAX &&
           census_is_bool(&p->sending) && census_is_bool(&p->receiving) &&
           census_is_bool(&p->answered) && census_is_bool(&p->receives) &&
           census_is_bool(&p->started) && census_is_bool(&p->done);
}

static bool is_note(const struct processes *all, const struct note *n)
{
    return n->source < all->o.processes && n->to < all->o.per_node && n->code <= CODE_WHOLE &&
           census_is_bool(&n->last);
}

/* Every note is in a list of its node, in the queue of a source, or free. */
static bool are_notes(const struct processes *all, const struct process_part *s,
                      struct census *notes)
{
    struct census_items items = slots_items(&s->notes);
    uint32_t last;
    for (uint32_t i = 0; i < s->notes.count; i++)
        if (!notes->taken[i] && !is_note(all, note_at(s, i)))
            return false;
    for (uint32_t local = 0; local < s->nodes; local++)
        if (!census_list(notes, items, s->local_notes[local], &last))
            return false;
    for (uint32_t i = 0; i < s->early.capacity; i++)
        if (s->early.entry[i].used && !census_ring(notes, items, s->early.entry[i].value))
            return false;
    return census_is_full(notes);
}

static bool are_partials(const struct process_part *s, struct census *partials)
{
    const struct partial *partial = s->partials.item;
    for (uint32_t i = 0; i < s->parts.capacity; i++) {
        const struct map_entry *e = &s->parts.entry[i];
        if (e->used &&
            !(census_take(partials, e->value) && census_is_bool(&partial[e->value].whole)))
            return false;
    }
    return census_is_full(partials);
}

static const char *lists_flaw(const struct processes *all, const struct process_part *s)
{
    struct census notes, partials;
    bool right = slots_census(&s->notes, &notes) && are_notes(all, s, &notes);
    right = slots_census(&s->partials, &partials) && right && are_partials(s, &partials);
    census_fini(&notes);
    census_fini(&partials);
    for (size_t i = 0; i < (size_t)s->nodes * all->o.per_node; i++)
        right = right && is_process(all, &s->process[i]);
    return right ? NULL : "a process is not valid";
}

void processes_archive(struct processes *all, struct archive *a)
{
    for (uint32_t i = 0; i < all->nic->partitions; i++) {
        struct process_part *s = &all->part[i];
        archive_bytes(a, s->process, (size_t)s->nodes * all->o.per_node * sizeof(*s->process));
        archive_bytes(a, s->local_notes, s->nodes * sizeof(*s->local_notes));
        slots_archive(&s->notes, a);
        slots_archive(&s->partials, a);
        map_archive(&s->early, a);
        map_archive(&s->parts, a);
        map_archive(&s->posted, a);
        map_archive(&s->taken, a);
        archive_bytes(a, &s->rail_streams, sizeof(s->rail_streams));
        archive_bytes(a, &s->rail_messages, sizeof(s->rail_messages));
        if (archive_has_read(a))
            archive_sound(a, lists_flaw(all, s));
    }
}

/* Bytes per second that a process received: while measuring or, in a run to the end, until its own
 * end. */
static uint64_t rate_of(const struct processes *all, const struct process *p)
{
    bool window = all->o.measure_to != CYCLE_NEVER;
    double cycles = window ? (double)(all->o.measure_to - all->o.measure_from)
                           : (double)p->ended / (1 << FRACTION_BITS);
    double cycles_per_second = all->nic->traits.cycles_per_us * 1e6;
    double rate = cycles > 0 ? (double)p->bytes / cycles * cycles_per_second : 0;
    return rate < 0x1p63 ? (uint64_t)rate : 1ull << 63;
}

struct processes_result processes_result(const struct processes *all)
{
    uint64_t sums[7] = {0}, least = UINT64_MAX, most = 0;
    fine_t ended = 0;
    for (uint32_t i = 0; i < all->nic->partitions; i++) {
        const struct process_part *s = &all->part[i];
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
