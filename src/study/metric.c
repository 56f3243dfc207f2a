/* Names of figures. Tests ask every result that they compute whether its names are here. */
#define _GNU_SOURCE
#include "study/metric.h"

#include <stdio.h>
#include <string.h>

#include "base/text/suggest.h"
#include "base/text/text.h"
#include "machine/machine.h"
#include "workload/workload.h"

/* A name that ends in * stands for all that begin so. Words and units: NULL for those that the name
 * itself tells. */
struct row {
    const char *name, *words, *unit;
};

static const struct row all_rows[] = {
    {"cycles", "time", "cycles"},
    {"sim_seconds", "time", "s"},
    {"engine.threads", NULL, ""},
    {"engine.ranks", NULL, ""},
    {"engine.partitions", NULL, ""},
    {"engine.window_cycles", NULL, NULL},
    {"engine.windows", NULL, ""},
    {"engine.events", NULL, ""},
    {"engine.cpu_seconds", "CPU time of the simulation", "s"},
    {"engine.wall_seconds", "time of the simulation", "s"},
    {"engine.setup_seconds", "time to build the machine", "s"},
    {"engine.peak_rss_bytes", "memory of the simulation", "bytes"},
    {"engine.packet_hops_per_cpu_second", "packet-hops simulated per CPU second", ""},
};

static const struct row traffic_rows[] = {
    {"packets_injected", NULL, NULL},
    {"packets_delivered", NULL, NULL},
    {"packet_hops", "packet-hops", ""},
    {"payload_bytes_delivered", "payload delivered", "bytes"},
    {"link_utilisation", "link utilisation", "share of time"},
    {"payload_utilisation", "links' time with payload", "share"},
    {"fraction_of_peak", "throughput", "share of the bound"},
    {"bound_cycles", "least time by the busiest links", "cycles"},
    {"offered_load", "offered load", "share of the bound"},
    {"payload_bytes_per_node_second", "payload per node", "B/s"},
    {"one_way_cycles", "one way", "cycles"},
    {"hot_link_utilisation", "utilisation of the links into the hot box", "share of time"},
    {"unblocking_probability", NULL, ""},
    {"bypassed_hops", NULL, ""},
    {"response_cycles.mean", "mean response time", "cycles"},
    {"response_cycles.p50", "median response time", "cycles"},
    {"response_cycles.p99", "99 % response time", "cycles"},
    {"response_cycles.max", "longest response time", "cycles"},
    {"response_cycles.count", "packets with a response time", ""},
    {"response_cycles.mean_95_half_width", "half the 95 % interval of the mean response", "cycles"},
    {"injection_watermark_crossings", NULL, ""},
    {"reception_watermark_crossings", NULL, ""},
    {"fairness", "fairness between nodes", "Jain's index"},
    {"least_packets_of_a_node", NULL, ""},
    {"most_packets_of_a_node", NULL, ""},
    {"busiest_link_utilisation", "utilisation of the busiest link", "share of time"},
    {"idlest_link_utilisation", "utilisation of the idlest link", "share of time"},
    {"link_fairness", "fairness between links", "Jain's index"},
    {"source_queueing_cycles.mean", "mean wait at the source", "cycles"},
    {"source_queueing_cycles.p50", "median wait at the source", "cycles"},
    {"source_queueing_cycles.p99", "99 % wait at the source", "cycles"},
    {"source_queueing_cycles.max", "longest wait at the source", "cycles"},
    {"source_queueing_cycles.count", "packets with a wait at the source", ""},
    {"network_cycles.mean", "mean time in the network", "cycles"},
    {"hops_per_packet", NULL, ""},
    {"detour_share", "packets that take a detour", "share"},
    {"vc_fairness", "fairness between VCs", "Jain's index"},
    {"head_wait_vc*", NULL, "cycles"},
    {"head_wait_most_vc*", NULL, "cycles"},
    {"compute_plane_links", NULL, ""},
    {"compute_plane_links_used", NULL, "share"},
    {"compute_plane_utilisation", NULL, "share of time"},
    {"compute_packets", NULL, ""},
    {"compute_response_cycles", NULL, "cycles"},
    {"compute_response_p99_cycles", NULL, "cycles"},
    {"io_packets", NULL, ""},
    {"io_response_cycles", NULL, "cycles"},
    {"io_response_p99_cycles", NULL, "cycles"},
    {"tree_packet_hops", NULL, ""},
    {"tree_retransmissions", NULL, ""},
    {"link_utilisation_by_direction.*", NULL, "share of time"},
    {"vc_share.*", NULL, "share of hops"},
    {"vc_occupancy.*", NULL, "share of buffers"},
    {"vc_unavailable_share.*", NULL, "share of time"},
    {"link_protocol.packets_sent", NULL, ""},
    {"link_protocol.acknowledgments_sent", NULL, ""},
    {"link_protocol.bits_flipped", NULL, ""},
    {"link_protocol.packets_corrupted", NULL, ""},
    {"link_protocol.detected_by_header_crc", NULL, ""},
    {"link_protocol.detected_by_packet_crc", NULL, ""},
    {"link_protocol.undetected", NULL, ""},
    {"link_protocol.acknowledgments_corrupted", NULL, ""},
    {"link_protocol.timeouts", NULL, ""},
    {"link_protocol.retransmissions", NULL, ""},
    {"link_protocol.ghosts", NULL, ""},
    {"link_protocol.ignored_out_of_order", NULL, ""},
    {"link_protocol.ignored_duplicates", NULL, ""},
    {"link_protocol.ack_only_packets", NULL, ""},
    {"link_protocol.recoveries", NULL, ""},
    {"link_protocol.links_with_differing_crcs", NULL, ""},
};

