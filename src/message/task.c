/* Calls of a program as actions of its process. */
#define _GNU_SOURCE
#include "message/task.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "base/status.h"
#include "base/fiber.h"
#include "base/memory.h"
#include "base/slots.h"
#include "engine/failure.h"
#include "node/program.h"

struct request {
    weft_data data;                                                        /* of a receive, */
    void (*scatter)(void *arg, const unsigned char *from, uint64_t bytes); /* or its owner's way; */
    void *arg;
    uint64_t room; /* for so many bytes */
    struct task_outcome outcome;
    fine_t when;
    uint32_t context, peer, tag; /* as it was posted */
    uint32_t next;
    uint32_t owner; /* its task, as the partition numbers them */
    bool used, receives, done, watched, listed;
};

/* Memory that alloc() gave, behind a header of a cache line. */
struct block {
    struct block *next;
    size_t bytes;
};

enum { HEADER = 64, QUEUE = 8 };

struct task {
    weft_task face; /* what the program sees; first, so that it leads here */
    struct tasks *all;
    const struct task_group *group;
    uint32_t partition, index;
    struct action *action; /* to be filled in, while its fiber runs */
    struct action *queue;  /* [QUEUE], what it is to do next; made when it is first used */
    uint8_t queued, taken; /* so many, of which the first have begun */
    double owed;           /* cycles of the processor */
    uint32_t asked;        /* actions so far */
    uint32_t ends, room;
    fine_t *end; /* [ends], when it began, and when each action ended, if the program is timed */
    fine_t now;
    void (*co_work)(void *arg);
    void *co_arg;
    double co_cycles;
    struct block *blocks;
    bool co_pending, co_works, started, over, ending, failed;
};

struct task_part {
    struct task *task; /* [process] */
    struct fibers *fibers;
    struct slots requests; /* struct request */
    uint32_t processes;
} __attribute__((aligned(64)));

struct tasks {
    struct tasks_options o;
    uint32_t stack_bytes; /* the most that a program needs */
    double seconds_per_fine;
    struct task_part *part;
};

/* ---- groups ---- */

const struct task_group *task_group_of(const struct task_group *group, uint32_t groups,
                                       uint32_t process)
{
    uint32_t low = 0, high = groups - 1;
    while (low < high) {
        uint32_t middle = (low + high + 1) / 2;
        if (group[middle].first <= process)
            low = middle;
        else
            high = middle - 1;
    }
    return &group[low];
}

const char *task_name(const struct task_group *g, uint32_t process, char text[TASK_NAME])
{
    if (g && g->part)
        snprintf(text, TASK_NAME, "process %u of part %u", process - g->first, g->part);
    else
        snprintf(text, TASK_NAME, "process %u", process);
    return text;
}

/* A process of the task's own program, as all are numbered, and back; WEFT_ANY stays as it is. */
static uint32_t outside(const struct task *t, uint32_t process)
{
    return process == WEFT_ANY ? process : t->group->first + process;
}

static uint32_t inside(const struct task *t, uint32_t process)
{
    return process == WEFT_ANY ? process : process - t->group->first;
}

static struct task *task_of(weft_task *face)
{
    return (struct task *)face;
}

static struct task_part *part_of(const struct task *t)
{
    return &t->all->part[t->partition];
}

static struct request *request_at(const struct task *t, uint32_t index)
{
    return (struct request *)part_of(t)->requests.item + index;
}

void task_catch_up(weft_task *face)
{
    if (task_of(face)->queued && fiber_inside())
        fiber_yield();
}

fine_t task_now(const weft_task *face)
{
    return ((const struct task *)face)->now;
}

/* Others go on to the end of the window: one of them may have failed before. */
void task_fail_as(weft_task *face, uint32_t process, fine_t when, int code, bool stops)
{
    struct task *t = task_of(face);
    if (!failures_add_here(when, outside(t, process), code) || !fiber_inside())
        protected_call_abandon();
    while (stops) {
        t->failed = true;
        fiber_yield();
    }
}

void task_fail(weft_task *face, int code)
{
    task_fail_as(face, face->rank, task_of(face)->now, code, true);
    __builtin_unreachable();
}

