/* Who computes which result of a batch. */
#include "study/batch.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/file/output.h"
#include "engine/ranks.h"

/* ---- names of results ---- */

/* Whether there is a whole result of this configuration; another, whatever it is called, is
 * computed again. */
static bool has_result(const char *path, const struct config *c)
{
    struct yaml y;
    if (access(path, R_OK) != 0 || yaml_load(path, &y) != WEFT_OK)
        return false;
    bool whole = yaml_get(&y, "digest") && machine_is_of(c, &y);
    yaml_fini(&y);
    return whole;
}

/* Removes what earlier batches were writing when they were killed, "3f9c0a7be1d24c55.json.part". */
static void clean_folder(const char *folder)
{
    enum { DIGITS = 16 };
    char path[4300];
    DIR *d = opendir(folder);
    for (struct dirent *e; d && (e = readdir(d));)
        if (strspn(e->d_name, "0123456789abcdef") == DIGITS &&
            strcmp(e->d_name + DIGITS, ".json" OUTPUT_PART) == 0 &&
            snprintf(path, sizeof(path), "%s/%.*s.json", folder, DIGITS, e->d_name) <
                (int)sizeof(path))
            output_clean(path);
    if (d)
        closedir(d);
}

static weft_status make_folder(const char *folder)
{
    struct stat there;
    bool made = mkdir(folder, 0777) == 0;
    if (!made && errno == EEXIST && stat(folder, &there) == 0 && !S_ISDIR(there.st_mode))
        return BAD_PLACE(("%s", folder), ("is a file, where results are to be in a folder"),
                         ("rename it, or start elsewhere"));
    if (!made && (errno != EEXIST || access(folder, W_OK | X_OK) != 0))
        return BAD_PLACE(("%s", folder), ("%s", strerror(errno)), ("start it where you may write"));
    return WEFT_OK;
}

static weft_status name_results(struct batch_item *item, size_t items, const char *folder)
{
    TRY(make_folder(folder));
    clean_folder(folder);
    for (size_t i = 0; i < items; i++) {
        if (item[i].failed)
            continue; /* it has no configuration */
        snprintf(item[i].path, sizeof(item[i].path), "%s/%016llx.json", folder,
                 (unsigned long long)machine_result_hash(&item[i].config));
        item[i].done = has_result(item[i].path, &item[i].config);
    }
    return WEFT_OK;
}

/* ---- workers ---- */

struct batch {
    struct batch_item *item;
    size_t items;
    const struct batch_options *o;
    struct worker *worker; /* this rank's, then those of the others in turn */
    size_t workers, here;  /* of all ranks; of this one */
    bool *taken;           /* [item]: it is being computed, or was */
    bool alone;            /* a large run has all of this computer */
};

/* Long runs start first. */
static double weight(const struct batch_item *item)
{
    return item->failed ? 0 : machine_weight(&item->config);
}

static size_t heaviest_waiting(const struct batch *b)
{
    size_t best = b->items;
    for (size_t i = 0; i < b->items; i++)
        if (!b->item[i].done && !b->taken[i] &&
            (best == b->items || weight(&b->item[i]) > weight(&b->item[best])))
            best = i;
    return best;
}

static weft_status start(struct batch *b, struct worker *w, size_t index, uint32_t threads)
{
    const struct batch_item *item = &b->item[index];
    b->taken[index] = true;
    if (w->rank == 0)
        return worker_start(w, index,
                            &(struct worker_task){&item->config, item->path, b->o->text, threads});
    w->item = index;
    w->busy = true;
    w->since = clock_seconds();
    station_order(w->rank, index, &item->config, threads);
    return WEFT_OK;
}

unsigned batch_kinds(const struct batch_item *item, size_t items)
{
    unsigned kinds = 0;
    for (size_t i = 0; i < items; i++)
        kinds |= item[i].failed ? 0 : machine_run_kinds(&item[i].config);
    return kinds;
}

void batch_fail(struct batch_item *item)
{
    const struct error *e = error_last();
    item->failed = true;
    snprintf(item->why, sizeof(item->why), "%.300s%s%.500s%s%.300s", e->place,
             e->place[0] ? ": " : "", e->what, e->remedy[0] ? "; " : "", e->remedy);
    item->why[strcspn(item->why, "\n")] = '\0'; /* a deadlock's report has many lines */
}

static bool is_over(const struct batch_item *item)
{
    return item->done || item->failed;
}

static size_t count_over(const struct batch *b)
{
    size_t over = 0;
    for (size_t i = 0; i < b->items; i++)
        over += is_over(&b->item[i]);
    return over;
}

/* Takes note of how a worker's run ended. */
static weft_status conclude(struct batch *b, const struct worker *w, weft_status status)
{
    struct batch_item *item = &b->item[w->item];
    item->done = status == WEFT_OK;
    item->seconds = clock_seconds() - w->since;
    if (status != WEFT_OK) {
        struct error e = *error_last();
        batch_fail(item);
        if (!b->o->go_on && item->name[0])
            error_place("%s%s%s", item->name, e.place[0] ? ": " : "", e.place);
        status = b->o->go_on ? WEFT_OK : status;
    }
    if (b->o->ended)
        b->o->ended(item, count_over(b), b->items);
    return status;
}

