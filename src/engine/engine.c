/* The window loop, the same for one thread and for many. */
#define _GNU_SOURCE
#include "engine/engine.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "engine/balance.h"
#include "engine/ranks.h"
#include "engine/shipping.h"
#include "engine/team.h"

/* After so many windows work and time are looked at and shared out anew. One window in so many is
 * timed; the median counts, so that a thread that was interrupted is not taken for a slow one. */
enum { BALANCE_WINDOWS = 64, TIMED_WINDOWS = 4, TIMES = BALANCE_WINDOWS / TIMED_WINDOWS };

/* Words that ranks tell each other at the end of a window. */
enum { SHARED = 5 };

/* What one member tells the others at the end of a window; two sets, by the window's parity. */
struct bulletin {
    cycle_t next;             /* earliest event of its partitions and of the messages they sent */
    uint64_t progress, stirs; /* summed over its partitions */
    uint64_t delivered;
    bool interrupt;
    bool rest; /* wanted */
} __attribute__((aligned(64)));

struct run {
    struct engine *engine;
    const struct engine_options *options;
    struct engine_outcome *outcome;
    struct team team;
    struct bulletin *bulletin[2];
    uint64_t *work; /* of each partition so far, noted every BALANCE_WINDOWS */
    uint64_t *time; /* that each member needed for a window lately, noted as often; 0: not known */
    bool *border;   /* partitions that write to another rank */
    weft_status inspection;
    char inspection_error[256]; /* errors are kept by thread: carried to the caller's */
    double *cpu;                /* of each member */
    double started;

    /* With other ranks. */
    struct shipping shipping;
    uint64_t *shared;       /* every rank's bulletin */
    struct bulletin global; /* what they come to */
    uint32_t borders;
    _Atomic uint32_t borders_left; /* to be run in this window, before it can be shipped */
};

/* What a member knows for itself. */
struct member {
    uint32_t index;
    uint32_t *part; /* partitions it runs, those of the border first */
    uint32_t parts;
    uint32_t *owner;       /* member of each partition of the rank; the same for all members */
    uint64_t *noted;       /* its partitions' work when it was last noted */
    uint64_t times[TIMES]; /* that it needed for windows, in ns */
};

uint32_t engine_rank(const struct engine *e, uint32_t partition)
{
    uint32_t ranks = ranks_count();
    uint32_t rank = (uint32_t)((uint64_t)partition * ranks / e->partitions);
    /* Rank r starts at floor(partitions r / ranks). */
    while (rank + 1 < ranks && (uint64_t)e->partitions * (rank + 1) / ranks <= partition)
        rank++;
    return rank;
}

void engine_init(struct engine *e, const struct engine_model *model, uint32_t partitions,
                 cycle_t lookahead)
{
    uint64_t me = ranks_me(), ranks = ranks_count();
    *e = (struct engine){.model = *model,
                         .partitions = partitions,
                         .first = (uint32_t)(partitions * me / ranks),
                         .end = (uint32_t)(partitions * (me + 1) / ranks),
                         .lookahead = lookahead};
}

void engine_fini(struct engine *e)
{
    for (uint32_t c = 0; c < e->channels; c++)
        channel_fini(&e->channel[c]);
    free(e->channel);
    free(e->in_first);
    free(e->in_channel);
    free(e->out_first);
    free(e->out_channel);
}

uint32_t engine_connect(struct engine *e, uint32_t from, uint32_t to)
{
    /* Newest first: set-up asks for the same pair many times in a row. */
    for (uint32_t c = e->channels; c-- > 0;)
        if (e->channel[c].from == from && e->channel[c].to == to)
            return c;
    if (e->channels == e->channel_capacity) {
        e->channel_capacity = e->channel_capacity ? 2 * e->channel_capacity : 16;
        struct channel *grown = aligned_alloc(64, e->channel_capacity * sizeof(*grown));
        WEFT_CHECK(grown, "no memory for %u channels", e->channel_capacity);
        for (uint32_t c = 0; c < e->channels; c++)
            grown[c] = e->channel[c];
        free(e->channel);
        e->channel = grown;
    }
    channel_init(&e->channel[e->channels], from, to, e->model.body_size);
    return e->channels++;
}

/* Lists, for each partition, the channels that come in or go out. */
static void index_channels(const struct engine *e, bool incoming, uint32_t **first, uint32_t **list)
{
    uint32_t *start = weft_alloc(e->partitions + 2, sizeof(*start));
    uint32_t *index = weft_alloc(e->channels, sizeof(*index));
    for (uint32_t c = 0; c < e->channels; c++)
        start[(incoming ? e->channel[c].to : e->channel[c].from) + 2]++;
    for (uint32_t p = 2; p < e->partitions + 2; p++)
        start[p] += start[p - 1];
    for (uint32_t c = 0; c < e->channels; c++)
        index[start[(incoming ? e->channel[c].to : e->channel[c].from) + 1]++] = c;
    *first = start;
    *list = index;
}