/* Ends the run: the program has done something that it must not do. */
static _Noreturn void give_up(struct task *t, const char *text)
{
    char name[TASK_NAME];
    task_catch_up(&t->face);
    (void)RUN_FAILED(("%s: %s", task_name(t->group, outside(t, t->face.rank), name), text),
                     NO_REMEDY);
    task_fail(&t->face, 0);
}

static void put(struct task *t, const struct action *action)
{
    if (t->co_works || !fiber_inside())
        give_up(t, "calls Weft from the work of its second processor");
    if (!t->queue)
        t->queue = memory_alloc(QUEUE, sizeof(*t->queue));
    t->queue[t->queued] = *action;
    t->queue[t->queued++].before = t->owed;
    t->owed = 0;
    t->asked++;
}

/* Has the process do something; comes back when it is done. */
static void ask(struct task *t, const struct action *action)
{
    put(t, action);
    fiber_yield();
}

/* Has it do something that the program need not wait for: a few of these take one change of stacks.
 * (Eight: 1.4 times as many messages of a halo exchange per CPU second.) */
static void ask_later(struct task *t, const struct action *action)
{
    put(t, action);
    if (t->queued == QUEUE)
        fiber_yield();
}

/* ---- data ---- */

static uint64_t data_bytes(struct task *t, const weft_data *d)
{
    if (d->count && d->bytes > SIZE_MAX / 2 / d->count)
        give_up(t, "names more data than there can be");
    return (uint64_t)d->bytes * d->count;
}

static void gather(void *data, unsigned char *to)
{
    const weft_data *d = data;
    const unsigned char *from = d->at;
    for (size_t i = 0; i < d->count; i++, from += d->stride, to += d->bytes)
        memcpy(to, from, d->bytes);
}

static void scatter(const weft_data *d, const unsigned char *from, uint64_t bytes)
{
    unsigned char *to = d->at;
    for (size_t i = 0; i < d->count && bytes; i++, to += d->stride, from += d->bytes) {
        size_t piece = bytes < d->bytes ? (size_t)bytes : d->bytes;
        memcpy(to, from, piece);
        bytes -= piece;
    }
}

/* Whether an address is in memory that alloc() gave. */
static bool is_ours(const struct task *t, const void *at)
{
    const unsigned char *byte = at;
    for (const struct block *b = t->blocks; b; b = b->next) {
        const unsigned char *first = (const unsigned char *)b + HEADER;
        if (byte >= first && byte < first + b->bytes)
            return true;
    }
    return false;
}

/* Only memory that alloc() gave has an alignment: elsewhere it depends on the host's compiler and
 * malloc(), and nothing may depend on those. */
static uint8_t shape_of(const struct task *t, const weft_data *d)
{
    uintptr_t at = is_ours(t, d->at) ? (uintptr_t)d->at : 0;
    bool strided = d->count > 1 && d->stride != d->bytes;
    bool unaligned = at % 16 || (strided && (d->stride % 16 || d->bytes % 16));
    bool lines = at && !strided && at % t->all->o.line_bytes == 0;
    return (uint8_t)((unaligned ? SHAPE_UNALIGNED : 0) | (strided ? SHAPE_STRIDED : 0) |
                     (lines ? SHAPE_LINES : 0));
}

/* ---- sends and receives ---- */

static uint32_t new_request(const struct task *t, const struct request *request)
{
    uint32_t index = slots_get(&part_of(t)->requests);
    *request_at(t, index) = *request;
    request_at(t, index)->owner = t->index;
    request_at(t, index)->used = true;
    return index;
}

static void check_sender(struct task *t, uint32_t from, const char *text)
{
    if (from != WEFT_ANY && from >= t->face.size)
        give_up(t, text);
}

static weft_request start_receive(struct task *t, const struct task_address *from,
                                  const struct request *how, uint8_t shape)
{
    check_sender(t, from->peer, "receives from a process that does not exist");
    uint32_t request = new_request(t, how);
    struct request *r = request_at(t, request);
    r->context = from->context;
    r->peer = from->peer;
    r->tag = from->tag;
    ask_later(t, &(struct action){.kinds = ACTION_RECEIVE,
                                  .from = outside(t, from->peer),
                                  .context = from->context,
                                  .tag = from->tag,
                                  .from_bytes = how->room,
                                  .from_request = request,
                                  .from_shape = shape});
    return request;
}

