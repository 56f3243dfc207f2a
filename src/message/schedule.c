/* The steps of collective operations. */
#include "message/schedule.h"

#include "node/program.h"

/* ---- which ---- */

bool schedule_can_double(uint32_t processes)
{
    return !(processes & (processes - 1));
}

/* Fewer processes than these have nothing to win from a scatter (MPICH). */
enum { SCATTER_PROCESSES = 8 };

enum schedule_kind schedule_broadcast_kind(const struct schedule_limits *l, uint32_t processes,
                                           uint64_t bytes)
{
    if (bytes < l->broadcast_bytes || processes < SCATTER_PROCESSES)
        return SCHEDULE_BROADCAST;
    return schedule_can_double(processes) && bytes < l->gather_bytes ? SCHEDULE_BROADCAST_SCATTER
                                                                     : SCHEDULE_BROADCAST_RING;
}

enum schedule_kind schedule_allgather_kind(const struct schedule_limits *l, uint32_t processes,
                                           uint64_t bytes)
{
    return schedule_can_double(processes) && bytes * processes < l->gather_bytes
               ? SCHEDULE_ALLGATHER_DOUBLING
               : SCHEDULE_ALLGATHER_RING;
}

static uint32_t rounds_of(uint32_t processes)
{
    uint32_t rounds = 0;
    while (rounds < 32 && 1ull << rounds < processes)
        rounds++;
    return rounds;
}

/* The largest power of two that is not more. */
static uint32_t core_of(uint32_t processes)
{
    return 1u << (31 - __builtin_clz(processes));
}

/* Short is also so little that a process would have less than one integer. */
static bool is_short(const struct schedule_limits *l, uint32_t processes, uint64_t bytes)
{
    return bytes <= l->allreduce_bytes || bytes / sizeof(uint32_t) < core_of(processes);
}

enum schedule_kind schedule_allreduce_kind(const struct schedule_limits *l, uint32_t processes,
                                           uint64_t bytes)
{
    return is_short(l, processes, bytes) ? SCHEDULE_ALLREDUCE_DOUBLING : SCHEDULE_ALLREDUCE_HALVING;
}

enum schedule_kind schedule_reduce_kind(const struct schedule_limits *l, uint32_t processes,
                                        uint64_t bytes)
{
    return is_short(l, processes, bytes) ? SCHEDULE_REDUCE : SCHEDULE_REDUCE_HALVING;
}

/* ---- pieces of the vector ---- */

/* A piece of the vector. */
struct piece {
    uint64_t at, bytes;
};

static void send(struct schedule_step *step, uint32_t to, struct piece p)
{
    step->to = to;
    step->out_at = p.at;
    step->out_bytes = p.bytes;
}

static void receive(struct schedule_step *step, uint32_t from, struct piece p)
{
    step->from = from;
    step->in_at = p.at;
    step->in_bytes = p.bytes;
}

/* ---- barrier ---- */

static bool barrier_step(const struct schedule *s, uint32_t rank, uint32_t at,
                         struct schedule_step *step)
{
    uint32_t n = s->processes, far = 1u << at;
    if (at >= rounds_of(n))
        return false;
    send(step, (uint32_t)(((uint64_t)rank + far) % n), (struct piece){0, 0});
    receive(step, (uint32_t)(((uint64_t)rank + n - far % n) % n), (struct piece){0, 0});
    return true;
}

/* ---- binomial trees over ranks; the root has rank 0 ---- */

/* The distance to the parent: the lowest bit of a rank; of the first rank, one beyond all. */
static uint32_t reach_of(uint32_t processes, uint32_t rank)
{
    return rank ? rank & -rank : 1u << rounds_of(processes);
}

/* Child number `index` of a rank, the farthest first; NOBODY: it has no more. */
static uint32_t child_of(uint32_t processes, uint32_t rank, uint32_t index)
{
    for (uint32_t far = reach_of(processes, rank) / 2; far; far /= 2)
        if (rank + far < processes && index-- == 0)
            return rank + far;
    return NOBODY;
}

static uint32_t children_of(uint32_t processes, uint32_t rank)
{
    uint32_t count = 0;
    while (child_of(processes, rank, count) != NOBODY)
        count++;
    return count;
}

static bool reduce_step(const struct schedule *s, uint32_t rank, uint32_t at,
                        struct schedule_step *step)
{
    struct piece all = {0, s->bytes};
    uint32_t children = children_of(s->processes, rank);
    if (at < children) { /* the nearest first */
        receive(step, child_of(s->processes, rank, children - 1 - at), all);
        step->combine = true;
        return true;
    }
    send(step, rank - reach_of(s->processes, rank), all);
    return rank && at == children;
}

/* ---- allgather ---- */

/* A vector that is cut into blocks of equal size, the last of which may be shorter. */
struct cut {
    uint32_t processes;
    uint64_t bytes, block;
};

