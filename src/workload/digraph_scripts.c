/*
 * Scripts of processes on a directed graph.
 *
 *   pairs      random pairs exchange messages, or send one way, or in turn (KAUTZ, Figures 4, 5)
 *   ring       every process sends to both neighbours in a random ring (HPCC)
 *   pingpong   two processes some hops apart
 *   alltoall   in step s to the process s further on, from the one s before
 *   hotspot    all send to the first process
 *   allreduce  MPICH's two algorithms (Thakur, Rabenseifner, Gropp 2005): recursive doubling for
 *              short vectors; for long ones a reduce-scatter by halving and an allgather by
 *              doubling. Processes beyond a power of two give their vector to a neighbour first
 *              and are given the result at the end.
 */
#include <stdlib.h>

#include "base/memory.h"
#include "base/random.h"
#include "workload/digraph_workload.h"

/* ---- pairs ---- */

static bool pair_step(void *ctx, uint32_t process, uint32_t number, struct script_step *step)
{
    const struct digraph_workload *w = ctx;
    uint32_t partner = w->partner[process];
    uint64_t bytes = w->params.message_bytes;
    bool first = !w->place[process], both = w->params.exchange == EXCHANGE_BOTH;
    uint32_t steps = w->params.exchange == EXCHANGE_TURNS ? 2 : 1;
    bool sends =
        both || (w->params.exchange == EXCHANGE_ONE_WAY ? first : (number % 2 == 0) == first);
    if (partner == NO_PROCESS || (w->params.messages && number / steps >= w->params.messages))
        return false;
    *step = (struct script_step){.to = both || sends ? partner : NO_PROCESS,
                                 .from = both || !sends ? partner : NO_PROCESS,
                                 .send_bytes = bytes,
                                 .receive_bytes = bytes};
    return true;
}

static void join(struct digraph_workload *w, uint32_t a, uint32_t b)
{
    w->partner[a] = b;
    w->partner[b] = a;
    w->place[a] = 0;
    w->place[b] = 1;
}

static weft_status setup_pairs(struct digraph_workload *w)
{
    uint32_t most = w->processes / 2, pairs = w->params.pairs ? w->params.pairs : most;
    if (pairs > most)
        return BAD_INPUT("workload.pairs",
                         ("workload.pairs = %u: there are %u processes", pairs, w->processes),
                         ("use at most half as many"));
    uint64_t key = random_key(w->seed, 0, RANDOM_PAIR);
    for (uint32_t i = 0; i < pairs; i++)
        join(w, random_permute(key, w->processes, 2 * i),
             random_permute(key, w->processes, 2 * i + 1));
    w->script.step = pair_step;
    return WEFT_OK;
}

/* A matrix whose blocks lie on the processes: each exchanges with its mirror image. */
static void setup_transpose(struct digraph_workload *w)
{
    uint32_t side = 1;
    while ((side + 1) * (side + 1) <= w->processes)
        side++;
    for (uint32_t row = 0; row < side; row++)
        for (uint32_t column = row + 1; column < side; column++)
            join(w, row * side + column, column * side + row);
    w->script.step = pair_step;
}

static weft_status setup_pingpong(struct digraph_workload *w)
{
    const struct digraph *g = w->paths->graph;
    struct digraph_route route;
    if (w->params.processes || !w->params.messages)
        return BAD_INPUT("workload.processes workload.messages",
                         ("a pingpong has two processes and an end"),
                         ("use workload.processes = 0 and workload.messages above 0"));
    for (uint32_t i = 1; i * w->per_node < w->processes; i++)
        if (digraph_route(g, w->paths->routes, w->living[0], w->living[i], &route) &&
            route.hops == w->params.hops) {
            join(w, 0, i * w->per_node);
            w->params.exchange = EXCHANGE_TURNS;
            w->script.step = pair_step;
            return WEFT_OK;
        }
    return BAD_INPUT("workload.hops",
                     ("workload.hops = %u: no node is so far from the first", w->params.hops),
                     ("use 1 to %u, as far as there are nodes", digraph_survey(g).diameter));
}

/* ---- ring ---- */

/* Odd steps send onwards, even ones back; each receives from the other side. */
static bool ring_step(void *ctx, uint32_t process, uint32_t number, struct script_step *step)
{
    const struct digraph_workload *w = ctx;
    uint32_t at = w->place[process], n = w->processes, bytes = (uint32_t)w->params.message_bytes;
    uint32_t next = w->order[(at + 1) % n], before = w->order[(at + n - 1) % n];
    if (n < 2 || (w->params.messages && number / 2 >= w->params.messages))
        return false;
    *step = (struct script_step){.to = number % 2 ? before : next,
                                 .from = number % 2 ? next : before,
                                 .send_bytes = bytes,
                                 .receive_bytes = bytes};
    return true;
}

static void setup_ring(struct digraph_workload *w)
{
    uint64_t key = random_key(w->seed, 0, RANDOM_PAIR);
    for (uint32_t i = 0; i < w->processes; i++) {
        w->order[i] = random_permute(key, w->processes, i);
        w->place[w->order[i]] = i;
    }
    w->script.step = ring_step;
}

/* ---- all-to-all, hot spot ---- */

static bool alltoall_step(void *ctx, uint32_t process, uint32_t number, struct script_step *step)
{
    const struct digraph_workload *w = ctx;
    uint32_t n = w->processes, shift = n > 1 ? 1 + number % (n - 1) : 0;
    if (n < 2 || (w->params.messages && number / (n - 1) >= w->params.messages))
        return false;
    *step = (struct script_step){.to = (process + shift) % n,
                                 .from = (process + n - shift) % n,
                                 .send_bytes = w->params.message_bytes,
                                 .receive_bytes = w->params.message_bytes};
    return true;
}

