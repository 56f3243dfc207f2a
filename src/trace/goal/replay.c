/* Operations that are ready, and those that wait. */
#include "trace/goal/replay.h"

#include <stdlib.h>

#include "base/map.h"
#include "base/memory.h"
#include "base/slots.h"
#include "engine/ranks.h"

#define LONGEST (1ull << 61) /* a time that one more calc does not take beyond the clock */

/* An operation that is ready. */
struct ready {
    uint32_t op, next;
};

/* A calc of a rank with several cpus, until it ends. */
struct running {
    fine_t end;
    uint32_t op, next;
};

/* What a rank is at. */
struct progress {
    fine_t latest;   /* when the last of its messages was complete */
    uint64_t worked; /* ns */
    uint32_t root;   /* of the roots, those before it have been looked at for */
    uint32_t kind;   /* operations of this kind; beyond GOAL_CALC: all of them have started */
    uint32_t calc;   /* that its processor is at; GOAL_NONE: none */
    uint32_t started, under_way;
    struct slots_list ready;
    uint32_t ending;  /* it waits for the last of its messages */
    uint32_t running; /* the first of its calcs, if it has several cpus; SLOT_NONE: none */
};

struct replay_part {
    struct progress *progress; /* [process] */
    struct goal_rank *rank;    /* [process]: where its operations are, once it has been asked */
    uint32_t processes;
    struct slots ready;   /* struct ready */
    struct slots running; /* struct running */
    fine_t *cpu;          /* [process, cpu]: it is free from then on */
    struct map waiting; /* (process, operation): how many it still waits for, if it has seen some */
    uint32_t looked_at; /* operations, since the trace was let go of */
} __attribute__((aligned(64)));

struct replay {
    const struct goal *goal;
    double factor;
    struct runner_site site;
    struct replay_part *part; /* [partition] */
};

/* A rank, as it is asked. */
struct replayer {
    const struct replay *all;
    struct replay_part *s;
    struct progress *p;
    uint32_t index;
    struct goal_rank rank;
};

static struct replayer replayer_of(const struct replay *all, const struct seat *seat)
{
    struct replay_part *s = &all->part[seat->partition];
    uint32_t rank = seat->rank - all->site.first;
    WEFT_CHECK(rank < all->goal->ranks, "process %u has no rank in the trace", seat->rank);
    if (!s->rank[seat->index].roots)
        s->rank[seat->index] = goal_rank(all->goal, rank);
    return (struct replayer){.all = all,
                             .s = s,
                             .p = &s->progress[seat->index],
                             .index = seat->index,
                             .rank = s->rank[seat->index]};
}

/* Operation of a rank, from a trace that was checked, and that nobody should have changed since. */
static void look_at(struct replayer *me, uint32_t op, struct goal_node *node)
{
    enum { OFTEN = 1 << 20 };
    WEFT_CHECK(op < me->rank.op_count, "the trace has changed while it was run");
    goal_node(&me->rank, op, node);
    if (++me->s->looked_at == OFTEN) {
        me->s->looked_at = 0;
        goal_forget(me->all->goal);
    }
}

/* ---- what becomes ready ---- */

/* One thing that an operation waits for has happened. */
static bool see(struct replayer *me, uint32_t op)
{
    WEFT_CHECK(op < me->rank.op_count, "the trace has changed while it was run");
    uint32_t needs = goal_needs(&me->rank, op);
    if (needs > 1) {
        uint32_t *left = map_add(&me->s->waiting, (uint64_t)me->index << 32 | op, needs);
        if (--*left)
            return false;
        map_drop(&me->s->waiting, left);
    }
    uint32_t index = slots_get(&me->s->ready);
    ((struct ready *)me->s->ready.item)[index].op = op;
    slots_append(&me->s->ready, &me->p->ready, index);
    return true;
}

