/*
 * The pattern `replay`: every process does what a rank of an MPI program did, by a trace
 * (src/trace): through Weft's MPI, with its protocols and collective operations, on any machine.
 */
#include "base/file/input.h"
#include "base/memory.h"
#include "mpi/world.h"
#include "trace/format.h"
#include "trace/mpi_replay.h"
#include "workload/programs/mpi.h"

struct replay_params {
    double flops; /* operations of a trace per second; 0: one per processor cycle */
};

static const struct key rows[] = {
    {"workload.flops", KEY_REAL, offsetof(struct replay_params, flops), "1/s", "0", 0, 1e18,
     .help = "replay: operations of a trace's computation per second; 0: one per processor cycle",
     .before = "workload.program"},
};

static const struct key_section section = {sizeof(struct replay_params)};
static const struct key_table keys = {rows, sizeof(rows) / sizeof(rows[0]), &section};

struct replay_run {
    struct mpi_run_params params; /* first: as mpi_write() has it */
    struct mpi_replay *replay;    /* what ranks do */
};

/* What a rank needs: its program is an interpreter with few variables. */
enum { STACK_BYTES = 1 << 16 };

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
    const struct workload_params *p = &w->params;
    struct replay_run *run = w->state = memory_alloc(1, sizeof(*run));
    struct recording *recording = NULL;
    struct replay_params own;
    workload_own(w, &mpi_run_section, &run->params);
    workload_own(w, &section, &own);
    if (!p->file[0])
        return BAD_INPUT("workload.file workload.pattern", ("workload.file names no trace"),
                         ("give its path"));
    TRY(input_lasts(p->file, "trace"));
    TRY(trace_read(p->file, &recording));
    weft_status status = check_ranks(w, recording->ranks);
    if (status != WEFT_OK) {
        recording_destroy(recording);
        return status;
    }
    *processes = recording->ranks;
    run->replay = mpi_replay_create(recording, own.flops, run->params.compute_factor);
    return WEFT_OK;
}

static weft_status replay_messages(struct workload *w)
{
    const struct program_params *program = config_section(w->config, &program_section);
    struct replay_run *run = w->state;
    const struct mpi_run_params *p = &run->params;
    TRY(program_check_collectives(w, program->collectives));
    TRY(mpi_try_outputs(p));
    struct world_options o = {.path = w->params.file,
                              .body = &run->replay->body,
                              .part = w->site->part,
                              .processes = w->processes,
                              .per_node = w->per_node,
                              .cost = *w->site->mpi,
                              .trace = p->trace[0] != 0,
                              .matrix = p->matrix[0] != 0};
    TRY(world_create(&o, &w->world));
    w->task = world_program(w->world);
    w->task.stack_bytes = program->stack_bytes ? program->stack_bytes : STACK_BYTES;
    w->task.collectives = program->collectives;
    return WEFT_OK;
}

static void fini(struct workload *w)
{
    struct replay_run *run = w->state;
    world_destroy(w->world);
    mpi_replay_destroy(run->replay);
}

static uint64_t fingerprint(const struct config *c)
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
    .message_keys = "file flops stack_bytes collectives processes_per_node processes mapping "
                    "compute_factor trace matrix",
    .keys = &keys,
    .fini = fini,
    .fingerprint = fingerprint,
    .writes = mpi_writes,
    .write = mpi_write};
