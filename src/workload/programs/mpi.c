/*
 * The pattern `mpi`: every process is a rank of an MPI program, an executable file that was built
 * for any MPI with the standard ABI (src/mpi).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/file/output.h"
#include "base/text/text.h"
#include "config/data.h"
#include "mpi/observe/call_log.h"
#include "mpi/world.h"
#include "workload/programs/mpi.h"

#define AT(field) offsetof(struct mpi_run_params, field)

static const char *const computes[] = {"none", "measured", "counted", NULL};

static const struct key rows[] = {
    {"workload.compute", KEY_CHOICE, AT(compute), "", "none", .choices = computes,
     .help = "mpi: what computation between calls takes: nothing, as long as on this computer, or "
             "by the basic blocks that `weft mpicc --count` counts",
     .before = "workload.mapping"},
    {"workload.compute_factor", KEY_REAL, AT(compute_factor), "", "1", 0, 1e9,
     .help = "mpi, compute = measured: simulated seconds per second of this computer; goal: per "
             "second of a calc; replay: per second of computation by the trace",
     .before = "workload.mapping"},
    {"workload.trace", KEY_TEXT, AT(trace), "", "",
     .help = "mpi: a file for the time line of all calls, which a browser's trace viewer opens; "
             "beside it what ranks did, without times, as a .ti file",
     .before = "workload.mapping"},
    {"workload.matrix", KEY_TEXT, AT(matrix), "", "",
     .help = "mpi: a CSV file for what each rank sent to each other one",
     .before = "workload.mapping"},
    {"workload.tag_output", KEY_BOOL, AT(tag_output), "", "false",
     .help = "mpi: every line that a rank prints begins with its number",
     .before = "workload.mapping"},
};

const struct key_section mpi_run_section = {sizeof(struct mpi_run_params)};
const struct key_table mpi_run_keys = {rows, sizeof(rows) / sizeof(rows[0]), &mpi_run_section};

struct mpi_run {
    struct mpi_run_params params; /* first: as mpi_write() has it */
    struct program_params program;
    char *words; /* of its arguments */
};

/* A stack for programs that expect the system's; and for a very large number of them. */
enum { PROGRAM_PATH = DATA_PATH + CONFIG_TEXT + 16 };
enum { STACK_USUAL = 8 << 20, STACK_MANY = 1 << 20, MANY = 16384 };

/* The arguments as words, as a shell has them. */
static void cut_arguments(struct workload *w)
{
    struct mpi_run *run = w->state;
    const char *text = run->program.arguments;
    char *to = run->words = memory_alloc(2 * strlen(text) + 2, 1);
    w->task.argv = memory_alloc(strlen(text) + 2, sizeof(*w->task.argv));
    w->task.argv[w->task.argc++] = run->program.program;
    for (size_t at = strspn(text, TEXT_BLANKS); text[at]; at += strspn(text + at, TEXT_BLANKS)) {
        w->task.argv[w->task.argc++] = to;
        at = text_word(text, at, to);
        to += strlen(to) + 1;
    }
}

/* A path; or the name of a program that comes with Weft. */
static weft_status find_program(const char *name, char path[PROGRAM_PATH])
{
    char folder[DATA_PATH];
    snprintf(path, PROGRAM_PATH, "%s", name);
    if (strchr(name, '/') || access(name, F_OK) == 0)
        return WEFT_OK;
    if (data_mpi(folder)) {
        snprintf(path, PROGRAM_PATH, "%s/programs/%s", folder, name);
        if (access(path, F_OK) == 0)
            return WEFT_OK;
    }
    return BAD_INPUT("workload.program", ("there is no program '%.60s'", name),
                     ("give a path, or one of pingpong, exchange, grid, collective"));
}

/* What the run is to write can be written, before hours are spent on it. */
weft_status mpi_try_outputs(const struct mpi_run_params *p)
{
    char log[CALL_LOG_PATH];
    bool both = p->trace[0] && call_log_path(p->trace, log);
    weft_status status = p->trace[0] ? output_try(p->trace) : WEFT_OK;
    if (status == WEFT_OK && both)
        status = output_try(log);
    if (status == WEFT_OK && p->matrix[0])
        status = output_try(p->matrix);
    if (status != WEFT_OK)
        return status;
    if (both && output_is_same(p->trace, log))
        return BAD_INPUT("workload.trace", ("its trace without times would be the same file"),
                         ("use another name"));
    if (output_is_same(p->trace, p->matrix) || (both && output_is_same(log, p->matrix)))
        return BAD_INPUT("workload.trace workload.matrix",
                         ("the trace and the matrix would be the same file"), ("use two"));
    return WEFT_OK;
}

bool mpi_names(const struct mpi_run_params *p, const char *path)
{
    char log[CALL_LOG_PATH];
    return output_is_same(p->trace, path) || output_is_same(p->matrix, path) ||
           (p->trace[0] && call_log_path(p->trace, log) && output_is_same(log, path));
}

bool mpi_writes(const struct config *c, const char *path)
{
    return mpi_names(config_section(c, &mpi_run_section), path);
}

weft_status mpi_write(const struct workload *w)
{
    const struct mpi_run_params *p = w->state;
    weft_status status = p->trace[0] ? world_trace(w->world, p->trace) : WEFT_OK;
    return status == WEFT_OK && p->matrix[0] ? world_matrix(w->world, p->matrix) : status;
}

static weft_status mpi_messages(struct workload *w)
{
    char path[PROGRAM_PATH];
    struct mpi_run *run = w->state = memory_alloc(1, sizeof(*run));
    const struct mpi_run_params *p = &run->params;
    workload_own(w, &mpi_run_section, &run->params);
    workload_own(w, &program_section, &run->program);
    TRY(program_check_collectives(w, run->program.collectives));
    TRY(find_program(run->program.program, path));
    TRY(mpi_try_outputs(p));
    cut_arguments(w);
    struct task_program words = w->task;
    struct world_options o = {.path = path,
                              .argc = words.argc,
                              .argv = words.argv,
                              .part = w->site->part,
                              .processes = w->processes,
                              .per_node = w->per_node,
                              .cost = *w->site->mpi,
                              .compute = p->compute,
                              .compute_factor = p->compute_factor,
                              .tag_output = p->tag_output,
                              .trace = p->trace[0] != 0,
                              .matrix = p->matrix[0] != 0};
    TRY(world_create(&o, &w->world));
    uint32_t stack = run->program.stack_bytes;
    w->task = world_program(w->world);
    w->task.argc = words.argc;
    w->task.argv = words.argv;
    w->task.stack_bytes = stack ? stack : w->processes > MANY ? STACK_MANY : STACK_USUAL;
    w->task.collectives = run->program.collectives;
    return WEFT_OK;
}

static void fini(struct workload *w)
{
    struct mpi_run *run = w->state;
    world_destroy(w->world);
    free(w->task.argv);
    free(run->words);
}

const struct pattern mpi_pattern = {
    .name = "mpi",
    .kind = PATTERN_MPI,
    .messages = mpi_messages,
    .message_keys = "program arguments stack_bytes collectives processes_per_node processes "
                    "mapping compute compute_factor tag_output trace matrix",
    .keys = &mpi_run_keys,
    .fini = fini,
    .fingerprint = program_fingerprint,
    .describe = program_describe,
    .writes = mpi_writes,
    .write = mpi_write};
