/*
 * Collective operations over messages, as MPICH does them (Thakur, Rabenseifner, Gropp 2005),
 * wherever the processes are:
 *
 *   barrier    dissemination: in round k to the process 2^k after, from the one 2^k before
 *   broadcast  binomial: a tree over ranks; scatter: a binomial scatter, then an allgather;
 *              auto: binomial up to 12 KB or 7 processes. mesh: along the machine's dimensions, in
 *              pieces (programs/mesh.c); deposit: the same by packets that leave copies on their
 *              way (message/packets/spread.h)
 *   reduce     binomial, to the first process
 *   allgather  doubling: with a partner 2^k away what both have; ring: a block at a time to the
 *              next; auto: doubling below 512 KB in all, if processes are a power of two
 *
 * As everywhere, a step is a pure function of the process and its number (node/program.h).
 */
#include "workload/workload.h"

/* A step is step `at` of an operation that is repeated. */
typedef bool operation(const struct workload *w, uint32_t rank, uint32_t at, struct step *step);

static uint32_t rounds_of(uint32_t processes)
{
    uint32_t rounds = 0;
    while (rounds < 32 && 1ull << rounds < processes)
        rounds++;
    return rounds;
}

static bool is_power(uint32_t number)
{
    return !(number & (number - 1));
}

static struct step exchange(uint32_t to, uint64_t bytes, uint32_t from, uint64_t from_bytes)
{
    return (struct step){.to = to, .bytes = bytes, .from = from, .from_bytes = from_bytes};
}

/* ---- barrier ---- */

static bool barrier_operation(const struct workload *w, uint32_t rank, uint32_t at,
                              struct step *step)
{
    uint32_t n = w->processes, far = 1u << at;
    if (at >= rounds_of(n))
        return false;
    *step = exchange((uint32_t)(((uint64_t)rank + far) % n), 0,
                     (uint32_t)(((uint64_t)rank + n - far % n) % n), 0);
    return true;
}

/* ---- binomial trees over ranks ---- */

/* The distance to the parent: the lowest bit of a rank; of the first rank, one beyond all. */
static uint32_t reach_of(const struct workload *w, uint32_t rank)
{
    return rank ? rank & -rank : 1u << rounds_of(w->processes);
}

/* Child number `index` of a rank, the farthest first; NOBODY: it has no more. */
static uint32_t child_of(const struct workload *w, uint32_t rank, uint32_t index)
{
    for (uint32_t far = reach_of(w, rank) / 2; far; far /= 2)
        if (rank + far < w->processes && index-- == 0)
            return rank + far;
    return NOBODY;
}

static uint32_t children_of(const struct workload *w, uint32_t rank)
{
    uint32_t count = 0;
    while (child_of(w, rank, count) != NOBODY)
        count++;
    return count;
}

static bool binomial_broadcast(const struct workload *w, uint32_t rank, uint32_t at,
                               struct step *step)
{
    uint64_t bytes = w->params.message_bytes;
    if (rank && at == 0) {
        *step = exchange(NOBODY, 0, rank - reach_of(w, rank), bytes);
        return true;
    }
    *step = exchange(child_of(w, rank, at - (rank > 0)), bytes, NOBODY, 0);
    return step->to != NOBODY;
}

static bool reduce_operation(const struct workload *w, uint32_t rank, uint32_t at,
                             struct step *step)
{
    uint64_t bytes = w->params.message_bytes;
    uint32_t children = children_of(w, rank);
    if (at < children) { /* the nearest first */
        *step = exchange(NOBODY, 0, child_of(w, rank, children - 1 - at), bytes);
        step->reduce_bytes = bytes;
        return true;
    }
    *step = exchange(rank - reach_of(w, rank), bytes, NOBODY, 0);
    return rank && at == children;
}

/* ---- allgather ---- */

/* Bytes of blocks [first, end) of a message that is cut into one block per process. */
static uint64_t blocks(uint64_t bytes, uint64_t block, uint32_t first, uint32_t end)
{
    uint64_t from = first * block, to = end * block;
    from = from < bytes ? from : bytes;
    return (to < bytes ? to : bytes) - from;
}

