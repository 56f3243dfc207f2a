/* The table of patterns: a pattern's row is all that the rest of Weft knows about it. */
#include <stdio.h>
#include <string.h>

#include "base/text/suggest.h"
#include "base/text/text.h"
#include "workload/workload.h"

/* Keys of workload.* that patterns share. */
#define OPEN_KEYS                                                                                  \
    "load warmup_cycles cycles drain_cycles packet_bytes burst burst_packets burst_gap_cycles "    \
    "burst_shape "
#define PAIR_KEYS "packet_bytes packets_per_pair bytes_per_pair packets_per_visit "
#define MESSAGE_KEYS                                                                               \
    "message_bytes messages processes_per_node processes mapping warmup_cycles cycles "

const struct pattern patterns[] = {
    {.name = "alltoall",
     .packets = alltoall_packets,
     .packet_keys = PAIR_KEYS "within dim",
     .messages = alltoall_messages,
     .message_keys = MESSAGE_KEYS "algorithm sizes",
     .algorithms = "pairwise post_all packets"},
    {.name = "uniform",
     .kind = PATTERN_OPEN,
     .packets = open_setup,
     .packet_keys = OPEN_KEYS,
     .partner = open_uniform},
    {.name = "hotregion",
     .kind = PATTERN_OPEN,
     .needs = SITE_COORDINATES,
     .packets = open_setup,
     .packet_keys = OPEN_KEYS "hot_share hot_apart hot_dims",
     .partner = open_hot_region},
    {.name = "hotspot",
     .packets = hotspot_packets,
     .packet_keys = PAIR_KEYS "hot_dims",
     .messages = hotspot_messages,
     .message_keys = MESSAGE_KEYS},
    {.name = "neighbour",
     .alias = "neighbor",
     .kind = PATTERN_OPEN,
     .packets = open_setup,
     .packet_keys = OPEN_KEYS},
    {.name = "pingpong",
     .packets = pingpong_packets,
     .packet_keys = "message_bytes messages hops",
     .messages = pingpong_messages,
     .message_keys = MESSAGE_KEYS "hops"},
    {.name = "linefill",
     .needs = SITE_COORDINATES | SITE_DEPOSIT,
     .packets = linefill_packets,
     .packet_keys = "message_bytes deposit dim"},
    {.name = "planefill",
     .needs = SITE_COORDINATES | SITE_DEPOSIT,
     .packets = planefill_packets,
     .packet_keys = "message_bytes deposit dim"},
    {.name = "nextgroup",
     .kind = PATTERN_OPEN,
     .needs = SITE_GROUPS,
     .packets = open_setup,
     .packet_keys = OPEN_KEYS,
     .partner = open_next_group},
    {.name = "transpose",
     .kind = PATTERN_OPEN,
     .packets = open_setup,
     .packet_keys = OPEN_KEYS,
     .partner = open_transpose},
    {.name = "bitcomplement",
     .kind = PATTERN_OPEN,
     .packets = open_setup,
     .packet_keys = OPEN_KEYS,
     .partner = open_bit_complement},
    {.name = "bitreverse",
     .kind = PATTERN_OPEN,
     .packets = open_setup,
     .packet_keys = OPEN_KEYS,
     .partner = open_bit_reverse},
    {.name = "tornado",
     .kind = PATTERN_OPEN,
     .needs = SITE_COORDINATES,
     .packets = open_setup,
     .packet_keys = OPEN_KEYS,
     .partner = open_tornado},
    {.name = "shuffle",
     .kind = PATTERN_OPEN,
     .packets = open_setup,
     .packet_keys = OPEN_KEYS,
     .partner = open_shuffle},
    {.name = "permutation",
     .kind = PATTERN_OPEN,
     .packets = open_setup,
     .packet_keys = OPEN_KEYS,
     .partner = open_permutation},
    {.name = "matrix",
     .kind = PATTERN_OPEN,
     .from_file = true,
     .packets = open_setup,
     .packet_keys = OPEN_KEYS "file rates",
     .partner = open_matrix},
    {.name = "file",
     .from_file = true,
     .packets = file_packets,
     .packet_keys = "file",
     .messages = file_messages,
     .message_keys = "file processes_per_node processes mapping"},
    {.name = "pairs",
     .kind = PATTERN_OPEN,
     .usual = LAYER_MESSAGES,
     .packets = pairs_packets,
     .packet_keys = OPEN_KEYS "pairs pairing exchange list file",
     .messages = pairs_messages,
     .message_keys = MESSAGE_KEYS "pairs pairing exchange list file",
     .partner = open_matrix},
    {.name = "ring", .messages = ring_messages, .message_keys = MESSAGE_KEYS},
    {.name = "exchange",
     .needs = SITE_COORDINATES,
     .messages = exchange_messages,
     .message_keys = MESSAGE_KEYS "links"},
    {.name = "grid", .messages = grid_messages, .message_keys = MESSAGE_KEYS "grid"},
    {.name = "allreduce",
     .messages = allreduce_messages,
     .message_keys = MESSAGE_KEYS "algorithm",
     .algorithms = "doubling halving tree recast two_phase gates"},
    {.name = "broadcast",
     .messages = broadcast_messages,
     .message_keys = MESSAGE_KEYS "algorithm piece_bytes",
     .algorithms = "binomial scatter mesh deposit tree"},
    {.name = "reduce",
     .messages = reduce_messages,
     .message_keys = MESSAGE_KEYS "algorithm",
     .algorithms = "binomial"},
    {.name = "allgather",
     .messages = allgather_messages,
     .message_keys = MESSAGE_KEYS "algorithm",
     .algorithms = "doubling ring"},
    {.name = "barrier",
     .messages = barrier_messages,
     .message_keys = "messages processes_per_node processes mapping algorithm",
     .algorithms = "interrupt gates"},
    {.name = "program",
     .kind = PATTERN_PROGRAM,
     .messages = program_messages,
     .message_keys =
         "program arguments stack_bytes collectives processes_per_node processes mapping"},
    {.name = "mpi",
     .kind = PATTERN_MPI,
     .messages = mpi_messages,
     .message_keys = "program arguments stack_bytes collectives processes_per_node processes "
                     "mapping compute compute_factor tag_output trace matrix"},
    {.name = "goal",
     .kind = PATTERN_TRACE,
     .from_file = true,
     .count = goal_count,
     .messages = goal_messages,
     .message_keys = "file compute_factor processes_per_node mapping"},
    {.name = "replay",
     .alias = "ti",
     .kind = PATTERN_TRACE,
     .messages = replay_messages,
     .from_file = true,
     .count = replay_open,
     .message_keys = "file flops stack_bytes collectives processes_per_node processes mapping "
                     "compute_factor trace matrix"},
    {.name = "parts",
     .kind = PATTERN_PARTS,
     .packets = parts_setup,
     .packet_keys = "parts",
     .messages = parts_setup,
     .message_keys = "parts"},
    {.name = "survey", .kind = PATTERN_SURVEY, .needs = SITE_TOPOLOGY},
    {.name = "jobs", .kind = PATTERN_JOBS, .needs = SITE_CELLS},
    {.name = "view", .kind = PATTERN_VIEW, .needs = SITE_CELLS},
    {.name = "none", .kind = PATTERN_NONE},
};

