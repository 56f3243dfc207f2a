/* Building, running, checkpoints, deadlocks. */
#define _GNU_SOURCE
#include "machine/run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "base/clock.h"
#include "base/memory.h"
#include "base/text/text.h"
#include "engine/ranks.h"
#include "machine/session_state.h"
#include "mpi/world.h"
#include "workload/parts/parts.h"

/* ---- running ---- */

static void find_programs(struct session *s)
{
    struct workload *all = s->model->workload;
    uint32_t members = all ? workload_members(all) : 0;
    s->program = memory_alloc(members, sizeof(*s->program));
    for (uint32_t i = 0; i < members; i++)
        if (workload_member(all, i)->world)
            s->program[s->programs++] = workload_member(all, i);
}

/* What the ranks of MPI programs have printed before a time that all have reached. */
static void print_output(const struct session *s, double before)
{
    struct output **output = memory_alloc(s->programs, sizeof(struct output *));
    for (uint32_t i = 0; i < s->programs; i++)
        output[i] = &s->program[i]->world->output;
    if (s->programs)
        output_print(output, s->programs, before, s->options.print, s->options.arg);
    free(output);
}

/* What they had printed when the run failed: the rank of which it failed had computed ahead of that
 * time, others may have gone on. */
static void print_output_of_failed(const struct session *s, const struct failures *f)
{
    const struct workload *w = s->model->workload;
    const struct task_group *g =
        f->number == FAILURE_OF_NOBODY ? NULL : task_group_of(w->group, w->groups, f->number);
    double when = (double)f->when / (1 << FRACTION_BITS) / s->facts.cycles_per_second;
    print_output(s, when * (1 + 1e-12) + 1e-12);
    for (uint32_t i = 0; i < s->programs; i++) {
        struct world *world = s->program[i]->world;
        output_keep(&world->output,
                    g && g->part == world->o.part ? f->number - g->first : UINT32_MAX);
    }
    print_output(s, INFINITY);
}

static void report(void *arg, cycle_t now, uint64_t delivered)
{
    const struct session *s = arg;
    const struct model *m = s->model;
    print_output(s, (double)now / s->facts.cycles_per_second);
    if (!s->options.progress)
        return;
    struct run_progress p = {
        .now = now, .seconds = (double)now / s->facts.cycles_per_second, .delivered = delivered};
    cycle_t end = session_measured_end(s);
    if (m->open)
        p.share = now < end ? (double)now / (double)end : 1;
    else
        p.share = m->deliveries ? (double)p.delivered / (double)m->deliveries : -1;
    s->options.progress(s->options.arg, &p);
}

static bool interrupted(void *arg)
{
    const struct session *s = arg;
    return s->options.interrupted && s->options.interrupted(s->options.arg);
}

static weft_status inspect(void *arg, cycle_t now)
{
    (void)now;
    return network_check(((struct session *)arg)->model->network);
}

/* ---- checkpoints ---- */

static void archive(void *arg, struct archive *a)
{
    struct session *s = arg;
    struct model *m = s->model;
    if (m->workload)
        workload_archive(m->workload, a);
    if (m->sources)
        sources_archive(m->sources, a);
    if (m->processes)
        processes_archive(m->processes, a);
    archive_same(a, m->input_hash);
    model_archive_window(m, a);
    nic_archive(m->nic, a);
    network_archive(m->network, a);
}

static weft_status restore(void *arg)
{
    struct session *s = arg;
    struct archive *a = &s->options.resume->state;
    archive(s, a);
    archive_end(a);
    struct network *n = s->model->network;
    if (!a->broken && network_audit(n) != WEFT_OK)
        archive_sound(a, "packets, tokens and room do not add up");
    if (a->flaw)
        return BAD_PLACE(("%s", s->options.resume->path),
                         ("does not hold what a checkpoint holds (%s)", a->flaw), ("start over"));
    if (a->broken)
        return BAD_PLACE(("%s", s->options.resume->path),
                         ("does not fit its own machine (has a graph file changed?)"),
                         ("start over"));
    return WEFT_OK;
}