/* Blocks [first, end). */
static struct piece blocks(const struct cut *c, uint32_t first, uint32_t end)
{
    uint64_t from = first * c->block, to = end * c->block;
    from = from < c->bytes ? from : c->bytes;
    to = to < c->bytes ? to : c->bytes;
    return (struct piece){from, to - from};
}

static bool doubling_step(const struct cut *c, uint32_t rank, uint32_t at,
                          struct schedule_step *step)
{
    uint32_t have = 1u << at, peer = rank ^ have, mine = rank & ~(have - 1);
    uint32_t theirs = peer & ~(have - 1);
    if (at >= rounds_of(c->processes))
        return false;
    send(step, peer, blocks(c, mine, mine + have));
    receive(step, peer, blocks(c, theirs, theirs + have));
    return true;
}

static bool ring_step(const struct cut *c, uint32_t rank, uint32_t at, struct schedule_step *step)
{
    uint32_t n = c->processes;
    if (at >= n - 1)
        return false;
    uint32_t out = (rank + n - at) % n, in = (rank + n - at - 1) % n;
    send(step, (rank + 1) % n, blocks(c, out, out + 1));
    receive(step, (rank + n - 1) % n, blocks(c, in, in + 1));
    return true;
}

/* ---- broadcast ---- */

/* What a rank gets from its parent: all or, of a scatter, the blocks of its tree. */
static struct piece share_of(const struct cut *c, uint32_t rank, bool scatter)
{
    return scatter ? blocks(c, rank, rank + reach_of(c->processes, rank))
                   : (struct piece){0, c->bytes};
}

static bool broadcast_step(const struct cut *c, uint32_t rank, uint32_t at, bool scatter,
                           struct schedule_step *step)
{
    uint32_t n = c->processes;
    if (rank && at == 0) {
        receive(step, rank - reach_of(n, rank), share_of(c, rank, scatter));
        return true;
    }
    uint32_t child = child_of(n, rank, at - (rank > 0));
    if (child == NOBODY)
        return false;
    send(step, child, share_of(c, child, scatter));
    return true;
}

static bool long_broadcast_step(const struct schedule *s, uint32_t rank, uint32_t at,
                                struct schedule_step *step)
{
    uint64_t block = (s->bytes + s->processes - 1) / s->processes;
    struct cut cut = {s->processes, s->bytes, block};
    uint32_t scatter = children_of(s->processes, rank) + (rank > 0);
    if (at < scatter)
        return broadcast_step(&cut, rank, at, true, step);
    return s->kind == SCHEDULE_BROADCAST_RING ? ring_step(&cut, rank, at - scatter, step)
                                              : doubling_step(&cut, rank, at - scatter, step);
}

/* ---- allreduce ---- */

/* What a process of the core still has after so many halvings: the half of what it had, by the next
 * bit of its rank, each time. The vector is cut as evenly as possible, element by element, into
 * blocks for all of the core. */
static struct piece halved(const struct schedule *s, uint32_t rank, uint32_t halvings)
{
    uint64_t elements = s->bytes / s->unit, core = core_of(s->processes);
    uint32_t first = 0, count = (uint32_t)core;
    for (uint32_t bit = 0; bit < halvings; bit++) {
        count /= 2;
        first += (rank >> bit & 1) * count;
    }
    uint64_t from = elements * first / core, to = elements * (first + count) / core;
    return (struct piece){from * s->unit, (to - from) * s->unit};
}

/* Round `round` of the core, for its process `rank`; returns its peer. Halving begins with the
 * nearest peer, which gets the most, and so the allgather ends with it, as in MPICH. */
static uint32_t core_step(const struct schedule *s, uint32_t rank, uint32_t round,
                          struct schedule_step *step)
{
    uint32_t halvings = rounds_of(core_of(s->processes));
    bool halving = s->kind != SCHEDULE_ALLREDUCE_DOUBLING, back = halving && round >= halvings;
    uint32_t bit = back ? 2 * halvings - 1 - round : round, peer = rank ^ 1u << bit;
    struct piece all = {0, s->bytes};
    struct piece mine = halving ? halved(s, rank, bit + 1) : all;
    struct piece theirs = halving ? halved(s, peer, bit + 1) : all;
    step->combine = !back;
    send(step, 0, back ? mine : theirs);
    receive(step, 0, back ? theirs : mine);
    return peer;
}