weft_request task_send(weft_task *face, uint32_t context, uint32_t to, uint32_t tag,
                       const weft_data *data)
{
    struct task *t = task_of(face);
    struct task_parcel parcel = {.bytes = data_bytes(t, data),
                                 .shape = shape_of(t, data),
                                 .gather = gather,
                                 .arg = (void *)data};
    return task_send_parcel(face, &(struct task_address){context, to, tag}, &parcel);
}

weft_request task_receive(weft_task *face, uint32_t context, uint32_t from, uint32_t tag,
                          const weft_data *data)
{
    struct task *t = task_of(face);
    struct task_address address = {.context = context, .peer = from, .tag = tag};
    struct request how = {.receives = true, .data = *data, .room = data_bytes(t, data)};
    return start_receive(t, &address, &how, shape_of(t, data));
}

weft_request task_send_parcel(weft_task *face, const struct task_address *to,
                              const struct task_parcel *parcel)
{
    struct task *t = task_of(face);
    struct attachments *attachments = t->all->o.attachments;
    if (to->peer >= t->face.size)
        give_up(t, "sends to a process that does not exist");
    uint32_t number = attachment_new(attachments, t->partition, parcel->gather ? parcel->bytes : 0);
    struct attachment *a = attachment_at(attachments, number);
    a->bytes = parcel->bytes;
    a->context = to->context;
    a->tag = to->tag;
    if (parcel->bytes && parcel->gather)
        parcel->gather(parcel->arg, a->data);
    uint32_t request = new_request(t, &(struct request){.receives = false});
    ask_later(t, &(struct action){.kinds = ACTION_SEND,
                                  .to = outside(t, to->peer),
                                  .bytes = parcel->bytes,
                                  .attachment = number,
                                  .request = request,
                                  .shape = parcel->shape});
    return request;
}

weft_request task_receive_parcel(weft_task *face, const struct task_address *from,
                                 const struct task_parcel *parcel)
{
    struct task *t = task_of(face);
    struct request how = {
        .receives = true, .scatter = parcel->scatter, .arg = parcel->arg, .room = parcel->bytes};
    return start_receive(t, from, &how, parcel->shape);
}

/* ---- waiting ---- */

/* A wait without a condition; callers add theirs. */
static const struct action plain_wait = {
    .kinds = ACTION_WAIT, .sends_left = ANY_NUMBER, .receives_left = ANY_NUMBER};

static bool is_over(const struct task *t, const struct request *r)
{
    return r->done && r->when <= t->now;
}

static void check_request(struct task *t, weft_request request)
{
    if (request >= part_of(t)->requests.count || !request_at(t, request)->used ||
        request_at(t, request)->owner != t->index)
        give_up(t, "waits for a request that does not exist");
}

void task_end(weft_task *face, weft_request request, struct task_outcome *outcome)
{
    const struct task *t = task_of(face);
    if (outcome)
        *outcome = request_at(t, request)->outcome;
    request_at(t, request)->used = false;
    slots_put(&part_of(t)->requests, request);
}

/* An outcome as programs see it, if they want to. */
static void inform(weft_info *info, const struct task_outcome *o)
{
    if (info)
        *info = (weft_info){.source = o->source, .tag = o->tag, .bytes = o->bytes};
}

static void end_request(weft_task *face, weft_request request, weft_info *info)
{
    struct task_outcome o;
    task_end(face, request, &o);
    inform(info, &o);
}

void task_wait_all(weft_task *face, const weft_request *request, size_t count)
{
    struct task *t = task_of(face);
    struct action wait = plain_wait;
    bool over = true;
    for (size_t i = 0; i < count; i++) {
        check_request(t, request[i]);
        struct request *r = request_at(t, request[i]);
        if (r->listed)
            give_up(t, "waits for one request twice");
        r->listed = true;
        over = over && is_over(t, r);
        r->watched = !r->done;
        wait.watched += r->watched;
        wait.until = fine_max(wait.until, r->done ? r->when : 0);
    }
    if (!over)
        ask(t, &wait);
    for (size_t i = 0; i < count; i++)
        request_at(t, request[i])->listed = false;
}

void task_wait(weft_task *face, const weft_request *request, size_t count, weft_info *info)
{
    task_wait_all(face, request, count);
    for (size_t i = 0; i < count; i++)
        end_request(face, request[i], info ? &info[i] : NULL);
}

