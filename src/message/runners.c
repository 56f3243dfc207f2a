/* One runner, or several that share the processes. */
#include "message/runners.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/status.h"

struct runners {
    struct scripts *script;
    struct tasks *tasks;
    struct runner *each; /* all that there are */
    uint32_t count;
    uint32_t *of; /* [group]: who runs it */
    const struct task_group *group;
    uint32_t groups;
};

static uint32_t add(struct runners *all, struct runner runner)
{
    all->each = memory_grow(all->each, all->count + 1, sizeof(*all->each));
    all->each[all->count] = runner;
    return all->count++;
}

static uint32_t add_script(struct runners *all, const struct program *script, uint32_t partitions)
{
    all->script = scripts_create(script, partitions);
    return add(all, scripts_runner(all->script));
}

static uint32_t add_own(struct runners *all, const struct task_group *g,
                        const struct tasks_options *o)
{
    struct runner_site site = {.partitions = o->partitions,
                               .attachments = o->attachments,
                               .clock_hz = o->clock_hz,
                               .cycles_per_us = o->cycles_per_us,
                               .first = g->first,
                               .processes = g->processes};
    return add(all, g->own.make(g->own.arg, &site));
}

struct runners *runners_create(const struct program *script, const struct tasks_options *o)
{
    enum { NOT_YET = UINT32_MAX };
    struct runners *all = memory_alloc(1, sizeof(*all));
    uint32_t by_script = NOT_YET, by_task = NOT_YET;
    all->groups = o->groups;
    all->group = o->group;
    all->of = memory_alloc(o->groups + 1, sizeof(*all->of));
    for (uint32_t i = 0; i < o->groups; i++) {
        const struct task_group *g = &o->group[i];
        if (g->own.make) {
            all->of[i] = add_own(all, g, o);
        } else if (g->program.main) {
            if (by_task == NOT_YET) {
                all->tasks = tasks_create(o);
                by_task = add(all, tasks_runner(all->tasks));
            }
            all->of[i] = by_task;
        } else {
            if (by_script == NOT_YET)
                by_script = add_script(all, script, o->partitions);
            all->of[i] = by_script;
        }
    }
    if (!o->groups)
        add_script(all, script, o->partitions);
    return all;
}

void runners_destroy(struct runners *all)
{
    if (!all)
        return;
    scripts_destroy(all->script);
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
        together.archive = r->archive ? together.archive : NULL;
    }
    return together;
}
