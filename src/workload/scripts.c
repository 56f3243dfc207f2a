/*
 * Programs of messages.
 *
 *   pairs      pairs, random or named, exchange messages, send one way, or take turns (KAUTZ,
 * Figures 4, 5) ring       every process sends to both neighbours in a random ring (HPCC) pingpong
 * two processes some hops apart alltoall   in step s each sends to the process s after it and
 * receives from the one s before, one step after the other or all at once (post_all) hotspot    all
 * send to the first process grid       each exchanges with its four neighbours in a grid of
 * processes, with all at once exchange   each exchanges with the neighbours behind some of its
 * links, with all at once
 */
#include "base/random.h"
#include "workload/pair_list.h"
#include "workload/rates.h"

/* ---- pairs ---- */

static bool pair_step(void *ctx, uint32_t process, uint32_t number, struct step *step)
{
    const struct workload *w = ctx;
    uint32_t partner = w->partner[process];
    uint64_t bytes = w->params.message_bytes;
    bool first = !w->place[process], both = w->params.exchange == EXCHANGE_BOTH;
    uint32_t steps = w->params.exchange == EXCHANGE_TURNS ? 2 : 1;
    bool sends =
        both || (w->params.exchange == EXCHANGE_ONE_WAY ? first : (number % 2 == 0) == first);
    if (partner == NOBODY || (w->params.messages && number / steps >= w->params.messages))
        return false;
    *step = (struct step){.to = both || sends ? partner : NOBODY,
                          .from = both || !sends ? partner : NOBODY,
                          .bytes = bytes,
                          .from_bytes = bytes};
    return true;
}

static void join(struct workload *w, uint32_t a, uint32_t b)
{
    w->partner[a] = b;
    w->partner[b] = a;
    w->place[a] = 0;
    w->place[b] = 1;
}

/* Pairs among the first `of` numbers. */
static weft_status random_pairs(const struct workload *w, uint32_t of, struct pair_list *list)
{
    uint32_t most = of / 2, pairs = w->params.pairs ? w->params.pairs : most;
    if (pairs > most)
        return BAD_INPUT("workload.pairs",
                         ("workload.pairs = %u: there are %u %s", pairs, of,
                          w->as == LAYER_PACKETS ? "nodes" : "processes"),
                         ("use at most half as many"));
    uint64_t key = random_key(w->seed, 0, RANDOM_PAIR);
    for (uint32_t i = 0; i < pairs; i++)
        pair_list_add(list, random_permute(key, of, 2 * i), random_permute(key, of, 2 * i + 1));
    return WEFT_OK;
}

/* The processes hold the blocks of a matrix: each exchanges with its mirror image. */
static void mirror_pairs(uint32_t of, struct pair_list *list)
{
    uint32_t side = 1;
    while ((side + 1) * (side + 1) <= of)
        side++;
    for (uint32_t row = 0; row < side; row++)
        for (uint32_t column = row + 1; column < side; column++)
            pair_list_add(list, row * side + column, column * side + row);
}

/* Those that are named, or as the pairing says. */
static weft_status find_pairs(const struct workload *w, uint32_t of, struct pair_list *list)
{
    weft_status status = pair_list_read(w, list);
    if (status != WEFT_OK || pair_list_given(&w->params))
        return status;
    if (w->params.pairing == PAIRING_RANDOM)
        return random_pairs(w, of, list);
    mirror_pairs(of, list);
    return WEFT_OK;
}

static weft_status join_all(struct workload *w, const struct pair_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        for (unsigned end = 0; end < 2; end++) {
            uint32_t who = list->pair[i][end];
            if (w->partner[who] != NOBODY)
                return BAD_INPUT("workload.list workload.file", ("process %u is in two pairs", who),
                                 ("name each process once, or run pairs as packets"));
            w->partner[who] = list->pair[i][!end];
            w->place[who] = end;
        }
    return WEFT_OK;
}

weft_status pairs_messages(struct workload *w)
{
    struct pair_list list = {NULL, 0};
    weft_status status = find_pairs(w, w->processes, &list);
    w->program.step = pair_step;
    if (status == WEFT_OK)
        status = join_all(w, &list);
    pair_list_fini(&list);
    return status;
}

