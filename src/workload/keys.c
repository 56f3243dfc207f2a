/* The list of patterns, and the keys of workload.*: shared ones, and those of each pattern. */
#include <stdio.h>
#include <string.h>

#include "base/text/suggest.h"
#include "base/text/text.h"
#include "workload/workload.h"

/* ---- patterns ---- */

/* In the order in which they are offered: a row is all that the rest of Weft knows of a pattern. */
extern const struct pattern alltoall_pattern, uniform_pattern, hotregion_pattern, hotspot_pattern,
    neighbour_pattern, pingpong_pattern, linefill_pattern, planefill_pattern, nextgroup_pattern,
    transpose_pattern, bitcomplement_pattern, bitreverse_pattern, tornado_pattern, shuffle_pattern,
    permutation_pattern, matrix_pattern, file_pattern, pairs_pattern, ring_pattern,
    exchange_pattern, grid_pattern, allreduce_pattern, broadcast_pattern, reduce_pattern,
    allgather_pattern, barrier_pattern, io_pattern, program_pattern, mpi_pattern, goal_pattern,
    replay_pattern, parts_pattern;

static const struct pattern survey_pattern = {
    .name = "survey", .kind = PATTERN_SURVEY, .needs = SITE_TOPOLOGY};
static const struct pattern jobs_pattern = {
    .name = "jobs", .kind = PATTERN_JOBS, .needs = SITE_CELLS};
static const struct pattern view_pattern = {
    .name = "view", .kind = PATTERN_VIEW, .needs = SITE_CELLS};
static const struct pattern none_pattern = {.name = "none", .kind = PATTERN_NONE};

const struct pattern *const patterns[] = {
    &alltoall_pattern,  &uniform_pattern,       &hotregion_pattern,
    &hotspot_pattern,   &neighbour_pattern,     &pingpong_pattern,
    &linefill_pattern,  &planefill_pattern,     &nextgroup_pattern,
    &transpose_pattern, &bitcomplement_pattern, &bitreverse_pattern,
    &tornado_pattern,   &shuffle_pattern,       &permutation_pattern,
    &matrix_pattern,    &file_pattern,          &pairs_pattern,
    &ring_pattern,      &exchange_pattern,      &grid_pattern,
    &allreduce_pattern, &broadcast_pattern,     &reduce_pattern,
    &allgather_pattern, &barrier_pattern,       &io_pattern,
    &program_pattern,   &mpi_pattern,           &goal_pattern,
    &replay_pattern,    &parts_pattern,         &survey_pattern,
    &jobs_pattern,      &view_pattern,          &none_pattern,
};

const size_t pattern_count = sizeof(patterns) / sizeof(patterns[0]);

/* ---- a pattern as a value ---- */

static weft_status parse_pattern(const struct key *key, const char *text, void *field)
{
    char list[512] = "";
    struct suggestion suggestion = suggestion_for(text);
    for (size_t i = 0; i < pattern_count; i++) {
        const struct pattern *p = patterns[i];
        if (strcmp(p->name, text) == 0 || (p->alias && strcmp(p->alias, text) == 0)) {
            *(const struct pattern **)field = p;
            return WEFT_OK;
        }
        snprintf(list + strlen(list), sizeof(list) - strlen(list), i ? ", %s" : "%s", p->name);
        suggestion_offer(&suggestion, p->name);
    }
    return suggestion_remedy(
        &suggestion,
        BAD_INPUT(NULL, ("%s = '%.60s' is not known", key->name, text), ("use one of %s", list)));
}

static void print_pattern(const struct key *key, const void *field, char text[CONFIG_TEXT])
{
    (void)key;
    snprintf(text, CONFIG_TEXT, "%s", (*(const struct pattern *const *)field)->name);
}

static const struct key_format pattern_format = {parse_pattern, print_pattern};

/* ---- keys ---- */

#define AT(field) offsetof(struct workload_params, field)

static const char *const layers[] = {"auto", "packets", "messages", NULL};
static const char *const algorithms[ALGORITHMS + 1] = {
    "auto",     "doubling", "halving", "ring",      "binomial", "scatter", "mesh",      "pairwise",
    "post_all", "deposit",  "packets", "interrupt", "tree",     "recast",  "two_phase", "gates"};

