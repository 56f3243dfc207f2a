/* Processes: who carries their messages, what they go through, what they achieved. */
#include "message/layer.h"

#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "base/memory.h"
#include "base/random.h"
#include "base/text/text.h"
#include "engine/ranks.h"
#include "message/collect.h"

/* ---- what processes go through ---- */

/* Tells a process that probes what it finds. */
static void find_probed(struct self *me, struct action *action)
{
    struct envelope found;
    action->kinds = 0;
    if (!me->p->probes)
        return;
    me->p->probes = false;
    uint32_t value = match_probe(&me->s->match, &me->p->probe, &found);
    if (value == MATCH_NONE)
        return;
    uint32_t attachment = message_at(me->s, value)->attachment;
    action->kinds = ACTION_PROBE;
    action->from = found.source;
    action->tag = found.tag;
    action->from_bytes = attachment_at(me->all->attachments, attachment)->bytes;
}

void process_next(struct self *me, struct action *action)
{
    const struct runner *runner = &me->all->runner;
    struct process *p = me->p;
    struct seat seat = self_seat(me);
    WEFT_CHECK(seat.rank < me->all->o.processes, "node %u has no process %u", me->at.node,
               me->slot);
    find_probed(me, action);
    if (runner->timely) /* a program that looks again and again is no deadlock */
        nic_record(me->all->nic, me->at.partition, 0);
    p->deadline = 0;
    runner->next(runner->ctx, &seat, p->busy, action);
    p->watched = action->watched; /* from now on, even if it does something else before it waits */
    bool end = action->kinds & ACTION_END;
    if (!end && !p->active) {
        p->active = true;
        p->rank = seat.rank;
        nic_await(me->all->nic, me->at.partition, 1);
    }
    if (!end)
        return;
    p->done = true;
    p->ended = p->busy;
    if (runner->timely || runner->late) /* it may have worked after its last message */
        nic_record(me->all->nic, me->at.partition, random_mix(random_mix(seat.rank) + p->ended));
    if (p->active)
        nic_await(me->all->nic, me->at.partition, -1);
}

void process_count(struct self *me, uint64_t bytes, fine_t when)
{
    cycle_t at = when >> FRACTION_BITS;
    if (at >= me->all->o.measure_from && at < me->all->o.measure_to)
        me->p->bytes += bytes;
}

/* What a receive or probe of an action looks for. */
static struct envelope receive_envelope(const struct self *me, const struct action *a)
{
    return (struct envelope){
        .process = self_index(me), .context = a->context, .source = a->from, .tag = a->tag};
}

void process_probe(struct self *me, const struct action *a)
{
    me->p->probes = a->kinds & ACTION_PROBE;
    me->p->probe = receive_envelope(me, a);
}

/* A receive that is looked for by its request. */
struct wanted {
    const struct self *me;
    uint32_t request;
};

static bool is_wanted(void *arg, uint32_t value)
{
    const struct wanted *w = arg;
    return message_at(w->me->s, value)->request == w->request;
}

void process_cancel(struct self *me, const struct action *a)
{
    const struct runner *runner = &me->all->runner;
    struct envelope e = receive_envelope(me, a);
    struct wanted w = {me, a->from_request};
    uint32_t value = match_take_back(&me->s->match, &e, is_wanted, &w);
    if (value == MATCH_NONE)
        return;
    slots_put(&me->s->messages, value);
    me->p->receives--;
    struct seat seat = self_seat(me);
    struct outcome_of outcome = {
        .peer = a->from, .attachment = ATTACHMENT_NONE, .when = me->p->busy, .cancelled = true};
    runner->complete(runner->ctx, &seat, a->from_request, &outcome);
}

void process_wait(struct self *me, const struct action *a)
{
    struct process *p = me->p;
    p->waiting = true;
    p->sends_left = a->sends_left;
    p->receives_left = a->receives_left;
    p->deadline = a->watched ? a->deadline : 0;
    p->reached = fine_max(p->reached, a->until);
    p->sleep = a->sleep;
}

/* ---- messages ---- */

