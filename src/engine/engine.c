/* The window loop, the same for one thread and for many. */
#define _GNU_SOURCE
#include "engine/engine.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/memory.h"
#include "engine/team.h"

/* What one member tells the others at the end of a window; two sets, by the window's parity. */
struct bulletin {
    cycle_t next;      /* earliest event of its partitions and of the messages they sent */
    uint64_t progress; /* summed over its partitions */
    bool interrupt;
} __attribute__((aligned(64)));

struct run {
    struct engine *engine;
    const struct engine_options *options;
    struct engine_outcome *outcome;
    struct team team;
    struct bulletin *bulletin[2];
    weft_status inspection;
    char inspection_error[256]; /* errors are kept by thread: carried to the caller's */
    double *cpu;                /* of each member */
};

void engine_init(struct engine *e, const struct engine_model *model, uint32_t partitions,
                 cycle_t lookahead)
{
    *e = (struct engine){.model = *model, .partitions = partitions, .lookahead = lookahead};
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

/* Lists, for each partition, the channels of which `end(c)` is that partition. */
static void index_channels(const struct engine *e, bool incoming, uint32_t **first, uint32_t **list)
{
    uint32_t *start = weft_alloc(e->partitions + 1, sizeof(*start));
    uint32_t *index = weft_alloc(e->channels, sizeof(*index));
    uint32_t at = 0;
    for (uint32_t p = 0; p < e->partitions; p++) {
        start[p] = at;
        for (uint32_t c = 0; c < e->channels; c++)
            if ((incoming ? e->channel[c].to : e->channel[c].from) == p)
                index[at++] = c;
    }
    start[e->partitions] = at;
    *first = start;
    *list = index;
}

/* The partitions of a member: as even a share as there can be; none if members outnumber them. */
static uint32_t share_start(const struct run *run, uint32_t member)
{
    return (uint32_t)((uint64_t)run->engine->partitions * member / run->team.size);
}

/* Runs one partition through a window; returns its earliest message or event after it. */
static cycle_t run_partition(struct engine *e, uint32_t p, unsigned parity, cycle_t until)
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
    cycle_t next = e->model.next(e->model.ctx, p);
    for (uint32_t i = e->out_first[p]; i < e->out_first[p + 1]; i++) {
        const struct channel_buffer *out = &e->channel[e->out_channel[i]].buffer[parity];
        for (uint32_t m = 0; m < out->count; m++)
            if (out->message[m].time < next)
                next = out->message[m].time;
    }
    return next;
}

/* All members come to the same verdict from the same bulletins. */
struct verdict {
    cycle_t next;
    uint64_t progress;
    bool interrupt;
};

static struct verdict read_bulletins(const struct run *run, unsigned parity)
{
    struct verdict v = {.next = CYCLE_NEVER};
    for (uint32_t m = 0; m < run->team.size; m++) {
        const struct bulletin *b = &run->bulletin[parity][m];
        if (b->next < v.next)
            v.next = b->next;
        v.progress += b->progress;
        v.interrupt |= b->interrupt;
    }
    return v;
}

/* The first member's clock: reports a few times a second, at a cost of one clock read in 64. */
static bool look_up(const struct run *run, uint64_t window, cycle_t now, double *last)
{
    const struct engine_options *o = run->options;
    if (window % 64 != 0)
        return false;
    double wall = clock_seconds();
    if (wall - *last < 0.1)
        return false;
    *last = wall;
    if (o->report)
        o->report(o->arg, now);
    return o->interrupted && o->interrupted(o->arg);
}

static enum engine_end inspect(struct run *run, uint32_t member, cycle_t now)
{
    team_barrier(&run->team);
    if (member == 0) {
        run->inspection = run->options->inspect(run->options->arg, now);
        snprintf(run->inspection_error, sizeof(run->inspection_error), "%s", weft_last_error());
    }
    team_barrier(&run->team);
    return run->inspection == WEFT_OK ? ENGINE_QUIET : ENGINE_BROKEN;
}

static void member_loop(void *arg, uint32_t member)
{
    struct run *run = arg;
    struct engine *e = run->engine;
    const struct engine_options *o = run->options;
    uint32_t first = share_start(run, member), last = share_start(run, member + 1);
    cycle_t now = 0, stalled = 0, inspect_at = o->inspect_every;
    uint64_t window = 0, progress = 0;
    double looked = clock_seconds();
    enum engine_end end = ENGINE_QUIET;

    for (;; window++) {
        unsigned parity = window & 1;
        cycle_t until = o->stop_at - now < e->lookahead ? o->stop_at : now + e->lookahead;
        struct bulletin *mine = &run->bulletin[parity][member];
        *mine = (struct bulletin){.next = CYCLE_NEVER};
        for (uint32_t p = first; p < last; p++) {
            cycle_t next = run_partition(e, p, parity, until);
            if (next < mine->next)
                mine->next = next;
            mine->progress += e->model.progress(e->model.ctx, p);
        }
        if (member == 0)
            mine->interrupt = look_up(run, window, now, &looked);
        team_barrier(&run->team);

        struct verdict v = read_bulletins(run, parity);
        /* Only cycles that were run count: a gap without events is no stall. */
        stalled = v.progress == progress ? stalled + (until - now) : 0;
        progress = v.progress;
        now = v.next;
        if (o->inspect_every && (now >= inspect_at || now == CYCLE_NEVER)) {
            inspect_at = now + o->inspect_every;
            if ((end = inspect(run, member, now)) == ENGINE_BROKEN)
                break;
        }
        end = now == CYCLE_NEVER          ? ENGINE_QUIET
              : now >= o->stop_at         ? ENGINE_STOPPED
              : stalled > o->stall_cycles ? ENGINE_STALLED
                                          : ENGINE_INTERRUPTED;
        if (end != ENGINE_INTERRUPTED || v.interrupt)
            break;
    }
    run->cpu[member] = team_cpu_seconds();
    if (member == 0)
        *run->outcome = (struct engine_outcome){
            .end = end, .now = now, .windows = window + 1, .threads = run->team.size};
}

weft_status engine_run(struct engine *e, const struct engine_options *options,
                       struct engine_outcome *outcome)
{
    uint32_t threads = options->threads;
    if (!e->in_first) {
        index_channels(e, true, &e->in_first, &e->in_channel);
        index_channels(e, false, &e->out_first, &e->out_channel);
    }
    struct run run = {.engine = e, .options = options, .outcome = outcome};
    run.cpu = weft_alloc(threads, sizeof(*run.cpu));
    for (int i = 0; i < 2; i++) {
        run.bulletin[i] = aligned_alloc(64, threads * sizeof(struct bulletin));
        WEFT_CHECK(run.bulletin[i], "no memory for %u threads", threads);
    }
    /* On one thread the loop runs on ours: only what it adds to our CPU time counts. */
    double start = clock_seconds(), spent = threads == 1 ? team_cpu_seconds() : 0;
    team_run(&run.team, threads, member_loop, &run);
    outcome->wall_seconds = clock_seconds() - start;
    outcome->cpu_seconds = -spent;
    for (uint32_t m = 0; m < threads; m++)
        outcome->cpu_seconds += run.cpu[m];
    for (int i = 0; i < 2; i++)
        free(run.bulletin[i]);
    free(run.cpu);
    if (outcome->end == ENGINE_BROKEN)
        return weft_fail(run.inspection, "%s", run.inspection_error);
    return WEFT_OK;
}