static const char *const orders[ORDERS + 1] = {"auto", "ascending", "random", "distance",
                                               "staggered"};
static const char *const bursts[] = {"none", "geometric", "pareto", NULL};
static const char *const rates_as[] = {"relative", "absolute", NULL};

/* Those of patterns, which are listed among these: the offset is that of a table in a pattern. */
static bool more_keys(const struct key *key, size_t index, const struct key_table **table)
{
    if (index >= pattern_count)
        return false;
    memcpy(table, (const char *)patterns[index] + key->offset, sizeof(*table));
    return true;
}

#define MORE(TABLE)                                                                                \
    {                                                                                              \
        .type = KEY_MORE, .offset = offsetof(struct pattern, TABLE), .more = more_keys             \
    }

static const struct key rows[] = {
    {"workload.pattern", KEY_OTHER, AT(pattern), "", "alltoall", .format = &pattern_format,
     .help = "who sends to whom"},
    {"workload.as", KEY_CHOICE, AT(as), "", "auto", .choices = layers,
     .help = "packets between nodes or messages between processes, if the pattern can be both"},
    {"workload.packet_bytes", KEY_BYTES, AT(packet_bytes), "B", "auto", 0, 65536,
     .help = "payload of a packet, with machine.software_header_bytes where nodes have FIFOs; or "
             "several sizes, drawn evenly; auto: the machine's full packet"},
    {"workload.load", KEY_REAL, AT(load), "", "0.5", 0, 1000,
     .help = "open loop: offered load as a share of the pattern's bandwidth bound"},
    {"workload.warmup_cycles", KEY_AUTO_U64, AT(warmup_cycles), "cycles", "auto", 0, KEY_CYCLE_TOP,
     .help = "open loop: cycles before measuring; auto: until responses no longer drift (packets "
             "of one workload; otherwise 10000)"},
    {"workload.cycles", KEY_U64, AT(cycles), "cycles", "50000", 1, KEY_CYCLE_TOP,
     .help = "open loop: cycles measured; with warmup_cycles=auto: at least"},
    {"workload.precision", KEY_REAL, AT(precision), "", "0.03", 1e-6, 1,
     .help = "warmup_cycles=auto: measures until the 95 % interval of the mean response is within "
             "this share of it"},
    {"workload.most_cycles", KEY_U64, AT(most_cycles), "cycles", "1000000", 1, KEY_CYCLE_TOP,
     .help = "warmup_cycles=auto: most cycles of the warm-up and of measuring together"},
    {"workload.drain_cycles", KEY_U64, AT(drain_cycles), "cycles", "0", 0, KEY_CYCLE_TOP,
     .help = "open loop: most cycles after measuring; 0: until all packets have arrived"},
    {"workload.burst", KEY_CHOICE, AT(burst), "", "none", .choices = bursts,
     .help = "open loop: nodes send in bursts of geometric lengths with exponential pauses, or "
             "both of Pareto's distribution"},
    {"workload.burst_packets", KEY_REAL, AT(burst_packets), "", "16", 1, 1e6,
     .help = "bursts: packets, on average"},
    {"workload.burst_gap_cycles", KEY_U64, AT(burst_gap_cycles), "cycles", "0", 0, KEY_CYCLE_TOP,
     .help = "bursts: pause after each, on average; 0: as long as is left when the packets of a "
             "burst follow each other as fast as a node's links can take them"},
    {"workload.burst_shape", KEY_REAL, AT(burst_shape), "", "1.5", 1.05, 100,
     .help = "bursts of Pareto's distribution: its shape; the smaller, the longer its tail"},
    {"workload.message_bytes", KEY_U64, AT(message_bytes), "B", "240", 0, KEY_U64_TOP,
     .help = "pingpong, fills, processes: payload of a message"},
    {"workload.messages", KEY_U32, AT(messages), "", "10", 0, KEY_U32_TOP,
     .help = "pingpong: round trips; processes: messages per process, 0: endless"},
    {"workload.processes_per_node", KEY_AUTO_U32, AT(processes_per_node), "", "auto", 0, 8,
     .help = "processes per node; 0: as many as its processors or its mode allow; auto: one, or as "
             "many as the machine's mode runs"},
    {"workload.processes", KEY_U32, AT(processes), "", "0", 0, KEY_U32_TOP,
     .help = "processes in total; 0: as many as fit"},
    {"workload.file", KEY_TEXT, AT(file), "", "",
     .help = "matrix: rates between nodes, as lines FROM TO RATE or rows of rates; pairs: lines "
             "FROM TO; file: packets or messages, as lines TIME FROM TO BYTES; goal: a trace in "
             "GOAL, text or binary; replay: a trace of an MPI program"},
    {"workload.rates", KEY_CHOICE, AT(rates), "", "relative", .choices = rates_as,
     .help = "matrix: its rates are relative, and workload.load scales them; or absolute, MB/s of "
             "payload or with a unit"},
    {"workload.mapping", KEY_TEXT, AT(mapping), "", "auto",
     .help =
         "of processes to nodes: an order as XYZT, fold:16x32, or a map file; auto: the machine's"},
    {"workload.algorithm", KEY_CHOICE, AT(algorithm), "", "auto", .choices = algorithms,
     .help = "how a collective operation is done, if there is a choice; auto: as MPICH does"},
    {"workload.order", KEY_CHOICE, AT(order), "", "auto", .choices = orders,
     .help = "all-to-all: the order in which each node or process sends to the others: by their "
             "numbers, random, the nearest first, or each from the next one on; auto: random as "
             "packets, staggered as messages"},
    MORE(keys),
};

