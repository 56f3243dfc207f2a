/*
 * The pattern `goal`: every process is a rank of a trace in GOAL (trace/goal/goal.h), which is
 * replayed through the message layer (trace/goal/replay.h).
 */
#include "base/file/input.h"
#include "base/memory.h"
#include "workload/programs/programs.h"

const struct goal_run *goal_run_of(const struct workload *w)
{
    return w->pattern == &goal_pattern ? w->state : NULL;
}

/* The text of a trace is a file's, and complaints name it already. */
static weft_status goal_count(struct workload *w, uint32_t *processes)
{
    const char *path = w->params.file;
    if (!path[0])
        return BAD_INPUT("workload.file workload.pattern", ("no trace is named"),
                         ("name a file in GOAL by workload.file"));
    TRY(input_lasts(path, "trace"));
    struct goal_run *run = w->state = memory_alloc(1, sizeof(*run));
    TRY(goal_open(path, &run->goal));
    uint32_t all = w->site->living * w->per_node;
    if (run->goal.ranks > all)
        return BAD_INPUT("workload.file workload.processes_per_node",
                         ("the trace %s has %u ranks, and %u nodes with %u process%s each make %u",
                          path, run->goal.ranks, w->site->living, w->per_node,
                          w->per_node == 1 ? "" : "es", all),
                         ("use a larger machine, or more workload.processes_per_node"));
    *processes = run->goal.ranks;
    return WEFT_OK;
}

static weft_status goal_ranks(const char *path, uint32_t *ranks)
{
    struct goal goal;
    TRY(input_lasts(path, "trace"));
    TRY(goal_open(path, &goal));
    *ranks = goal.ranks;
    goal_close(&goal);
    return WEFT_OK;
}

static weft_status goal_messages(struct workload *w)
{
    const struct mpi_run_params *p = config_section(w->config, &mpi_run_section);
    struct goal_run *run = w->state;
    run->replay = replay_create(&run->goal, p->compute_factor);
    w->own = replay_maker(run->replay);
    w->letters = run->goal.totals.tagged || run->goal.totals.largest > UINT32_MAX;
    return WEFT_OK;
}

/* What a rank is at is a place in the file, which must be the same. */
static void goal_archive(struct workload *w, struct archive *a)
{
    struct goal_run *run = w->state;
    run->hash = run->hash ? run->hash : input_hash(w->params.file);
    uint64_t hash = run->hash;
    archive_bytes(a, &hash, sizeof(hash));
    if (archive_has_read(a) && hash != run->hash)
        archive_sound(a, "the trace has changed");
}

static void goal_fini(struct workload *w)
{
    struct goal_run *run = w->state;
    replay_destroy(run->replay);
    goal_close(&run->goal);
}

const struct pattern goal_pattern = {.name = "goal",
                                     .kind = PATTERN_TRACE,
                                     .from_file = true,
                                     .count = goal_count,
                                     .ranks = goal_ranks,
                                     .message_work = "trace {file}, replayed",
                                     .messages = goal_messages,
                                     .message_keys =
                                         "file compute_factor processes_per_node mapping",
                                     .keys = &mpi_run_keys,
                                     .fini = goal_fini,
                                     .archive = goal_archive};
