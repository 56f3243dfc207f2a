/*
 * Scripts; and one runner, or several that share the processes.
 *
 * A script is a program of messages (node/program.h) whose steps are pure functions. In a step a
 * process sends a message, or receives one, or both at once; then it waits, and combines. Steps
 * with times of their own begin at those times; until then the process handles what comes.
 */
#include "message/layer.h"

#include <stdlib.h>

#include "base/list.h"
#include "base/memory.h"

/* ---- scripts: steps as actions ---- */

struct script {
    uint32_t number; /* of the next step */
    uint32_t ending; /* it waits for the last of its messages */
};

struct script_part {
    struct script *script; /* [process] */
    uint32_t processes;
} __attribute__((aligned(64)));

struct scripts {
    struct program program;
    uint32_t partitions;
    struct script_part *part;
};

static void script_next(void *ctx, const struct seat *seat, fine_t now, struct action *action)
{
    const struct scripts *all = ctx;
    const struct program *p = &all->program;
    struct script *s = &all->part[seat->partition].script[seat->index];
    struct step step = {.to = NOBODY, .from = NOBODY, .now = now >> FRACTION_BITS};
    bool waits = s->number && !s->ending; /* for what earlier steps left under way */
    bool more = !s->ending && (now >> FRACTION_BITS) < p->stop_at;
    if (!more || !p->step(p->ctx, seat->rank, s->number, &step)) {
        *action = (struct action){.kinds = waits ? ACTION_WAIT : ACTION_END};
        s->ending = 1;
        return;
    }
    if (step.timed && fine_at(step.birth) > now) { /* it is asked for again then */
        *action = (struct action){.kinds = ACTION_WAIT,
                                  .sends_left = ANY_NUMBER,
                                  .receives_left = ANY_NUMBER,
                                  .sleep = fine_at(step.birth)};
        return;
    }
    s->number++;
    *action = (struct action){.kinds = ACTION_WAIT | (step.to == NOBODY ? 0 : ACTION_SEND) |
                                       (step.from == NOBODY ? 0 : ACTION_RECEIVE) |
                                       (step.reduce_bytes ? ACTION_COMBINE : 0),
                              .to = step.to,
                              .from = step.from,
                              .bytes = step.bytes,
                              .from_bytes = step.from_bytes,
                              .sends_left = step.sends_left,
                              .receives_left = step.receives_left,
                              .attachment = ATTACHMENT_NONE,
                              .request = NO_REQUEST,
                              .from_request = NO_REQUEST,
                              .shape = SHAPE_LINES,
                              .from_shape = SHAPE_LINES,
                              .pass_bytes = step.reduce_bytes};
    if (step.collective)
        *action =
            (struct action){.kinds = ACTION_COLLECTIVE | (step.reduce_bytes ? ACTION_COMBINE : 0),
                            .pass_bytes = step.reduce_bytes,
                            .collective = step.collective,
                            .to = step.to,
                            .bytes = step.bytes,
                            .attachment = ATTACHMENT_NONE,
                            .root = step.root,
                            .varied = step.varied};
}

static void script_prepare(void *ctx, uint32_t partition, uint32_t processes)
{
    struct script_part *s = &((struct scripts *)ctx)->part[partition];
    s->processes = processes;
    s->script = memory_alloc(processes, sizeof(*s->script));
}

static void script_archive(void *ctx, uint32_t partition, struct archive *a)
{
    struct script_part *s = &((struct scripts *)ctx)->part[partition];
    archive_bytes(a, s->script, s->processes * sizeof(*s->script));
}

static struct runner scripts_make(struct scripts *all, const struct program *program,
                                  uint32_t partitions)
{
    *all = (struct scripts){.program = *program, .partitions = partitions};
    all->part = memory_alloc_lines(partitions, sizeof(*all->part));
    return (struct runner){.ctx = all,
                           .timely = program->timed,
                           .prepare = script_prepare,
                           .next = script_next,
                           .archive = script_archive};
}

/* ---- who runs which group ---- */

struct runners {
    struct scripts scripts; /* no partitions: none */
    struct tasks *tasks;
    struct runner *each; /* all that there are */
    uint32_t count, room;
    uint32_t *of; /* [group]: who runs it */
    const struct task_group *group;
    uint32_t groups;
};

