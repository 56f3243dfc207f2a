/* What programs can call, besides sends and receives: time, memory, packets, the second core. */
#include "message/task/tasks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fiber.h"
#include "base/memory.h"
#include "base/status.h"
#include "engine/failure.h"
#include "node/program.h"

/* ---- actions ---- */

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

_Noreturn void task_quit(struct task *t, const char *text)
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
        task_quit(t, "calls Weft from the work of its second processor");
    if (!t->queue)
        t->queue = memory_alloc(QUEUE, sizeof(*t->queue));
    t->queue[t->queued] = *action;
    t->queue[t->queued++].before = t->owed;
    t->owed = 0;
    t->asked++;
}

void task_ask(struct task *t, const struct action *action)
{
    put(t, action);
    fiber_yield();
}

void task_ask_later(struct task *t, const struct action *action)
{
    put(t, action);
    if (t->queued == QUEUE)
        fiber_yield();
}

/* That a call streams, writes or reads: more would not end. */
#define BYTES_MOST (1ull << 44)

/* ---- single packets ---- */

/* Those of the torus, and of the tree: the most that one holds, how a process says so, the steps.
 */
struct packet_way {
    uint32_t most;
    const char *most_name, *lacking;
    enum step_collective out, in;
};

static struct packet_way torus_packets(const struct task *t)
{
    return (struct packet_way){t->all->o.packet_bytes, "t->packet_bytes",
                               "uses single packets, which the processors of this machine do not "
                               "write; use messages",
                               STEP_PACKET_OUT, STEP_PACKET_IN};
}

static struct packet_way tree_packets(const struct task *t)
{
    return (struct packet_way){t->all->o.tree_packet_bytes, "t->tree_packet_bytes",
                               "uses packets of the tree, which its machine, or its part of one, "
                               "does not have; use messages",
                               STEP_POINT_OUT, STEP_POINT_IN};
}

static struct action packet_out(struct task *t, const struct packet_way *way, uint32_t to,
                                const void *data, uint32_t bytes)
{
    struct attachments *attachments = t->all->o.attachments;
    uint32_t number = ATTACHMENT_NONE;
    char text[80];
    if (!way->most)
        task_quit(t, way->lacking);
    if (to >= t->face.size || to == t->face.rank)
        task_quit(t, "sends a packet to itself, or to a process that does not exist");
    snprintf(text, sizeof(text), "sends more in a packet than %s", way->most_name);
    if (bytes > way->most)
        task_quit(t, text);
    if (data && bytes) {
        number = attachment_new(attachments, t->partition, bytes);
        memcpy(attachment_at(attachments, number)->data, data, bytes);
    }
    return (struct action){.kinds = ACTION_COLLECTIVE,
                           .collective = (uint8_t)way->out,
                           .to = outside(t, to),
                           .bytes = bytes,
                           .attachment = number};
}