/* Step `at` of an allgather of `bytes` in all, of which each process has a block. */
static bool gather_blocks(const struct workload *w, uint64_t bytes, uint64_t block, bool doubling,
                          uint32_t rank, uint32_t at, struct step *step)
{
    uint32_t n = w->processes;
    if (at >= (doubling ? rounds_of(n) : n - 1))
        return false;
    if (doubling) {
        uint32_t have = 1u << at, peer = rank ^ have, mine = rank & ~(have - 1);
        uint32_t theirs = peer & ~(have - 1);
        *step = exchange(peer, blocks(bytes, block, mine, mine + have), peer,
                         blocks(bytes, block, theirs, theirs + have));
        return true;
    }
    uint32_t out = (rank + n - at) % n, in = (rank + n - at - 1) % n;
    *step = exchange((rank + 1) % n, blocks(bytes, block, out, out + 1), (rank + n - 1) % n,
                     blocks(bytes, block, in, in + 1));
    return true;
}

/* MPICH: below 512 KB in all, if that is possible. */
static bool is_doubling(const struct workload *w, uint64_t bytes)
{
    enum algorithm a = w->params.algorithm;
    return is_power(w->processes) &&
           (a == ALGORITHM_DOUBLING || (a != ALGORITHM_RING && bytes < 524288));
}

static bool allgather_operation(const struct workload *w, uint32_t rank, uint32_t at,
                                struct step *step)
{
    uint64_t block = w->params.message_bytes, bytes = block * w->processes;
    return gather_blocks(w, bytes, block, is_doubling(w, bytes), rank, at, step);
}

/* ---- broadcast of long messages ---- */

/* Step `at` of a scatter: each gives a child the blocks of the child's tree. */
static bool scatter_blocks(const struct workload *w, uint64_t block, uint32_t rank, uint32_t at,
                           struct step *step)
{
    uint64_t bytes = w->params.message_bytes;
    if (rank && at == 0) {
        uint64_t mine = blocks(bytes, block, rank, rank + reach_of(w, rank));
        *step = exchange(NOBODY, 0, rank - reach_of(w, rank), mine);
        return true;
    }
    uint32_t child = child_of(w, rank, at - (rank > 0));
    if (child == NOBODY)
        return false;
    *step = exchange(child, blocks(bytes, block, child, child + reach_of(w, child)), NOBODY, 0);
    return true;
}

static bool scatter_broadcast(const struct workload *w, uint32_t rank, uint32_t at,
                              struct step *step)
{
    uint64_t bytes = w->params.message_bytes, block = (bytes + w->processes - 1) / w->processes;
    uint32_t scatter = children_of(w, rank) + (rank > 0);
    if (at < scatter)
        return scatter_blocks(w, block, rank, at, step);
    return gather_blocks(w, bytes, block, is_doubling(w, bytes), rank, at - scatter, step);
}

static bool broadcast_operation(const struct workload *w, uint32_t rank, uint32_t at,
                                struct step *step)
{
    bool is_short = w->params.message_bytes < 12288 || w->processes < 8;
    bool binomial = w->params.algorithm == ALGORITHM_BINOMIAL ||
                    (w->params.algorithm == ALGORITHM_AUTO && is_short);
    return binomial ? binomial_broadcast(w, rank, at, step) : scatter_broadcast(w, rank, at, step);
}

/* ---- programs ---- */

/* Steps of one operation, for this process: it has all before the first that it has not. */
static uint32_t steps_of(const struct workload *w, uint32_t rank, operation *o)
{
    struct step step;
    uint32_t has = 0, lacks = 1; /* step `has - 1` is there */
    while (o(w, rank, lacks - 1, &step)) {
        has = lacks;
        lacks *= 2;
    }
    while (has + 1 < lacks) {
        uint32_t middle = has + (lacks - has) / 2;
        *(o(w, rank, middle - 1, &step) ? &has : &lacks) = middle;
    }
    return has;
}

/* place[]: how many steps each process has, which it takes long to find. */
static bool repeat(void *ctx, uint32_t rank, uint32_t number, struct step *step, operation *o)
{
    const struct workload *w = ctx;
    uint32_t steps = w->place[rank];
    return steps && number / steps < w->params.messages && o(w, rank, number % steps, step);
}

static weft_status must_end(const struct workload *w)
{
    return BAD_INPUT("workload.messages",
                     ("workload.messages = 0: a %s must end", w->pattern->name), ("use 1 or more"));
}

