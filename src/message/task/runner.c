/* Processes as tasks: their fibers, and their programs' calls as actions. */
#include "message/task/tasks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fiber.h"
#include "base/list.h"
#include "base/memory.h"

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

/* ---- life ---- */

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
                          .packet_bytes = t->all->o.packet_bytes,
                          .packet_fifos = t->all->o.packet_fifos,
                          .tree_packet_bytes = t->all->o.tree_packet_bytes,
                          .has_io = t->all->o.has_io};
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
        *action = plain_wait;
        action->sleep = fine_at(CYCLE_END - 1);
        return;
    }
    /* At its end, a process waits for what it left under way. */
    *action = (struct action){.kinds = t->ending ? ACTION_END : ACTION_WAIT};
    t->ending = true;
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
                           .complete = task_complete,
                           .serve = task_serve,
                           .co_done = task_co_done};
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
    for (struct task_block *b = t->blocks, *next; b; b = next) {
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