uint32_t message_new(const struct self *me, uint32_t peer)
{
    uint32_t index = slots_get(&me->s->messages);
    *message_at(me->s, index) = (struct message){.process = self_index(me),
                                                 .peer = peer,
                                                 .attachment = ATTACHMENT_NONE,
                                                 .request = NO_REQUEST,
                                                 .notices.first = SLOT_NONE};
    return index;
}

static uint32_t new_send(struct self *me, uint32_t peer, uint64_t bytes, uint32_t attachment)
{
    uint32_t index = message_new(me, peer);
    struct message *m = message_at(me->s, index);
    m->bytes = bytes;
    m->attachment = attachment;
    m->number = me->p->sent++ & (CARGO_NUMBERS - 1);
    me->p->sends++;
    return index;
}

uint32_t process_send(struct self *me, const struct action *a)
{
    uint32_t index = new_send(me, a->to, a->bytes, a->attachment);
    struct message *m = message_at(me->s, index);
    m->request = a->request;
    m->shape = a->shape;
    if (a->attachment != ATTACHMENT_NONE)
        m->remote = attachment_at(me->all->attachments, a->attachment)->remote;
    if (m->remote == REMOTE_CALL) {
        attachment_at(me->all->attachments, a->attachment)->call = m->number;
        uint32_t *call = map_add(&me->s->calls, self_key(me, m->number), index);
        WEFT_CHECK(*call == index, "process %u has more than %d messages under way",
                   self_number(me), CARGO_NUMBERS);
    }
    return index;
}

uint32_t process_send_reply(struct self *me, uint32_t peer, uint32_t attachment)
{
    const struct attachment *a = attachment_at(me->all->attachments, attachment);
    uint32_t index = new_send(me, peer, a->bytes, attachment);
    message_at(me->s, index)->remote = REMOTE_REPLY;
    message_at(me->s, index)->shape = SHAPE_LINES;
    return index;
}

void process_reply(void *layer, uint32_t peer, uint32_t attachment, fine_t when)
{
    struct self *me = layer;
    me->all->carrier->reply(me, peer, attachment, when);
}

uint32_t process_receive(struct self *me, const struct action *a)
{
    struct envelope envelope = receive_envelope(me, a);
    uint32_t index = match_take_arrived(&me->s->match, &envelope);
    if (index == MATCH_NONE) {
        index = message_new(me, a->from == MATCH_ANY ? self_number(me) : a->from);
        match_add_posted(&me->s->match, &envelope, index);
    }
    struct message *m = message_at(me->s, index);
    m->received = true;
    m->expected = a->from_bytes;
    m->request = a->from_request;
    m->shape = a->from_shape;
    me->p->receives++;
    me->p->receiver = true;
    return index;
}

/* A call, or the reply to one: it meets no receive. */
static uint32_t meet_remote(struct self *me, uint32_t source, uint32_t attachment)
{
    const struct attachment *a = attachment_at(me->all->attachments, attachment);
    uint32_t index = message_new(me, source);
    struct message *m = message_at(me->s, index);
    m->attachment = attachment;
    m->remote = a->remote;
    m->shape = a->shape;
    m->received = true;
    return index;
}

uint32_t process_meet(struct self *me, uint32_t source, uint32_t attachment)
{
    struct envelope e = {.process = self_index(me), .source = source};
    if (attachment != ATTACHMENT_NONE) {
        const struct attachment *a = attachment_at(me->all->attachments, attachment);
        if (a->remote)
            return meet_remote(me, source, attachment);
        e.context = a->context;
        e.tag = a->tag;
    }
    uint32_t index = match_take_posted(&me->s->match, &e);
    if (index == MATCH_NONE) {
        index = message_new(me, source);
        match_add_arrived(&me->s->match, &e, index);
    }
    message_at(me->s, index)->peer = source;
    message_at(me->s, index)->attachment = attachment;
    return index;
}

void process_ask(struct self *me, uint32_t index)
{
    uint64_t key = self_key(me, message_at(me->s, index)->number);
    uint32_t *asked = map_add(&me->s->asked, key, index);
    WEFT_CHECK(*asked == index, "process %u has more than %d sends under way", self_number(me),
               CARGO_NUMBERS);
}

