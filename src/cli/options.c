/* The options, one row each: parser, help, manual and completion all follow from it. To add one is
 * to add its row here, and where its value is new, a member of struct cli_options. */
#include "cli/cli.h"

#include <float.h>
#include <stddef.h>
#include <string.h>

#include "base/text/number.h"
#include "base/text/text.h"

/* ---- how values are taken ---- */

/* Where an option's value is put. */
static void *member_of(struct cli_options *o, const struct cli_option *option)
{
    return (char *)o + option->member;
}

static weft_status take_text(struct cli_options *o, const struct cli_option *option,
                             const char *value)
{
    *(const char **)member_of(o, option) = value;
    return WEFT_OK;
}

static weft_status take_flag(struct cli_options *o, const struct cli_option *option,
                             const char *value)
{
    (void)value;
    *(bool *)member_of(o, option) = true;
    return WEFT_OK;
}

static weft_status refuse_value(const struct cli_option *option, const char *value)
{
    return BAD_INPUT(NULL, ("%s '%.60s' is not %s", option->name, value, option->is),
                     ("%s", option->remedy));
}

static bool read_count(const struct cli_option *option, const char *text, uint32_t *count)
{
    int64_t value;
    if (!number_integer(text, &value) || value < option->least || value > option->most)
        return false;
    *count = (uint32_t)value;
    return true;
}

static weft_status take_count(struct cli_options *o, const struct cli_option *option,
                              const char *value)
{
    return read_count(option, value, member_of(o, option)) ? WEFT_OK : refuse_value(option, value);
}

static weft_status take_real(struct cli_options *o, const struct cli_option *option,
                             const char *value)
{
    double *real = member_of(o, option);
    bool right = number_real(value, real) && *real >= option->least && *real <= option->most;
    return right ? WEFT_OK : refuse_value(option, value);
}

/* One number of threads, or several. */
static weft_status take_threads(struct cli_options *o, const struct cli_option *option,
                                const char *value)
{
    char list[256], *at = list, *word;
    size_t most = sizeof(o->team) / sizeof(o->team[0]);
    snprintf(list, sizeof(list), "%s", value);
    for (o->teams = 0; (word = strsep(&at, ","));) {
        if (o->teams == most || strlen(value) >= sizeof(list))
            return BAD_INPUT(NULL, ("-j '%.60s' is too long", value),
                             ("use at most %zu numbers", most));
        if (!read_count(option, word, &o->team[o->teams++]))
            return refuse_value(option, value);
    }
    o->threads = o->team[0];
    return WEFT_OK;
}

static weft_status add_setting(struct cli_options *o, const char *option, const char *key,
                               const char *value)
{
    if (o->sets == sizeof(o->set) / sizeof(o->set[0]))
        return BAD_INPUT(NULL, ("too many settings"), ("put them into a study file"));
    o->set[o->sets++] = (struct cli_setting){option, key, value};
    return WEFT_OK;
}

/* -s, or an option that is short for a key. */
static weft_status take_setting(struct cli_options *o, const struct cli_option *option,
                                const char *value)
{
    return add_setting(o, option->name, option->key, value);
}

static weft_status take_file(struct cli_options *o, const struct cli_option *option,
                             const char *value)
{
    return value[0] ? take_setting(o, option, value) : refuse_value(option, value);
}

/* A table of links or nodes, which are then measured one by one. */
static weft_status take_table(struct cli_options *o, const struct cli_option *option,
                              const char *value)
{
    TRY(take_text(o, option, value));
    return take_setting(o, option, "true");
}

static weft_status take_program(struct cli_options *o, const struct cli_option *option,
                                const char *value)
{
    TRY(add_setting(o, option->name, "workload.pattern", "program"));
    return take_setting(o, option, value);
}

/* With a hyphen or an underscore. */
static weft_status take_mode(struct cli_options *o, const struct cli_option *option,
                             const char *value)
{
    return take_setting(o, option, strcmp(value, "virtual-node") == 0 ? "virtual_node" : value);
}

static weft_status take_ranks(struct cli_options *o, const struct cli_option *option,
                              const char *value)
{
    TRY(take_count(o, option, value));
    return add_setting(o, "-np", option->key, value);
}