static const struct row detail_rows[] = {
    {"least_received_bytes_per_node_second", "least payload received by a node", "B/s"},
    {"most_received_bytes_per_node_second", "most payload received by a node", "B/s"},
    {"received_fairness", "fairness of what nodes receive", "Jain's index"},
    {"least_node_response_cycles", "shortest mean response of a node", "cycles"},
    {"most_node_response_cycles", "longest mean response of a node", "cycles"},
};

static const struct row message_rows[] = {
    {"processes", NULL, ""},
    {"messages_received", NULL, ""},
    {"bytes_per_process_second", "payload per process", "B/s"},
    {"least_bytes_per_process_second", "payload of the slowest process", "B/s"},
    {"most_bytes_per_process_second", "payload of the fastest process", "B/s"},
    {"total_bytes_per_second", "payload of all processes", "B/s"},
    {"seconds_per_round", "time of a round", "s"},
    {"rails_per_message", NULL, ""},
    {"unexpected_messages", NULL, ""},
    {"core_*", NULL, "share of time"},
    {"second_core_*", NULL, "share of time"},
    {"trace_ranks", NULL, ""},
    {"trace_operations", NULL, ""},
    {"trace_messages", NULL, ""},
    {"trace_bytes", NULL, "bytes"},
    {"first_end_seconds", "end of the first rank", "s"},
    {"last_end_seconds", "end of the last rank", "s"},
    {"computing_share", "time in which ranks compute", "share"},
    {"unreceived_messages", NULL, ""},
    {"mpi.ranks", "ranks", ""},
    {"mpi.exit_code", NULL, ""},
    {"mpi.seconds", "time of the program", "s"},
    {"mpi.*", NULL, NULL},
};

static const struct row job_rows[] = {
    {"jobs_submitted", NULL, ""},
    {"jobs_finished", NULL, ""},
    {"jobs_failed", NULL, ""},
    {"jobs_waiting", NULL, ""},
    {"jobs_unplaceable", NULL, ""},
    {"job_runs", NULL, ""},
    {"node_failures", NULL, ""},
    {"jobs_own_load", "load of the log", "share of the machine"},
    {"jobs_load", "load", "share of the machine"},
    {"utilisation", NULL, "share of the machine"},
    {"internal_fragmentation", NULL, "share of the machine"},
    {"external_fragmentation", NULL, "share of the machine"},
    {"starved_share", "free, too little for the next job", "share of the machine"},
    {"idle_share", "free, no job waits", "share of the machine"},
    {"closed_share", "closed for repair", "share of the machine"},
    {"lost_share", "lost by failures", "share of the machine"},
    {"wait_seconds_mean", "mean wait", "s"},
    {"wait_seconds_median", "median wait", "s"},
    {"wait_seconds_95", "95 % wait", "s"},
    {"wait_seconds_most", "longest wait", "s"},
    {"slowdown_mean", "mean slowdown", ""},
    {"slowdown_median", "median slowdown", ""},
    {"slowdown_95", "95 % slowdown", ""},
    {"slowdown_most", "largest slowdown", ""},
    {"bounded_slowdown_mean", "mean bounded slowdown", ""},
    {"bounded_slowdown_median", "median bounded slowdown", ""},
    {"bounded_slowdown_95", "95 % bounded slowdown", ""},
    {"bounded_slowdown_most", "largest bounded slowdown", ""},
    {"jobs.*", NULL, NULL},
    {"view_nodes", NULL, ""},
    {"view_left_out", NULL, ""},
    {"view_neighbours_apart", NULL, "hops"},
    {"view_boxes", NULL, ""},
    {"view_size_*", NULL, ""},
    {"node_x", NULL, ""},
    {"node_y", NULL, ""},
    {"node_z", NULL, ""},
    {"node_a", NULL, ""},
    {"node_b", NULL, ""},
    {"node_c", NULL, ""},
};