static bool is_time_to_save(void *arg)
{
    return clock_seconds() >= ((const struct session *)arg)->save_at;
}

static weft_status save(void *arg, cycle_t now)
{
    struct session *s = arg;
    const struct run_options *o = &s->options;
    struct checkpoint_head *head = memory_alloc(1, sizeof(*head));
    _Static_assert((int)TORUS_MAX_DIMS <= CHECKPOINT_CUTS, "a checkpoint holds all cuts");
    (void)now;
    if (o->resume)
        *head = o->resume->head;
    if (o->output)
        snprintf(head->output, sizeof(head->output), "%s", o->output);
    head->every = o->every;
    head->look = s->model->window.look;
    for (unsigned i = 0; i < CHECKPOINT_CUTS; i++)
        head->cuts[i] = 1;
    head->cuts[0] = s->model->partitions;
    const struct bricks *bricks = &s->model->bricks;
    for (unsigned d = 0; bricks->count && d < bricks->torus->dims; d++)
        head->cuts[d] = bricks->cuts[d];
    double spent = clock_seconds() - s->started;
    head->wall_seconds += spent;
    head->cpu_seconds += clock_process_seconds();
    weft_status status = checkpoint_save(o->checkpoint, head, s->config, archive, s);
    free(head);
    s->save_at = clock_seconds() + o->every;
    return status;
}

static cycle_t stop_time(const struct session *s)
{
    cycle_t drain = s->workload->drain_cycles;
    if (s->options.until)
        return s->options.until;
    if (s->model->stop_at)
        return s->model->stop_at;
    if (s->model->window.phase != WINDOW_SET)
        return CYCLE_NEVER;
    return s->model->open && drain ? session_measured_end(s) + drain : CYCLE_NEVER;
}

/* What is lost with a shorter run is soon made again. */
enum { LONG_SECONDS = 5 };

static weft_status stop_early(struct session *s, cycle_t now)
{
    const char *checkpoint = s->options.checkpoint;
    const struct workload *w = s->model->workload;
    char word[900];
    TRY(checkpoint ? save(s, now) : WEFT_OK);
    if (checkpoint)
        return RUN_FAILED(
            ("interrupted at cycle %llu", (unsigned long long)now),
            ("`weft resume %s` continues", text_quote(checkpoint, word, sizeof(word))));
    /* Whether a checkpoint would not have been refused (make_workload()). */
    bool could_save = ranks_count() == 1 && w && !workload_has_programs(w) && !w->letters;
    bool advise = s->options.advice && could_save && clock_seconds() - s->started > LONG_SECONDS;
    return RUN_FAILED(
        ("interrupted at cycle %llu", (unsigned long long)now),
        ("nothing was written%s%s", advise ? "; " : "", advise ? s->options.advice : ""));
}

/* What the ranks of MPI programs wait for; false: for nothing. */
static bool explain_worlds(const struct session *s, char *text, size_t size, size_t at)
{
    bool any = false;
    for (uint32_t i = 0; i < s->programs && at < size; i++) {
        const struct world *w = s->program[i]->world;
        size_t head = w->o.part ? text_append(text, size, at, " part %u:\n", w->o.part) : at;
        size_t length = head < size ? world_explain(w, text + head, size - head) : 0;
        any = any || length;
        at = length ? head + length : at;
    }
    if (at < size)
        text[at] = '\0';
    return any;
}

/* Why nothing moves: processes that wait for nothing, links that never get through, or buffers that
 * wait for each other. */
static void explain(const struct session *s, struct run_result *r)
{
    const struct network *n = s->model->network;
    const struct link_report *l = &r->link_report;
    size_t size = sizeof(r->deadlock_text), length;
    if (!network_totals(n).pending && s->model->processes) {
        length = text_append(r->deadlock_text, size, 0, "what is waited for does not come:\n");
        if (!explain_worlds(s, r->deadlock_text, size, length))
            processes_explain(s->model->processes, r->deadlock_text + length, size - length);
        return;
    }
    if (!l->links_given_up) {
        network_explain(n, r->deadlock_text, size);
        return;
    }
    length = (size_t)snprintf(
        r->deadlock_text, size,
        "%llu link%s sent over and over in vain (if dead, mark in machine.dead_links):",
        (unsigned long long)l->links_given_up, l->links_given_up == 1 ? " has" : "s have");
    for (uint32_t i = 0; i < l->named; i++)
        if (!l->first[i].differs)
            length +=
                (size_t)snprintf(r->deadlock_text + length, size - length, " %s", l->first[i].name);
}

