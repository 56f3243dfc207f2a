/*
 * Ranks of an MPI program.
 *
 *   mpi      they run an executable file that was built for any MPI with the standard ABI (src/mpi)
 *   replay   they do what a trace says (src/trace): through Weft's MPI, with its protocols and
 *            collective operations, on any machine
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/file/input.h"
#include "base/file/output.h"
#include "base/memory.h"
#include "base/text/text.h"
#include "config/data.h"
#include "mpi/observe/call_log.h"
#include "mpi/world.h"
#include "trace/format.h"
#include "trace/mpi_replay.h"
#include "workload/programs/programs.h"

#define AT(field) offsetof(struct mpi_run_params, field)

static const char *const computes[] = {"none", "measured", "counted", NULL};
static const char *const type_checks[] = {"no", "values", "all", NULL};

/* ---- the date ---- */

/* Whether a day and a time are on the calendar; timegm() has carried what is not over. */
static bool is_same_moment(const struct tm *given, const struct tm *carried)
{
    return given->tm_mday == carried->tm_mday && given->tm_mon == carried->tm_mon &&
           given->tm_hour == carried->tm_hour && given->tm_min == carried->tm_min &&
           given->tm_sec == carried->tm_sec;
}

/* A moment in UTC, in seconds since 1970; false: the text is none. */
static bool read_date(const char *text, int64_t *seconds)
{
    struct tm date = {.tm_isdst = 0};
    const char *rest = strptime(text, "%Y-%m-%d", &date);
    if (rest && *rest)
        rest = strptime(rest, "T%H:%M:%S", &date);
    if (!rest || *rest)
        return false;
    struct tm given = date;
    *seconds = timegm(&date);
    return is_same_moment(&given, &date);
}

static weft_status parse_date(const struct key *key, const char *text, void *field)
{
    int64_t seconds = time(NULL);
    if (strcmp(text, "now") != 0 && !read_date(text, &seconds))
        return BAD_INPUT(NULL, ("%s = '%.60s' is no date", key->name, text),
                         ("use one like 2005-01-01 or 2005-01-01T12:00:00, or now"));
    *(int64_t *)field = seconds;
    return WEFT_OK;
}

static void print_date(const struct key *key, const void *field, char text[CONFIG_TEXT])
{
    time_t seconds = (time_t) * (const int64_t *)field;
    struct tm date;
    (void)key;
    gmtime_r(&seconds, &date);
    strftime(text, CONFIG_TEXT, seconds % 86400 ? "%Y-%m-%dT%H:%M:%S" : "%Y-%m-%d", &date);
}

static const struct key_format date_format = {parse_date, print_date};

static const struct key rows[] = {
    {"workload.compute", KEY_CHOICE, AT(compute), "", "none", .choices = computes,
     .help = "mpi: what computation between calls takes: nothing, as long as on this computer, or "
             "by the basic blocks that `weft mpicc --count` counts",
     .before = "workload.mapping"},
    {"workload.compute_factor", KEY_REAL, AT(compute_factor), "", "1", 0, 1e9,
     .help = "mpi, compute = measured: simulated seconds per second of this computer; goal: per "
             "second of a calc; replay: per second of computation by the trace",
     .before = "workload.mapping"},
    {"workload.check_types", KEY_CHOICE, AT(check_types), "", "values", .choices = type_checks,
     .help = "mpi: values that are received must be those that were sent: not checked, only as far "
             "as integers, reals and their sizes go, or all as MPI has it",
     .before = "workload.mapping"},
    {"workload.trace", KEY_TEXT, AT(trace), "", "",
     .help = "mpi: a file for the time line of all calls, which a browser's trace viewer opens; "
             "beside it what ranks did, without times, as a .ti file",
     .before = "workload.mapping"},
    {"workload.matrix", KEY_TEXT, AT(matrix), "", "",
     .help = "mpi: a CSV file for what each rank sent to each other one",
     .before = "workload.mapping"},
    {"workload.date", KEY_OTHER, AT(date), "", "2005-01-01", .format = &date_format,
     .help = "mpi: the date and time (UTC) at which the clocks of ranks begin; now: of this "
             "computer",
     .before = "workload.mapping"},
    {"workload.environment", KEY_TEXT, AT(environment), "", "",
     .help = "mpi: variables of the program's environment, as NAME=VALUE, beside this computer's",
     .before = "workload.mapping"},
    {"workload.more_programs", KEY_TEXT, AT(more_programs), "", "",
     .help = "mpi: programs that the last of the processes run, each as `: RANKS [NAME=VALUE]... "
             "PROGRAM [ARGUMENT]...`; the first ones run workload.program",
     .before = "workload.mapping"},
    {"workload.tag_output", KEY_BOOL, AT(tag_output), "", "false",
     .help = "mpi: every line that a rank prints begins with its number",
     .before = "workload.mapping"},
};