/* An open loop, with the same rate for each pair: one way, or both. */
weft_status pairs_packets(struct workload *w)
{
    struct pair_list list = {NULL, 0};
    if (w->params.exchange == EXCHANGE_TURNS)
        return BAD_INPUT("workload.exchange workload.as", ("packets of an open loop take no turns"),
                         ("use workload.exchange = both or one_way, or messages"));
    weft_status status = find_pairs(w, w->site->places, &list);
    size_t pairs = list.count;
    for (size_t i = 0; i < pairs && w->params.exchange == EXCHANGE_BOTH; i++)
        pair_list_add(&list, list.pair[i][1], list.pair[i][0]);
    if (status == WEFT_OK && pairs)
        w->rates = rates_of_pairs(w->site, (const uint32_t(*)[2])list.pair, list.count);
    pair_list_fini(&list);
    return status == WEFT_OK ? open_setup(w) : status;
}

static uint32_t node_of(const struct workload *w, uint32_t process)
{
    return w->mapping.place[process] / w->per_node;
}

weft_status pingpong_messages(struct workload *w)
{
    const struct site *site = w->site;
    if (w->params.processes || !w->params.messages)
        return BAD_INPUT("workload.processes workload.messages",
                         ("a pingpong has two processes and must end"),
                         ("use workload.processes = 0 and workload.messages above 0"));
    for (uint32_t i = 1; i < w->processes; i++)
        if (site->distance(site, node_of(w, 0), node_of(w, i)) == w->params.hops) {
            join(w, 0, i);
            w->params.exchange = EXCHANGE_TURNS;
            w->program.step = pair_step;
            return WEFT_OK;
        }
    return pingpong_refuse(w);
}

/* ---- ring ---- */

/* Even steps send forwards, odd ones backwards; each receives from the other side. */
static bool ring_step(void *ctx, uint32_t process, uint32_t number, struct step *step)
{
    const struct workload *w = ctx;
    uint32_t at = w->place[process], n = w->processes, bytes = (uint32_t)w->params.message_bytes;
    uint32_t next = w->order[(at + 1) % n], before = w->order[(at + n - 1) % n];
    if (n < 2 || (w->params.messages && number / 2 >= w->params.messages))
        return false;
    *step = (struct step){.to = number % 2 ? before : next,
                          .from = number % 2 ? next : before,
                          .bytes = bytes,
                          .from_bytes = bytes};
    return true;
}

weft_status ring_messages(struct workload *w)
{
    uint64_t key = random_key(w->seed, 0, RANDOM_PAIR);
    for (uint32_t i = 0; i < w->processes; i++) {
        w->order[i] = random_permute(key, w->processes, i);
        w->place[w->order[i]] = i;
    }
    w->program.step = ring_step;
    return WEFT_OK;
}

/* ---- all-to-all, hot spot ---- */

/* What the sizes of messages depend on; 0: they are equal. */
static uint64_t alltoall_key(const struct workload *w)
{
    return w->params.sizes == SIZES_VARIED ? random_key(w->seed, 0, RANDOM_SIZE) | 1 : 0;
}

static bool alltoall_step(void *ctx, uint32_t process, uint32_t number, struct step *step)
{
    const struct workload *w = ctx;
    uint32_t n = w->processes, shift = n > 1 ? 1 + number % (n - 1) : 0;
    if (n < 2 || (w->params.messages && number / (n - 1) >= w->params.messages))
        return false;
    uint32_t left = w->params.algorithm == ALGORITHM_POST_ALL && shift + 1 < n ? ANY_NUMBER : 0;
    uint32_t to = (process + shift) % n, from = (process + n - shift) % n;
    uint64_t mean = w->params.message_bytes, key = alltoall_key(w);
    *step = (struct step){.to = to,
                          .from = from,
                          .bytes = varied_bytes(mean, key, process, to),
                          .from_bytes = varied_bytes(mean, key, from, process),
                          .sends_left = left,
                          .receives_left = left};
    return true;
}

static bool hotspot_step(void *ctx, uint32_t process, uint32_t number, struct step *step)
{
    const struct workload *w = ctx;
    uint32_t others = w->processes - 1, rounds = process ? 1 : others;
    if (!others || (w->params.messages && number / rounds >= w->params.messages))
        return false;
    *step = (struct step){.to = process ? 0 : NOBODY,
                          .from = process ? NOBODY : 1 + number % others,
                          .bytes = w->params.message_bytes,
                          .from_bytes = w->params.message_bytes};
    return true;
}