static weft_status fail_deadlocked(const struct session *s, struct run_result *r)
{
    struct network_totals left = network_totals(s->model->network);
    uint64_t packets = left.pending, processes = left.awaited;
    char waiting[64] = "";
    explain(s, r);
    if (processes)
        snprintf(waiting, sizeof(waiting), " and %llu process%s", (unsigned long long)processes,
                 processes == 1 ? " waits" : "es wait");
    return RUN_FAILED(("deadlock: nothing has arrived since cycle %llu, %llu packets are under "
                       "way%s",
                       (unsigned long long)r->measure.last_delivery, (unsigned long long)packets,
                       waiting),
                      ("%s", r->deadlock_text));
}

/* Units that failed have lost packets that somebody waits for. */
static weft_status fail_lost(const struct session *s, struct run_result *r)
{
    struct network_totals left = network_totals(s->model->network);
    unsigned long long lost = ranks_max(r->measure.lost);
    unsigned long long processes = r->deadlock ? left.awaited : 0;
    char waiting[64] = "";
    if (r->deadlock)
        explain(s, r);
    else
        run_result_fini(r);
    if (processes)
        snprintf(waiting, sizeof(waiting), ", and %llu process%s for ever", processes,
                 processes == 1 ? " waits" : "es wait");
    return RUN_FAILED(("%llu packet%s lost in units that failed (machine.swap)%s", lost,
                       lost == 1 ? " was" : "s were", waiting),
                      ("use no fail: to have units pass on what is under way before they are out"));
}

/* Whether lost packets are missed: who waits for one waits for ever. Patterns of messages without
 * end and closed ones of packets wait for all. Of several ranks, the first knows all losses. */
static bool misses_lost(const struct session *s, const struct run_result *r)
{
    const struct workload *w = s->model->workload;
    bool packets = w && w->as == LAYER_PACKETS, all = packets ? !r->open : r->open;
    bool misses = r->measure.lost && (r->deadlock || all);
    for (uint32_t i = 0; packets && i < r->parts; i++)
        misses |= !r->part[i].open && r->part[i].lost;
    return r->swaps && ranks_max(misses);
}

/* ---- life cycle ---- */

static weft_status create_model(void *arg)
{
    struct session *s = arg;
    weft_status status = model_create(s->config, &s->options, &s->model);
    s->created = true;
    if (status == WEFT_OK && s->model->workload && workload_parts(s->model->workload))
        s->model->network->classes = parts_classes(workload_parts(s->model->workload));
    return status;
}

/* A model that fails half-built is leaked: its pointers may be invalid. All ranks call this. */
static weft_status set_up(struct session *s)
{
    protected_call_watch(s->options.interrupted, s->options.arg);
    weft_status status = protected_call(create_model, s);
    protected_call_watch(NULL, NULL);
    status = config_locate(s->config, status);
    return ranks_agree(status, s->created ? s->model->partitions : 0);
}

static void set_engine_options(struct session *s)
{
    const struct run_options *o = &s->options;
    /* More threads than partitions would only wait. Every rank has at least one. */
    uint32_t ranks = ranks_count(), most = (s->model->partitions + ranks - 1) / ranks;
    s->engine =
        (struct engine_options){.threads = o->threads < most ? o->threads : most,
                                .share_always = o->check,
                                .stays = s->model->workload && workload_stays(s->model->workload),
                                .stall_cycles = s->params->stall_cycles,
                                .inspect_every = o->check ? 4096 : 0,
                                .inspect = inspect,
                                .report = o->progress || s->programs ? report : NULL,
                                .interrupted = interrupted,
                                .restore = o->resume ? restore : NULL,
                                .wants_rest = o->checkpoint ? is_time_to_save : NULL,
                                .at_rest = save,
                                .arg = s};
}