/* Runs one partition through a window and adds what it says to the member's bulletin. */
static void run_partition(struct run *run, uint32_t p, unsigned parity, cycle_t until,
                          struct bulletin *mine, bool note_work)
{
    struct engine *e = run->engine;
    struct engine_account account;
    for (uint32_t i = e->in_first[p]; i < e->in_first[p + 1]; i++) {
        struct channel_buffer *in = &e->channel[e->in_channel[i]].buffer[!parity];
        if (in->count)
            e->model.receive(e->model.ctx, p, in);
        in->count = in->body_count = 0;
    }
    for (uint32_t i = e->out_first[p]; i < e->out_first[p + 1]; i++) {
        e->channel[e->out_channel[i]].writing = parity;
        e->channel[e->out_channel[i]].earliest = until;
    }
    e->model.advance(e->model.ctx, p, until);
    e->model.account(e->model.ctx, p, &account);
    for (uint32_t i = e->out_first[p]; i < e->out_first[p + 1]; i++) {
        const struct channel_buffer *out = &e->channel[e->out_channel[i]].buffer[parity];
        for (uint32_t m = 0; m < out->count; m++)
            if (out->message[m].time < account.next)
                account.next = out->message[m].time;
    }
    if (account.next < mine->next)
        mine->next = account.next;
    mine->progress += account.progress;
    mine->stirs += account.stirs;
    mine->delivered += account.delivered;
    if (note_work)
        run->work[p - e->first] = account.work;
}

/* ---- with other ranks ---- */

/* The first member ships what its rank wrote for others as soon as all of it is written. */
static bool try_shipping(struct run *run, unsigned parity)
{
    if (atomic_load_explicit(&run->borders_left, memory_order_acquire) != 0)
        return false;
    shipping_send(&run->shipping, parity);
    return true;
}

/* Receives, and agrees with the other ranks on where all stand. By the first member, alone. */
static struct bulletin confer(struct run *run, const struct bulletin *ours, unsigned parity)
{
    struct bulletin all = {.next = CYCLE_NEVER};
    uint64_t mine[SHARED] = {ours->next, ours->progress, ours->stirs, ours->delivered,
                             ours->interrupt};
    shipping_receive(&run->shipping, parity);
    ranks_share(mine, run->shared, SHARED);
    for (uint32_t r = 0; r < ranks_count(); r++) {
        const uint64_t *theirs = &run->shared[SHARED * (size_t)r];
        all.next = theirs[0] < all.next ? theirs[0] : all.next;
        all.progress += theirs[1];
        all.stirs += theirs[2];
        all.delivered += theirs[3];
        all.interrupt |= theirs[4] != 0;
    }
    atomic_store_explicit(&run->borders_left, run->borders, memory_order_relaxed);
    return all;
}

/* ---- a member's window ---- */

