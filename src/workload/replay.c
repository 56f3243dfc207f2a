/*
 * The pattern `replay`: every process does what a rank of an MPI program did, by a trace
 * (src/trace): through Weft's MPI, with its protocols and collective operations, on any machine.
 */
#include "base/file/input.h"
#include "mpi/world.h"
#include "trace/format.h"
#include "trace/mpi_replay.h"
#include "workload/workload.h"

/* What a rank needs: its program is an interpreter with few variables. */
enum { STACK_BYTES = 1 << 16 };

uint64_t replay_hash(const struct workload_params *p)
{
    return trace_hash(p->file);
}

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

weft_status replay_open(struct workload *w, uint32_t *processes)
{
    const struct workload_params *p = &w->params;
    struct recording *recording = NULL;
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
    w->mpi_replay = mpi_replay_create(recording, p->flops, p->compute_factor);
    return WEFT_OK;
}

weft_status replay_messages(struct workload *w)
{
    const struct workload_params *p = &w->params;
    TRY(program_check_collectives(w));
    TRY(mpi_try_outputs(p));
    struct world_options o = {.path = p->file,
                              .body = &w->mpi_replay->body,
                              .part = w->site->part,
                              .processes = w->processes,
                              .per_node = w->per_node,
                              .cost = *w->site->mpi,
                              .trace = p->trace[0] != 0,
                              .matrix = p->matrix[0] != 0};
    TRY(world_create(&o, &w->world));
    w->task = world_program(w->world);
    w->task.stack_bytes = p->stack_bytes ? p->stack_bytes : STACK_BYTES;
    w->task.collectives = p->collectives;
    return WEFT_OK;
}
