/* Pairs, random or named, exchange messages, send one way, or take turns (KAUTZ, Figures 4, 5); as
 * packets, an open loop. */
#include "workload/patterns/patterns.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/random.h"

#define AT(field) offsetof(struct pairs_params, field)

static const char *const exchanges[] = {"both", "one_way", "turns", NULL};
static const char *const pairings[] = {"random", "transpose", NULL};

static const struct key rows[] = {
    {"workload.list", KEY_TEXT, AT(list), "", "",
     .help = "pairs: which, as 0-5,3-7; of packets nodes, of messages processes",
     .before = "workload.mapping"},
    {"workload.pairs", KEY_U32, AT(pairs), "", "0", 0, KEY_U32_TOP,
     .help = "pairs: number of pairs; 0: all", .before = "workload.algorithm"},
    {"workload.pairing", KEY_CHOICE, AT(pairing), "", "random", .choices = pairings,
     .help = "pairs: how partners are chosen", .before = "workload.algorithm"},
    {"workload.exchange", KEY_CHOICE, AT(exchange), "", "both", .choices = exchanges,
     .help = "pairs: both at once, one way, or in turns", .before = "workload.algorithm"},
};

static const struct key_section section = {sizeof(struct pairs_params)};
static const struct key_table keys = {rows, sizeof(rows) / sizeof(rows[0]), &section};

/* ---- messages ---- */

/* Of messages: who is whose partner. */
struct pairs {
    enum exchange exchange;
    bool on_tree; /* single packets of the tree */
    struct {
        uint32_t with; /* NOBODY: it has none */
        bool second;   /* the other one sends first */
    } of[];            /* [process] */
};

static struct pairs *pairs_begin(struct workload *w, enum exchange exchange)
{
    struct pairs *pairs = w->state =
        memory_alloc(1, sizeof(*pairs) + w->processes * sizeof(pairs->of[0]));
    pairs->exchange = exchange;
    pairs->on_tree = w->params.algorithm == ALGORITHM_TREE;
    w->collective = pairs->on_tree ? STEP_POINT_OUT : STEP_NO_COLLECTIVE;
    for (uint32_t i = 0; i < w->processes; i++)
        pairs->of[i].with = NOBODY;
    return pairs;
}

/* A packet is sent, or one is taken; whoever does both at once sends first. */
static bool tree_step(const struct workload *w, const struct pairs *pairs, uint32_t process,
                      uint32_t number, struct step *step)
{
    uint32_t partner = pairs->of[process].with, steps = pairs->exchange == EXCHANGE_ONE_WAY ? 1 : 2;
    bool leads = pairs->exchange == EXCHANGE_BOTH || !pairs->of[process].second;
    bool sends = number % steps == 0 ? leads : !leads;
    if (partner == NOBODY || (w->params.messages && number / steps >= w->params.messages))
        return false;
    *step = (struct step){.to = partner,
                          .from = NOBODY,
                          .bytes = w->params.message_bytes,
                          .collective = sends ? STEP_POINT_OUT : STEP_POINT_IN};
    return true;
}

static bool pair_step(void *ctx, uint32_t process, uint32_t number, struct step *step)
{
    const struct workload *w = ctx;
    const struct pairs *pairs = w->state;
    uint32_t partner = pairs->of[process].with;
    uint64_t bytes = w->params.message_bytes;
    bool first = !pairs->of[process].second, both = pairs->exchange == EXCHANGE_BOTH;
    uint32_t steps = pairs->exchange == EXCHANGE_TURNS ? 2 : 1;
    bool sends = both || (pairs->exchange == EXCHANGE_ONE_WAY ? first : (number % 2 == 0) == first);
    if (pairs->on_tree)
        return tree_step(w, pairs, process, number, step);
    if (partner == NOBODY || (w->params.messages && number / steps >= w->params.messages))
        return false;
    *step = (struct step){.to = both || sends ? partner : NOBODY,
                          .from = both || !sends ? partner : NOBODY,
                          .bytes = bytes,
                          .from_bytes = bytes};
    return true;
}

void pairs_play(struct workload *w, uint32_t a, uint32_t b)
{
    struct pairs *pairs = pairs_begin(w, EXCHANGE_TURNS);
    pairs->of[a].with = b;
    pairs->of[b].with = a;
    pairs->of[b].second = true;
    w->program.step = pair_step;
}