static int smaller_first(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static uint64_t median(const uint64_t times[TIMES])
{
    uint64_t sorted[TIMES];
    memcpy(sorted, times, sizeof(sorted));
    qsort(sorted, TIMES, sizeof(*sorted), smaller_first);
    return sorted[TIMES / 2];
}

static void run_window(struct run *run, struct member *m, uint64_t window, cycle_t until,
                       struct bulletin *mine)
{
    unsigned parity = window & 1;
    bool note = window % BALANCE_WINDOWS == BALANCE_WINDOWS - 1;
    bool timed = run->team.size > 1 && window % TIMED_WINDOWS == TIMED_WINDOWS - 1;
    double start = timed ? clock_seconds() : 0;
    bool ships = m->index == 0 && ranks_count() > 1, shipped = false;
    for (uint32_t i = 0; i < m->parts; i++) {
        run_partition(run, m->part[i], parity, until, mine, note);
        if (run->border[m->part[i]])
            atomic_fetch_sub_explicit(&run->borders_left, 1, memory_order_release);
        if (ships && !shipped)
            shipped = try_shipping(run, parity);
    }
    if (timed)
        m->times[window / TIMED_WINDOWS % TIMES] = (uint64_t)(1e9 * (clock_seconds() - start));
    if (note)
        run->time[m->index] = run->team.spins ? median(m->times) : 0;
    for (uint32_t polls = 0; ships && !shipped; team_pause(&run->team, &polls))
        shipped = try_shipping(run, parity);
}

/* All members come to the same verdict from the same bulletins. */
static struct bulletin read_bulletins(struct run *run, const struct member *m, unsigned parity)
{
    struct bulletin v = {.next = CYCLE_NEVER};
    team_barrier(&run->team);
    for (uint32_t i = 0; i < run->team.size; i++) {
        const struct bulletin *b = &run->bulletin[parity][i];
        if (b->next < v.next)
            v.next = b->next;
        v.progress += b->progress;
        v.stirs += b->stirs;
        v.delivered += b->delivered;
        v.interrupt |= b->interrupt;
        v.rest |= b->rest;
    }
    if (ranks_count() == 1)
        return v;
    if (m->index == 0)
        run->global = confer(run, &v, parity);
    team_barrier(&run->team);
    return run->global;
}

/* The member's list, those first that write to other ranks. */
static void list_parts(const struct run *run, struct member *m)
{
    const struct engine *e = run->engine;
    m->parts = 0;
    for (int border = 1; border >= 0; border--)
        for (uint32_t p = e->first; p < e->end; p++)
            if (m->owner[p - e->first] == m->index && run->border[p] == border)
                m->part[m->parts++] = p;
}

static void member_init(struct member *m, const struct run *run, uint32_t index)
{
    uint32_t parts = run->engine->end - run->engine->first;
    *m = (struct member){.index = index};
    m->part = weft_alloc(parts, sizeof(*m->part));
    m->owner = weft_alloc(parts, sizeof(*m->owner));
    m->noted = weft_alloc(parts, sizeof(*m->noted));
    balance_evenly(parts, run->team.size, m->owner);
    list_parts(run, m);
}

static void member_fini(struct member *m)
{
    free(m->part);
    free(m->owner);
    free(m->noted);
}

/* Work was noted in the window that just ended and will not be again before others end. */
static void rebalance(const struct run *run, struct member *m)
{
    uint32_t parts = run->engine->end - run->engine->first;
    uint64_t *lately = weft_alloc(parts, sizeof(*lately));
    for (uint32_t p = 0; p < parts; p++) {
        lately[p] = run->work[p] - m->noted[p];
        m->noted[p] = run->work[p];
    }
    if (balance(lately, parts, run->time, run->team.size, m->owner))
        list_parts(run, m);
    free(lately);
}

/* The first member's clock: looks up a few times a second, at a cost of one clock read in 64. */
static void look_up(const struct run *run, uint64_t window, cycle_t now, uint64_t delivered,
                    double *last, struct bulletin *mine)
{
    const struct engine_options *o = run->options;
    if (window % 64 != 0)
        return;
    double wall = clock_seconds();
    if (wall - *last < 0.1)
        return;
    *last = wall;
    if (o->report && ranks_me() == 0)
        o->report(o->arg, now, delivered);
    mine->interrupt = o->interrupted && o->interrupted(o->arg);
    mine->rest = o->wants_rest && o->wants_rest(o->arg);
}

/* Has the first member call one of the caller's functions while all others rest. */
static bool call_at_rest(struct run *run, uint32_t member, uint64_t windows, cycle_t now,
                         weft_status (*function)(void *arg, cycle_t now))
{
    team_barrier(&run->team);
    if (member == 0) {
        run->engine->windows = windows;
        run->engine->now = now;
        run->inspection = function(run->options->arg, now);
        snprintf(run->inspection_error, sizeof(run->inspection_error), "%s", weft_last_error());
    }
    team_barrier(&run->team);
    return run->inspection == WEFT_OK;
}

/* Makes the memory of the member's partitions: where it is first touched, it lies. Then a saved
 * state may come in. */
static void prepare(struct run *run, const struct member *m)
{
    const struct engine_model *model = &run->engine->model;
    double start = clock_seconds();
    for (uint32_t i = 0; i < m->parts && model->prepare && !run->engine->windows; i++)
        model->prepare(model->ctx, m->part[i]);
    team_barrier(&run->team);
    if (m->index == 0 && run->options->restore) {
        run->inspection = run->options->restore(run->options->arg);
        snprintf(run->inspection_error, sizeof(run->inspection_error), "%s", weft_last_error());
    }
    team_barrier(&run->team);
    run->cpu[m->index] = -team_cpu_seconds();
    if (m->index == 0) {
        run->started = clock_seconds();
        run->outcome->prepare_seconds = run->started - start;
    }
}

/* Windows are the cells of a grid: where they end does not depend on who has the earliest event. */
static cycle_t window_end(const struct engine *e, cycle_t now)
{
    return (now / e->lookahead + 1) * e->lookahead;
}

static void member_loop(void *arg, uint32_t index)
{
    struct run *run = arg;
    struct engine *e = run->engine;
    const struct engine_options *o = run->options;
    struct member m;
    cycle_t stalled = 0;
    uint64_t progress = 0, stirs = 0, delivered = 0;
    double looked = clock_seconds();
    enum engine_end end = ENGINE_BROKEN;

    member_init(&m, run, index);
    prepare(run, &m);
    cycle_t now = e->now, until = now, inspect_at = now + o->inspect_every;
    uint64_t window = e->windows;
    for (; run->inspection == WEFT_OK; window++) {
        unsigned parity = window & 1;
        until = window_end(e, now);
        until = o->stop_at < until ? o->stop_at : until;
        struct bulletin *mine = &run->bulletin[parity][index];
        *mine = (struct bulletin){.next = CYCLE_NEVER};
        run_window(run, &m, window, until, mine);
        if (index == 0)
            look_up(run, window, now, delivered, &looked, mine);

        struct bulletin v = read_bulletins(run, &m, parity);
        /* Only windows in which something stirred count: a gap without events is no stall. */
        stalled = v.progress != progress ? 0 : v.stirs != stirs ? stalled + e->lookahead : stalled;
        progress = v.progress;
        stirs = v.stirs;
        delivered = v.delivered;
        now = v.next;
        if (o->inspect_every && (now >= inspect_at || now == CYCLE_NEVER)) {
            inspect_at = now + o->inspect_every;
            end = ENGINE_BROKEN;
            if (!call_at_rest(run, index, window + 1, now, o->inspect))
                break;
        }
        end = now == CYCLE_NEVER          ? ENGINE_QUIET
              : now >= o->stop_at         ? ENGINE_STOPPED
              : stalled > o->stall_cycles ? ENGINE_STALLED
                                          : ENGINE_INTERRUPTED;
        if (end != ENGINE_INTERRUPTED || v.interrupt)
            break;
        end = ENGINE_BROKEN;
        if (v.rest && !call_at_rest(run, index, window + 1, now, o->at_rest))
            break;
        if (run->team.size > 1 && window % BALANCE_WINDOWS == BALANCE_WINDOWS - 1)
            rebalance(run, &m);
    }
    run->cpu[index] += team_cpu_seconds();
    if (index == 0) {
        run->outcome->end = end;
        run->outcome->now = end == ENGINE_STALLED ? until : now;
        e->windows = window + (end != ENGINE_BROKEN);
        e->now = now;
        run->outcome->windows = e->windows;
        run->outcome->threads = run->team.size;
        run->outcome->wall_seconds = clock_seconds() - run->started;
    }
    member_fini(&m);
}

static void run_init(struct run *run, struct engine *e, const struct engine_options *o,
                     struct engine_outcome *outcome)
{
    *run = (struct run){.engine = e, .options = o, .outcome = outcome};
    *outcome = (struct engine_outcome){.end = ENGINE_QUIET};
    run->cpu = weft_alloc(o->threads, sizeof(*run->cpu));
    run->work = weft_alloc(e->end - e->first, sizeof(*run->work));
    run->time = weft_alloc(o->threads, sizeof(*run->time));
    run->border = weft_alloc(e->partitions, sizeof(*run->border));
    run->shared = weft_alloc(SHARED * (size_t)ranks_count(), sizeof(*run->shared));
    for (int i = 0; i < 2; i++) {
        run->bulletin[i] = aligned_alloc(64, o->threads * sizeof(struct bulletin));
        WEFT_CHECK(run->bulletin[i], "no memory for %u threads", o->threads);
    }
    for (uint32_t c = 0; c < e->channels; c++) {
        uint32_t from = e->channel[c].from;
        if (engine_rank(e, from) == ranks_me() && engine_rank(e, e->channel[c].to) != ranks_me())
            run->border[from] = true;
    }
    for (uint32_t p = e->first; p < e->end; p++)
        run->borders += run->border[p];
    atomic_store(&run->borders_left, run->borders);
    shipping_init(&run->shipping, e);
}

static void run_fini(struct run *run)
{
    for (int i = 0; i < 2; i++)
        free(run->bulletin[i]);
    free(run->cpu);
    free(run->work);
    free(run->time);
    free(run->border);
    free(run->shared);
    shipping_fini(&run->shipping);
}

void engine_archive(struct engine *e, struct archive *a)
{
    archive_same(a, e->partitions);
    archive_same(a, e->channels);
    archive_bytes(a, &e->windows, sizeof(e->windows));
    archive_bytes(a, &e->now, sizeof(e->now));
    for (uint32_t c = 0; c < e->channels; c++)
        channel_archive(&e->channel[c], (e->windows - 1) & 1, a);
}

weft_status engine_run(struct engine *e, const struct engine_options *options,
                       struct engine_outcome *outcome)
{
    struct run run;
    if (!e->in_first) {
        index_channels(e, true, &e->in_first, &e->in_channel);
        index_channels(e, false, &e->out_first, &e->out_channel);
    }
    run_init(&run, e, options, outcome);
    team_run(&run.team, options->threads, member_loop, &run);
    for (uint32_t m = 0; m < options->threads; m++)
        outcome->cpu_seconds += run.cpu[m];
    run_fini(&run);
    if (outcome->end == ENGINE_BROKEN)
        return weft_fail(run.inspection, "%s", run.inspection_error);
    return WEFT_OK;
}