/* Whether something has become ready. */
static bool release(struct replayer *me, const struct goal_list *list)
{
    bool any = false;
    if (list->count == 1)
        return see(me, goal_list_at(list, 0));
    for (uint8_t kind = GOAL_SEND; list->count && kind <= GOAL_CALC; kind++)
        for (uint32_t i = 0; i < list->count; i++) {
            uint32_t op = goal_list_at(list, i);
            if (op < me->rank.op_count && goal_kind(&me->rank, op) == kind)
                any = see(me, op) || any;
        }
    return any;
}

/* The next root: all sends first, then receives, then calcs; GOAL_NONE: there are no more. */
static uint32_t next_root(struct replayer *me)
{
    struct progress *p = me->p;
    for (; p->kind <= GOAL_CALC; p->kind++, p->root = 0)
        while (p->root < me->rank.root_count) {
            uint32_t op = goal_root(&me->rank, p->root++);
            if (op < me->rank.op_count && goal_kind(&me->rank, op) == p->kind)
                return op;
        }
    return GOAL_NONE;
}

static uint32_t next_op(struct replayer *me)
{
    struct progress *p = me->p;
    uint32_t op = p->kind <= GOAL_CALC ? next_root(me) : GOAL_NONE;
    if (op != GOAL_NONE || p->ready.first == SLOT_NONE)
        return op;
    uint32_t index = slots_take(&me->s->ready, &p->ready);
    op = ((struct ready *)me->s->ready.item)[index].op;
    slots_put(&me->s->ready, index);
    return op;
}

/* ---- actions ---- */

/* Tags and long lengths travel in an attachment. */
static uint32_t attachment_for(const struct replayer *me, uint32_t partition,
                               const struct goal_op *op)
{
    struct attachments *attachments = me->all->site.attachments;
    if (!op->tag && op->size <= UINT32_MAX)
        return ATTACHMENT_NONE;
    uint32_t number = attachment_new(attachments, partition, 0);
    struct attachment *attachment = attachment_at(attachments, number);
    attachment->bytes = op->size;
    attachment->context = 0;
    attachment->tag = op->tag;
    return number;
}

/* The process of a rank. */
static uint32_t process_of(const struct replayer *me, uint32_t rank)
{
    return rank == GOAL_ANY ? rank : rank + me->all->site.first;
}

static void act(struct replayer *me, uint32_t partition, uint32_t number, const struct goal_op *op,
                struct action *action)
{
    bool sends = op->kind == GOAL_SEND;
    me->p->under_way += op->kind != GOAL_CALC;
    if (op->kind == GOAL_CALC) {
        double seconds = (double)op->size * 1e-9 * me->all->factor;
        *action =
            (struct action){.kinds = ACTION_COMPUTE, .cycles = seconds * me->all->site.clock_hz};
        me->p->calc = number;
        me->p->worked += op->size;
        return;
    }
    *action =
        (struct action){.kinds = sends ? ACTION_SEND : ACTION_RECEIVE,
                        .to = sends ? process_of(me, op->peer) : 0,
                        .from = sends ? 0 : process_of(me, op->peer),
                        .bytes = sends ? op->size : 0,
                        .from_bytes = sends ? 0 : op->size,
                        .tag = op->tag,
                        .attachment = sends ? attachment_for(me, partition, op) : ATTACHMENT_NONE,
                        .request = sends ? number : NO_REQUEST,
                        .from_request = sends ? NO_REQUEST : number,
                        .shape = SHAPE_LINES,
                        .from_shape = SHAPE_LINES};
}

/* ---- several cpus ---- */

static bool has_cpus(const struct replay *all)
{
    return all->goal->totals.cpus > 1;
}

static struct running *running_at(const struct replayer *me, uint32_t index)
{
    return (struct running *)me->s->running.item + index;
}

/* A calc takes its cpu for its time, from when that is free. */
static void run_calc(struct replayer *me, uint32_t number, const struct goal_op *op, fine_t now)
{
    fine_t *cpu = &me->s->cpu[(size_t)me->index * me->all->goal->totals.cpus + op->cpu];
    double us = (double)op->size * 1e-3 * me->all->factor;
    uint32_t index = slots_get(&me->s->running);
    *cpu = fine_max(*cpu, now) + fine_length(us * me->all->site.cycles_per_us);
    *running_at(me, index) = (struct running){.end = *cpu, .op = number, .next = me->p->running};
    me->p->running = index;
    me->p->worked += op->size;
}