static int receive_packet(struct task *t, const struct packet_way *way, void *data, uint32_t room,
                          bool wait, weft_info *info)
{
    struct attachments *attachments = t->all->o.attachments;
    struct action_single packet = {.wait = wait};
    if (!way->most)
        task_quit(t, way->lacking);
    task_ask(t, &(struct action){.kinds = ACTION_COLLECTIVE | (wait ? 0 : ACTION_POLL),
                                 .collective = (uint8_t)way->in,
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

void task_send_packet(weft_task *face, uint32_t to, const void *data, uint32_t bytes)
{
    struct packet_way way = torus_packets(task_of(face));
    struct action action = packet_out(task_of(face), &way, to, data, bytes);
    task_ask_later(task_of(face), &action);
}

int task_try_packet(weft_task *face, uint32_t fifo, uint32_t to, const void *data, uint32_t bytes)
{
    struct task *t = task_of(face);
    struct packet_way way = torus_packets(t);
    struct action_single packet = {0};
    struct action action = packet_out(t, &way, to, data, bytes);
    if (fifo >= t->all->o.packet_fifos)
        task_quit(t, "sends a packet through a FIFO that is not below t->packet_fifos");
    action.fifo = (uint8_t)fifo;
    action.single = &packet;
    task_ask(t, &action);
    if (!packet.there && action.attachment != ATTACHMENT_NONE)
        attachment_free(t->all->o.attachments, action.attachment);
    return packet.there;
}

int task_receive_packet(weft_task *face, void *data, uint32_t room, int wait, weft_info *info)
{
    struct packet_way way = torus_packets(task_of(face));
    return receive_packet(task_of(face), &way, data, room, wait != 0, info);
}

void task_send_tree_packet(weft_task *face, uint32_t to, const void *data, uint32_t bytes)
{
    struct packet_way way = tree_packets(task_of(face));
    struct action action = packet_out(task_of(face), &way, to, data, bytes);
    task_ask_later(task_of(face), &action);
}

int task_receive_tree_packet(weft_task *face, void *data, uint32_t room, int wait, weft_info *info)
{
    struct packet_way way = tree_packets(task_of(face));
    return receive_packet(task_of(face), &way, data, room, wait != 0, info);
}

/* ---- I/O nodes ---- */

static void call_io_node(struct task *t, enum step_collective what, uint64_t bytes)
{
    if (!t->all->o.has_io)
        task_quit(t, "writes or reads outside, and its machine, or its part of one, has no I/O "
                     "nodes");
    if (bytes > BYTES_MOST)
        task_quit(t, "writes or reads more than 2^44 bytes at once");
    task_ask(t, &(struct action){.kinds = ACTION_COLLECTIVE,
                                 .collective = (uint8_t)what,
                                 .bytes = bytes,
                                 .attachment = ATTACHMENT_NONE});
}

void task_write_out(weft_task *face, uint64_t bytes)
{
    call_io_node(task_of(face), STEP_WRITE_OUT, bytes);
}

void task_read_in(weft_task *face, uint64_t bytes)
{
    call_io_node(task_of(face), STEP_READ_IN, bytes);
}

/* ---- other calls ---- */

void task_compute(weft_task *face, double cycles)
{
    if (!(cycles < 1e15))
        task_quit(task_of(face), "computes for longer than the clock can count");
    if (cycles > 0)
        task_ask(task_of(face), &(struct action){.kinds = ACTION_COMPUTE, .cycles = cycles});
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

fine_t task_length(const weft_task *face, double seconds)
{
    return fine_length(seconds / ((const struct task *)face)->all->seconds_per_fine /
                       (1 << FRACTION_BITS));
}

fine_t task_settling(const weft_task *face)
{
    const struct tasks_options *o = &((const struct task *)face)->all->o;
    return o->settling(o->way_arg);
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
        task_quit(t, "asks for more memory than there can be");
    struct task_block *b = memory_alloc_lines(1, HEADER + bytes);
    *b = (struct task_block){.next = t->blocks, .bytes = bytes};
    t->blocks = b;
    return (unsigned char *)b + HEADER;
}

void task_release(weft_task *face, void *memory)
{
    struct task *t = task_of(face);
    struct task_block *b, **link = &t->blocks;
    if (!memory)
        return;
    b = (struct task_block *)((unsigned char *)memory - HEADER);
    while (*link && *link != b)
        link = &(*link)->next;
    if (!*link)
        task_quit(t, "releases memory that it was not given");
    *link = b->next;
    free(b);
}

void task_give_up(weft_task *face, const char *text)
{
    task_quit(task_of(face), text ? text : "fails");
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
        task_quit(t, "starts the second processor before joining it");
    t->co_work = work;
    t->co_arg = arg;
    t->co_cycles = cycles > 0 ? cycles : 0;
    t->co_pending = true;
    if (t->all->o.coprocessor)
        task_ask(t, &(struct action){.kinds = ACTION_CO_START, .cycles = t->co_cycles});
}

void task_co_join(weft_task *face)
{
    struct task *t = task_of(face);
    if (!t->co_pending)
        return;
    if (t->all->o.coprocessor) {
        task_ask(t, &plain_wait);
    } else {
        task_compute(face, t->co_cycles);
        do_co_work(t);
    }
    t->co_pending = false;
}

void task_co_done(void *ctx, const struct seat *seat)
{
    do_co_work(&((struct tasks *)ctx)->part[seat->partition].task[seat->index]);
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

unsigned task_tree_class(weft_task *face, const struct members *members)
{
    const struct tasks_options *o = &task_of(face)->all->o;
    struct members of_all = *members;
    of_all.base = task_first(face);
    return task_offers(face) & TASK_TREE ? o->tree_class(o->way_arg, &of_all) : 0;
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

/* Works through memory: piece by piece where others use it, too, so that they take turns. */
static void pass(weft_task *face, enum action_kind kind, uint64_t bytes)
{
    struct task *t = task_of(face);
    uint64_t most = t->all->o.piece_bytes ? t->all->o.piece_bytes : UINT64_MAX;
    for (uint64_t left = bytes, piece; left; left -= piece) {
        piece = left < most ? left : most;
        task_ask(t, &(struct action){.kinds = kind, .pass_bytes = piece, .pass_whole = bytes});
    }
}

void task_combine(weft_task *face, uint64_t bytes)
{
    pass(face, ACTION_COMBINE, bytes);
}

void task_work_through(weft_task *face, uint64_t bytes)
{
    pass(face, ACTION_COPY, bytes);
}

void task_stream(weft_task *face, uint64_t bytes)
{
    if (bytes > BYTES_MOST)
        task_quit(task_of(face), "streams more than 2^44 bytes through memory at once");
    pass(face, ACTION_STREAM, bytes);
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
    task_ask(task_of(face), action);
}