static const struct key coordinate_rows[] = {MORE(coordinate_keys)};

static const struct key class_rows[] = {
    {"workload.dynamic_share", KEY_REAL, AT(dynamic_share), "", "1", 0, 1,
     .help = "share of packets routed dynamically; the others take a fixed path"},
    {"workload.high_share", KEY_REAL, AT(high_share), "", "0", 0, 1,
     .help = "share of packets with high priority"},
    {"workload.groups", KEY_U32, AT(groups), "", "1", 1, 2,
     .help = "groups of reception FIFOs in use"},
    MORE(class_keys),
};

const struct key_section workload_section = {sizeof(struct workload_params)};
const struct key_table workload_keys = {rows, sizeof(rows) / sizeof(rows[0]), &workload_section};
const struct key_table coordinate_keys = {coordinate_rows, 1, &workload_section};
const struct key_table class_keys = {class_rows, sizeof(class_rows) / sizeof(class_rows[0]),
                                     &workload_section};

weft_status workload_check_algorithm(const struct workload_params *p)
{
    const char *own = p->pattern->algorithms;
    if (p->algorithm == ALGORITHM_AUTO || !own || text_has_word(own, algorithms[p->algorithm]))
        return WEFT_OK;
    return BAD_INPUT(
        "workload.algorithm",
        ("workload.algorithm = %s is none of %s", algorithms[p->algorithm], p->pattern->name),
        ("use auto, or one of: %s", own));
}

bool workload_rates_absolute(const struct workload_params *p)
{
    const char *own = p->pattern->packet_keys;
    return p->rates == RATES_ABSOLUTE && own && text_has_word(own, "rates");
}

const char *workload_unused_with(const struct workload_params *p, const char *key)
{
    const char *name = text_behind(key, "workload.");
    if (name && workload_rates_absolute(p) && strcmp(name, "load") == 0)
        return "workload.rates=absolute";
    if (name && p->warmup_cycles != KEY_AUTO_LONG && text_has_word("precision most_cycles", name))
        return "a number for workload.warmup_cycles";
    return NULL;
}

bool workload_uses(const struct config *c, enum layer as, const char *key)
{
    const struct workload_params *p = config_workload(c);
    const char *name = text_behind(key, "workload.");
    const char *own = as == LAYER_MESSAGES ? p->pattern->message_keys : p->pattern->packet_keys;
    if (!name || (p->pattern->uses && p->pattern->uses(c, as, key)))
        return true;
    if (workload_unused_with(p, key))
        return false;
    /* Messages are all of one class. */
    const char *always =
        as == LAYER_PACKETS ? "pattern as dynamic_share high_share groups" : "pattern as";
    return (own && text_has_word(own, name)) || text_has_word(always, name);
}
