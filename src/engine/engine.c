/* The window loop, the same for one thread or many. */
#define _GNU_SOURCE
#include "engine/engine.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/status.h"
#include "base/clock.h"
#include "base/memory.h"
#include "engine/ranks.h"
#include "engine/sharing.h"
#include "engine/team.h"

/* What one member, or one rank, tells the others at the end of a window; two sets, by the window's
 * parity. */
struct bulletin {
    cycle_t next; /* earliest event of its partitions and of the messages they sent */
    uint64_t progress, cut_independent_events; /* summed over its partitions */
    uint64_t delivered;
    uint64_t interrupt, rest; /* wanted */
    uint64_t broken;          /* something has failed */
} __attribute__((aligned(64)));

static void add_bulletin(struct bulletin *all, const struct bulletin *b)
{
    all->next = b->next < all->next ? b->next : all->next;
    all->progress += b->progress;
    all->cut_independent_events += b->cut_independent_events;
    all->delivered += b->delivered;
    all->interrupt |= b->interrupt;
    all->rest |= b->rest;
    all->broken |= b->broken;
}

/* Where a run stands between two windows. */
struct run_position {
    uint64_t window;    /* the next one */
    cycle_t now, until; /* the earliest event; end of the last window */
    struct engine_stall stall;
    uint64_t delivered; /* so far */
    cycle_t inspect_at;
    enum engine_end end; /* if the run is over */
    bool over;
};

struct run {
    struct engine *engine;
    const struct engine_options *options;
    struct engine_outcome *outcome;
    struct team team;
    struct bulletin *bulletin[2];
    bool *border;                   /* partitions that write to other ranks; they run first */
    struct engine_account *account; /* each partition's, at the end of its last window */
    struct sharing sharing;
    struct run_position position; /* the first member's, at the end of a stretch */
    struct failures *failures;
    bool start_failed;   /* it failed before the first window */
    bool agreed;         /* all ranks know of the failure */
    struct share *share; /* each member's */
    double *cpu;         /* of each member */
    double started;

    /* With other ranks. */
    struct shipping shipping;
    struct bulletin *shared; /* every rank's */
    struct bulletin global;  /* all bulletins combined */
    uint32_t borders;
    _Atomic uint32_t borders_left; /* still to run in this window before it can be shipped */
};

uint32_t engine_rank(const struct engine *e, uint32_t partition)
{
    return ranks_owner(partition, e->partitions);
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
    failures_init(&e->failures);
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
    failures_fini(&e->failures);
}

uint32_t engine_connect(struct engine *e, uint32_t from, uint32_t to)
{
    /* Newest first: setup asks for the same pair many times in a row. */
    for (uint32_t c = e->channels; c-- > 0;)
        if (e->channel[c].from == from && e->channel[c].to == to)
            return c;
    return engine_add_channel(e, from, to);
}

uint32_t engine_add_channel(struct engine *e, uint32_t from, uint32_t to)
{
    if (e->channels == e->channel_capacity) {
        e->channel_capacity = e->channel_capacity ? 2 * e->channel_capacity : 16;
        struct channel *grown = memory_alloc_lines(e->channel_capacity, sizeof(*grown));
        for (uint32_t c = 0; c < e->channels; c++)
            grown[c] = e->channel[c];
        free(e->channel);
        e->channel = grown;
    }
    channel_init(&e->channel[e->channels], from, to, e->model.body_size);
    return e->channels++;
}

/* Lists, for each partition, its incoming or outgoing channels. */
static void index_channels(const struct engine *e, bool incoming, uint32_t **first, uint32_t **list)
{
    uint32_t *start = memory_alloc(e->partitions + 2, sizeof(*start));
    uint32_t *index = memory_alloc(e->channels, sizeof(*index));
    for (uint32_t c = 0; c < e->channels; c++)
        start[(incoming ? e->channel[c].to : e->channel[c].from) + 2]++;
    for (uint32_t p = 2; p < e->partitions + 2; p++)
        start[p] += start[p - 1];
    for (uint32_t c = 0; c < e->channels; c++)
        index[start[(incoming ? e->channel[c].to : e->channel[c].from) + 1]++] = c;
    *first = start;
    *list = index;
}

/* Whether a partition has no messages and no events in a window. */
static bool is_idle(const struct engine *e, uint32_t p, unsigned parity, cycle_t until,
                    const struct engine_account *account)
{
    for (uint32_t i = e->in_first[p]; i < e->in_first[p + 1]; i++)
        if (e->channel[e->in_channel[i]].buffer[!parity].count)
            return false;
    return account->next >= until;
}