static bool hotspot_step(void *ctx, uint32_t process, uint32_t number, struct script_step *step)
{
    const struct digraph_workload *w = ctx;
    uint32_t others = w->processes - 1, rounds = process ? 1 : others;
    if (!others || (w->params.messages && number / rounds >= w->params.messages))
        return false;
    *step = (struct script_step){.to = process ? 0 : NO_PROCESS,
                                 .from = process ? NO_PROCESS : 1 + number % others,
                                 .send_bytes = w->params.message_bytes,
                                 .receive_bytes = w->params.message_bytes};
    return true;
}

/* ---- allreduce ---- */

/* Blocks of a vector are cut as evenly as they can be. */
static uint64_t blocks(const struct digraph_workload *w, uint32_t count)
{
    return w->params.message_bytes * count / w->core;
}

/* Round `round` of the core, among its process `rank`. */
static void core_step(const struct digraph_workload *w, uint32_t rank, uint32_t round,
                      uint32_t rounds, bool doubling, uint32_t *peer, struct script_step *step)
{
    uint64_t bytes = w->params.message_bytes;
    if (doubling) {
        *peer = rank ^ 1u << round;
        step->reduce_bytes = bytes;
    } else if (round < rounds / 2) { /* halving: each keeps half of what it has */
        uint32_t half = w->core >> (round + 1);
        *peer = rank ^ half;
        bytes = step->reduce_bytes = blocks(w, half);
    } else {
        uint32_t have = 1u << (round - rounds / 2);
        *peer = rank ^ have;
        bytes = blocks(w, have);
    }
    step->send_bytes = step->receive_bytes = bytes;
}

static uint32_t log2_of(uint32_t power)
{
    return (uint32_t)__builtin_ctz(power);
}

/* Of one reduction: a process beyond the core has two steps, the one that works for it two more. */
static bool allreduce_step(void *ctx, uint32_t process, uint32_t number, struct script_step *step)
{
    const struct digraph_workload *w = ctx;
    uint32_t rest = w->processes - w->core;
    bool paired = process < 2 * rest, outside = paired && process % 2 == 0;
    /* MPICH: up to 2 KB, or where a process would have less than one integer. */
    uint64_t bytes = w->params.message_bytes;
    bool is_short = bytes <= 2048 || bytes / sizeof(uint32_t) < w->core;
    bool doubling = w->params.algorithm == ALGORITHM_DOUBLING ||
                    (w->params.algorithm == ALGORITHM_AUTO && is_short);
    uint32_t rounds = log2_of(w->core) * (doubling ? 1 : 2);
    uint32_t steps = outside ? 2 : rounds + (paired ? 2 : 0), at = steps ? number % steps : 0;
    if (!steps || number / steps >= w->params.messages)
        return false;
    *step = (struct script_step){.to = NO_PROCESS,
                                 .from = NO_PROCESS,
                                 .send_bytes = w->params.message_bytes,
                                 .receive_bytes = w->params.message_bytes};
    bool first = paired && at == 0, last = paired && at + 1 == steps;
    if (first || last) {
        uint32_t other = outside ? process + 1 : process - 1;
        *(first == outside ? &step->to : &step->from) = other;
        step->reduce_bytes = first && !outside ? w->params.message_bytes : 0;
        return true;
    }
    uint32_t rank = paired ? process / 2 : process - rest, peer;
    core_step(w, rank, at - paired, rounds, doubling, &peer, step);
    step->to = step->from = peer < rest ? 2 * peer + 1 : peer + rest;
    return true;
}

static weft_status setup_allreduce(struct digraph_workload *w)
{
    w->core = 1;
    while (w->core * 2 <= w->processes)
        w->core *= 2;
    w->script.step = allreduce_step;
    if (!w->params.messages)
        return BAD_INPUT("workload.messages", ("workload.messages = 0: an allreduce has an end"),
                         ("use 1 or more"));
    return WEFT_OK;
}

/* ---- all of them ---- */

weft_status digraph_scripts_setup(struct digraph_workload *w)
{
    uint32_t all = w->nodes * w->per_node, asked = w->params.processes;
    if (asked > all)
        return BAD_INPUT("workload.processes workload.processes_per_node",
                         ("workload.processes = %u: %u nodes with %u each make %u", asked, w->nodes,
                          w->per_node, all),
                         ("use at most as many, or more workload.processes_per_node"));
    if (w->params.message_bytes > UINT32_MAX)
        return BAD_INPUT("workload.message_bytes", ("workload.message_bytes is too much"),
                         ("use at most %u", UINT32_MAX));
    w->processes = asked ? asked : all;
    w->open = !w->params.messages;
    w->script = (struct script){
        .ctx = w, .stop_at = w->open ? w->params.warmup_cycles + w->params.cycles : CYCLE_NEVER};
    w->partner = weft_alloc(w->processes, sizeof(*w->partner));
    w->place = weft_alloc(w->processes, sizeof(*w->place));
    w->order = weft_alloc(w->processes, sizeof(*w->order));
    for (uint32_t i = 0; i < w->processes; i++)
        w->partner[i] = NO_PROCESS;
    switch (w->params.pattern) {
    case PATTERN_PAIRS:
        if (w->params.pairing == PAIRING_RANDOM)
            return setup_pairs(w);
        setup_transpose(w);
        return WEFT_OK;
    case PATTERN_PINGPONG:
        return setup_pingpong(w);
    case PATTERN_RING:
        setup_ring(w);
        return WEFT_OK;
    case PATTERN_ALLREDUCE:
        return setup_allreduce(w);
    case PATTERN_HOTSPOT:
        w->script.step = hotspot_step;
        return WEFT_OK;
    default:
        w->script.step = alltoall_step;
        return WEFT_OK;
    }
}
