/* One runner, or two that share the processes. */
#include "message/runners.h"

#include <stdlib.h>

#include "base/memory.h"

struct runners {
    struct scripts *script;
    struct tasks *tasks;
    struct runner by_script, by_task;
    const struct task_group *group;
    uint32_t groups;
};

struct runners *runners_create(const struct program *script, const struct tasks_options *o)
{
    struct runners *all = memory_alloc(1, sizeof(*all));
    bool scripts = !o->groups, tasks = false;
    all->groups = o->groups;
    all->group = o->group;
    for (uint32_t i = 0; i < o->groups; i++) {
        scripts = scripts || !o->group[i].program.main;
        tasks = tasks || o->group[i].program.main;
    }
    if (scripts) {
        all->script = scripts_create(script, o->partitions);
        all->by_script = scripts_runner(all->script);
    }
    if (tasks) {
        all->tasks = tasks_create(o);
        all->by_task = tasks_runner(all->tasks);
    }
    return all;
}

void runners_destroy(struct runners *all)
{
    if (!all)
        return;
    scripts_destroy(all->script);
    tasks_destroy(all->tasks);
    free(all);
}

/* ---- two runners ---- */

static void prepare(void *ctx, uint32_t partition, uint32_t processes)
{
    const struct runners *all = ctx;
    all->by_script.prepare(all->by_script.ctx, partition, processes);
    all->by_task.prepare(all->by_task.ctx, partition, processes);
}

static void next(void *ctx, const struct seat *seat, fine_t now, struct action *action)
{
    const struct runners *all = ctx;
    const struct task_group *g = task_group_of(all->group, all->groups, seat->rank);
    const struct runner *by = g->program.main ? &all->by_task : &all->by_script;
    by->next(by->ctx, seat, now, action);
}

/* Scripts make no requests, and give the second core nothing to do. */
static bool complete(void *ctx, const struct seat *seat, uint32_t request,
                     const struct outcome_of *outcome)
{
    const struct runners *all = ctx;
    return all->by_task.complete(all->by_task.ctx, seat, request, outcome);
}

static void co_done(void *ctx, const struct seat *seat)
{
    const struct runners *all = ctx;
    all->by_task.co_done(all->by_task.ctx, seat);
}

struct runner runners_runner(struct runners *all)
{
    if (!all->tasks)
        return all->by_script;
    if (!all->script)
        return all->by_task;
    return (struct runner){.ctx = all,
                           .timely = true,
                           .prepare = prepare,
                           .next = next,
                           .complete = complete,
                           .co_done = co_done};
}