/* "measured=2.5" sets two keys. */
static weft_status take_compute(struct cli_options *o, const struct cli_option *option,
                                const char *value)
{
    const char *text = text_behind(value, "measured=");
    double factor;
    if (text && (!number_real(text, &factor) || !(factor >= 0) || factor > 1e9))
        return BAD_INPUT(NULL, ("--compute %.60s: '%.60s' is not a factor", value, text),
                         ("use a number from 0 to 1000000000"));
    TRY(take_setting(o, option, text ? "measured" : value));
    return text ? add_setting(o, option->name, "workload.compute_factor", text) : WEFT_OK;
}

static weft_status take_variable(struct cli_options *o, const struct cli_option *option,
                                 const char *value)
{
    enum { MOST = sizeof(o->variable) / sizeof(o->variable[0]) };
    (void)option;
    if (o->variables == MOST)
        return BAD_INPUT(NULL, ("too many variables"), ("use at most %d", MOST));
    o->variable[o->variables++] = value;
    return WEFT_OK;
}

static weft_status take_over(struct cli_options *o, const struct cli_option *option,
                             const char *value)
{
    (void)option;
    if (o->overs == SWEEP_AXES_MAX)
        return BAD_INPUT(NULL, ("too many keys to sweep over"), ("use at most %d", SWEEP_AXES_MAX));
    o->over[o->overs++] = value;
    return WEFT_OK;
}

static weft_status take_metric(struct cli_options *o, const struct cli_option *option,
                               const char *value)
{
    (void)option;
    if (o->metrics == CLI_METRICS_MAX)
        return BAD_INPUT(NULL, ("too many metrics"), ("use at most %d", CLI_METRICS_MAX));
    for (unsigned i = 0; i < o->metrics; i++)
        if (strcmp(o->metric[i], value) == 0)
            return BAD_INPUT(NULL, ("--metric %.60s is given twice", value), ("name each once"));
    o->metric[o->metrics++] = value;
    return WEFT_OK;
}

/* ---- the table ---- */

#define MEMBER(name) offsetof(struct cli_options, name)
#define TEXT(name)   .take = take_text, .member = MEMBER(name)
#define FLAG(name)   .take = take_flag, .member = MEMBER(name)
#define COUNT(name)  .take = take_count, .member = MEMBER(name)
#define REAL(name)   .take = take_real, .member = MEMBER(name)
#define KEY(name)    .take = take_setting, .key = name
#define FILE_NAME    .is = "a file name", .remedy = "name a file"
#define RANKS                                                                                      \
    .member = MEMBER(ranks), .key = "workload.processes", .least = 1, .most = UINT32_MAX,          \
    .is = "a number of ranks", .remedy = "use a whole number from 1"

/* What an option means to some commands only is a row of its own, after the one that speaks for
 * most. */