const size_t pattern_count = sizeof(patterns) / sizeof(patterns[0]);

/* ---- as a value of a key ---- */

static weft_status parse_pattern(const struct key *key, const char *text, void *field)
{
    char list[512] = "";
    struct suggestion suggestion = suggestion_for(text);
    for (size_t i = 0; i < pattern_count; i++) {
        const struct pattern *p = &patterns[i];
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
static const char *const withins[] = {"all", "line", "plane", NULL};
static const char *const dim_names[] = {"x", "y", "z", NULL};
static const char *const collectives[] = {"auto", "messages", "packets", "tree", "gates", NULL};
static const char *const sizes[] = {"equal", "varied", NULL};
static const char *const exchanges[] = {"both", "one_way", "turns", NULL};
static const char *const pairings[] = {"random", "transpose", NULL};
static const char *const algorithms[ALGORITHMS + 1] = {
    "auto",     "doubling", "halving", "ring",      "binomial", "scatter", "mesh",      "pairwise",
    "post_all", "deposit",  "packets", "interrupt", "tree",     "recast",  "two_phase", "gates"};

static const char *const bursts[] = {"none", "geometric", "pareto", NULL};
static const char *const rates_as[] = {"relative", "absolute", NULL};
static const char *const computes[] = {"none", "measured", "counted", NULL};

static const struct key rows[] = {
    {"workload.pattern", KEY_OTHER, AT(pattern), "", "alltoall", .format = &pattern_format,
     .help = "who sends to whom"},
    {"workload.as", KEY_CHOICE, AT(as), "", "auto", .choices = layers,
     .help = "packets between nodes or messages between processes, if the pattern can be both"},
    {"workload.packet_bytes", KEY_BYTES, AT(packet_bytes), "B", "auto", 0, 65536,
     .help = "packet size, or several, drawn evenly; auto: the machine's full packet"},
    {"workload.load", KEY_REAL, AT(load), "", "0.5", 0, 1000,
     .help = "open loop: offered load as a share of the pattern's bandwidth bound"},
    {"workload.warmup_cycles", KEY_U64, AT(warmup_cycles), "cycles", "10000", 0, KEY_CYCLE_TOP,
     .help = "open loop: cycles before measuring"},
    {"workload.cycles", KEY_U64, AT(cycles), "cycles", "50000", 1, KEY_CYCLE_TOP,
     .help = "open loop: cycles measured"},
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
    {"workload.packets_per_pair", KEY_U32, AT(packets_per_pair), "", "1", 0, KEY_U32_TOP,
     .help = "alltoall, hotspot: packets from each node to each destination"},
    {"workload.bytes_per_pair", KEY_U64, AT(bytes_per_pair), "B", "0", 0, KEY_U64_TOP,
     .help = "alltoall, hotspot: payload per pair; 0: use packets_per_pair"},
    {"workload.packets_per_visit", KEY_U32, AT(packets_per_visit), "", "1", 1, KEY_U32_TOP,
     .help = "alltoall, hotspot: packets to one destination before moving to the next"},
    {"workload.message_bytes", KEY_U64, AT(message_bytes), "B", "240", 0, KEY_U64_TOP,
     .help = "pingpong, fills, processes: payload of a message"},
    {"workload.messages", KEY_U32, AT(messages), "", "10", 0, KEY_U32_TOP,
     .help = "pingpong: round trips; processes: messages per process, 0: endless"},
    {"workload.hops", KEY_U32, AT(hops), "", "1", 0, KEY_U32_TOP, .help = "pingpong: distance"},
    {"workload.processes_per_node", KEY_OTHER, AT(processes_per_node), "", "auto", 0, 8,
     .format = &key_auto_format,
     .help = "processes per node; 0: as many as its processors or its mode allow; auto: one, or as "
             "many as the machine's mode runs"},
    {"workload.processes", KEY_U32, AT(processes), "", "0", 0, KEY_U32_TOP,
     .help = "processes in total; 0: as many as fit"},
    {"workload.grid", KEY_OTHER, AT(grid), "", "auto", .format = &torus_dims_format,
     .help = "grid: columns and rows of processes, as 16x32; auto: as square as can be"},
    {"workload.file", KEY_TEXT, AT(file), "", "",
     .help =
         "matrix: rates between nodes, as lines FROM TO RATE or rows of rates; pairs: lines "
         "FROM TO; file: packets or messages, as lines TIME FROM TO BYTES; goal: a trace in GOAL, "
         "text or binary; replay: a trace of an MPI program"},
    {"workload.rates", KEY_CHOICE, AT(rates), "", "relative", .choices = rates_as,
     .help = "matrix: its rates are relative, and workload.load scales them; or absolute, MB/s of "
             "payload or with a unit"},
    {"workload.list", KEY_TEXT, AT(list), "", "",
     .help = "pairs: which, as 0-5,3-7; of packets nodes, of messages processes"},
    {"workload.flops", KEY_REAL, AT(flops), "1/s", "0", 0, 1e18,
     .help = "replay: operations of a trace's computation per second; 0: one per processor cycle"},
    {"workload.program", KEY_TEXT, AT(program), "", "halo",
     .help = "program: halo, wavefront, master, fft, or the path of a shared object; mpi: the path "
             "of an executable"},
    {"workload.arguments", KEY_TEXT, AT(arguments), "", "",
     .help = "program, mpi: its arguments, separated by blanks"},
    {"workload.stack_bytes", KEY_U32, AT(stack_bytes), "B", "0", 0, 1 << 30,
     .help =
         "program, mpi: stack of each process; memory is taken as it is used. 0: 64 KiB; mpi: 8 "
         "MiB, or 1 MiB for more than 16384 processes"},
    {"workload.compute", KEY_CHOICE, AT(compute), "", "none", .choices = computes,
     .help = "mpi: what computation between calls takes: nothing, as long as on this computer, or "
             "by the basic blocks that `weft mpicc --count` counts"},
    {"workload.compute_factor", KEY_REAL, AT(compute_factor), "", "1", 0, 1e9,
     .help = "mpi, compute = measured: simulated seconds per second of this computer; goal: per "
             "second of a calc; replay: per second of computation by the trace"},
    {"workload.trace", KEY_TEXT, AT(trace), "", "",
     .help = "mpi: a file for the time line of all calls, which a browser's trace viewer opens; "
             "beside it what ranks did, without times, as a .ti file"},
    {"workload.matrix", KEY_TEXT, AT(matrix), "", "",
     .help = "mpi: a CSV file for what each rank sent to each other one"},
    {"workload.tag_output", KEY_BOOL, AT(tag_output), "", "false",
     .help = "mpi: every line that a rank prints begins with its number"},
    {"workload.mapping", KEY_TEXT, AT(mapping), "", "auto",
     .help =
         "of processes to nodes: an order as XYZT, fold:16x32, or a map file; auto: the machine's"},
    {"workload.parts", KEY_TEXT, AT(parts), "", "",
     .help = "parts: places of jobs and what runs in each, as \"4x4x4@0/0/0 alltoall "
             "bytes_per_pair=4096; nodes:0-63 uniform load=0.3\""},
    {"workload.pairs", KEY_U32, AT(pairs), "", "0", 0, KEY_U32_TOP,
     .help = "pairs: number of pairs; 0: all"},
    {"workload.pairing", KEY_CHOICE, AT(pairing), "", "random", .choices = pairings,
     .help = "pairs: how partners are chosen"},
    {"workload.exchange", KEY_CHOICE, AT(exchange), "", "both", .choices = exchanges,
     .help = "pairs: both at once, one way, or in turns"},
    {"workload.algorithm", KEY_CHOICE, AT(algorithm), "", "auto", .choices = algorithms,
     .help = "how a collective operation is done, if there is a choice; auto: as MPICH does"},
    {"workload.collectives", KEY_CHOICE, AT(collectives), "", "auto", .choices = collectives,
     .help = "what collective operations of a program use; auto: the machine's own, or messages"},
    {"workload.sizes", KEY_CHOICE, AT(sizes), "", "equal", .choices = sizes,
     .help = "all-to-all: varied: each message has a size of its own, up to twice message_bytes"},
    {"workload.piece_bytes", KEY_U32, AT(piece_bytes), "B", "10000", 1, KEY_U32_TOP,
     .help = "broadcast by mesh: of the pieces that follow each other"},
};

static const struct key coordinate_rows[] = {
    {"workload.links", KEY_U32, AT(links), "", "0", 0, 12,
     .help = "exchange: links over which each process exchanges messages; 0: all"},
    {"workload.hot_share", KEY_REAL, AT(hot_share), "", "0.25", 0, 1,
     .help = "hotregion: share of packets that go to the hot box"},
    {"workload.hot_apart", KEY_BOOL, AT(hot_apart), "", "false",
     .help = "hotregion: other packets go between nodes outside the box, and none leaves it"},
    {"workload.hot_dims", KEY_OTHER, AT(hot), "", "auto", .format = &torus_dims_format,
     .help = "hot box at the origin; auto: half of each side (hotregion), one node (hotspot)"},
    {"workload.within", KEY_CHOICE, AT(within), "", "all", .choices = withins,
     .help = "alltoall: among all nodes, or within each line or plane"},
    {"workload.dim", KEY_CHOICE, AT(dim), "", "x", .choices = dim_names,
     .help = "alltoall, fills: a line's dimension, a plane's normal"},
};

static const struct key class_rows[] = {
    {"workload.dynamic_share", KEY_REAL, AT(dynamic_share), "", "1", 0, 1,
     .help = "share of packets routed dynamically; the others take a fixed path"},
    {"workload.high_share", KEY_REAL, AT(high_share), "", "0", 0, 1,
     .help = "share of packets with high priority"},
    {"workload.groups", KEY_U32, AT(groups), "", "1", 1, 2,
     .help = "groups of reception FIFOs in use"},
    {"workload.deposit", KEY_BOOL, AT(deposit), "", "true",
     .help = "fills: with the deposit bit, or one packet per node"},
};

const struct key_section workload_section = {sizeof(struct workload_params)};
const struct key_table workload_keys = {rows, sizeof(rows) / sizeof(rows[0]), &workload_section};
const struct key_table coordinate_keys = {
    coordinate_rows, sizeof(coordinate_rows) / sizeof(coordinate_rows[0]), &workload_section};
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

bool workload_uses(const struct workload_params *p, enum layer as, const char *key)
{
    static const char always[] = "pattern as", classes[] = "dynamic_share high_share groups";
    if (strncmp(key, "workload.", strlen("workload.")) != 0)
        return true;
    const char *name = key + strlen("workload.");
    const char *own = as == LAYER_MESSAGES ? p->pattern->message_keys : p->pattern->packet_keys;
    if (p->pattern->kind == PATTERN_PARTS && parts_use(p, as, key))
        return true;
    if (workload_rates_absolute(p) && strcmp(name, "load") == 0)
        return false;
    return (own && text_has_word(own, name)) || text_has_word(always, name) ||
           (as == LAYER_PACKETS &&
            text_has_word(classes, name)); /* messages are all of one class */
}