/* Receives, runs events, and accounts for what is left and what was sent. */
static void advance_partition(const struct engine *e, uint32_t p, unsigned parity, cycle_t until,
                              struct engine_account *account)
{
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
    e->model.account(e->model.ctx, p, account);
}

/* The earliest message that a partition sent in a window; CYCLE_NEVER: none. */
static cycle_t earliest_sent(const struct engine *e, uint32_t p, unsigned parity)
{
    cycle_t earliest = CYCLE_NEVER;
    for (uint32_t i = e->out_first[p]; i < e->out_first[p + 1]; i++) {
        const struct channel_buffer *out = &e->channel[e->out_channel[i]].buffer[parity];
        for (uint32_t m = 0; m < out->count; m++)
            if (out->message[m].time < earliest)
                earliest = out->message[m].time;
    }
    return earliest;
}

/* Runs one partition through a window and adds its account to the member's bulletin. */
static void run_partition(struct run *run, uint32_t p, unsigned parity, cycle_t until,
                          struct bulletin *mine, bool record_work)
{
    const struct engine *e = run->engine;
    struct engine_account *account = &run->account[p - e->first];
    cycle_t sent = CYCLE_NEVER;
    if (!is_idle(e, p, parity, until, account)) {
        advance_partition(e, p, parity, until, account);
        sent = earliest_sent(e, p, parity);
    }
    add_bulletin(mine, &(struct bulletin){
                           .next = account->next < sent ? account->next : sent,
                           .progress = account->progress,
                           .cut_independent_events = account->cut_independent_events,
                           .delivered = account->delivered,
                       });
    if (record_work)
        run->sharing.work[p - e->first] = account->work;
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

/* Receives, and agrees with the other ranks on where all stand. Only the first member calls it. */
static struct bulletin confer(struct run *run, const struct bulletin *ours, unsigned parity)
{
    struct bulletin all = {.next = CYCLE_NEVER};
    shipping_receive(&run->shipping, parity);
    ranks_gather(ours, run->shared, sizeof(*ours));
    for (uint32_t r = 0; r < ranks_count(); r++)
        add_bulletin(&all, &run->shared[r]);
    atomic_store_explicit(&run->borders_left, run->borders, memory_order_relaxed);
    return all;
}

/* ---- a member's window ---- */

/* When the first member reports progress and asks whether to stop. */
struct lookout {
    double looked, read; /* when it last did so; when it last read the clock */
    uint64_t window;     /* in which to read the clock next */
};

/* A member while it runs a stretch of windows. */
struct run_leg {
    struct run *run;
    struct share *m;
    struct run_position *at;
    struct lookout *lookout;
    struct bulletin *mine; /* of the current window */
    uint32_t done;         /* partitions run in that window */
    bool ships, shipped;
};

static void run_partitions(struct run_leg *s)
{
    struct run *run = s->run;
    struct share *m = s->m;
    unsigned parity = s->at->window & 1;
    for (; s->done < m->partitions; s->done++) {
        uint32_t p = m->partition[s->done];
        run_partition(run, p, parity, s->at->until, s->mine, s->at->window == m->last);
        if (run->border[p])
            atomic_fetch_sub_explicit(&run->borders_left, 1, memory_order_release);
        if (s->ships && !s->shipped)
            s->shipped = try_shipping(run, parity);
    }
}

/* Adds a member's failure that is no process's. */
static void keep_failure(struct run *run, cycle_t when)
{
    failures_add(run->failures, fine_at(when), FAILURE_OF_NOBODY, 0);
}

/* Makes a failure on any rank that of all; the first member calls it where all ranks do. */
static void agree(struct run *run, weft_status mine)
{
    run->agreed = ranks_agree(mine, 0) != WEFT_OK;
    if (run->agreed)
        keep_failure(run, 0);
}

/* A barrier for the members that take part in a stretch. */
static void meet(struct run *run, const struct share *m)
{
    if (!m->alone)
        team_barrier(&run->team);
}

/* All members reach the same verdict from the same bulletins. */
static struct bulletin read_bulletins(struct run *run, struct share *m, uint64_t window)
{
    unsigned parity = window & 1;
    struct bulletin v = {.next = CYCLE_NEVER};
    meet(run, m);
    share_is_over(m, window);
    for (uint32_t i = 0; i < (m->alone ? 1 : run->team.size); i++)
        add_bulletin(&v, &run->bulletin[parity][i]);
    if (ranks_count() == 1)
        return v;
    if (m->index == 0)
        run->global = confer(run, &v, parity);
    meet(run, m);
    return run->global;
}

/* The first member looks up a few times per second. */
static void poll_caller(const struct run *run, uint64_t window, cycle_t now, uint64_t delivered,
                        struct lookout *l, struct bulletin *mine)
{
    const struct engine_options *o = run->options;
    if (window < l->window)
        return;
    /* The clock is read again after 64 windows, or sooner if windows take long. */
    double wall = clock_seconds(), each = (wall - l->read) / (double)(window + 1 - l->window);
    l->read = wall;
    l->window = window + (each > 0.02 ? 1 : each > 0.02 / 64 ? (uint64_t)(0.02 / each) : 64);
    if (wall - l->looked < 0.1)
        return;
    l->looked = wall;
    if (o->report && ranks_me() == 0)
        o->report(o->arg, now, delivered);
    mine->interrupt = o->interrupted && o->interrupted(o->arg);
    mine->rest = o->wants_rest && o->wants_rest(o->arg);
}

/* Has the first member call one of the caller's functions while all others rest. */
static bool call_at_rest(struct run *run, const struct share *m, const struct run_position *at,
                         weft_status (*function)(void *arg, cycle_t now))
{
    meet(run, m);
    if (m->index == 0) {
        run->engine->windows = at->window + 1;
        run->engine->now = at->now;
        run->engine->stall = at->stall;
        agree(run, function(run->options->arg, at->now));
    }
    meet(run, m);
    return !failures_any(run->failures);
}

/* A member while it allocates the memory of its partitions. */
struct start {
    struct run *run;
    const struct share *m;
};

static weft_status prepare_partitions(void *arg)
{
    const struct start *s = arg;
    const struct engine_model *model = &s->run->engine->model;
    for (uint32_t i = 0; i < s->m->partitions && model->prepare && !s->run->engine->prepared; i++)
        model->prepare(model->ctx, s->m->partition[i]);
    return WEFT_OK;
}

static weft_status restore(void *arg)
{
    const struct engine_options *o = ((const struct start *)arg)->run->options;
    return o->restore(o->arg);
}

/* Allocates the memory of the member's partitions here, since memory stays where it is first
 * touched. Then a saved state may be restored. */
static void prepare(struct run *run, const struct share *m)
{
    struct start start = {run, m};
    double began = clock_seconds();
    if (protected_call(prepare_partitions, &start) != WEFT_OK)
        keep_failure(run, 0);
    team_barrier(&run->team);
    if (m->index == 0 && !failures_any(run->failures) && run->options->restore &&
        protected_call(restore, &start) != WEFT_OK)
        keep_failure(run, 0);
    if (m->index == 0) {
        agree(run, failures_any(run->failures) ? error_restore(&run->failures->error) : WEFT_OK);
        run->start_failed = run->agreed;
    }
    team_barrier(&run->team);
    run->cpu[m->index] = -team_cpu_seconds();
    if (m->index == 0) {
        run->engine->prepared = true;
        run->started = clock_seconds();
        run->outcome->prepare_seconds = run->started - began;
    }
}

/* What all conclude from a window: where the run stands, and whether it is over. */
static void judge(struct run *run, const struct share *m, const struct bulletin *v,
                  struct run_position *at)
{
    const struct engine_options *o = run->options;
    /* Only windows with events count: a gap without events is not a stall. Nor are a few windows,
     * however long they are. */
    cycle_t most = o->stall_cycles / 8 + 1, length = run->engine->lookahead;
    length = length < most ? length : most;
    struct engine_stall *stall = &at->stall;
    stall->time = v->progress != stall->progress ? 0
                  : v->cut_independent_events != stall->cut_independent_events
                      ? stall->time + length
                      : stall->time;
    stall->progress = v->progress;
    stall->cut_independent_events = v->cut_independent_events;
    at->delivered = v->delivered;
    at->now = v->next;
    at->over = true;
    at->end = ENGINE_BROKEN;
    if (v->broken)
        return;
    if (o->inspect_every && (at->now >= at->inspect_at || at->now == CYCLE_NEVER)) {
        at->inspect_at = at->now + o->inspect_every;
        if (!call_at_rest(run, m, at, o->inspect))
            return;
    }
    at->end = at->now == CYCLE_NEVER             ? ENGINE_QUIET
              : at->now >= o->stop_at            ? ENGINE_STOPPED
              : at->stall.time > o->stall_cycles ? ENGINE_STALLED
                                                 : ENGINE_INTERRUPTED;
    if (at->end != ENGINE_INTERRUPTED || v->interrupt)
        return;
    at->end = ENGINE_BROKEN;
    at->over = v->rest && !call_at_rest(run, m, at, o->at_rest);
}

/* The rest of a window, after the member's partitions have run. */
static void close_window(struct run_leg *s)
{
    uint64_t window = s->at->window;
    share_has_run(s->m, &s->run->sharing, window);
    for (uint32_t polls = 0; s->ships && !s->shipped; team_pause(&s->run->team, &polls))
        s->shipped = try_shipping(s->run, window & 1);
    s->mine->broken |= failures_any(s->run->failures);
    if (s->m->index == 0)
        poll_caller(s->run, window, s->at->now, s->at->delivered, s->lookout, s->mine);
    struct bulletin v = read_bulletins(s->run, s->m, window);
    judge(s->run, s->m, &v, s->at);
    s->at->window++;
}

static weft_status run_windows(void *arg)
{
    struct run_leg *s = arg;
    struct run_position *at = s->at;
    cycle_t lookahead = s->run->engine->lookahead, stop_at = s->run->options->stop_at;
    while (!at->over && at->window <= s->m->last) {
        s->mine = &s->run->bulletin[at->window & 1][s->m->index];
        s->shipped = false;
        /* Windows are cells of a grid: ends do not depend on which partition has the next event. */
        cycle_t end = (at->now / lookahead + 1) * lookahead;
        at->until = stop_at < end ? stop_at : end;
        *s->mine = (struct bulletin){.next = CYCLE_NEVER};
        share_begins(s->m, at->window);
        s->done = 0;
        run_partitions(s);
        close_window(s);
    }
    return WEFT_OK;
}

static weft_status run_the_rest(void *arg)
{
    run_partitions(arg);
    return WEFT_OK;
}

/* A partition has failed: the others of the member may have done so before. */
static void end_window(struct run_leg *s)
{
    const struct engine_model *model = &s->run->engine->model;
    do {
        bool one = s->done < s->m->partitions; /* not what follows them */
        uint32_t p = one ? s->m->partition[s->done++] : 0;
        keep_failure(s->run, one && model->now ? model->now(model->ctx, p) : s->at->now);
        if (one && s->run->border[p])
            atomic_fetch_sub_explicit(&s->run->borders_left, 1, memory_order_release);
    } while (s->done < s->m->partitions && protected_call(run_the_rest, s) != WEFT_OK);
    close_window(s);
}

/* Runs the windows up to the end of a stretch, or of the run. A member that has failed still meets
 * the others at the end of the window. */
static void run_one_leg(struct run *run, struct share *m, struct run_position *at,
                        struct lookout *lookout)
{
    struct run_leg s = {.run = run,
                        .m = m,
                        .at = at,
                        .lookout = lookout,
                        .ships = m->index == 0 && ranks_count() > 1};
    if (protected_call(run_windows, &s) != WEFT_OK)
        end_window(&s);
}

static void member_loop(void *arg, uint32_t index)
{
    struct run *run = arg;
    struct engine *e = run->engine;
    struct share m = run->share[index];
    double began = clock_seconds();
    failures_enter(run->failures);
    struct lookout lookout = {
        .looked = e->looked > 0 ? e->looked : began, .read = began, .window = e->windows};

    prepare(run, &m); /* also restores a saved state, which says where the run stands */
    struct run_position at = {.window = e->windows,
                              .now = e->now,
                              .until = e->now,
                              .stall = run->options->restore || run->options->goes_on
                                           ? e->stall
                                           : (struct engine_stall){.time = 0},
                              .inspect_at = e->now + run->options->inspect_every,
                              .end = ENGINE_BROKEN};
    share_start(&m, at.window);
    at.over = run->start_failed;
    while (!at.over) {
        if (m.alone) {
            team_barrier(&run->team); /* all have read what will be overwritten */
            if (index == 0) {
                run_one_leg(run, &m, &at, &lookout);
                run->position = at;
            }
            team_barrier(&run->team);
            at = run->position;
        } else {
            run_one_leg(run, &m, &at, &lookout);
        }
        if (!at.over)
            share_next(&m, &run->sharing);
    }
    failures_enter(NULL);
    run->cpu[index] += team_cpu_seconds();
    if (index == 0) {
        run->outcome->end = at.end;
        run->outcome->now = at.end == ENGINE_STALLED ? at.until : at.now;
        e->windows = at.window;
        e->now = at.now;
        e->stall = at.stall;
        e->looked = lookout.looked;
        run->outcome->windows = e->windows;
        run->outcome->threads = run->team.size;
        run->outcome->wall_seconds = clock_seconds() - run->started;
    }
}

static void run_init(struct run *run, struct engine *e, const struct engine_options *o,
                     struct engine_outcome *outcome)
{
    *run = (struct run){.engine = e, .options = o, .outcome = outcome, .failures = &e->failures};
    *outcome = (struct engine_outcome){.end = ENGINE_QUIET};
    run->cpu = memory_alloc(o->threads, sizeof(*run->cpu));
    run->border = memory_alloc(e->partitions, sizeof(*run->border));
    run->account = memory_alloc(e->end - e->first, sizeof(*run->account));
    run->shared = memory_alloc_lines(ranks_count(), sizeof(*run->shared));
    for (int i = 0; i < 2; i++)
        run->bulletin[i] = memory_alloc_lines(o->threads, sizeof(struct bulletin));
    for (uint32_t c = 0; c < e->channels; c++) {
        uint32_t from = e->channel[c].from;
        if (engine_rank(e, from) == ranks_me() && engine_rank(e, e->channel[c].to) != ranks_me())
            run->border[from] = true;
    }
    for (uint32_t p = e->first; p < e->end; p++)
        run->borders += run->border[p];
    atomic_store(&run->borders_left, run->borders);
    sharing_init(&run->sharing, o->threads, e->first, e->end, run->border);
    run->sharing.always = o->share_always;
    run->sharing.stays = o->stays;
    run->sharing.paced = team_is_roomy(o->threads);
    run->share = memory_alloc_lines(o->threads, sizeof(*run->share));
    for (uint32_t i = 0; i < o->threads; i++)
        share_init(&run->share[i], &run->sharing, i);
    shipping_init(&run->shipping, e->channel, e->channels, e->partitions);
}

static void run_fini(struct run *run)
{
    for (uint32_t i = 0; i < run->options->threads; i++)
        share_fini(&run->share[i]);
    free(run->share);
    for (int i = 0; i < 2; i++)
        free(run->bulletin[i]);
    free(run->cpu);
    sharing_fini(&run->sharing);
    free(run->border);
    free(run->account);
    free(run->shared);
    shipping_fini(&run->shipping);
}

void engine_archive(struct engine *e, struct archive *a)
{
    archive_same(a, e->partitions);
    archive_same(a, e->channels);
    archive_bytes(a, &e->windows, sizeof(e->windows));
    archive_bytes(a, &e->now, sizeof(e->now));
    archive_bytes(a, &e->stall, sizeof(e->stall));
    for (uint32_t c = 0; c < e->channels; c++)
        channel_archive(&e->channel[c], (e->windows - 1) & 1, a);
}

/* Every window that was run moved time on by a cycle at least. */
const char *engine_flaw(const struct engine *e)
{
    if (!e->windows || e->windows > e->now || e->now >= CYCLE_END)
        return "it stands at no cycle that a run comes to";
    for (uint32_t c = 0; c < e->channels; c++)
        for (int i = 0; i < 2; i++) {
            const struct channel_buffer *b = &e->channel[c].buffer[i];
            for (uint32_t m = 0; m < b->count; m++)
                if (b->message[m].time < e->now || b->message[m].time >= CYCLE_END)
                    return "a message between partitions is late";
        }
    return NULL;
}

weft_status engine_run(struct engine *e, const struct engine_options *asked,
                       struct engine_outcome *outcome)
{
    struct run run;
    struct engine_options own = *asked;
    double began = clock_seconds();
    /* Starting threads takes longer than a short step of a run that continues. */
    if (ranks_count() == 1 && e->prepared && e->last_seconds < 0.5e-3 &&
        own.stop_at != CYCLE_NEVER && own.stop_at - e->last_stop <= 2 * e->last_cycles)
        own.threads = 1;
    if (!e->in_first) {
        index_channels(e, true, &e->in_first, &e->in_channel);
        index_channels(e, false, &e->out_first, &e->out_channel);
    }
    run_init(&run, e, &own, outcome);
    weft_status started = team_run(&run.team, own.threads, member_loop, &run);
    for (uint32_t m = 0; m < own.threads; m++)
        outcome->cpu_seconds += run.cpu[m];
    run_fini(&run);
    e->last_seconds = clock_seconds() - began;
    e->last_cycles = own.stop_at - e->last_stop;
    e->last_stop = own.stop_at;
    if (started != WEFT_OK)
        return ranks_agree(started, 0); /* as the other ranks' prepare() does */
    if (outcome->end != ENGINE_BROKEN)
        return WEFT_OK;
    weft_status status = error_restore(&e->failures.error);
    return run.agreed ? status : ranks_agree(status, 0);
}