const struct key_section mpi_run_section = {sizeof(struct mpi_run_params)};
const struct key_table mpi_run_keys = {rows, sizeof(rows) / sizeof(rows[0]), &mpi_run_section};

struct mpi_run {
    struct mpi_run_params params;
    struct program_params program;
    struct mpi_programs programs; /* mpi */
    struct mpi_replay *replay;    /* replay: what ranks do */
};

static struct mpi_run *run_begin(struct workload *w)
{
    struct mpi_run *run = w->state = memory_alloc(1, sizeof(*run));
    workload_own(w, &mpi_run_section, &run->params);
    workload_own(w, &program_section, &run->program);
    return run;
}

/* ---- what a run writes ---- */

/* What the run is to write can be written, before hours are spent on it. */
static weft_status try_outputs(const struct mpi_run_params *p)
{
    char log[CALL_LOG_PATH];
    bool both = p->trace[0] && call_log_path(p->trace, log);
    if (p->trace[0])
        TRY(output_try(p->trace));
    if (both)
        TRY(output_try(log));
    if (p->matrix[0])
        TRY(output_try(p->matrix));
    if (both && output_is_same(p->trace, log))
        return BAD_INPUT("workload.trace", ("its trace without times would be the same file"),
                         ("use another name"));
    if (output_is_same(p->trace, p->matrix) || (both && output_is_same(log, p->matrix)))
        return BAD_INPUT("workload.trace workload.matrix",
                         ("the trace and the matrix would be the same file"), ("use two"));
    return WEFT_OK;
}

static bool mpi_writes(const struct config *c, const char *path)
{
    const struct mpi_run_params *p = config_section(c, &mpi_run_section);
    char log[CALL_LOG_PATH];
    return output_is_same(p->trace, path) || output_is_same(p->matrix, path) ||
           (p->trace[0] && call_log_path(p->trace, log) && output_is_same(log, path));
}

static weft_status mpi_write(const struct workload *w)
{
    const struct mpi_run_params *p = &((const struct mpi_run *)w->state)->params;
    if (p->trace[0])
        TRY(world_trace(w->world, p->trace));
    return p->matrix[0] ? world_matrix(w->world, p->matrix) : WEFT_OK;
}

/* ---- the world ---- */

/* Makes the world of a run; `o` has what mpi and replay differ in. */
static weft_status make_world(struct workload *w, struct world_options *o, uint32_t stack_bytes)
{
    const struct mpi_run *run = w->state;
    TRY(try_outputs(&run->params));
    TRY(workload_order_processes(w));
    o->part = w->site->part;
    o->processes = w->processes;
    o->per_node = w->per_node;
    o->cost = *w->site->mpi;
    o->io = *w->site->io_nodes;
    o->trace = run->params.trace[0] != 0;
    o->matrix = run->params.matrix[0] != 0;
    TRY(world_create(o, &w->world));
    w->task = world_program(w->world);
    w->task.stack_bytes = run->program.stack_bytes ? run->program.stack_bytes : stack_bytes;
    w->task.collectives = run->program.collectives;
    return WEFT_OK;
}

static void mpi_fini(struct workload *w)
{
    struct mpi_run *run = w->state;
    world_destroy(w->world);
    mpi_replay_destroy(run->replay);
    mpi_programs_drop(&run->programs);
}

/* ---- mpi ---- */

/* A stack for programs that expect the system's; and for a very large number of them. */
enum { STACK_USUAL = 8 << 20, STACK_MANY = 1 << 20, MANY = 16384 };

static weft_status mpi_messages(struct workload *w)
{
    struct mpi_run *run = run_begin(w);
    TRY(program_check_collectives(w, run->program.collectives));
    TRY(mpi_programs_read(w->config, w->processes, &run->programs));
    struct world_options o = {.program = run->programs.item,
                              .programs = run->programs.count,
                              .compute = run->params.compute,
                              .compute_factor = run->params.compute_factor,
                              .check_types = run->params.check_types,
                              .date = run->params.date,
                              .tag_output = run->params.tag_output};
    return make_world(w, &o, w->processes > MANY ? STACK_MANY : STACK_USUAL);
}