/* The first of several that is over; `count`: none is. */
static size_t find_over(const struct task *t, const weft_request *request, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (is_over(t, request_at(t, request[i])))
            return i;
    return count;
}

void task_wait_one(weft_task *face, const weft_request *request, size_t count)
{
    struct task *t = task_of(face);
    for (size_t i = 0; i < count; i++)
        check_request(t, request[i]);
    while (find_over(t, request, count) == count) {
        struct action wait = plain_wait;
        wait.watched = 1;
        for (size_t i = 0; i < count; i++) {
            struct request *r = request_at(t, request[i]);
            r->watched = !r->done;
            if (r->done && (wait.watched || r->when < wait.until))
                wait.watched = 0, wait.until = r->when;
        }
        ask(t, &wait);
        for (size_t i = 0; i < count; i++)
            request_at(t, request[i])->watched = false;
    }
}

size_t task_wait_any(weft_task *face, const weft_request *request, size_t count, weft_info *info)
{
    task_wait_one(face, request, count);
    size_t over = find_over(task_of(face), request, count);
    end_request(face, request[over], info);
    return over;
}

bool task_is_over(weft_task *face, weft_request request)
{
    struct task *t = task_of(face);
    check_request(t, request);
    return is_over(t, request_at(t, request));
}

bool task_came_to(weft_task *face, weft_request request, struct task_outcome *outcome)
{
    const struct request *r = request_at(task_of(face), request);
    *outcome = r->outcome;
    return r->done;
}

void task_poll(weft_task *face)
{
    ask(task_of(face), &(struct action){.kinds = ACTION_POLL});
}

int task_test(weft_task *face, weft_request request, weft_info *info)
{
    check_request(task_of(face), request);
    task_poll(face);
    if (!task_is_over(face, request))
        return 0;
    end_request(face, request, info);
    return 1;
}

void task_cancel(weft_task *face, weft_request request)
{
    struct task *t = task_of(face);
    check_request(t, request);
    const struct request *r = request_at(t, request);
    if (!r->done)
        ask(t, &(struct action){.kinds = ACTION_CANCEL,
                                .context = r->context,
                                .from = outside(t, r->peer),
                                .tag = r->tag,
                                .from_request = request});
}

/* ---- probing ---- */

/* The carrier leaves what it found in the action. */
bool task_look(weft_task *face, const struct task_address *from, bool wait,
               struct task_outcome *outcome)
{
    struct task *t = task_of(face);
    check_sender(t, from->peer, "probes for a message of a process that does not exist");
    struct action look = plain_wait;
    look.kinds = ACTION_PROBE | (wait ? ACTION_WAIT : ACTION_POLL);
    look.from = outside(t, from->peer);
    look.context = from->context;
    look.tag = from->tag;
    ask(t, &look);
    if (!(t->action->kinds & ACTION_PROBE))
        return false;
    *outcome = (struct task_outcome){.source = inside(t, t->action->from),
                                     .tag = t->action->tag,
                                     .bytes = t->action->from_bytes};
    return true;
}

int task_probe(weft_task *face, uint32_t from, uint32_t tag, int wait, weft_info *info)
{
    struct task_outcome o;
    if (!task_look(face, &(struct task_address){.peer = from, .tag = tag}, wait, &o))
        return 0;
    inform(info, &o);
    return 1;
}

/* ---- single packets ---- */

static void check_packets(struct task *t)
{
    if (!t->all->o.packet_bytes)
        give_up(t, "uses single packets, which the processors of this machine do not write; use "
                   "messages");
}

void task_send_packet(weft_task *face, uint32_t to, const void *data, uint32_t bytes)
{
    struct task *t = task_of(face);
    struct attachments *attachments = t->all->o.attachments;
    uint32_t number = ATTACHMENT_NONE;
    check_packets(t);
    if (to >= t->face.size || to == t->face.rank)
        give_up(t, "sends a packet to itself, or to a process that does not exist");
    if (bytes > t->all->o.packet_bytes)
        give_up(t, "sends more in a packet than t->packet_bytes");
    if (data && bytes) {
        number = attachment_new(attachments, t->partition, bytes);
        memcpy(attachment_at(attachments, number)->data, data, bytes);
    }
    ask_later(t, &(struct action){.kinds = ACTION_COLLECTIVE,
                                  .collective = STEP_PACKET_OUT,
                                  .to = outside(t, to),
                                  .bytes = bytes,
                                  .attachment = number});
}

