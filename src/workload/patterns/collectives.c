/*
 * Collective operations: over messages (message/schedule.h), by packets of the message layer
 * (message/packets/packets.h), or by the machine itself. A broadcast also by a program that knows
 * the mesh (programs/mesh.c).
 *
 * As everywhere, a step is a pure function of the process and its number (node/program.h).
 */
#include "workload/patterns/patterns.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "workload/programs/builtin.h"

struct broadcast_params {
    uint32_t piece_bytes;
};

static const struct key rows[] = {
    {"workload.piece_bytes", KEY_U32, offsetof(struct broadcast_params, piece_bytes), "B", "10000",
     1, KEY_U32_TOP, .help = "broadcast by mesh: of the pieces that follow each other"},
};

static const struct key_section section = {sizeof(struct broadcast_params)};
static const struct key_table broadcast_keys = {rows, sizeof(rows) / sizeof(rows[0]), &section};

/* ---- over messages ---- */

struct rounds {
    struct schedule schedule;
    uint32_t steps[]; /* [process] */
};

static bool collective_round(void *ctx, uint32_t rank, uint32_t number, struct step *step)
{
    const struct workload *w = ctx;
    const struct rounds *r = w->state;
    uint32_t steps = r->steps[rank];
    struct schedule_step s;
    if (!steps || number / steps >= w->params.messages ||
        !schedule_step(&r->schedule, rank, number % steps, &s))
        return false;
    *step = (struct step){.to = s.to,
                          .from = s.from,
                          .bytes = s.out_bytes,
                          .from_bytes = s.in_bytes,
                          .reduce_bytes = s.combine ? s.in_bytes : 0};
    return true;
}

static weft_status check_end(const struct workload *w)
{
    if (w->params.messages)
        return WEFT_OK;
    return BAD_INPUT("workload.messages", ("workload.messages = 0: the run must end"),
                     ("use 1 or more"));
}

static weft_status setup_rounds(struct workload *w, enum schedule_kind kind)
{
    TRY(check_end(w));
    struct rounds *r = w->state = memory_alloc(1, sizeof(*r) + w->processes * sizeof(r->steps[0]));
    r->schedule = (struct schedule){
        .kind = kind, .processes = w->processes, .unit = 1, .bytes = w->params.message_bytes};
    for (uint32_t rank = 0; rank < w->processes; rank++)
        r->steps[rank] = schedule_steps(&r->schedule, rank);
    w->program.step = collective_round;
    return WEFT_OK;
}

/* ---- operations of the machine itself ---- */

static bool collective_step(void *ctx, uint32_t rank, uint32_t number, struct step *step)
{
    const struct workload *w = ctx;
    (void)rank;
    *step = (struct step){.to = NOBODY,
                          .from = NOBODY,
                          .bytes = w->params.message_bytes,
                          .collective = w->collective,
                          .varied = w->state ? *(const uint64_t *)w->state : 0};
    return number < w->params.messages;
}

bool workload_uses_tree(const struct workload *w)
{
    enum collectives c = w->task.collectives;
    if (w->pattern->kind == PATTERN_PROGRAM) /* whatever it may call */
        return w->site->tree;
    if (w->task.main)
        return workload_is_full(w) && (c == COLLECTIVES_AUTO || c == COLLECTIVES_TREE);
    return (w->collective && w->collective <= STEP_TREE_CAST) || w->collective >= STEP_POINT_OUT;
}

static bool wants_tree(const struct workload_params *p)
{
    return p->algorithm == ALGORITHM_INTERRUPT || p->algorithm == ALGORITHM_TREE ||
           p->algorithm == ALGORITHM_RECAST || p->algorithm == ALGORITHM_TWO_PHASE;
}

/* A sum of floating-point numbers of 64 bits: the tree finds exponents of 16 bits, then adds
 * mantissas of 64; processors work through the vector before each, and after both
 * (message/collect.c). */
static bool two_phase_step(void *ctx, uint32_t rank, uint32_t number, struct step *step)
{
    enum { EXPONENTS, MANTISSAS, SUMS, STEPS };
    const struct workload *w = ctx;
    uint64_t bytes = w->params.message_bytes;
    uint32_t phase = number % STEPS;
    (void)rank;
    *step = (struct step){.to = NOBODY,
                          .from = NOBODY,
                          .bytes = phase == EXPONENTS ? (bytes + 3) / 4 : bytes,
                          .reduce_bytes = bytes,
                          .collective = phase == SUMS ? STEP_NO_COLLECTIVE : STEP_TREE_ALL};
    return number / STEPS < w->params.messages;
}