static const struct row survey_rows[] = {
    {"nodes", NULL, ""},
    {"hosts", NULL, ""},
    {"switches", NULL, ""},
    {"links", NULL, ""},
    {"links_per_node", NULL, ""},
    {"io_nodes", NULL, ""},
    {"diameter", NULL, "hops"},
    {"diameter_any_link_dead", NULL, "hops"},
    {"diameter_any_node_dead", NULL, "hops"},
    {"mean_distance", NULL, "hops"},
    {"vcs_needed", NULL, ""},
    {"decrements_most", NULL, ""},
    {"bisection_bound", NULL, "links"},
    {"bisection_links", NULL, ""},
    {"disjoint_routes_least", NULL, ""},
    {"disjoint_mean_distance", NULL, "hops"},
    {"paths_between_groups_least", NULL, ""},
    {"paths_between_groups_most", NULL, ""},
    {"paths_within_a_group_least", NULL, ""},
    {"paths_within_a_group_most", NULL, ""},
    {"paths_apart_between_groups_least", NULL, ""},
    {"paths_apart_between_groups_most", NULL, ""},
    {"paths_apart_within_a_group_least", NULL, ""},
    {"paths_apart_within_a_group_most", NULL, ""},
    {"pairs_cut_by_a_node", NULL, ""},
    {"pairs_cut_by_a_board", NULL, ""},
    {"pairs_cut_by_a_group", NULL, ""},
};

/* The tables, and which runs have their figures: the words for a user who asks others for them. */
static const struct group {
    unsigned kind; /* 0: all runs */
    const char *runs, *remedy;
    const struct row *row;
    size_t rows;
} groups[] = {
#define ROWS(table) table, sizeof(table) / sizeof((table)[0])
    {0, "", "", ROWS(all_rows)},
    {METRIC_TRAFFIC, "runs of traffic", "name another by --metric, as `weft run` prints them",
     ROWS(traffic_rows)},
    {METRIC_DETAIL, "runs with run.detail", "add -s run.detail=true", ROWS(detail_rows)},
    {METRIC_MESSAGES, "runs of messages", "use a figure of packets, such as response_cycles.mean",
     ROWS(message_rows)},
    {METRIC_JOBS, "runs of jobs and views", "use a figure of traffic, such as link_utilisation",
     ROWS(job_rows)},
    {METRIC_SURVEY, "surveys (-w survey)", "use a figure of traffic, such as link_utilisation",
     ROWS(survey_rows)},
#undef ROWS
};
enum { GROUPS = sizeof(groups) / sizeof(groups[0]) };

/* Keys whose last word says too little. */
static const struct row key_rows[] = {
    {"workload.load", "offered load", "share of the bound"},
    {"workload.packet_bytes", "packet size", "bytes"},
    {"workload.message_bytes", "message size", "bytes"},
    {"machine.dims", "machine size", ""},
    {"machine.nodes", "nodes", ""},
    {"machine.graph", "graph", ""},
    {"run.seed", "seed", ""},
    {"jobs.load", "load", "share of the machine"},
    {"machine.link.bit_error_rate", "bit error rate", "errors per bit"},
};
enum { KEY_ROWS = sizeof(key_rows) / sizeof(key_rows[0]) };

