/* What a rank asks of its node: time, a name, an output. */
#include "mpi/rank.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/list.h"
#include "mpi/object/signature.h"
#include "mpi/observe/debugger.h"

/* ---- computation ---- */

static double host_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void rank_look_at_clock(struct rank *r)
{
    if (r->world->o.compute == COMPUTE_MEASURED)
        r->worked = host_seconds();
}

void rank_catch_up(struct rank *r)
{
    const struct world_options *o = &r->world->o;
    r->stops++;
    if (o->compute == COMPUTE_NONE)
        return;
    double cycles = 0;
    if (o->compute == COMPUTE_COUNTED)
        cycles = (double)r->blocks * o->cost.block_cycles;
    else
        cycles = (host_seconds() - r->worked) * o->compute_factor * r->task->clock_hz;
    r->blocks = 0;
    if (cycles > 0)
        rank_compute(r, cycles);
    rank_look_at_clock(r);
}

void rank_compute(struct rank *r, double cycles)
{
    if (rank_is_traced(r))
        call_log_compute(&r->log, cycles, false);
    task_compute(r->task, cycles);
}

void rank_owe(struct rank *r, double cycles)
{
    if (rank_is_traced(r))
        call_log_compute(&r->log, cycles, true);
    task_owe(r->task, cycles);
}

static void note_work(struct rank *r, enum logged_kind kind, uint64_t bytes)
{
    if (rank_is_traced(r) && bytes)
        call_log_add(&r->log, &(struct logged_call){.kind = (uint8_t)kind, .bytes = bytes});
}

void rank_copy(struct rank *r, uint64_t bytes)
{
    note_work(r, LOGGED_COPY, bytes);
    task_work_through(r->task, bytes);
}

void rank_combine(struct rank *r, uint64_t bytes)
{
    note_work(r, LOGGED_COMBINE, bytes);
    task_combine(r->task, bytes);
}

bool rank_is_traced(const struct rank *r)
{
    return r->world->o.trace && r->state == MPI_INSIDE && r->call != CALL_Finalize;
}

/* ---- messages ---- */

void rank_note_sent(struct rank *r, uint32_t process, enum peer_use use, uint64_t bytes)
{
    r->stats.sent_to[process / r->world->block_ranks] += bytes;
    if (r->world->o.matrix)
        peers_add(&r->peers, process, use, bytes);
}

void rank_note_message(struct rank *r, uint32_t process, uint64_t bytes)
{
    unsigned size = bytes ? 64 - (unsigned)__builtin_clzll(bytes) : 0;
    r->stats.messages++;
    r->stats.bytes += bytes;
    r->stats.sizes[size < STATS_SIZES ? size : STATS_SIZES - 1]++;
    rank_note_sent(r, process, USE_MESSAGES, bytes);
}

void rank_pay_send(struct rank *r, uint64_t bytes, uint8_t shape)
{
    const struct mpi_params *cost = &r->world->o.cost;
    task_owe(r->task, cost->send_cycles + cost->way_cycles[task_way(r->task, bytes, shape)]);
}

void rank_pay_receive(struct rank *r)
{
    task_owe(r->task, r->world->o.cost.receive_cycles);
}

bool rank_tells_apart(const struct rank *r, uint64_t sent, uint64_t received, uint64_t bytes)
{
    enum check_types check = r->world->o.check_types;
    return check && !rank_is_silent(r) &&
           signature_differs(sent, received, bytes, check == CHECK_TYPES_ALL);
}

void rank_add_waiting(struct rank *r, weft_request id)
{
    *LIST_ADD(r->waiting.id, r->waiting.count, r->waiting.room) = id;
}

/* ---- what the C library asks ---- */

/* Looking at a clock takes time too, or a loop on it would never end. */
static double seconds(void *owner)
{
    struct rank *r = owner;
    rank_catch_up(r);
    double cycles = r->world->o.cost.call_cycles + 1;
    rank_owe(r, cycles);
    return task_seconds(r->task);
}

static void sleep_for(void *owner, double time)
{
    struct rank *r = owner;
    rank_catch_up(r);
    rank_compute(r, time * r->task->clock_hz);
    rank_look_at_clock(r);
}

static void write_text(void *owner, enum posix_stream stream, const char *text, size_t bytes)
{
    struct rank *r = owner;
    struct output_piece piece = {.when = task_seconds(r->task),
                                 .rank = r->task->rank,
                                 .number = r->writes++,
                                 .is_error = stream == POSIX_ERR,
                                 .bytes = bytes,
                                 .text = (char *)text};
    output_add(&r->world->output, &piece);
}

void rank_node_name(const struct rank *r, char *name, size_t size)
{
    const weft_task *t = r->task;
    size_t at = (size_t)snprintf(name, size, "node");
    if (!t->dims)
        snprintf(name + at, size - at, "%u", t->node);
    for (uint32_t d = 0; d < t->dims && at < size; d++)
        at += (size_t)snprintf(name + at, size - at, "-%u", t->coordinate[d]);
}

static void node_name(void *owner, char *name, size_t size)
{
    rank_node_name(owner, name, size);
}

static void aborts(void *owner, int signal)
{
    debugger_stop(((const struct rank *)owner)->task->rank, strsignal(signal));
}

static void fail(void *owner, const char *text)
{
    struct rank *r = owner;
    r->world->fail(r, text);
}

/* Once in a run, as standard error goes: a rank may wait for a clock that does not move while it
 * computes. In its own code it holds no lock of the C library's. */
static void tick(void *owner, bool inside, uint64_t at)
{
    enum { SECONDS = 5, TICKS = SECONDS * 1000 / POSIX_TICK_MS };
    struct rank *r = owner;
    char place[IMAGE_PLACE];
    bool same = r->ticked == r->stops && !r->depth;
    r->ticks = same ? r->ticks + 1 : 0;
    r->ticked = r->stops;
    if (!inside || r->ticks < TICKS || r->world->o.compute != COMPUTE_NONE ||
        atomic_flag_test_and_set(&r->world->told) ||
        !image_describe(&r->executable->image, at, place))
        return;
    dprintf(STDERR_FILENO,
            "weft: rank %u has computed for %d s without a call of MPI or a clock, in %s; "
            "computation takes no simulated time: if it waits for time to pass, use --compute "
            "measured or counted\n",
            r->task->rank, SECONDS, place);
}

const struct posix_host rank_host = {.seconds = seconds,
                                     .sleep = sleep_for,
                                     .write = write_text,
                                     .name = node_name,
                                     .aborts = aborts,
                                     .fail = fail,
                                     .tick = tick};

/* Called in each basic block of a program whose blocks are counted. */
void rank_count_block(void)
{
    struct rank *r = rank_self();
    if (r) /* not of a thread or a child of its own */
        r->blocks++;
}