weft_status pairs_check_tree(const struct workload *w)
{
    if (w->params.algorithm != ALGORITHM_TREE)
        return WEFT_OK;
    if (!w->site->tree)
        return BAD_INPUT("workload.algorithm",
                         ("%s", w->site->part ? "the tree network belongs to the whole machine"
                                              : "this machine has no tree network"),
                         ("use workload.algorithm = auto"));
    if (w->params.message_bytes > w->site->tree)
        return BAD_INPUT("workload.message_bytes machine.tree.payload_bytes",
                         ("workload.message_bytes = %llu does not fit into a packet of the tree",
                          (unsigned long long)w->params.message_bytes),
                         ("use at most %u", w->site->tree));
    return WEFT_OK;
}

/* Pairs among the first `of` numbers. */
static weft_status random_pairs(const struct workload *w, const struct pairs_params *p, uint32_t of,
                                struct pair_list *list)
{
    uint32_t most = of / 2, pairs = p->pairs ? p->pairs : most;
    if (pairs > most)
        return BAD_INPUT("workload.pairs",
                         ("workload.pairs = %u: there are %u %s", pairs, of,
                          w->as == LAYER_PACKETS ? "nodes" : "processes"),
                         ("use at most half as many"));
    uint64_t key = random_key(w->seed, 0, RANDOM_PAIR);
    for (uint32_t i = 0; i < pairs; i++)
        pair_list_add(list, random_permute(key, of, 2 * i), random_permute(key, of, 2 * i + 1), 1);
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
            pair_list_add(list, row * side + column, column * side + row, 1);
}

/* Those that are named, or as the pairing says. */
static weft_status find_pairs(const struct workload *w, const struct pairs_params *p, uint32_t of,
                              struct pair_list *list)
{
    weft_status status = pair_list_read(w, p, list);
    if (status != WEFT_OK || pair_list_given(w, p))
        return status;
    if (p->pairing == PAIRING_RANDOM)
        return random_pairs(w, p, of, list);
    mirror_pairs(of, list);
    return WEFT_OK;
}

static weft_status take_partner(struct pairs *pairs, uint32_t who, uint32_t with, bool second)
{
    if (pairs->of[who].with != NOBODY)
        return BAD_INPUT("workload.list workload.file", ("process %u is in two pairs", who),
                         ("name each process once, or run pairs as packets"));
    pairs->of[who].with = with;
    pairs->of[who].second = second;
    return WEFT_OK;
}

static weft_status pairs_messages(struct workload *w)
{
    const struct pairs_params *p = config_section(w->config, &section);
    TRY(pairs_check_tree(w));
    struct pairs *pairs = pairs_begin(w, p->exchange);
    struct pair_list list = {.pair = NULL};
    weft_status status = find_pairs(w, p, w->processes, &list);
    w->program.step = pair_step;
    for (size_t i = 0; i < list.count && status == WEFT_OK; i++) {
        status = take_partner(pairs, list.pair[i].from, list.pair[i].to, false);
        if (status == WEFT_OK)
            status = take_partner(pairs, list.pair[i].to, list.pair[i].from, true);
    }
    free(list.pair);
    return status;
}

/* ---- packets ---- */

/* With the same rate for each pair: one way, or both. */
static weft_status pairs_packets(struct workload *w)
{
    const struct pairs_params *p = config_section(w->config, &section);
    struct pair_list list = {.pair = NULL};
    struct rates *rates = NULL;
    if (p->exchange == EXCHANGE_TURNS)
        return BAD_INPUT("workload.exchange workload.as", ("packets of an open loop take no turns"),
                         ("use workload.exchange = both or one_way, or messages"));
    weft_status status = find_pairs(w, p, w->site->endpoints, &list);
    size_t pairs = list.count;
    for (size_t i = 0; i < pairs && p->exchange == EXCHANGE_BOTH; i++)
        pair_list_add(&list, list.pair[i].to, list.pair[i].from, 1);
    if (status == WEFT_OK && pairs)
        rates = rates_of_pairs(w->site, &list);
    free(list.pair);
    return status == WEFT_OK ? open_setup_rates(w, rates) : status;
}

static void pairs_fini(struct workload *w)
{
    if (w->as == LAYER_PACKETS)
        open_fini(w);
}

#define PAIRS_KEYS "pairs pairing exchange list file"

const struct pattern pairs_pattern = {
    .name = "pairs",
    .kind = PATTERN_OPEN,
    .usual = LAYER_MESSAGES,
    .packets = pairs_packets,
    .packet_keys = OPEN_KEYS PAIRS_KEYS,
    .messages = pairs_messages,
    .message_keys = MESSAGE_KEYS PAIRS_KEYS " algorithm",
    .algorithms = "tree",
    .packet_work = "pairs of {who} (exchange: {exchange}): {what}",
    .message_work = "pairs of {who} (exchange: {exchange}): {what} each",
    .keys = &keys,
    .partner = open_by_rates,
    .fini = pairs_fini};