const struct cli_option cli_known_options[] = {
    {"-m", "MACHINE", "the machine: a name that `weft machines` lists, or a file",
     "run mpirun jobs goal sweep study check keys", TEXT(machine), .completes = CLI_MACHINES},
    {"-w", "PATTERN", "the workload's pattern; short for -s workload.pattern=PATTERN",
     "run sweep check", KEY("workload.pattern"), .completes = CLI_PATTERNS, .repeated = true},
    {"-p", "PROGRAM",
     "what every process runs: halo, wavefront, master, fft, boxes, transposes, collectives, or a "
     "shared object",
     "run sweep check", .take = take_program, .key = "workload.program"},
    {"-np", "RANKS", "how many ranks; short for -s workload.processes=RANKS", "mpirun",
     .take = take_ranks, RANKS},
    {"-n", "RANKS", "how many ranks (mpirun: the same as -np)", "mpirun goal", .take = take_ranks,
     RANKS},
    {"--np", "RANKS", "the same as -np", "mpirun", .take = take_ranks, RANKS},
    {"-map", "MAPPING",
     "of ranks to nodes: an order as XYZT, or a map file; short for -s workload.mapping=MAPPING",
     "mpirun", KEY("workload.mapping")},
    {"-mode", "MODE", "coprocessor or virtual-node: what a node's second processor does", "mpirun",
     .take = take_mode, .key = "machine.node.mode"},
    {"--compute", "HOW",
     "what computation takes: none, measured=FACTOR (host time, not reproducible) or counted",
     "mpirun", .take = take_compute, .key = "workload.compute"},
    {"--count", NULL, "the program counts its basic blocks, for `weft mpirun --compute counted`",
     "mpicc mpicxx mpif90", .take = NULL},
    {"-show", NULL,
     "print the compiler's command, and do not run it; so do -showme, -showme:compile, "
     "-showme:link, -compile_info and -link_info, as with other MPIs",
     "mpicc mpicxx mpif90", .take = NULL},
    {"-cc=", "NAME", "another compiler; -cxx= and -fc= mean the same", "mpicc mpicxx mpif90",
     .take = NULL},
    {"--trace", "FILE",
     "write a time line of all calls, which a browser's trace viewer opens (Perfetto, "
     "about:tracing), and beside it what ranks did, without times (.ti)",
     "mpirun", .take = take_file, .key = "workload.trace", FILE_NAME},
    {"--gdb", "RANK", "run under gdb, which stops in the main() of this rank", "mpirun",
     COUNT(debugged_rank), .most = CLI_NO_RANK - 1, .is = "a rank", .remedy = "use 0 or more"},
    {"--matrix", "FILE", "write what each rank sent to each other one, as CSV", "mpirun",
     .take = take_file, .key = "workload.matrix", FILE_NAME, .written = true},
    {"-x", "NAME=VALUE", "a variable of the environment of ranks. May be repeated", "mpirun",
     .take = take_variable, .repeated = true},
    {"--tag-output", NULL, "print the rank before each line of output", "mpirun", FLAG(tag_output)},
    {"--policy", "POLICY", "fcfs, easy or conservative backfill; short for -s jobs.policy=POLICY",
     "jobs", KEY("jobs.policy")},
    {"--shapes", "SHAPES",
     "boxes to try for a job: single, rotations, view, any, or scattered cells; short for -s "
     "jobs.shapes=SHAPES",
     "jobs", KEY("jobs.shapes")},
    {"--estimates", "WHOSE", "user or perfect; short for -s jobs.estimates=WHOSE", "jobs",
     KEY("jobs.estimates")},
    {"--load", "LOAD",
     "share of the machine that jobs ask for; 0: the log's own; short for -s jobs.load=LOAD",
     "jobs", KEY("jobs.load")},
    {"--binary", NULL, "write LogGOPSim's binary form, not text", "goal", FLAG(binary)},
    {"--convert", "FILE", "a trace to write in the other form", "goal", TEXT(convert)},
    {"--list", NULL, "list patterns and skeletons, with their keys and defaults", "goal",
     FLAG(list)},
    {"--links", "FILE.csv",
     "write what each link did, by virtual channel: utilisation, packets, queue, time without "
     "room; sets run.detail",
     "run mpirun resume", .take = take_table, .key = "run.detail", .member = MEMBER(links),
     .written = true},
    {"--nodes", "FILE.csv",
     "write what each node did: what it sent and received, how long its packets waited there, and "
     "the response of packets to it; sets run.detail",
     "run mpirun resume", .take = take_table, .key = "run.detail", .member = MEMBER(nodes),
     .written = true},
    {"--csv", "FILE", "write a table of all jobs to this file", "jobs", TEXT(csv), .written = true},
    {"--gantt", "FILE.svg", "draw the machine over time: which job had which nodes when", "jobs",
     TEXT(gantt), .written = true},
    {"--frames", "FILE.svg", "draw the machine in space, at twelve moments", "jobs", TEXT(frames),
     .written = true},
    {"-s", "KEY=VALUE", "set a key; `weft keys` lists them. May be repeated",
     "run mpirun jobs goal sweep study check show", .take = take_setting, .completes = CLI_KEYS,
     .repeated = true},
    {"--on", "NODES",
     "the nodes of the workload before it, as 0-63,70 or file:PATH or any place of workload.parts: "
     "several workloads run at once, each with the settings of workload.* that follow it",
     "run", KEY("on"), .repeated = true},
    {"--alone", NULL,
     "of several workloads, run each by itself too, and say how much longer it takes among the "
     "others",
     "run", FLAG(alone)},
    {"--seed", "N", "the seed of all random draws; short for -s run.seed=N",
     "run mpirun jobs goal sweep study check", KEY("run.seed")},
    {"-j", "NUMBER",
     "how many threads (run, resume, bench) or processes (sweep, study) work at the same time. "
     "Results do not depend on it",
     "run mpirun resume sweep study bench", .take = take_threads, .least = 1, .most = 4096,
     .is = "a number of threads", .remedy = "use 1 to 4096"},
    {"-o", "FILE",
     "write the result to this file, as JSON; -: to standard output, and the summary to standard "
     "error",
     "run mpirun jobs resume bench", TEXT(output), .written = true},
    {"-o", "NAME", "call the files weft-NAME.csv, weft-NAME.svg and .png, and the folder weft-NAME",
     "sweep", TEXT(output), .written = true},
    {"-o", "PAGE.html", "write the page to this file; -: to standard output", "view", TEXT(output),
     .written = true},
    {"-o", "FILE.csv",
     "write all figures to this file, as CSV; -: to standard output, and what is printed to "
     "standard error",
     "compare", TEXT(output), .written = true},
    {"-o", "FILE", "write the trace to this file, not to standard output", "goal", TEXT(output),
     .written = true},
    {"-q", NULL,
     "no progress bar or lines; a run or a sweep prints nothing but errors, a comparison nothing, "
     "a study its tables",
     "run mpirun jobs resume sweep compare study", FLAG(quiet)},
    {"--check", NULL, "verify the simulator's invariants while it runs", "run mpirun jobs resume",
     FLAG(check)},
    {"--checkpoint", "FILE",
     "write the state of the run to this file from time to time, and when it is interrupted",
     "run resume", TEXT(checkpoint)},
    {"--every", "SECONDS", "time between checkpoints; 60 by default", "run resume", REAL(every),
     .least = DBL_MIN, .most = 1e6, .is = "a time",
     .remedy = "use seconds, above 0 and up to 1000000"},
    {"--over", "KEY=V1,V2,...",
     "values to sweep over; separate them by semicolons if they have commas", "sweep",
     .take = take_over, .completes = CLI_KEYS, .repeated = true},
    {"--metric", "NAME",
     "what the sweep tabulates and plots: a number in the result, link_utilisation by default. May "
     "be repeated",
     "sweep", .take = take_metric, .completes = CLI_METRICS, .repeated = true},
    {"--seeds", "N", "run each combination with N seeds; the mean and its 95 % interval are shown",
     "sweep", COUNT(seeds), .least = 1, .most = SWEEP_SEEDS_MAX, .is = "a number of seeds",
     .remedy = "use 1 to 100"},
    {"--find-saturation", NULL,
     "find, for each curve, the largest load that is still steady; without --over of a load, "
     "workload.load is swept from 0.1 to 1",
     "sweep", FLAG(find_saturation)},
    {"--precision", "SHARE", "how near the load is found by --find-saturation; 0.01 by default",
     "sweep", REAL(precision), .least = 0.0001, .most = 0.5, .is = "a share of the load",
     .remedy = "use 0.0001 to 0.5, as 0.01"},
    {"--log-x", NULL, "logarithmic x axis", "sweep", FLAG(log_x)},
    {"--log-y", NULL, "logarithmic y axis", "sweep", FLAG(log_y)},
    {"--title", "TEXT", "the title of the plots", "sweep", TEXT(title)},
    {"--full", NULL, "run the study in the size of the paper, not in a small one", "sweep study",
     FLAG(full)},
    {"--repeat", "PASSES", "measure each row this many times and keep the fastest", "bench",
     COUNT(repeat), .least = 1, .most = 1000, .is = "a number of passes",
     .remedy = "use 1 to 1000"},
};
const size_t cli_known_option_count = sizeof(cli_known_options) / sizeof(cli_known_options[0]);

const struct cli_option *cli_option_of(const struct cli_command *command, const char *name)
{
    for (size_t i = 0; i < cli_known_option_count; i++)
        if (strcmp(cli_known_options[i].name, name) == 0 &&
            (!command || text_has_word(cli_known_options[i].commands, command->name)))
            return &cli_known_options[i];
    return NULL;
}

bool cli_same_thing(const char *a, const char *b)
{
    return strcmp(a, b) == 0 || (cli_option_of(NULL, a)->take == take_ranks &&
                                 cli_option_of(NULL, b)->take == take_ranks);
}