/* A barrier, or one operand of 64 bits combined for all. */
static weft_status gates_collective(struct workload *w, enum step_collective kind)
{
    if (!w->site->gates)
        return BAD_INPUT("workload.algorithm",
                         ("%s", w->site->part ? "barrier gates belong to the whole machine"
                                              : "this machine has no barrier gates"),
                         ("use another workload.algorithm"));
    if (kind == STEP_GATES && w->params.message_bytes != TREE_OPERAND_MOST)
        return BAD_INPUT("workload.algorithm workload.message_bytes",
                         ("barrier gates combine one operand of %d bytes", TREE_OPERAND_MOST),
                         ("use workload.message_bytes = %d", TREE_OPERAND_MOST));
    TRY(check_end(w));
    w->collective = kind;
    w->program.step = collective_step;
    return WEFT_OK;
}

static weft_status machine_collective(struct workload *w, bool cast)
{
    enum algorithm a = w->params.algorithm;
    if (!w->site->tree)
        return BAD_INPUT("workload.algorithm",
                         ("%s", w->site->part
                                    ? "the tree network belongs to the whole machine"
                                    : "this machine has no tree network and no global interrupts"),
                         ("use another workload.algorithm"));
    if (!workload_is_full(w))
        return BAD_INPUT("workload.algorithm workload.processes",
                         ("on the tree, all processes of all nodes take part"),
                         ("use workload.processes = 0"));
    TRY(check_end(w));
    w->collective = a == ALGORITHM_INTERRUPT ? STEP_BARRIER
                    : a == ALGORITHM_RECAST  ? STEP_TREE_RECAST
                    : cast                   ? STEP_TREE_CAST
                                             : STEP_TREE_ALL;
    w->program.step = a == ALGORITHM_TWO_PHASE ? two_phase_step : collective_step;
    return WEFT_OK;
}

weft_status spread_collective(struct workload *w, enum step_collective kind, uint64_t varied)
{
    if (!w->site->spreads)
        return BAD_INPUT("workload.algorithm",
                         ("the processors of this machine do not write packets themselves"),
                         ("use another workload.algorithm"));
    if (w->site->part)
        return BAD_INPUT("workload.algorithm",
                         ("of the workloads of a part, only programs have their collective "
                          "operations by packets"),
                         ("use another workload.algorithm"));
    if (kind == STEP_FLOOD && (w->per_node > 1 || !workload_is_full(w)))
        return BAD_INPUT("workload.algorithm workload.processes workload.processes_per_node",
                         ("with the deposit bit, every node takes part with one process"),
                         ("use one process on each"));
    if (kind == STEP_FLOOD && !w->site->whole)
        return BAD_INPUT("workload.algorithm machine.dead_nodes machine.dead_links",
                         ("packets that leave copies on their way cannot go around what is dead"),
                         ("use another workload.algorithm"));
    TRY(check_end(w));
    free(w->state);
    uint64_t *key = w->state = memory_alloc(1, sizeof(*key));
    *key = varied;
    w->collective = kind;
    w->program.step = collective_step;
    return WEFT_OK;
}

static weft_status barrier_messages(struct workload *w)
{
    if (wants_tree(&w->params))
        return machine_collective(w, false);
    if (w->params.algorithm == ALGORITHM_GATES)
        return gates_collective(w, STEP_BARRIER);
    return setup_rounds(w, SCHEDULE_BARRIER);
}

static enum schedule_kind broadcast_kind(const struct workload *w)
{
    uint64_t bytes = w->params.message_bytes;
    if (w->params.algorithm == ALGORITHM_BINOMIAL)
        return SCHEDULE_BROADCAST;
    if (w->params.algorithm == ALGORITHM_AUTO)
        return schedule_broadcast_kind(w->site->limits, w->processes, bytes);
    /* scatter: what follows it is chosen as MPICH does, for any size */
    bool doubling = schedule_allgather_kind(w->site->limits, w->processes, bytes / w->processes) ==
                    SCHEDULE_ALLGATHER_DOUBLING;
    return doubling ? SCHEDULE_BROADCAST_SCATTER : SCHEDULE_BROADCAST_RING;
}

/* A program that knows the mesh. */
struct mesh_cast {
    char word[3][24];
    char *argv[3];
};