uint32_t process_asked(struct self *me, uint32_t number)
{
    uint32_t *asked = map_find(&me->s->asked, self_key(me, number));
    WEFT_CHECK(asked, "process %u is told to send and has nothing to", self_number(me));
    uint32_t index = *asked;
    map_drop(&me->s->asked, asked);
    return index;
}

/* Ends a message: records who, with whom, what, and when, and tells whoever asked for it. Without a
 * request, the process waits for all of its messages. */
static void end_message(struct self *me, uint32_t index, bool received,
                        const struct outcome_of *outcome)
{
    const struct runner *runner = &me->all->runner;
    struct process *p = me->p;
    uint32_t request = message_at(me->s, index)->request;
    bool watched = request == NO_REQUEST && !message_at(me->s, index)->remote;
    uint64_t hash = random_mix((uint64_t)self_number(me) << 32 | outcome->peer);
    hash = random_mix(hash ^ (2 * outcome->bytes + received));
    nic_record(me->all->nic, me->at.partition, random_mix(hash + outcome->when));
    slots_put(&me->s->messages, index);
    if (request != NO_REQUEST) {
        WEFT_CHECK(runner->complete, "process %u has a request, which no script makes",
                   self_number(me));
        struct seat seat = self_seat(me);
        watched = runner->complete(runner->ctx, &seat, request, outcome);
        p->watched -= watched && p->watched; /* it may wait for one of several */
    }
    if (watched)
        p->reached = fine_max(p->reached, outcome->when);
}

/* A call has left, and its reply has come. */
static void end_call(struct self *me, uint32_t index)
{
    const struct message *m = message_at(me->s, index);
    uint32_t reply = m->reply;
    struct outcome_of outcome = {.peer = m->peer,
                                 .bytes = attachment_at(me->all->attachments, reply)->bytes,
                                 .attachment = reply,
                                 .when = m->reply_when};
    me->p->sends--;
    map_remove(&me->s->calls, self_key(me, m->number));
    end_message(me, index, true, &outcome);
    attachment_free(me->all->attachments, reply);
}

/* A reply has come. */
static void take_reply(struct self *me, const struct message *reply, fine_t when)
{
    uint32_t number = attachment_at(me->all->attachments, reply->attachment)->call;
    const uint32_t *call = map_find(&me->s->calls, self_key(me, number));
    WEFT_CHECK(call, "process %u gets the reply to no call", self_number(me));
    struct message *m = message_at(me->s, *call);
    m->reply = reply->attachment;
    m->reply_when = fine_max(m->reply_when, when);
    m->replied = true;
    if (m->left)
        end_call(me, *call);
}

static void serve(struct self *me, const struct message *m, fine_t when)
{
    const struct runner *runner = &me->all->runner;
    struct seat seat = self_seat(me);
    struct remote_call call = {
        .peer = m->peer, .attachment = m->attachment, .when = when, .layer = me};
    uint64_t hash = random_mix((uint64_t)self_number(me) << 32 | m->peer);
    nic_record(me->all->nic, me->at.partition, random_mix(random_mix(hash ^ m->moved) + when));
    runner->serve(runner->ctx, &seat, &call);
    attachment_free(me->all->attachments, m->attachment);
}

void process_sent(struct self *me, uint32_t index, fine_t when)
{
    struct message *m = message_at(me->s, index);
    if (m->remote == REMOTE_CALL) {
        m->left = true;
        m->reply_when = fine_max(m->reply_when, when);
        if (m->replied)
            end_call(me, index);
        return;
    }
    struct outcome_of outcome = {
        .peer = m->peer, .bytes = m->bytes, .attachment = ATTACHMENT_NONE, .when = when};
    me->p->sends--;
    end_message(me, index, false, &outcome);
}

void process_received(struct self *me, uint32_t index, fine_t when)
{
    const struct message *m = message_at(me->s, index);
    if (m->remote) {
        struct message remote = *m; /* serving a call may move the table */
        slots_put(&me->s->messages, index);
        (remote.remote == REMOTE_CALL ? serve : take_reply)(me, &remote, when);
        return;
    }
    struct outcome_of outcome = {
        .peer = m->peer, .bytes = m->moved, .attachment = m->attachment, .when = when};
    WEFT_CHECK(m->request != NO_REQUEST || m->moved == m->expected,
               "process %u was sent %llu bytes but expects %llu", self_number(me),
               (unsigned long long)m->moved, (unsigned long long)m->expected);
    me->p->receives--;
    me->p->messages++;
    end_message(me, index, true, &outcome);
    if (outcome.attachment != ATTACHMENT_NONE)
        attachment_free(me->all->attachments, outcome.attachment);
}