weft_status alltoall_messages(struct workload *w)
{
    if (w->params.sizes == SIZES_VARIED && w->params.message_bytes > UINT32_MAX / 2)
        return BAD_INPUT("workload.message_bytes", ("twice workload.message_bytes exceeds 4 GiB"),
                         ("use less"));
    if (w->params.algorithm == ALGORITHM_PACKETS)
        return spread_collective(w, STEP_EACH, alltoall_key(w));
    w->program.step = alltoall_step;
    return WEFT_OK;
}

weft_status hotspot_messages(struct workload *w)
{
    w->program.step = hotspot_step;
    return WEFT_OK;
}

/* ---- neighbours ---- */

/* Whether a link is the only one of its dimension that is used: nodes pair up along it. */
static bool is_single(const struct workload *w, uint32_t link)
{
    return link % 2 == 0 && link + 1 == w->params.links;
}

static unsigned link_port(const struct workload *w, uint32_t node, uint32_t link)
{
    uint32_t c[TORUS_MAX_DIMS];
    torus_coordinates(w->site->torus, node, c);
    return link + (is_single(w, link) ? c[link / 2] % 2 : 0);
}

/* The process behind a link, if the link is one of that process's too; else NOBODY. */
static uint32_t behind(const struct workload *w, uint32_t process, uint32_t link)
{
    uint32_t place = w->mapping.place[process], node = place / w->per_node;
    unsigned port = link_port(w, node, link), back = port ^ 1;
    uint32_t other = torus_neighbour(w->site->torus, node, port);
    if (other == TORUS_NO_NODE || other == node ||
        link_port(w, other, is_single(w, link) ? link : back) != back)
        return NOBODY;
    uint32_t rank = w->mapping.rank[other * w->per_node + place % w->per_node];
    return rank == MAPPING_NONE ? NOBODY : rank;
}

static bool exchange_step(void *ctx, uint32_t process, uint32_t number, struct step *step)
{
    const struct workload *w = ctx;
    uint32_t links = w->params.links, link = number % links;
    uint32_t other = behind(w, process, link), wait = link + 1 == links ? 0 : ANY_NUMBER;
    if (w->params.messages && number / links >= w->params.messages)
        return false;
    *step = (struct step){.to = other,
                          .from = other,
                          .bytes = w->params.message_bytes,
                          .from_bytes = w->params.message_bytes,
                          .sends_left = wait,
                          .receives_left = wait};
    return true;
}

weft_status exchange_messages(struct workload *w)
{
    uint32_t ports = 2 * w->site->torus->dims;
    if (!w->params.links)
        w->params.links = ports;
    if (w->params.links > ports)
        return BAD_INPUT("workload.links",
                         ("workload.links = %u: a node has %u", w->params.links, ports),
                         ("use at most that many"));
    w->program.step = exchange_step;
    return WEFT_OK;
}

/* ---- a grid of processes ---- */

enum { GRID_SIDES = 4 };

/* Right, left, down, up; the grid has no ends. */
static uint32_t grid_neighbour(const struct workload *w, uint32_t process, uint32_t side)
{
    uint32_t columns = w->params.grid.size[0], rows = w->params.grid.size[1];
    uint32_t x = process % columns, y = process / columns;
    if (side < 2)
        x = (x + (side ? columns - 1 : 1)) % columns;
    else
        y = (y + (side % 2 ? rows - 1 : 1)) % rows;
    return y * columns + x;
}

static bool grid_step(void *ctx, uint32_t process, uint32_t number, struct step *step)
{
    const struct workload *w = ctx;
    uint32_t side = number % GRID_SIDES, wait = side + 1 == GRID_SIDES ? 0 : ANY_NUMBER;
    if (w->params.messages && number / GRID_SIDES >= w->params.messages)
        return false;
    /* What goes to one side comes from the other. */
    *step = (struct step){.to = grid_neighbour(w, process, side),
                          .from = grid_neighbour(w, process, side ^ 1),
                          .bytes = w->params.message_bytes,
                          .from_bytes = w->params.message_bytes,
                          .sends_left = wait,
                          .receives_left = wait};
    return true;
}

weft_status grid_messages(struct workload *w)
{
    struct torus *grid = &w->params.grid;
    if (!grid->dims)
        torus_near(w->processes, 2, grid);
    if (grid->dims != 2 || grid->nodes != w->processes)
        return BAD_INPUT("workload.grid",
                         ("workload.grid is no grid of %u processes", w->processes),
                         ("use columns and rows, as 16x32, or auto"));
    w->program.step = grid_step;
    return WEFT_OK;
}