int task_receive_packet(weft_task *face, void *data, uint32_t room, int wait, weft_info *info)
{
    struct task *t = task_of(face);
    struct attachments *attachments = t->all->o.attachments;
    struct action_single packet = {.wait = wait != 0};
    check_packets(t);
    ask(t, &(struct action){.kinds = ACTION_COLLECTIVE | (wait ? 0 : ACTION_POLL),
                            .collective = STEP_PACKET_IN,
                            .single = &packet});
    if (!packet.there)
        return 0;
    if (packet.attachment != ATTACHMENT_NONE) {
        if (data)
            memcpy(data, attachment_at(attachments, packet.attachment)->data,
                   room < packet.bytes ? room : packet.bytes);
        attachment_free(attachments, packet.attachment);
    }
    if (info)
        *info = (weft_info){.source = inside(t, packet.from), .bytes = packet.bytes};
    return 1;
}

/* ---- other calls ---- */

void task_compute(weft_task *face, double cycles)
{
    if (!(cycles < 1e15))
        give_up(task_of(face), "computes for longer than the clock can count");
    if (cycles > 0)
        ask(task_of(face), &(struct action){.kinds = ACTION_COMPUTE, .cycles = cycles});
}

double task_reached(weft_task *face)
{
    const struct task *t = task_of(face);
    return (double)t->now * t->all->seconds_per_fine;
}

double task_seconds(weft_task *face)
{
    task_catch_up(face);
    return task_reached(face) + task_of(face)->owed / face->clock_hz;
}

void task_owe(weft_task *face, double cycles)
{
    task_of(face)->owed += cycles;
}

struct task_moment task_moment(weft_task *face)
{
    const struct task *t = task_of(face);
    return (struct task_moment){.actions = t->asked, .owed = (float)t->owed};
}

double task_seconds_at(weft_task *face, struct task_moment m)
{
    const struct task *t = task_of(face);
    uint32_t last = m.actions < t->ends ? m.actions : t->ends - 1;
    return (double)t->end[last] * t->all->seconds_per_fine + (double)m.owed / face->clock_hz;
}

void *task_alloc(weft_task *face, size_t bytes)
{
    struct task *t = task_of(face);
    if (bytes > SIZE_MAX / 2)
        give_up(t, "asks for more memory than there can be");
    struct block *b = memory_alloc_lines(1, HEADER + bytes);
    *b = (struct block){.next = t->blocks, .bytes = bytes};
    t->blocks = b;
    return (unsigned char *)b + HEADER;
}

void task_release(weft_task *face, void *memory)
{
    struct task *t = task_of(face);
    struct block *b, **link = &t->blocks;
    if (!memory)
        return;
    b = (struct block *)((unsigned char *)memory - HEADER);
    while (*link && *link != b)
        link = &(*link)->next;
    if (!*link)
        give_up(t, "releases memory that it was not given");
    *link = b->next;
    free(b);
}

void task_give_up(weft_task *face, const char *text)
{
    give_up(task_of(face), text ? text : "fails");
}

/* What the second processor has done takes effect; simulated time does not pass in it. */
static void do_co_work(struct task *t)
{
    t->co_works = true;
    t->co_work(t->co_arg);
    t->co_works = false;
}

void task_co_start(weft_task *face, void (*work)(void *arg), void *arg, double cycles)
{
    struct task *t = task_of(face);
    if (t->co_pending)
        give_up(t, "starts the second processor before joining it");
    t->co_work = work;
    t->co_arg = arg;
    t->co_cycles = cycles > 0 ? cycles : 0;
    t->co_pending = true;
    if (t->all->o.coprocessor)
        ask(t, &(struct action){.kinds = ACTION_CO_START, .cycles = t->co_cycles});
}

void task_co_join(weft_task *face)
{
    struct task *t = task_of(face);
    if (!t->co_pending)
        return;
    if (t->all->o.coprocessor) {
        ask(t, &plain_wait);
    } else {
        task_compute(face, t->co_cycles);
        do_co_work(t);
    }
    t->co_pending = false;
}

uint32_t task_first(weft_task *face)
{
    return outside(task_of(face), 0);
}