/* ---- life cycle ---- */

static void prepare(void *ctx, uint32_t partition, uint32_t nodes)
{
    struct processes *all = ctx;
    struct process_part *s = &all->part[partition];
    s->nodes = nodes;
    s->processes = nodes * all->o.per_node;
    s->process = memory_alloc(s->processes, sizeof(*s->process));
    match_init(&s->match, s->processes);
    slots_init(&s->messages, sizeof(struct message), offsetof(struct message, next));
    all->runner.prepare(all->runner.ctx, partition, s->processes);
    all->carrier->prepare(all, partition);
}

/* All nodes with processes take part in operations of gates, in the order of their first ones. */
static void arrange_gates(const struct processes *all)
{
    const struct processes_options *o = &all->o;
    uint32_t *node = memory_alloc(o->processes, sizeof(*node)), count = 0;
    uint32_t *processes = memory_alloc(o->processes, sizeof(*processes));
    uint32_t *number = memory_alloc(o->nodes, sizeof(*number));
    for (uint32_t i = 0; i < o->processes; i++) {
        uint32_t at = process_node(all, i);
        if (!number[at]) {
            node[count] = at;
            number[at] = ++count;
        }
        processes[number[at] - 1]++;
    }
    o->nic->gates->arrange(o->nic->gates, node, processes, count);
    free(node);
    free(processes);
    free(number);
}

/* What collective operations of programs can use. Packets leave copies where all nodes take part,
 * none of them dead, with one process of one program. */
static uint32_t task_offers_of(const struct processes *all)
{
    const struct processes_options *o = &all->o;
    bool writes = o->nic->kind->fifos; /* processors write packets */
    bool floods = writes && o->torus && o->whole && o->groups == 1 && o->per_node == 1 &&
                  o->processes == o->nodes;
    bool tree = o->nic->tree && o->processes == o->nic->tree->nodes * o->per_node;
    return (tree ? TASK_TREE : 0) | (o->nic->gates ? TASK_GATES : 0) | (floods ? TASK_FLOOD : 0) |
           (writes ? TASK_EACH : 0);
}

/* Whether processors write packets themselves. */
static bool writes_packets(const struct processes_options *o)
{
    return o->nic->kind->fifos && o->steps;
}

/* The injection FIFOs of a process: two processes of a node share them. */
static uint32_t packet_fifos(const struct processes_options *o)
{
    bool shared = o->cores->mode == MODE_VIRTUAL_NODE;
    return o->nic->traits.directions / (shared ? o->nic->traits.groups : 1);
}

/* All processes of its nodes take part, and no others. */
static unsigned tree_class(const void *arg, const struct members *members)
{
    const struct processes *all = arg;
    const struct nic_tree *tree = all->nic->tree;
    for (unsigned class = 1; class < tree->classes; class ++) {
        bool inside = members->size == tree->class_nodes[class] * all->o.per_node;
        for (uint32_t i = 0; i < members->size && inside; i++)
            inside = tree->is_member(tree, process_node(all, member_process(members, i)), class);
        if (inside)
            return class;
    }
    return 0;
}

/* A window, and what a processor's time may lag behind its node's: a poll. A microsecond more costs
 * nothing where what is asked for takes longer. */
static fine_t settling(const void *arg)
{
    const struct processes_options *o = &((const struct processes *)arg)->o;
    double poll = writes_packets(o)
                      ? o->steps->poll_cycles * o->nic->traits.cycles_per_us / o->cores->clock_mhz
                      : 0;
    return fine_at(nic_network(o->nic, 0)->lookahead + 2) +
           fine_length(poll + o->nic->traits.cycles_per_us);
}