/* Takes an answer of another rank, if there is one. */
static weft_status hear(struct batch *b)
{
    struct station_answer answer;
    struct output_file file;
    if (!station_take(&answer))
        return WEFT_OK;
    struct worker *w = b->worker;
    while (!w->busy || w->rank == 0 || w->item != answer.item)
        w++; /* somebody has asked for it */
    w->busy = false;
    weft_status status = answer.error.status != WEFT_OK
                             ? error_restore(&answer.error)
                             : output_open_again(&file, b->item[w->item].path);
    if (status == WEFT_OK)
        status = output_commit_text(&file, answer.text);
    free(answer.text);
    return conclude(b, w, status);
}

/* Waits briefly for a run to end. */
static weft_status attend(struct batch *b)
{
    size_t bytes;
    char *text;
    bool ranks = b->workers > b->here;
    size_t ended = worker_wait(b->worker, b->here, ranks ? WORKER_GLANCE_MS : WORKER_WAIT_MS);
    if (ended == SIZE_MAX)
        return ranks ? hear(b) : WEFT_OK;
    return conclude(b, &b->worker[ended], worker_finish(&b->worker[ended], &text, &bytes));
}

static void report(const struct batch *b)
{
    double all = 0, finished = 0;
    if (!b->o->progress)
        return;
    for (size_t i = 0; i < b->items; i++) {
        all += weight(&b->item[i]);
        finished += is_over(&b->item[i]) ? weight(&b->item[i]) : 0;
    }
    b->o->progress(count_over(b), b->items, all > 0 ? finished / all : 1);
}

static bool any_runs(const struct batch *b)
{
    for (size_t i = 0; i < b->workers; i++)
        if (b->worker[i].busy)
            return true;
    return false;
}

/* Whether a run is more than one worker's share of the remaining work. */
static bool is_large(const struct batch *b, size_t index)
{
    double left = 0;
    for (size_t i = 0; i < b->items; i++)
        left += b->item[i].done ? 0 : weight(&b->item[i]);
    return b->workers > 1 && weight(&b->item[index]) * (double)b->workers > left;
}

/* Gives idle workers something to do. A large run comes first, alone and on all cores; with several
 * ranks, which share their cores with nobody, it does not. */
static weft_status start_some(struct batch *b)
{
    weft_status status = WEFT_OK;
    if (!any_runs(b))
        b->alone = false;
    for (size_t i = 0; i < b->workers && status == WEFT_OK && !b->alone; i++) {
        size_t next = b->worker[i].busy ? b->items : heaviest_waiting(b);
        if (next == b->items)
            continue;
        b->alone = b->workers == b->here && !any_runs(b) && is_large(b, next);
        status = start(b, &b->worker[i], next, b->alone ? b->o->workers : 1);
    }
    return status;
}

static weft_status run_workers(struct batch *b)
{
    weft_status status = WEFT_OK;
    for (;;) {
        if (status == WEFT_OK)
            status = start_some(b);
        if (status == WEFT_OK && b->o->interrupted && b->o->interrupted(NULL))
            status = b->o->in_passing
                         ? RUN_FAILED(("interrupted"), ("nothing was kept"))
                         : RUN_FAILED(("interrupted"), ("what is done stays in %s, and the same "
                                                        "command continues from there",
                                                        b->o->folder));
        if (status != WEFT_OK || !any_runs(b))
            return status;
        report(b);
        status = attend(b);
    }
}

weft_status batch_run(struct batch_item *item, size_t items, const struct batch_options *o,
                      size_t *resumed)
{
    *resumed = 0;
    TRY(name_results(item, items, o->folder));
    for (size_t i = 0; i < items; i++)
        *resumed += item[i].done;
    struct batch b = {.item = item,
                      .items = items,
                      .o = o,
                      .here = o->workers,
                      .workers = (size_t)o->workers * ranks_count()};
    b.worker = memory_alloc(b.workers, sizeof(*b.worker));
    b.taken = memory_alloc(items, sizeof(*b.taken));
    for (size_t i = 0; i < b.workers; i++)
        b.worker[i].rank = i < b.here ? 0 : (uint32_t)(1 + (i - b.here) % (ranks_count() - 1));
    for (size_t i = 0; i < items; i++)
        b.taken[i] = item[i].failed;
    weft_status status = run_workers(&b);
    if (status != WEFT_OK) {
        struct error error = *error_last();
        for (size_t i = 0; i < b.here; i++)
            if (b.worker[i].pid)
                worker_kill(&b.worker[i]);
        if (b.workers > b.here)
            station_halt_all();
        status = error_restore(&error);
    }
    free(b.taken);
    free(b.worker);
    return status;
}