uint32_t task_offers(weft_task *face)
{
    static const uint32_t used[] = {[COLLECTIVES_AUTO] = TASK_TREE | TASK_GATES | TASK_EACH,
                                    [COLLECTIVES_TREE] = TASK_TREE,
                                    [COLLECTIVES_GATES] = TASK_GATES,
                                    [COLLECTIVES_PACKETS] = TASK_FLOOD | TASK_EACH,
                                    [COLLECTIVES_MESSAGES] = 0};
    const struct task *t = task_of(face);
    return t->all->o.offers & used[t->group->program.collectives];
}

enum task_way task_way(weft_task *face, uint64_t bytes, uint8_t shape)
{
    const struct tasks_options *o = &task_of(face)->all->o;
    return o->way(o->way_arg, bytes, shape);
}

const struct schedule_limits *task_limits(weft_task *face)
{
    return task_of(face)->all->o.limits;
}

const struct send_order *task_order(weft_task *face)
{
    const struct send_order *order = task_of(face)->group->order;
    return order && order->kind != ORDER_AUTO ? order : NULL;
}

void task_combine(weft_task *face, uint64_t bytes)
{
    if (bytes)
        ask(task_of(face), &(struct action){.kinds = ACTION_COMBINE, .pass_bytes = bytes});
}

void task_work_through(weft_task *face, uint64_t bytes)
{
    if (bytes)
        ask(task_of(face), &(struct action){.kinds = ACTION_COPY, .pass_bytes = bytes});
}

void task_copy(weft_task *face, void *to, const void *from, size_t bytes)
{
    if (bytes)
        memcpy(to, from, bytes);
    task_work_through(face, bytes);
}

uint32_t task_stack(weft_task *face)
{
    return task_of(face)->all->stack_bytes;
}

void *task_argument(weft_task *face)
{
    return task_of(face)->group->program.arg;
}

void task_act(weft_task *face, const struct action *action)
{
    ask(task_of(face), action);
}

/* ---- the runner ---- */

static void run_program(void *arg)
{
    struct task *t = arg;
    t->group->program.main(&t->face);
}

static void set_face(struct task *t, uint32_t rank)
{
    const struct task_group *g = t->group;
    uint32_t processor = g->mapping->processor[rank];
    t->face = (weft_task){.calls = t->all->o.calls,
                          .rank = rank,
                          .size = g->processes,
                          .node = processor / g->per_node,
                          .slot = processor % g->per_node,
                          .clock_hz = t->all->o.clock_hz,
                          .argc = g->program.argc,
                          .argv = g->program.argv,
                          .packet_bytes = t->all->o.packet_bytes};
    if (!g->torus)
        return;
    t->face.dims = g->torus->dims;
    memcpy(t->face.dim, g->torus->size, sizeof(t->face.dim));
    torus_coordinates(g->torus, t->face.node, t->face.coordinate);
}

static void start(struct tasks *all, struct task *t, const struct seat *seat)
{
    t->all = all;
    t->group = task_group_of(all->o.group, all->o.groups, seat->rank);
    t->partition = seat->partition;
    t->index = seat->index;
    t->started = true;
    set_face(t, inside(t, seat->rank));
    fiber_start(all->part[seat->partition].fibers, seat->index, run_program, t);
}

/* Goes on with a process's program; false: it has ended. */
static bool resume(const struct task *t)
{
    const struct task_program *p = &t->group->program;
    if (p->enter)
        p->enter(p->arg, t->face.rank);
    bool more = fiber_resume(part_of(t)->fibers, t->index);
    if (p->leave)
        p->leave(p->arg, t->face.rank);
    return more;
}

static void next(void *ctx, const struct seat *seat, fine_t now, struct action *action)
{
    struct tasks *all = ctx;
    struct task_part *s = &all->part[seat->partition];
    struct task *t = &s->task[seat->index];
    if (!t->started)
        start(all, t, seat);
    t->now = now;
    t->action = action;
    if (t->group->program.timed)
        *LIST_ADD(t->end, t->ends, t->room) = now;
    if (!t->queued && !t->over)
        t->over = !resume(t);
    if (t->queued) {
        *action = t->queue[t->taken++];
        if (t->taken == t->queued)
            t->taken = t->queued = 0;
        return;
    }
    if (t->failed) {
        *action = (struct action){.kinds = ACTION_WAIT,
                                  .sends_left = ANY_NUMBER,
                                  .receives_left = ANY_NUMBER,
                                  .sleep = fine_at(CYCLE_END - 1)};
        return;
    }
    /* At its end, a process waits for what it left under way. */
    *action = (struct action){.kinds = t->ending ? ACTION_END : ACTION_WAIT};
    t->ending = true;
}