/* The runner of a group, made when it is first asked for; a group's own is for that group alone. */
static struct runner make_runner(struct runners *all, const struct task_group *g,
                                 const struct program *script, const struct tasks_options *o)
{
    if (g && g->own.make)
        return g->own.make(g->own.arg, &(struct runner_site){.partitions = o->partitions,
                                                             .attachments = o->attachments,
                                                             .clock_hz = o->clock_hz,
                                                             .cycles_per_us = o->cycles_per_us,
                                                             .first = g->first,
                                                             .processes = g->processes});
    if (g && g->program.main)
        return tasks_runner(all->tasks = tasks_create(o));
    return scripts_make(&all->scripts, script, o->partitions);
}

struct runners *runners_create(const struct program *script, const struct tasks_options *o)
{
    enum { NOT_YET = UINT32_MAX };
    struct runners *all = memory_alloc(1, sizeof(*all));
    uint32_t common[2] = {NOT_YET, NOT_YET}; /* by the script; by programs */
    all->groups = o->groups;
    all->group = o->group;
    all->of = memory_alloc(o->groups + 1, sizeof(*all->of));
    for (uint32_t i = 0; i < o->groups; i++) {
        const struct task_group *g = &o->group[i];
        uint32_t own = NOT_YET, *by = g->own.make ? &own : &common[g->program.main != NULL];
        if (*by == NOT_YET) {
            *by = all->count;
            *LIST_ADD(all->each, all->count, all->room) = make_runner(all, g, script, o);
        }
        all->of[i] = *by;
    }
    if (!o->groups)
        *LIST_ADD(all->each, all->count, all->room) = make_runner(all, NULL, script, o);
    return all;
}

void runners_destroy(struct runners *all)
{
    for (uint32_t i = 0; i < all->scripts.partitions; i++)
        free(all->scripts.part[i].script);
    free(all->scripts.part);
    tasks_destroy(all->tasks);
    free(all->each);
    free(all->of);
    free(all);
}

/* ---- several runners ---- */

static const struct runner *runner_of(const struct runners *all, uint32_t process)
{
    const struct task_group *g = task_group_of(all->group, all->groups, process);
    return &all->each[all->of[g - all->group]];
}

static void prepare(void *ctx, uint32_t partition, uint32_t processes)
{
    const struct runners *all = ctx;
    for (uint32_t i = 0; i < all->count; i++)
        all->each[i].prepare(all->each[i].ctx, partition, processes);
}

static void next(void *ctx, const struct seat *seat, fine_t now, struct action *action)
{
    const struct runner *by = runner_of(ctx, seat->rank);
    by->next(by->ctx, seat, now, action);
}

/* Scripts make no requests, and give the second core nothing to do. */
static bool complete(void *ctx, const struct seat *seat, uint32_t request,
                     const struct outcome_of *outcome)
{
    const struct runner *by = runner_of(ctx, seat->rank);
    WEFT_CHECK(by->complete, "process %u has a request, which no script makes", seat->rank);
    return by->complete(by->ctx, seat, request, outcome);
}

static void serve(void *ctx, const struct seat *seat, const struct remote_call *call)
{
    const struct runner *by = runner_of(ctx, seat->rank);
    by->serve(by->ctx, seat, call);
}

static void co_done(void *ctx, const struct seat *seat)
{
    const struct runner *by = runner_of(ctx, seat->rank);
    by->co_done(by->ctx, seat);
}

static void archive(void *ctx, uint32_t partition, struct archive *a)
{
    const struct runners *all = ctx;
    for (uint32_t i = 0; i < all->count; i++)
        all->each[i].archive(all->each[i].ctx, partition, a);
}

struct runner runners_runner(struct runners *all)
{
    if (all->count == 1)
        return all->each[0];
    struct runner together = {
        .ctx = all, .prepare = prepare, .next = next, .complete = complete, .archive = archive};
    for (uint32_t i = 0; i < all->count; i++) {
        const struct runner *r = &all->each[i];
        together.timely = together.timely || r->timely;
        together.late = together.late || r->late;
        together.timed = together.timed || r->timed;
        together.co_done = r->co_done ? co_done : together.co_done;
        together.serve = r->serve ? serve : together.serve;
        together.archive = r->archive ? together.archive : NULL;
    }
    return together;
}
