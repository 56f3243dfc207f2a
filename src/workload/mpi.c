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
#include "workload/workload.h"

/* A stack for programs that expect the system's; and for a very large number of them. */
enum { PROGRAM_PATH = DATA_PATH + CONFIG_TEXT + 16 };
enum { STACK_USUAL = 8 << 20, STACK_MANY = 1 << 20, MANY = 16384 };

/* The arguments as words, as a shell has them. */
static void cut_arguments(struct workload *w)
{
    const char *text = w->params.arguments;
    char *to = w->words = memory_alloc(2 * strlen(text) + 2, 1);
    w->task.argv = memory_alloc(strlen(text) + 2, sizeof(*w->task.argv));
    w->task.argv[w->task.argc++] = w->params.program;
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
weft_status mpi_try_outputs(const struct workload_params *p)
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

bool mpi_writes(const struct workload_params *p, const char *path)
{
    char log[CALL_LOG_PATH];
    if (p->pattern->messages != mpi_messages && p->pattern->messages != replay_messages)
        return false;
    return output_is_same(p->trace, path) || output_is_same(p->matrix, path) ||
           (p->trace[0] && call_log_path(p->trace, log) && output_is_same(log, path));
}

weft_status mpi_messages(struct workload *w)
{
    char path[PROGRAM_PATH];
    const struct workload_params *p = &w->params;
    TRY(program_check_collectives(w));
    TRY(find_program(p->program, path));
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
    w->task = world_program(w->world);
    w->task.argc = words.argc;
    w->task.argv = words.argv;
    w->task.stack_bytes = p->stack_bytes        ? p->stack_bytes
                          : w->processes > MANY ? STACK_MANY
                                                : STACK_USUAL;
    w->task.collectives = p->collectives;
    return WEFT_OK;
}