static bool matches(const struct row *row, const char *name)
{
    size_t length = strlen(row->name);
    if (row->name[length - 1] != '*')
        return strcmp(row->name, name) == 0;
    return strncmp(row->name, name, length - 1) == 0 && name[length - 1];
}

/* The figures one after the other; NULL behind the last. */
static const struct row *row_at(size_t at, const struct group **of)
{
    for (*of = groups; *of < groups + GROUPS && at >= (*of)->rows; ++*of)
        at -= (*of)->rows;
    return *of < groups + GROUPS ? &(*of)->row[at] : NULL;
}

static const struct row *find(const char *name, const struct group **of)
{
    const struct row *row;
    for (size_t at = 0; (row = row_at(at, of)) && !matches(row, name);)
        at++;
    return row;
}

/* The next name at or behind *at that stands for itself alone. */
static const char *next_name(size_t *at, const struct group **of)
{
    const struct row *row;
    while ((row = row_at(*at, of)) && strchr(row->name, '*'))
        ++*at;
    ++*at;
    return row ? row->name : NULL;
}

const char *metric_name(size_t *at)
{
    const struct group *of;
    return next_name(at, &of);
}

/* A figure of one of several workloads, "parts.part_1.response_cycles.mean": what it is of that
 * part, and its number; of others, the name itself, and 0. */
static const char *of_part(const char *name, unsigned *number)
{
    int length = 0;
    *number = 0;
    if (sscanf(name, "parts.part_%4u.%n", number, &length) == 1 && length > 0)
        return name + length;
    *number = 0;
    return name;
}

static bool is_of_parts_alone(const char *figure)
{
    static const char *const names[] = {"nodes_left_out", "alone.sim_seconds",
                                        "alone.response_mean", "alone.slowdown"};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (strcmp(figure, names[i]) == 0)
            return true;
    return false;
}

/* The runs that have a figure; NULL: none has. */
static const struct group *runs_with(const char *name)
{
    static const struct group several = {METRIC_PARTS, "runs of several workloads",
                                         "use a figure of the whole run", NULL, 0};
    unsigned part;
    const char *figure = of_part(name, &part);
    const struct group *of;
    bool known = find(figure, &of) || (part && is_of_parts_alone(figure));
    return !known ? NULL : part ? &several : of;
}

bool metric_is_known(const char *name)
{
    return runs_with(name) != NULL;
}

/* The first figures of a group, "response_cycles.mean, response_cycles.p50"; 0: it is none. */
static size_t list_parts(const char *group, char *list, size_t size)
{
    enum { SHOWN = 3 };
    size_t parts = 0, length = 0;
    const char *known, *rest;
    for (size_t at = 0; (known = metric_name(&at)) && parts < SHOWN;)
        if ((rest = text_behind(known, group)) && *rest == '.')
            length = text_append(list, size, length, "%s%s", parts++ ? ", " : "", known);
    return parts;
}

static weft_status refuse_unknown(const char *name, unsigned kinds)
{
    struct suggestion suggestion = suggestion_for(name);
    const struct group *of;
    const char *known;
    char parts[200];
    if (list_parts(name, parts, sizeof(parts)))
        return BAD_PLACE(("--metric %.60s", name), ("it has several figures"),
                         ("use one of %s", parts));
    for (size_t at = 0; (known = next_name(&at, &of));)
        if (!of->kind || (of->kind & kinds))
            suggestion_offer(&suggestion, known);
    if ((kinds & METRIC_OWN) && !suggestion.best[0])
        return WEFT_OK;
    return suggestion_remedy(&suggestion,
                             BAD_PLACE(("--metric %.60s", name), ("no result has such a figure"),
                                       ("use one of a result file, such as link_utilisation or "
                                        "response_cycles.mean")));
}

weft_status metric_check(const char *name, unsigned kinds)
{
    const struct group *of = runs_with(name);
    if (!of)
        return refuse_unknown(name, kinds);
    if (!of->kind || (of->kind & kinds))
        return WEFT_OK;
    return BAD_PLACE(("--metric %.60s", name), ("only %s have this figure", of->runs),
                     ("%s", of->remedy));
}