/* A process has named memory for a message that it cannot write to. */
static void fail_to_store(void *arg, int signal, const void *address)
{
    struct task *t = arg;
    const struct task_program *p = &t->group->program;
    char text[160];
    snprintf(text, sizeof(text), "a message cannot be stored at address %p: %s", address,
             strsignal(signal));
    if (p->fail)
        p->fail(p->arg, t->face.rank, text);
    give_up(t, text);
}

static void take_attachment(struct task *t, struct request *r, const struct attachment *l)
{
    uint64_t bytes = l->bytes < r->room ? l->bytes : r->room;
    r->outcome.tag = l->tag;
    if (!l->data)
        return;
    guarded_copy_begin(&(struct guarded_copy){.fault = fail_to_store, .arg = t});
    if (r->scatter)
        r->scatter(r->arg, l->data, bytes);
    else
        scatter(&r->data, l->data, bytes);
    guarded_copy_end();
}

static bool complete(void *ctx, const struct seat *seat, uint32_t index,
                     const struct outcome_of *outcome)
{
    struct tasks *all = ctx;
    struct task *t = &all->part[seat->partition].task[seat->index];
    struct request *r = request_at(t, index);
    r->done = true;
    r->when = outcome->when;
    r->outcome = (struct task_outcome){.source = inside(t, outcome->peer),
                                       .bytes = outcome->bytes,
                                       .cancelled = outcome->cancelled};
    if (r->receives && !outcome->cancelled)
        take_attachment(t, r, attachment_at(all->o.attachments, outcome->attachment));
    bool watched = r->watched;
    r->watched = false;
    /* A wait may not have begun yet: then it is for one less. */
    if (watched && t->queued && t->queue[t->queued - 1].watched)
        t->queue[t->queued - 1].watched--;
    return watched;
}

static void co_done(void *ctx, const struct seat *seat)
{
    do_co_work(&((struct tasks *)ctx)->part[seat->partition].task[seat->index]);
}

static void prepare(void *ctx, uint32_t partition, uint32_t processes)
{
    struct tasks *all = ctx;
    struct task_part *s = &all->part[partition];
    s->processes = processes;
    s->task = memory_alloc(processes, sizeof(*s->task));
    s->fibers = fibers_create(processes, all->stack_bytes);
    slots_init(&s->requests, sizeof(struct request), offsetof(struct request, next));
}

struct runner tasks_runner(struct tasks *all)
{
    return (struct runner){.ctx = all,
                           .timely = true,
                           .prepare = prepare,
                           .next = next,
                           .complete = complete,
                           .co_done = co_done};
}

struct tasks *tasks_create(const struct tasks_options *o)
{
    struct tasks *all = memory_alloc(1, sizeof(*all));
    *all = (struct tasks){.o = *o,
                          .seconds_per_fine = 1e-6 / (o->cycles_per_us * (1 << FRACTION_BITS))};
    all->part = memory_alloc_lines(o->partitions, sizeof(*all->part));
    for (uint32_t i = 0; i < o->groups; i++)
        if (o->group[i].program.stack_bytes > all->stack_bytes)
            all->stack_bytes = o->group[i].program.stack_bytes;
    return all;
}

static void free_task(struct task *t)
{
    free(t->queue);
    free(t->end);
    for (struct block *b = t->blocks, *next; b; b = next) {
        next = b->next;
        free(b);
    }
}

void tasks_destroy(struct tasks *all)
{
    if (!all)
        return;
    for (uint32_t i = 0; i < all->o.partitions; i++) {
        if (all->part[i].fibers)
            fibers_destroy(all->part[i].fibers);
        slots_fini(&all->part[i].requests);
        for (uint32_t k = 0; k < all->part[i].processes; k++)
            free_task(&all->part[i].task[k]);
        free(all->part[i].task);
    }
    free(all->part);
    free(all);
}