static void choose_runner(struct processes *all)
{
    const struct processes_options *o = &all->o;
    struct tasks_options t = {
        .group = o->group,
        .groups = o->groups,
        .attachments = all->attachments,
        .partitions = o->nic->partitions,
        .line_bytes = o->cores ? o->cores->line_bytes : 1,
        .piece_bytes = o->nic->memory ? MEMORY_PIECE : 0,
        .clock_hz = 1e6 * (o->cores ? o->cores->clock_mhz : o->software->clock_mhz),
        .cycles_per_us = o->nic->traits.cycles_per_us,
        .coprocessor = o->cores && o->cores->mode == MODE_COPROCESSOR,
        .offers = task_offers_of(all),
        .packet_bytes = writes_packets(o) ? (uint32_t)o->nic->traits.packet_payload : 0,
        .packet_fifos = writes_packets(o) ? packet_fifos(o) : 0,
        .tree_packet_bytes = o->nic->tree ? o->nic->tree->packet_bytes : 0,
        .has_io = o->nic->tree && o->nic->tree->io_piece_bytes,
        .limits = &o->software->limits,
        .calls = &program_calls,
        .tree_class = tree_class,
        .way = all->carrier->way,
        .reply = process_reply,
        .settling = settling,
        .way_arg = all};
    all->runners = runners_create(&o->program, &t);
    all->runner = runners_runner(all->runners);
}

struct processes *processes_create(const struct processes_options *o)
{
    struct processes *all = memory_alloc(1, sizeof(*all));
    WEFT_CHECK(o->per_node <= o->nic->traits.queues, "%u processes share %u queues", o->per_node,
               o->nic->traits.queues);
    WEFT_CHECK(o->processes <= PROCESSES_MOST, "there are more than %d processes", PROCESSES_MOST);
    all->o = *o;
    all->nic = o->nic;
    all->software = *o->software;
    all->apart = o->groups && o->group[0].apart;
    if (!o->mapping) {
        size_t places = (size_t)o->nodes * o->per_node;
        all->nobody.rank = memory_alloc(places, sizeof(*all->nobody.rank));
        memset(all->nobody.rank, 0xff, places * sizeof(*all->nobody.rank)); /* MAPPING_NONE */
        all->o.mapping = &all->nobody;
    }
    all->part = memory_alloc_lines(o->nic->partitions, sizeof(*all->part));
    all->attachments = attachments_create(o->nic->partitions);
    all->carrier = o->nic->kind->fifos ? &packets_carrier : &offload_carrier;
    choose_runner(all);
    all->carried = all->carrier->create(all);
    if (o->nic->gates && o->processes)
        arrange_gates(all);
    return all;
}

void processes_destroy(struct processes *all)
{
    if (!all)
        return;
    all->carrier->destroy(all);
    runners_destroy(all->runners);
    attachments_destroy(all->attachments);
    for (uint32_t i = 0; i < all->nic->partitions; i++) {
        free(all->part[i].process);
        match_fini(&all->part[i].match);
        slots_fini(&all->part[i].messages);
        map_fini(&all->part[i].incoming);
        map_fini(&all->part[i].numbered);
        map_fini(&all->part[i].asked);
        map_fini(&all->part[i].calls);
    }
    mapping_fini(&all->nobody);
    free(all->part);
    free(all);
}

struct nic_client processes_client(struct processes *all)
{
    struct nic_client client = all->carrier->client;
    client.ctx = all;
    client.prepare = prepare;
    return client;
}

static bool are_processes(const struct process_part *s)
{
    for (uint32_t i = 0; i < s->processes; i++) {
        const struct process *p = &s->process[i];
        if (!visited_is_bool(&p->started) || !visited_is_bool(&p->active) ||
            !visited_is_bool(&p->receiver) || !visited_is_bool(&p->waiting) ||
            !visited_is_bool(&p->probes) || !visited_is_bool(&p->done) ||
            !visited_is_bool(&p->served) || p->probes)
            return false;
    }
    return true;
}

bool process_is_request(const struct processes *all, uint32_t request)
{
    return request == NO_REQUEST || all->runner.complete;
}