unsigned metric_kinds(const struct config *c)
{
    const struct run_params *run = config_section(c, &run_section);
    const struct workload_params *w = config_section(c, &workload_section);
    if (w->pattern->kind == PATTERN_SURVEY)
        return METRIC_SURVEY;
    if (pattern_is_jobs(w->pattern))
        return METRIC_JOBS;
    unsigned kinds = METRIC_TRAFFIC | (run->detail ? METRIC_DETAIL : 0);
    if (machine_runs_messages(c))
        kinds |= METRIC_MESSAGES;
    if (w->pattern->kind == PATTERN_PARTS)
        kinds |= METRIC_PARTS;
    if (w->pattern->kind == PATTERN_MPI ||
        (w->pattern->kind == PATTERN_PARTS && machine_runs_messages(c)))
        kinds |= METRIC_OWN;
    return kinds;
}

/* ---- labels ---- */

/* Endings of names that say a unit; `whole`: they are part of what it is called, too. */
static const struct ending {
    const char *end, *unit;
    bool whole;
} endings[] = {
    {"_bytes_per_second", "B/s", false},
    {"_cycles", "cycles", false},
    {"_seconds", "s", false},
    {"_bytes", "bytes", false},
    {"_share", "share", true},
    {"_utilisation", "share of time", true},
};

/* The unit that a name ends in; NULL: none. *letters: how long the name is without it. */
static const char *unit_of(const char *name, size_t *letters)
{
    *letters = strlen(name);
    for (size_t i = 0; i < sizeof(endings) / sizeof(endings[0]); i++)
        if (text_ends(name, endings[i].end)) {
            *letters -= endings[i].whole ? 0 : strlen(endings[i].end);
            return endings[i].unit;
        }
    return NULL;
}

/* A name as words. */
static void spell(const char *name, size_t letters, char words[METRIC_LABEL])
{
    snprintf(words, METRIC_LABEL, "%.*s", (int)letters, name);
    for (char *c = words; *c; c++)
        *c = *c == '_' ? ' ' : *c;
}

static void label_of(const char *words, const char *unit, char label[METRIC_LABEL])
{
    if (unit && unit[0])
        snprintf(label, METRIC_LABEL, "%.60s (%.30s)", words, unit);
    else
        snprintf(label, METRIC_LABEL, "%.90s", words);
}

void metric_words(const char *name, char words[METRIC_LABEL])
{
    unsigned part;
    const char *figure = of_part(name, &part);
    const struct group *of;
    const struct row *row = find(figure, &of);
    size_t letters = strlen(figure);
    if (!row || !row->unit)
        unit_of(figure, &letters);
    spell(figure, letters, words);
    if (row && row->words)
        snprintf(words, METRIC_LABEL, "%s", row->words);
    if (part)
        text_append(words, METRIC_LABEL, strlen(words), " of part %u", part);
}

void metric_label(const char *name, char label[METRIC_LABEL])
{
    unsigned part;
    const char *figure = of_part(name, &part);
    const struct group *of;
    const struct row *row = find(figure, &of);
    char words[METRIC_LABEL];
    size_t letters;
    metric_words(name, words);
    label_of(words, row && row->unit ? row->unit : unit_of(figure, &letters), label);
}

static const struct row *find_key(const char *key)
{
    for (size_t i = 0; i < KEY_ROWS; i++)
        if (strcmp(key_rows[i].name, key) == 0)
            return &key_rows[i];
    return NULL;
}

void metric_key_words(const char *key, char words[METRIC_LABEL])
{
    const struct row *row = find_key(key);
    const char *dot = strrchr(key, '.'), *last = dot ? dot + 1 : key;
    size_t letters;
    unit_of(last, &letters);
    spell(last, letters, words);
    if (row)
        snprintf(words, METRIC_LABEL, "%s", row->words);
}

void metric_key_label(const char *key, const char *unit, char label[METRIC_LABEL])
{
    const struct row *row = find_key(key);
    char words[METRIC_LABEL];
    metric_key_words(key, words);
    label_of(words, row ? row->unit : unit, label);
}

/* ---- what goes with a figure ---- */

const char *metric_interval(const char *name)
{
    return strcmp(name, "response_cycles.mean") == 0 ? "response_cycles.mean_95_half_width" : NULL;
}

bool metric_needs_steady(const char *name)
{
    return strstr(name, "response_cycles") || strstr(name, "source_queueing_cycles") ||
           strstr(name, "network_cycles");
}