static weft_status mesh_broadcast(struct workload *w)
{
    const struct torus *t = w->site->torus;
    const struct broadcast_params *own = config_section(w->config, &section);
    unsigned longer = 0;
    for (unsigned d = 0; t && d < t->dims; d++)
        longer += t->size[d] > 1;
    if (!t || longer > 2 || w->per_node > 1 || w->processes < t->nodes)
        return BAD_INPUT("workload.algorithm workload.processes workload.processes_per_node "
                         "machine.dims",
                         ("workload.algorithm = mesh needs a line or plane of nodes with "
                          "coordinates, and one process on each"),
                         ("use another"));
    struct mesh_cast *cast = w->state = memory_alloc(1, sizeof(*cast));
    uint64_t number[3] = {w->params.message_bytes, w->params.messages, own->piece_bytes};
    for (unsigned i = 0; i < 3; i++) {
        snprintf(cast->word[i], sizeof(cast->word[i]), "%llu", (unsigned long long)number[i]);
        cast->argv[i] = cast->word[i];
    }
    w->task = (struct task_program){.main = program_mesh_broadcast,
                                    .argc = 3,
                                    .argv = cast->argv,
                                    .stack_bytes = PROGRAM_STACK_BYTES,
                                    .collectives = COLLECTIVES_MESSAGES};
    return WEFT_OK;
}

static weft_status broadcast_messages(struct workload *w)
{
    if (w->params.algorithm == ALGORITHM_MESH)
        return mesh_broadcast(w);
    if (w->params.algorithm == ALGORITHM_DEPOSIT)
        return spread_collective(w, STEP_FLOOD, 0);
    if (wants_tree(&w->params))
        return machine_collective(w, true);
    return setup_rounds(w, broadcast_kind(w));
}

static weft_status reduce_messages(struct workload *w)
{
    return setup_rounds(w, SCHEDULE_REDUCE);
}

static weft_status allgather_messages(struct workload *w)
{
    if ((uint64_t)w->params.message_bytes * w->processes > UINT32_MAX)
        return BAD_INPUT("workload.message_bytes",
                         ("workload.message_bytes of %u processes exceed 4 GiB", w->processes),
                         ("use less"));
    if (w->params.algorithm == ALGORITHM_RING || !schedule_can_double(w->processes))
        return setup_rounds(w, SCHEDULE_ALLGATHER_RING);
    if (w->params.algorithm == ALGORITHM_DOUBLING)
        return setup_rounds(w, SCHEDULE_ALLGATHER_DOUBLING);
    return setup_rounds(
        w, schedule_allgather_kind(w->site->limits, w->processes, w->params.message_bytes));
}

static weft_status allreduce_messages(struct workload *w)
{
    enum algorithm a = w->params.algorithm;
    if (wants_tree(&w->params))
        return machine_collective(w, false);
    if (a == ALGORITHM_GATES)
        return gates_collective(w, STEP_GATES);
    return setup_rounds(
        w, a == ALGORITHM_DOUBLING ? SCHEDULE_ALLREDUCE_DOUBLING
           : a == ALGORITHM_HALVING
               ? SCHEDULE_ALLREDUCE_HALVING
               : schedule_allreduce_kind(w->site->limits, w->processes, w->params.message_bytes));
}

/* ---- rows ---- */

const struct pattern allreduce_pattern = {
    .name = "allreduce",
    .message_work = "allreduce of {who}, {times}: {message_bytes} bytes",
    .messages = allreduce_messages,
    .message_keys = MESSAGE_KEYS "algorithm",
    .algorithms = "doubling halving tree recast two_phase gates"};

const struct pattern broadcast_pattern = {.name = "broadcast",
                                          .message_work =
                                              "broadcast of {who}, {times}: {message_bytes} bytes",
                                          .messages = broadcast_messages,
                                          .message_keys = MESSAGE_KEYS "algorithm piece_bytes",
                                          .algorithms = "binomial scatter mesh deposit tree",
                                          .keys = &broadcast_keys};

const struct pattern reduce_pattern = {.name = "reduce",
                                       .message_work =
                                           "reduce of {who}, {times}: {message_bytes} bytes",
                                       .messages = reduce_messages,
                                       .message_keys = MESSAGE_KEYS "algorithm",
                                       .algorithms = "binomial"};

const struct pattern allgather_pattern = {.name = "allgather",
                                          .message_work =
                                              "allgather of {who}, {times}: {message_bytes} bytes",
                                          .messages = allgather_messages,
                                          .message_keys = MESSAGE_KEYS "algorithm",
                                          .algorithms = "doubling ring"};

const struct pattern barrier_pattern = {
    .name = "barrier",
    .message_work = "barrier of {who}, {times}",
    .messages = barrier_messages,
    .message_keys = "messages processes_per_node processes mapping algorithm",
    .algorithms = "interrupt gates"};
