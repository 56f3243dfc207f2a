/*
 * The pattern `goal`: every process is a rank of a trace in GOAL (trace/goal/goal.h), which is
 * replayed through the message layer (trace/goal/replay.h).
 */
#include "trace/goal/goal.h"

#include <stdlib.h>

#include "base/file/input.h"
#include "base/memory.h"
#include "trace/goal/open.h"
#include "trace/goal/replay.h"
#include "workload/workload.h"

/* The text of a trace is a file's, and complaints name it already. */
weft_status goal_count(struct workload *w, uint32_t *processes)
{
    const char *path = w->params.file;
    if (!path[0])
        return BAD_INPUT("workload.file workload.pattern", ("no trace is named"),
                         ("name a file in GOAL by workload.file"));
    TRY(input_lasts(path, "trace"));
    w->goal = memory_alloc(1, sizeof(*w->goal));
    TRY(goal_open(path, w->goal));
    uint32_t all = w->site->living * w->per_node;
    if (w->goal->ranks > all)
        return BAD_INPUT("workload.file workload.processes_per_node",
                         ("the trace %s has %u ranks, and %u nodes with %u process%s each make %u",
                          path, w->goal->ranks, w->site->living, w->per_node,
                          w->per_node == 1 ? "" : "es", all),
                         ("use a larger machine, or more workload.processes_per_node"));
    *processes = w->goal->ranks;
    return WEFT_OK;
}

weft_status goal_messages(struct workload *w)
{
    w->replay = replay_create(w->goal, w->params.compute_factor);
    w->own = replay_maker(w->replay);
    return WEFT_OK;
}

bool goal_has_letters(const struct workload *w)
{
    return w->goal && (w->goal->totals.tagged || w->goal->totals.largest > UINT32_MAX);
}

/* What a rank is at is a place in the file, which must be the same. */
void goal_archive(struct workload *w, struct archive *a)
{
    uint64_t hash;
    w->goal_hash = w->goal_hash ? w->goal_hash : input_hash(w->params.file);
    hash = w->goal_hash;
    archive_bytes(a, &hash, sizeof(hash));
    if (archive_has_read(a) && hash != w->goal_hash)
        archive_sound(a, "the trace has changed");
}

void goal_fini(struct workload *w)
{
    replay_destroy(w->replay);
    if (w->goal)
        goal_close(w->goal);
    free(w->goal);
}