/* The calc that ends first, and the link to it; SLOT_NONE: none runs. */
static uint32_t first_end(const struct replayer *me, uint32_t **link)
{
    uint32_t best = SLOT_NONE, *at = &me->p->running;
    for (; *at != SLOT_NONE; at = &running_at(me, *at)->next) {
        const struct running *r = running_at(me, *at);
        const struct running *b = running_at(me, best == SLOT_NONE ? *at : best);
        if (best != SLOT_NONE && (r->end > b->end || (r->end == b->end && r->op > b->op)))
            continue;
        best = *at;
        *link = at;
    }
    return best;
}

/* Ends the calcs whose time has come, in order. */
static void end_running(struct replayer *me, fine_t now)
{
    struct goal_node node;
    uint32_t *link = NULL, index;
    while ((index = first_end(me, &link)) != SLOT_NONE && running_at(me, index)->end <= now) {
        struct running done = *running_at(me, index);
        *link = done.next;
        slots_put(&me->s->running, index);
        look_at(me, done.op, &node);
        release(me, &node.after);
    }
}

/* The processor has done its calc. */
static void end_calc(struct replayer *me)
{
    struct goal_node node;
    if (me->p->calc == GOAL_NONE)
        return;
    look_at(me, me->p->calc, &node);
    me->p->calc = GOAL_NONE;
    release(me, &node.after);
}

/* Nothing is ready: it waits for what makes something so or, when all has started, for the end. */
static void rest(struct replayer *me, struct action *action)
{
    struct progress *p = me->p;
    uint32_t *link = NULL, first = first_end(me, &link);
    bool all = p->started == me->rank.op_count && first == SLOT_NONE;
    if (all && (p->ending || !p->started)) {
        *action = (struct action){.kinds = ACTION_END};
        return;
    }
    WEFT_CHECK(all || p->under_way || first != SLOT_NONE, "a rank waits for nothing");
    p->ending = all;
    *action = (struct action){.kinds = ACTION_WAIT,
                              .sends_left = all ? 0 : UINT32_MAX,
                              .receives_left = all ? 0 : UINT32_MAX,
                              .watched = !all,
                              .deadline = first != SLOT_NONE ? running_at(me, first)->end : 0,
                              .until = all ? p->latest : 0};
}

static void next(void *ctx, const struct seat *seat, fine_t now, struct action *action)
{
    struct replayer me = replayer_of(ctx, seat);
    struct goal_node node;
    if (now >= LONGEST)
        RUN_ABANDONED(("rank %u computes for longer than the clock can count",
                       seat->rank - me.all->site.first),
                      NO_REMEDY);
    for (;;) {
        end_calc(&me);
        end_running(&me, now);
        uint32_t op = next_op(&me);
        if (op == GOAL_NONE) {
            rest(&me, action);
            return;
        }
        look_at(&me, op, &node);
        me.p->started++;
        release(&me, &node.with);
        if (node.op.kind == GOAL_CALC && has_cpus(me.all)) {
            run_calc(&me, op, &node.op, now);
            continue;
        }
        act(&me, seat->partition, op, &node.op, action);
        if (node.op.kind != GOAL_CALC || node.op.size)
            return;
    } /* a calc of no length only joins others */
}

/* The process has waited for it if something is ready now, or if it waits for everything. */
static bool complete(void *ctx, const struct seat *seat, uint32_t request,
                     const struct outcome_of *outcome)
{
    struct replayer me = replayer_of(ctx, seat);
    struct goal_node node;
    WEFT_CHECK(request < me.rank.op_count && me.p->under_way,
               "process %u is told of an operation that it has not", seat->rank);
    look_at(&me, request, &node);
    me.p->under_way--;
    me.p->latest = fine_max(me.p->latest, outcome->when);
    bool any = release(&me, &node.after);
    return any || me.p->ending;
}