static uint64_t mpi_fingerprint(const struct config *c)
{
    uint64_t hash = program_fingerprint(c);
    struct mpi_programs programs;
    if (mpi_programs_read(c, UINT32_MAX, &programs) != WEFT_OK)
        return hash;
    for (uint32_t i = 1; i < programs.count; i++)
        hash = 31 * hash + input_hash(programs.item[i].path);
    mpi_programs_drop(&programs);
    return hash;
}

const struct pattern mpi_pattern = {
    .name = "mpi",
    .kind = PATTERN_MPI,
    .messages = mpi_messages,
    .message_keys = "program arguments stack_bytes collectives order processes_per_node processes "
                    "mapping compute compute_factor check_types date environment more_programs "
                    "tag_output trace "
                    "matrix",
    .keys = &mpi_run_keys,
    .fini = mpi_fini,
    .fingerprint = mpi_fingerprint,
    .message_work = "{who} of the MPI program {program} {arguments} {more_programs}",
    .describe = program_describe,
    .writes = mpi_writes,
    .write = mpi_write};

/* ---- replay ---- */

struct replay_params {
    double flops; /* operations of a trace per second; 0: one per processor cycle */
};

static const struct key replay_rows[] = {
    {"workload.flops", KEY_REAL, offsetof(struct replay_params, flops), "1/s", "0", 0, 1e18,
     .help = "replay: operations of a trace's computation per second; 0: one per processor cycle",
     .before = "workload.program"},
};

static const struct key_section replay_section = {sizeof(struct replay_params)};
static const struct key_table replay_keys = {replay_rows, 1, &replay_section};

/* What a rank needs: its program is an interpreter with few variables. */
enum { REPLAY_STACK = 1 << 16 };

static weft_status check_ranks(const struct workload *w, uint32_t ranks)
{
    const struct workload_params *p = &w->params;
    uint32_t most = w->site->living * w->per_node;
    if (ranks > most)
        return BAD_INPUT(
            "workload.file workload.processes_per_node",
            ("%s has %u ranks, and the machine room for %u processes", p->file, ranks, most),
            ("use a larger machine, or more workload.processes_per_node"));
    if (p->processes && p->processes != ranks)
        return BAD_INPUT(
            "workload.processes workload.file",
            ("workload.processes = %u, and %s has %u ranks", p->processes, p->file, ranks),
            ("leave it out"));
    return WEFT_OK;
}

static weft_status replay_open(struct workload *w, uint32_t *processes)
{
    const char *path = w->params.file;
    const struct replay_params *own = config_section(w->config, &replay_section);
    struct mpi_run *run = run_begin(w);
    struct recording *recording = NULL;
    if (!path[0])
        return BAD_INPUT("workload.file workload.pattern", ("workload.file names no trace"),
                         ("give its path"));
    TRY(input_lasts(path, "trace"));
    TRY(trace_read(path, &recording));
    *processes = recording->ranks;
    run->replay = mpi_replay_create(recording, own->flops, run->params.compute_factor);
    return check_ranks(w, recording->ranks);
}

static weft_status replay_ranks(const char *path, uint32_t *ranks)
{
    struct recording *recording = NULL;
    TRY(input_lasts(path, "trace"));
    TRY(trace_read(path, &recording));
    *ranks = recording->ranks;
    recording_destroy(recording);
    return WEFT_OK;
}

static weft_status replay_messages(struct workload *w)
{
    struct mpi_run *run = w->state;
    struct world_options o = {.body = &run->replay->body};
    TRY(program_check_collectives(w, run->program.collectives));
    return make_world(w, &o, REPLAY_STACK);
}

static uint64_t replay_fingerprint(const struct config *c)
{
    const struct workload_params *p = config_workload(c);
    return workload_map_hash(p) ^ trace_hash(p->file);
}

const struct pattern replay_pattern = {
    .name = "replay",
    .alias = "ti",
    .kind = PATTERN_TRACE,
    .messages = replay_messages,
    .from_file = true,
    .count = replay_open,
    .ranks = replay_ranks,
    .message_work = "trace {file}, replayed",
    .message_keys = "file flops stack_bytes collectives order processes_per_node processes mapping "
                    "compute_factor trace matrix",
    .keys = &replay_keys,
    .fini = mpi_fini,
    .fingerprint = replay_fingerprint,
    .writes = mpi_writes,
    .write = mpi_write};