/* A process beyond the core has two steps, and its partner has two extra steps. */
static bool allreduce_step(const struct schedule *s, uint32_t rank, uint32_t at,
                           struct schedule_step *step)
{
    struct piece all = {0, s->bytes};
    uint32_t core = core_of(s->processes), rest = s->processes - core;
    bool paired = rank < 2 * rest, outside = paired && rank % 2 == 0;
    uint32_t rounds = rounds_of(core) * (s->kind == SCHEDULE_ALLREDUCE_DOUBLING ? 1 : 2);
    uint32_t steps = outside ? 2 : rounds + (paired ? 2 : 0);
    if (at >= steps)
        return false;
    bool first = paired && at == 0, last = paired && at + 1 == steps;
    if (first || last) {
        uint32_t other = outside ? rank + 1 : rank - 1;
        if (first == outside)
            send(step, other, all);
        else
            receive(step, other, all);
        step->combine = first && !outside;
        return true;
    }
    uint32_t peer = core_step(s, paired ? rank / 2 : rank - rest, at - paired, step);
    step->to = step->from = peer < rest ? 2 * peer + 1 : peer + rest;
    return true;
}

/* ---- reduce of long vectors ---- */

/* Gathers what the core has halved at its process 0: those whose rank has bit `bit`, and none above
 * it, give what they have to the one without. */
static bool gather_step(const struct schedule *s, uint32_t rank, uint32_t bit,
                        struct schedule_step *step)
{
    uint32_t peer = rank ^ 1u << bit;
    if (rank >> bit > 1)
        return false; /* it has given all */
    if (rank >> bit)
        send(step, peer, halved(s, rank, bit + 1));
    else
        receive(step, peer, halved(s, peer, bit + 1));
    return true;
}

/* The process of a rank of the core; of two that are paired it is the first, so that the root is
 * one. */
static uint32_t of_core(uint32_t rank, uint32_t rest)
{
    return rank == NOBODY ? NOBODY : rank < rest ? 2 * rank : rank + rest;
}

static bool long_reduce_step(const struct schedule *s, uint32_t rank, uint32_t at,
                             struct schedule_step *step)
{
    struct piece all = {0, s->bytes};
    uint32_t core = core_of(s->processes), rest = s->processes - core, halvings = rounds_of(core);
    bool paired = rank < 2 * rest, outside = paired && rank % 2;
    if (paired && at == 0) {
        if (outside)
            send(step, rank - 1, all);
        else
            receive(step, rank + 1, all);
        step->combine = !outside;
        return true;
    }
    uint32_t mine = paired ? rank / 2 : rank - rest, round = at - paired;
    if (outside || round >= 2 * halvings)
        return false;
    if (round < halvings)
        step->to = step->from = core_step(s, mine, round, step);
    else if (!gather_step(s, mine, 2 * halvings - 1 - round, step))
        return false;
    step->to = of_core(step->to, rest);
    step->from = of_core(step->from, rest);
    return true;
}

/* ---- all ---- */

static bool step_of(const struct schedule *s, uint32_t rank, uint32_t at,
                    struct schedule_step *step)
{
    struct cut cut = {s->processes, s->bytes * s->processes, s->bytes};
    struct cut whole = {s->processes, s->bytes, 0};
    switch (s->kind) {
    case SCHEDULE_BARRIER:
        return barrier_step(s, rank, at, step);
    case SCHEDULE_BROADCAST:
        return broadcast_step(&whole, rank, at, false, step);
    case SCHEDULE_BROADCAST_SCATTER:
    case SCHEDULE_BROADCAST_RING:
        return long_broadcast_step(s, rank, at, step);
    case SCHEDULE_REDUCE:
        return reduce_step(s, rank, at, step);
    case SCHEDULE_REDUCE_HALVING:
        return long_reduce_step(s, rank, at, step);
    case SCHEDULE_ALLGATHER_DOUBLING:
        return doubling_step(&cut, rank, at, step);
    case SCHEDULE_ALLGATHER_RING:
        return ring_step(&cut, rank, at, step);
    default:
        return allreduce_step(s, rank, at, step);
    }
}

static uint32_t turn(uint32_t rank, uint32_t by, uint32_t processes)
{
    return rank == NOBODY ? NOBODY : (uint32_t)(((uint64_t)rank + by) % processes);
}

bool schedule_step(const struct schedule *s, uint32_t rank, uint32_t at, struct schedule_step *step)
{
    uint32_t n = s->processes;
    *step = (struct schedule_step){.to = NOBODY, .from = NOBODY};
    if (!step_of(s, turn(rank, n - s->root, n), at, step))
        return false;
    step->to = turn(step->to, s->root, n);
    step->from = turn(step->from, s->root, n);
    return true;
}

uint32_t schedule_steps(const struct schedule *s, uint32_t rank)
{
    struct schedule_step step;
    uint32_t has = 0, lacks = 1; /* step `has - 1` is there */
    while (schedule_step(s, rank, lacks - 1, &step)) {
        has = lacks;
        lacks *= 2;
    }
    while (has + 1 < lacks) {
        uint32_t middle = has + (lacks - has) / 2;
        *(schedule_step(s, rank, middle - 1, &step) ? &has : &lacks) = middle;
    }
    return has;
}