weft_status session_open(const struct config *c, const struct run_options *o,
                         struct session **session)
{
    struct session *s = memory_alloc(1, sizeof(*s));
    double start = clock_seconds();
    *session = NULL;
    *s = (struct session){.config = c,
                          .facts = machine_facts(c),
                          .options = *o,
                          .family = family_of(c),
                          .params = config_section(c, &run_section),
                          .workload = config_workload(c)};
    weft_status status = set_up(s);
    if (status != WEFT_OK) {
        session_close(s);
        return status;
    }
    if (o->resume && s->model->window.is_found) /* the first stop, before the state is restored */
        s->model->window.look = o->resume->head.look;
    find_programs(s);
    set_engine_options(s);
    for (uint32_t i = 0; o->print && i < s->programs; i++)
        world_doubts(s->program[i]->world, o->print, o->arg);
    s->setup_seconds = clock_seconds() - start;
    s->started = clock_seconds();
    s->save_at = s->started + o->every;
    *session = s;
    return WEFT_OK;
}

void session_close(struct session *s)
{
    if (!s)
        return;
    if (s->created)
        model_destroy(s->model);
    free(s->program);
    free(s);
}

/* While an open-loop run or one from a file waits for its next packet, or no message of a host is
 * under way, links may exchange control: not a stall. */
static bool waits_for_traffic(const struct session *s)
{
    return s->outcome.end == ENGINE_STALLED && !network_totals(s->model->network).pending &&
           (s->model->host || (s->model->workload && s->model->workload->program.timed) ||
            (s->model->open && s->outcome.now < session_measured_end(s)));
}

/* If the run stands where the window is looked at next: does so. */
static bool looks_at_window(struct session *s)
{
    cycle_t look = s->model->window.look;
    bool ended = s->outcome.end == ENGINE_QUIET; /* no packet is born before */
    if (!s->model->open || look == CYCLE_NEVER || s->engine.stop_at != look ||
        (!ended && s->outcome.end != ENGINE_STOPPED))
        return false;
    session_rouse(s, look);
    model_look(s->model);
    return true;
}

weft_status session_run(struct session *s, cycle_t until)
{
    double cpu = s->outcome.cpu_seconds, wall = s->outcome.wall_seconds;
    weft_status status;
    bool looked = false;
    do {
        cycle_t end = until == CYCLE_NEVER ? stop_time(s) : until, look = s->model->window.look;
        s->engine.stop_at = look < end ? look : end;
        s->engine.goes_on = looked;
        status = engine_run(&s->model->network->engine, &s->engine, &s->outcome);
        s->engine.restore = NULL;
        cpu += s->outcome.cpu_seconds;
        wall += s->outcome.wall_seconds;
        s->setup_seconds += s->outcome.prepare_seconds;
    } while (status == WEFT_OK && ((looked = looks_at_window(s)) || waits_for_traffic(s)));
    s->outcome.cpu_seconds = cpu;
    s->outcome.wall_seconds = wall;
    s->ran = true;
    const struct failures *f = &s->model->network->engine.failures;
    if (s->programs && failures_any(f))
        print_output_of_failed(s, f);
    else
        print_output(s, INFINITY);
    if (status == WEFT_OK && s->outcome.end == ENGINE_INTERRUPTED)
        status = stop_early(s, s->outcome.now);
    return status;
}

/* What a program's run leaves beside its result. */
static weft_status write_files(void *arg)
{
    const struct session *s = arg;
    weft_status status = WEFT_OK;
    for (uint32_t i = 0; i < s->programs && status == WEFT_OK; i++)
        status = s->program[i]->pattern->write(s->program[i]);
    return status;
}

/* After a failure: with which code a program has ended itself, 0: it has not; and writes what it
 * did until then, unless nobody wants it any more. */