/* Whether messages that a map refers to are some. */
static bool are_messages(const struct map *map, const struct visited *unused)
{
    for (uint32_t i = 0; i < map->capacity; i++) {
        const struct map_entry *e = &map->entry[i];
        if (e->used && (e->value >= unused->count || unused->taken[e->value]))
            return false;
    }
    return true;
}

static bool is_match(void *unused, const struct envelope *e, bool posted, uint32_t value)
{
    const struct visited *c = unused;
    (void)e, (void)posted;
    return value < c->count && !c->taken[value];
}

static const char *flaw(const struct processes *all, uint32_t partition)
{
    const struct process_part *s = &all->part[partition];
    struct visited unused;
    bool right = slots_visited(&s->messages, &unused);
    for (uint32_t i = 0; right && i < s->messages.count; i++) {
        const struct message *m = message_at(s, i);
        right = unused.taken[i] || (m->process < s->processes && m->peer < all->o.processes &&
                                    m->number < CARGO_NUMBERS && m->attachment == ATTACHMENT_NONE &&
                                    process_is_request(all, m->request) &&
                                    visited_is_bool(&m->received) && m->remote == REMOTE_NONE);
    }
    right = right && are_messages(&s->incoming, &unused) && are_messages(&s->numbered, &unused) &&
            are_messages(&s->asked, &unused) && match_is_sound(&s->match, is_match, &unused) &&
            all->carrier->is_sound(all, partition, &unused);
    visited_fini(&unused);
    return !are_processes(s) ? "a process is not valid" : right ? NULL : "a message is not valid";
}

void processes_archive(struct processes *all, struct archive *a)
{
    for (uint32_t i = 0; i < all->nic->partitions; i++) {
        struct process_part *s = &all->part[i];
        archive_bytes(a, s->process, s->processes * sizeof(*s->process));
        all->runner.archive(all->runner.ctx, i, a);
        match_archive(&s->match, a);
        slots_archive(&s->messages, a);
        map_archive(&s->incoming, a);
        map_archive(&s->numbered, a);
        map_archive(&s->asked, a);
        all->carrier->archive(all, i, a);
        if (archive_has_read(a))
            archive_sound(a, flaw(all, i));
    }
}

/* ---- results ---- */

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

struct processes_result processes_result_of(const struct processes *all, uint32_t first,
                                            uint32_t count)
{
    uint64_t sums[5] = {0}, least = UINT64_MAX, most = 0;
    fine_t ended = 0, first_ended = UINT64_MAX;
    for (uint32_t i = 0; i < all->nic->partitions; i++)
        for (uint32_t p = 0; p < all->part[i].processes; p++) {
            const struct process *process = &all->part[i].process[p];
            uint64_t rate = rate_of(all, process);
            if (!process->active || process->rank - first >= count)
                continue;
            ended = fine_max(ended, process->ended);
            first_ended = process->ended < first_ended ? process->ended : first_ended;
            sums[0]++;
            sums[1] += process->messages;
            sums[2] += process->bytes;
            if (!process->receiver)
                continue;
            sums[3]++;
            sums[4] += rate;
            least = rate < least ? rate : least;
            most = rate > most ? rate : most;
        }
    ranks_sum(sums, 5);
    return (struct processes_result){
        .active = sums[0],
        .messages = sums[1],
        .bytes = sums[2],
        .receivers = sums[3],
        .mean_rate = sums[3] ? (double)sums[4] / (double)sums[3] : 0,
        .least_rate = UINT64_MAX - ranks_max(UINT64_MAX - least),
        .most_rate = ranks_max(most),
        .ended = fine_cycle_after(ranks_max(ended)),
        .first_ended = fine_cycle_after(UINT64_MAX - ranks_max(UINT64_MAX - first_ended))};
}

struct processes_result processes_result(const struct processes *all)
{
    struct processes_result r = processes_result_of(all, 0, all->o.processes);
    all->carrier->result(all, &r);
    return r;
}

/* ---- reports ---- */

static const char *name_of(const struct processes *all, uint32_t process, char text[TASK_NAME])
{
    const struct processes_options *o = &all->o;
    const struct task_group *g = o->groups ? task_group_of(o->group, o->groups, process) : NULL;
    return task_name(g, process, text);
}