static weft_status set_up(struct workload *w, operation *o,
                          bool (*step)(void *, uint32_t, uint32_t, struct step *))
{
    if (!w->params.messages)
        return must_end(w);
    for (uint32_t rank = 0; rank < w->processes; rank++)
        w->place[rank] = steps_of(w, rank, o);
    w->program.step = step;
    return WEFT_OK;
}

static bool barrier_step(void *ctx, uint32_t rank, uint32_t number, struct step *step)
{
    return repeat(ctx, rank, number, step, barrier_operation);
}

static bool broadcast_step(void *ctx, uint32_t rank, uint32_t number, struct step *step)
{
    return repeat(ctx, rank, number, step, broadcast_operation);
}

static bool reduce_step(void *ctx, uint32_t rank, uint32_t number, struct step *step)
{
    return repeat(ctx, rank, number, step, reduce_operation);
}

static bool allgather_step(void *ctx, uint32_t rank, uint32_t number, struct step *step)
{
    return repeat(ctx, rank, number, step, allgather_operation);
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
                          .varied = w->varied};
    return number < w->params.messages;
}

bool workload_wants_tree(const struct workload_params *p)
{
    return p->algorithm == ALGORITHM_INTERRUPT || p->algorithm == ALGORITHM_TREE ||
           p->algorithm == ALGORITHM_RECAST;
}

weft_status machine_collective(struct workload *w)
{
    enum algorithm a = w->params.algorithm;
    bool cast = w->pattern->messages == broadcast_messages;
    if (!w->site->tree)
        return BAD_INPUT("workload.algorithm",
                         ("this machine has no tree network and no global interrupts"),
                         ("use another workload.algorithm"));
    if (w->per_node > 1 || w->processes < w->site->living)
        return BAD_INPUT("workload.algorithm workload.processes workload.processes_per_node",
                         ("on the tree, every node takes part with one process"),
                         ("use one process on each"));
    if (!w->params.messages)
        return must_end(w);
    w->collective = a == ALGORITHM_INTERRUPT ? STEP_BARRIER
                    : a == ALGORITHM_RECAST  ? STEP_TREE_RECAST
                    : cast                   ? STEP_TREE_CAST
                                             : STEP_TREE_ALL;
    w->program.step = collective_step;
    return WEFT_OK;
}

weft_status spread_collective(struct workload *w, enum step_collective kind, uint64_t varied)
{
    if (!w->site->spreads)
        return BAD_INPUT("workload.algorithm",
                         ("the processors of this machine do not write packets themselves"),
                         ("use another workload.algorithm"));
    if (kind == STEP_FLOOD && (w->per_node > 1 || w->processes < w->site->living))
        return BAD_INPUT("workload.algorithm workload.processes workload.processes_per_node",
                         ("with the deposit bit, every node takes part with one process"),
                         ("use one process on each"));
    if (kind == STEP_FLOOD && !w->site->whole)
        return BAD_INPUT("workload.algorithm machine.dead_nodes machine.dead_links",
                         ("packets that leave copies on their way cannot go around what is dead"),
                         ("use another workload.algorithm"));
    if (!w->params.messages)
        return must_end(w);
    w->collective = kind;
    w->varied = varied;
    w->program.step = collective_step;
    return WEFT_OK;
}

weft_status barrier_messages(struct workload *w)
{
    if (workload_wants_tree(&w->params))
        return machine_collective(w);
    return set_up(w, barrier_operation, barrier_step);
}

weft_status broadcast_messages(struct workload *w)
{
    if (w->params.algorithm == ALGORITHM_MESH)
        return mesh_broadcast(w);
    if (w->params.algorithm == ALGORITHM_DEPOSIT)
        return spread_collective(w, STEP_FLOOD, 0);
    if (workload_wants_tree(&w->params))
        return machine_collective(w);
    return set_up(w, broadcast_operation, broadcast_step);
}

weft_status reduce_messages(struct workload *w)
{
    return set_up(w, reduce_operation, reduce_step);
}

weft_status allgather_messages(struct workload *w)
{
    if ((uint64_t)w->params.message_bytes * w->processes > UINT32_MAX)
        return BAD_INPUT("workload.message_bytes",
                         ("workload.message_bytes of %u processes exceed 4 GiB", w->processes),
                         ("use less"));
    return set_up(w, allgather_operation, allgather_step);
}