static void finish_failed(struct session *s, struct run_result *r)
{
    struct error failure = *error_last();
    char text[sizeof(failure.what) + 64];
    r->mpi.code = s->model->network->engine.failures.code;
    if (!s->programs || !s->ran || interrupted(s))
        return;
    if (protected_call(write_files, s) != WEFT_OK && s->options.print) {
        snprintf(text, sizeof(text), "weft: no trace was written: %s\n", error_last()->what);
        text_tame(text, true);
        s->options.print(s->options.arg, true, text, strlen(text));
    }
    error_restore(&failure);
}

weft_status session_finish(struct session *s, struct run_result *r)
{
    struct network *n = s->model->network;
    cycle_t now = s->outcome.now, stop_at = s->engine.stop_at;
    memset(r, 0, sizeof(*r));
    r->setup_seconds = s->setup_seconds;
    network_settle(n, now < stop_at ? now : stop_at);
    TRY(session_gather(s, r));
    TRY(write_files(s));
    struct network_totals left = network_totals(n);
    const struct workload *w = s->model->workload;
    /* Of an endless pattern the others have stopped at the end of the measurement. */
    bool cut = r->open && w && left.awaited < w->processes;
    bool waiting = left.pending > 0 || (left.awaited > 0 && !cut);
    /* In a closed run the program may still have packets to send. */
    r->deadlock = (s->outcome.end == ENGINE_STALLED && (waiting || !r->open)) ||
                  (s->outcome.end == ENGINE_QUIET && waiting);
    if (misses_lost(s, r))
        return fail_lost(s, r);
    if (r->deadlock)
        return fail_deadlocked(s, r);
    /* Of several ranks, only the first knows all of them. */
    bool all =
        s->outcome.end == ENGINE_QUIET && s->model->site.whole && !r->open && ranks_count() == 1;
    uint64_t expected = all ? s->model->deliveries : 0;
    if (expected && r->measure.delivered != expected)
        return RUN_FAILED(("%llu packets were delivered instead of %llu",
                           (unsigned long long)r->measure.delivered, (unsigned long long)expected),
                          ("this is a fault of Weft: please report it"));
    return WEFT_OK;
}

weft_status run_config(const struct config *c, const struct run_options *o, struct run_result *r)
{
    struct session *s;
    struct network_totals warm = {0};
    uint64_t samples[STAGES_MOST] = {0};
    memset(r, 0, sizeof(*r));
    TRY(session_open(c, o, &s));
    weft_status status = WEFT_OK;
    if (o->timed_from) { /* run up to there untimed */
        status = session_run(s, o->timed_from);
        s->outcome.cpu_seconds = s->outcome.wall_seconds = 0;
        warm = network_totals(s->model->network);
    }
    if (o->stages)
        o->stages->start();
    if (status == WEFT_OK && !session_is_over(s))
        status = session_run(s, CYCLE_NEVER);
    if (o->stages)
        o->stages->stop(samples);
    if (status == WEFT_OK) {
        status = session_finish(s, r);
        r->timed_hops = r->measure.hops - warm.hops;
        r->timed_events = r->events - warm.events;
        memcpy(r->stage_samples, samples, sizeof(samples));
    } else {
        finish_failed(s, r);
    }
    session_close(s);
    return status;
}

/* ---- for hosts ---- */

const struct model *session_model(const struct session *s)
{
    return s->model;
}

void session_rouse(struct session *s, cycle_t when)
{
    struct engine *e = &s->model->network->engine;
    e->now = when < e->now ? when : e->now;
    s->outcome.end = ENGINE_STOPPED;
}

bool session_is_stuck(const struct session *s)
{
    return (s->outcome.end == ENGINE_STALLED || s->outcome.end == ENGINE_QUIET) &&
           network_totals(s->model->network).pending > 0;
}

bool session_was_interrupted(const struct session *s)
{
    return s->outcome.end == ENGINE_INTERRUPTED;
}

bool session_is_over(const struct session *s)
{
    return s->ran && s->outcome.end != ENGINE_STOPPED;
}