/* "process 3 waits for a message from process 1 with tag 7". Odd contexts are those of collective
 * operations. */
static size_t explain_receive(const struct processes *all, const struct process *p,
                              const struct envelope *e, uint32_t more, char *text, size_t size,
                              size_t at)
{
    char name[TASK_NAME];
    at = text_append(text, size, at, "  %s waits for a message from ", name_of(all, p->rank, name));
    at = text_append(text, size, at, "%s",
                     e->source == MATCH_ANY ? "anybody" : name_of(all, e->source, name));
    if (e->context % 2)
        at = text_append(text, size, at, ", of a collective operation");
    else if (e->tag == MATCH_ANY)
        at = text_append(text, size, at, " with any tag");
    else if (e->tag)
        at = text_append(text, size, at, " with tag %u", e->tag);
    if (more)
        at = text_append(text, size, at, " (and for %u more)", more);
    return text_append(text, size, at, "\n");
}

static size_t explain_process(const struct processes *all, uint32_t partition, uint32_t index,
                              char *text, size_t size, size_t at)
{
    const struct process_part *s = &all->part[partition];
    const struct process *p = &s->process[index];
    struct envelope oldest;
    char name[TASK_NAME];
    static const char *const collecting[] = {
        [COLLECTS] = "is in a collective operation that others are not in",
        [SENDS_PACKET] = "waits for room for a packet",
        [TAKES_PACKET] = "waits for a packet",
        [CALLS_IO_NODE] = "waits for an I/O node"};
    enum collecting what = all->carrier->collects(all, partition, index);
    if (what != COLLECTS_NOT)
        return text_append(text, size, at, "  %s %s\n", name_of(all, p->rank, name),
                           collecting[what]);
    if (p->probes)
        return explain_receive(all, p, &p->probe, 0, text, size, at);
    uint32_t receives = match_posted(&s->match, index, &oldest);
    if (receives)
        return explain_receive(all, p, &oldest, receives - 1, text, size, at);
    return text_append(text, size, at, "  %s waits until a message of its own is received\n",
                       name_of(all, p->rank, name));
}

/* A process that waits, and what for. */
enum { EXPLAINED = 8 };

struct explained {
    uint32_t rank, partition, index;
    char text[240];
};

static int by_rank(const void *a, const void *b)
{
    const struct explained *x = a, *y = b;
    return (x->rank > y->rank) - (x->rank < y->rank);
}

/* Those of the lowest numbers that wait here; returns how many wait. */
static uint32_t find_waiting(const struct processes *all, struct explained first[EXPLAINED])
{
    struct explained *found = NULL;
    size_t count = 0, room = 0;
    for (uint32_t i = 0; i < all->nic->partitions; i++)
        for (uint32_t k = 0; k < all->part[i].processes; k++) {
            const struct process *p = &all->part[i].process[k];
            if (p->active && !p->done)
                *LIST_ADD(found, count, room) =
                    (struct explained){.rank = p->rank, .partition = i, .index = k};
        }
    if (count)
        qsort(found, count, sizeof(*found), by_rank);
    for (size_t i = 0; i < EXPLAINED; i++) {
        first[i] = i < count ? found[i] : (struct explained){.rank = UINT32_MAX};
        if (i < count)
            explain_process(all, found[i].partition, found[i].index, first[i].text,
                            sizeof(first[i].text), 0);
    }
    free(found);
    return (uint32_t)count;
}

size_t processes_explain(const struct processes *all, char *text, size_t size)
{
    struct explained mine[EXPLAINED];
    uint64_t waiting = find_waiting(all, mine);
    size_t at = 0, count = (size_t)EXPLAINED * ranks_count();
    struct explained *first = memory_alloc(count, sizeof(*first));
    ranks_gather(mine, first, sizeof(mine));
    ranks_sum(&waiting, 1);
    qsort(first, count, sizeof(*first), by_rank);
    for (size_t i = 0; i < EXPLAINED && i < waiting; i++)
        at = text_append(text, size, at, "%s", first[i].text);
    if (waiting > EXPLAINED)
        at = text_append(text, size, at, "  ... (%llu more)\n",
                         (unsigned long long)waiting - EXPLAINED);
    free(first);
    return at;
}