/* ---- life cycle ---- */

static void prepare(void *ctx, uint32_t partition, uint32_t processes)
{
    const struct replay *all = ctx;
    struct replay_part *s = &all->part[partition];
    s->processes = processes;
    s->progress = memory_alloc(processes, sizeof(*s->progress));
    s->rank = memory_alloc(processes, sizeof(*s->rank));
    slots_init(&s->ready, sizeof(struct ready), offsetof(struct ready, next));
    slots_init(&s->running, sizeof(struct running), offsetof(struct running, next));
    if (has_cpus(all))
        s->cpu = memory_alloc(processes, all->goal->totals.cpus * sizeof(*s->cpu));
    for (uint32_t i = 0; i < processes; i++)
        s->progress[i] = (struct progress){.kind = GOAL_SEND,
                                           .calc = GOAL_NONE,
                                           .ready = {SLOT_NONE, SLOT_NONE},
                                           .running = SLOT_NONE};
}

/* Operations are looked at when they are used. */
static bool is_sound(const struct replay_part *s)
{
    struct visited ready, running;
    uint32_t last;
    bool right = slots_visited(&s->ready, &ready);
    right = slots_visited(&s->running, &running) && right;
    for (uint32_t i = 0; right && i < s->processes; i++)
        right = slots_list_visited(&s->ready, &s->progress[i].ready, &ready) &&
                visited_list(&running, slots_items(&s->running), s->progress[i].running, &last);
    right = right && visited_is_full(&ready) && visited_is_full(&running);
    visited_fini(&ready);
    visited_fini(&running);
    return right;
}

static void archive(void *ctx, uint32_t partition, struct archive *a)
{
    const struct replay *all = ctx;
    struct replay_part *s = &all->part[partition];
    archive_bytes(a, s->progress, s->processes * sizeof(*s->progress));
    slots_archive(&s->ready, a);
    slots_archive(&s->running, a);
    if (s->cpu)
        archive_bytes(a, s->cpu, s->processes * (all->goal->totals.cpus * sizeof(*s->cpu)));
    map_archive(&s->waiting, a);
    if (archive_has_read(a))
        archive_sound(a, is_sound(s) ? NULL : "a trace's state is not valid");
}

static void forget_partitions(struct replay *all)
{
    for (uint32_t i = 0; all->part && i < all->site.partitions; i++) {
        free(all->part[i].progress);
        free(all->part[i].rank);
        slots_fini(&all->part[i].ready);
        slots_fini(&all->part[i].running);
        free(all->part[i].cpu);
        map_fini(&all->part[i].waiting);
    }
    free(all->part);
    all->part = NULL;
}

struct replay *replay_create(const struct goal *goal, double factor)
{
    struct replay *all = memory_alloc(1, sizeof(*all));
    all->goal = goal;
    all->factor = factor;
    return all;
}

void replay_destroy(struct replay *all)
{
    if (!all)
        return;
    forget_partitions(all);
    free(all);
}

static struct runner make(void *arg, const struct runner_site *site)
{
    struct replay *all = arg;
    forget_partitions(all);
    all->site = *site;
    all->part = memory_alloc_lines(site->partitions, sizeof(*all->part));
    return (struct runner){.ctx = all,
                           .late = true,
                           .timed = has_cpus(all),
                           .prepare = prepare,
                           .next = next,
                           .complete = complete,
                           .archive = archive};
}

struct runner_maker replay_maker(struct replay *all)
{
    return (struct runner_maker){make, all};
}

double replay_computed_seconds(const struct replay *all)
{
    uint64_t worked = 0;
    for (uint32_t i = 0; i < all->site.partitions; i++)
        for (uint32_t k = 0; k < all->part[i].processes; k++)
            worked += all->part[i].progress[k].worked;
    ranks_sum(&worked, 1);
    return (double)worked * 1e-9 * all->factor;
}
