/* Building, running, gathering. */
#define _GNU_SOURCE
#include "machine/run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"
#include "engine/ranks.h"
#include "machine/family.h"

/* Everything one run is made of. */
struct rig {
    const struct config *config;
    const struct run_options *options;
    const struct family *family;
    const struct run_params *params;
    const struct workload_params *workload;
    struct model *model;
    double started, save_at; /* for checkpoints */
};

/* ---- running ---- */

static cycle_t measured_end(const struct rig *rig)
{
    return rig->workload->warmup_cycles + rig->workload->cycles;
}

static void report(void *arg, cycle_t now, uint64_t delivered)
{
    const struct rig *rig = arg;
    const struct model *m = rig->model;
    struct run_progress p = {.now = now, .delivered = delivered};
    cycle_t end = measured_end(rig);
    if (m->open)
        p.share = now < end ? (double)now / (double)end : 1;
    else
        p.share = m->deliveries ? (double)p.delivered / (double)m->deliveries : -1;
    rig->options->progress(rig->options->arg, &p);
}

static bool interrupted(void *arg)
{
    const struct rig *rig = arg;
    return rig->options->interrupted && rig->options->interrupted(rig->options->arg);
}

static weft_status inspect(void *arg, cycle_t now)
{
    (void)now;
    struct network *n = ((struct rig *)arg)->model->network;
    return n->kind->check(n);
}

/* ---- checkpoints ---- */

static void archive(void *arg, struct archive *a)
{
    struct rig *rig = arg;
    struct model *m = rig->model;
    if (m->workload)
        workload_archive(m->workload, a);
    if (m->sources)
        sources_archive(m->sources, a);
    if (m->processes)
        processes_archive(m->processes, a);
    rig->family->archive(m, a);
    network_archive(m->network, a);
}

static weft_status restore(void *arg)
{
    struct rig *rig = arg;
    struct archive *a = &rig->options->resume->state;
    archive(rig, a);
    archive_end(a);
    if (a->broken)
        return BAD_INPUT(
            NULL, ("the checkpoint does not fit its own machine (a graph file that has changed?)"),
            ("start anew"));
    return WEFT_OK;
}

static bool is_time_to_save(void *arg)
{
    return clock_seconds() >= ((const struct rig *)arg)->save_at;
}

static weft_status save(void *arg, cycle_t now)
{
    struct rig *rig = arg;
    const struct run_options *o = rig->options;
    struct checkpoint_head *head = weft_alloc(1, sizeof(*head));
    (void)now;
    if (o->resume)
        *head = o->resume->head;
    if (o->output && o->output[0] != '/' && getcwd(head->output, sizeof(head->output) / 2))
        snprintf(head->output + strlen(head->output), sizeof(head->output) / 2, "/%s", o->output);
    else if (o->output)
        snprintf(head->output, sizeof(head->output), "%s", o->output);
    head->every = o->every;
    for (unsigned i = 0; i < MODEL_CUTS; i++)
        head->cuts[i] = 1;
    rig->family->cuts(rig->model, head->cuts);
    double spent = clock_seconds() - rig->started;
    head->wall_seconds += spent;
    head->cpu_seconds += clock_process_seconds();
    weft_status status = checkpoint_save(o->checkpoint, head, rig->config, archive, rig);
    free(head);
    rig->save_at = clock_seconds() + o->every;
    return status;
}

static cycle_t stop_time(const struct rig *rig)
{
    cycle_t drain = rig->workload->drain_cycles;
    if (rig->options->until)
        return rig->options->until;
    if (rig->model->stop_at)
        return rig->model->stop_at;
    return rig->model->open && drain ? measured_end(rig) + drain : CYCLE_NEVER;
}

/* ---- gathering ---- */

/* 95 % interval of the mean response from the means of batches (Student's t, 31 degrees). */
static double batch_interval(const struct measure *m)
{
    double sum = 0, squares = 0;
    for (unsigned b = 0; b < MEASURE_BATCHES; b++) {
        if (!m->batch_count[b])
            return -1;
        double mean = (double)m->batch_sum[b] / (double)m->batch_count[b];
        sum += mean;
        squares += mean * mean;
    }
    double n = MEASURE_BATCHES, variance = (squares - sum * sum / n) / (n - 1);
    return 2.0395 * sqrt(variance > 0 ? variance / n : 0);
}

static void gather_rates(const struct rig *rig, struct run_result *r)
{
    const struct measure *m = &r->measure;
    double cycle_rate = machine_cycles_per_second(rig->config);
    double node_time = (double)r->span * machine_nodes(rig->config);
    r->sim_seconds = (double)r->cycles / cycle_rate;
    r->fraction_of_peak = r->one_way_cycles = r->hot_link_utilisation = -1;
    r->offered_load = r->open ? rig->workload->load : -1;
    double payload = (double)(r->open ? m->window_payload_bytes : m->payload_bytes);
    r->throughput = run_ratio(payload, node_time) * cycle_rate;
    r->response_mean = run_ratio((double)m->response.sum, (double)m->response.count);
    r->response_interval = r->open ? batch_interval(m) : -1;
    r->unblocking_probability = m->acks ? (double)m->unblocking / (double)m->acks : -1;
}

static void gather_engine(const struct rig *rig, const struct engine_outcome *outcome,
                          struct run_result *r)
{
    const struct checkpoint *resumed = rig->options->resume;
    r->threads = outcome->threads;
    r->partitions = rig->model->partitions;
    r->window_cycles = (uint32_t)rig->model->network->engine.lookahead;
    r->events = network_events(rig->model->network);
    r->windows = outcome->windows;
    uint64_t sums[2] = {(uint64_t)(outcome->cpu_seconds * 1e9), weft_peak_rss()};
    ranks_sum(sums, 2);
    r->ranks = ranks_count();
    r->cpu_seconds = (double)sums[0] * 1e-9 + (resumed ? resumed->head.cpu_seconds : 0);
    r->peak_rss_bytes = sums[1];
    r->wall_seconds = outcome->wall_seconds + (resumed ? resumed->head.wall_seconds : 0);
    r->setup_seconds += outcome->prepare_seconds;
}

/* What processes came to. */
static void gather_processes(const struct rig *rig, struct run_result *r)
{
    struct processes_result p = processes_result(rig->model->processes);
    double rate = machine_cycles_per_second(rig->config), rounds = rig->workload->messages;
    double seconds = (double)(r->open ? rig->workload->cycles : p.ended) / rate;
    if (!p.active)
        return;
    if (!r->open) {
        r->cycles = p.ended;
        r->sim_seconds = seconds;
    }
    run_result_add(r, "processes", (double)p.active);
    run_result_add(r, "messages_received", (double)p.messages);
    run_result_add(r, "bytes_per_process_second", p.mean_rate);
    run_result_add(r, "least_bytes_per_process_second", p.receivers ? (double)p.least_rate : 0);
    run_result_add(r, "most_bytes_per_process_second", (double)p.most_rate);
    run_result_add(r, "total_bytes_per_second", run_ratio((double)p.bytes, seconds));
    if (!r->open)
        run_result_add(r, "seconds_per_round", seconds / rounds);
    if (p.rail_messages)
        run_result_add(r, "rails_per_message", (double)p.rail_streams / (double)p.rail_messages);
}

/* How near traffic came to its bound, and what its processes did. */
static void gather_workload(const struct rig *rig, struct run_result *r)
{
    const struct workload *w = rig->model->workload;
    if (!w)
        return;
    if (rig->model->processes)
        gather_processes(rig, r);
    r->bound_cycles = w->bound_cycles;
    if (w->open && w->rate_bound > 0)
        r->fraction_of_peak = run_ratio((double)r->measure.window_delivered,
                                        (double)r->span * w->senders * w->rate_bound);
    if (machine_uses(rig->config, "workload.hops") && r->measure.delivered)
        r->one_way_cycles = (double)r->cycles / (2.0 * rig->workload->messages);
}

/* Whether as much was delivered as was offered, within 3 % and what chance makes of it. */
static bool is_steady(const struct run_result *r)
{
    double packets = (double)r->measure.window_delivered;
    double missing = 1 - run_ratio(r->fraction_of_peak, r->offered_load);
    return r->fraction_of_peak < 0 || r->offered_load <= 0 || packets < 1 ||
           missing < 0.03 + 3 / sqrt(packets);
}

static void gather(const struct rig *rig, const struct engine_outcome *outcome,
                   struct run_result *r)
{
    r->open = rig->model->open;
    cycle_t measured = measured_end(rig);
    /* Tokens may travel for a while after the last delivery: count buffers to the end of events. */
    cycle_t end = network_now(rig->model->network);
    if (r->open && end < measured)
        end = measured;
    network_measure(rig->model->network, end, &r->measure);
    const struct measure *m = &r->measure;
    r->cycles = m->last_delivery;
    if (r->open && r->cycles < measured)
        r->cycles = measured;
    bool any = m->first_injection != CYCLE_NEVER && m->last_delivery > m->first_injection;
    r->span = r->open ? rig->workload->cycles : any ? m->last_delivery - m->first_injection : 0;
    gather_rates(rig, r);
    gather_workload(rig, r);
    rig->family->gather(rig->model, r);
    if (!r->open && r->bound_cycles > 0)
        r->fraction_of_peak = run_ratio(r->bound_cycles, (double)r->cycles);
    r->wounded = !rig->family->is_whole(rig->config);
    r->steady = is_steady(r);
    r->cut_off = r->open && outcome->end == ENGINE_STOPPED && rig->workload->drain_cycles &&
                 !rig->model->stop_at && !rig->options->until;
    gather_engine(rig, outcome, r);
}

/* More threads than partitions would only wait. Every rank has one at least. */
static uint32_t threads_needed(const struct rig *rig)
{
    uint32_t ranks = ranks_count(), most = (rig->model->partitions + ranks - 1) / ranks;
    return rig->options->threads < most ? rig->options->threads : most;
}

static weft_status stop_early(struct rig *rig, cycle_t now)
{
    const char *checkpoint = rig->options->checkpoint;
    weft_status status = checkpoint ? save(rig, now) : WEFT_OK;
    if (status != WEFT_OK)
        return status;
    if (checkpoint)
        return RUN_FAILED(("interrupted at cycle %llu", (unsigned long long)now),
                          ("`weft resume %s` goes on", checkpoint));
    return RUN_FAILED(("interrupted at cycle %llu", (unsigned long long)now),
                      ("nothing was written"));
}

/* Why nothing moves: links that do not come through, or buffers that wait for each other. */
static void explain(const struct network *n, struct run_result *r)
{
    const struct link_report *l = &r->link_report;
    size_t size = sizeof(r->deadlock_text), length;
    if (!l->in_vain) {
        n->kind->explain(n, r->deadlock_text, size);
        return;
    }
    length = (size_t)snprintf(
        r->deadlock_text, size,
        "%llu link%s sent again and again in vain (if dead, mark in machine.dead_links):",
        (unsigned long long)l->in_vain, l->in_vain == 1 ? " has" : "s have");
    for (uint32_t i = 0; i < l->named; i++)
        if (!l->first[i].differs)
            length +=
                (size_t)snprintf(r->deadlock_text + length, size - length, " %s", l->first[i].name);
}

static weft_status fail_deadlocked(const struct network *n, struct run_result *r)
{
    uint64_t packets = network_pending(n), processes = network_awaited(n);
    char waiting[64] = "";
    explain(n, r);
    if (processes)
        snprintf(waiting, sizeof(waiting), " and %llu processes wait",
                 (unsigned long long)processes);
    return RUN_FAILED(("deadlock: nothing has arrived since cycle %llu, %llu packets are under "
                       "way%s",
                       (unsigned long long)r->measure.last_delivery, (unsigned long long)packets,
                       waiting),
                      ("%s", r->deadlock_text));
}

static void destroy(struct rig *rig)
{
    struct model *m = rig->model;
    struct workload *w = m->workload;
    struct sources *sources = m->sources;
    struct processes *processes = m->processes;
    sources_destroy(sources);
    processes_destroy(processes);
    rig->family->destroy(m);
    workload_destroy(w);
}

/* While an open-loop run waits for its next packet, links may talk to each other: no stall. */
static bool waits_for_traffic(const struct rig *rig, const struct engine_outcome *outcome)
{
    return outcome->end == ENGINE_STALLED && rig->model->open && outcome->now < measured_end(rig) &&
           !network_pending(rig->model->network);
}

static weft_status run_to_end(const struct rig *rig, struct engine_options *o,
                              struct engine_outcome *outcome)
{
    double cpu = 0, wall = 0, prepare = 0;
    weft_status status;
    do {
        status = engine_run(&rig->model->network->engine, o, outcome);
        o->restore = NULL;
        cpu += outcome->cpu_seconds;
        wall += outcome->wall_seconds;
        prepare += outcome->prepare_seconds;
    } while (status == WEFT_OK && waits_for_traffic(rig, outcome));
    outcome->cpu_seconds = cpu;
    outcome->wall_seconds = wall;
    outcome->prepare_seconds = prepare;
    return status;
}

weft_status run_config(const struct config *c, const struct run_options *o, struct run_result *r)
{
    struct rig rig = {.config = c,
                      .options = o,
                      .family = family_of(c),
                      .params = config_section(c, &run_section),
                      .workload = config_workload(c)};
    struct engine_outcome outcome;
    double start = clock_seconds();
    memset(r, 0, sizeof(*r));
    weft_status status = config_locate(c, rig.family->create(c, o, &rig.model));
    status = ranks_agree(status, rig.model->partitions);
    if (status != WEFT_OK) {
        destroy(&rig);
        return status;
    }
    struct network *network = rig.model->network;
    r->setup_seconds = clock_seconds() - start;
    struct engine_options eo = {
        .threads = threads_needed(&rig),
        .share_always = o->check,
        .stop_at = stop_time(&rig),
        .stall_cycles = rig.params->stall_cycles,
        .inspect_every = o->check ? 4096 : 0,
        .inspect = inspect,
        .report = o->progress ? report : NULL,
        .interrupted = interrupted,
        .restore = o->resume ? restore : NULL,
        .wants_rest = o->checkpoint ? is_time_to_save : NULL,
        .at_rest = save,
        .arg = &rig,
    };
    rig.started = clock_seconds();
    rig.save_at = rig.started + o->every;
    uint64_t warm_hops = 0, warm_events = 0;
    if (o->timed_from) { /* what comes before is run, but not timed */
        cycle_t stop_at = eo.stop_at;
        eo.stop_at = o->timed_from;
        status = engine_run(&network->engine, &eo, &outcome);
        eo.stop_at = stop_at;
        r->setup_seconds += outcome.prepare_seconds;
        warm_hops = network_hops(network);
        warm_events = network_events(network);
    }
    if (o->stages)
        stages_start();
    if (status == WEFT_OK && (!o->timed_from || outcome.end == ENGINE_STOPPED))
        status = run_to_end(&rig, &eo, &outcome);
    if (o->stages)
        stages_stop(r->stage_samples);
    if (status == WEFT_OK && outcome.end == ENGINE_INTERRUPTED)
        status = stop_early(&rig, outcome.now);
    if (status == WEFT_OK) {
        network_settle(network, outcome.now < eo.stop_at ? outcome.now : eo.stop_at);
        gather(&rig, &outcome, r);
        r->timed_hops = r->measure.hops - warm_hops;
        r->timed_events = r->events - warm_events;
        bool waiting = network_pending(network) > 0 || network_awaited(network) > 0;
        /* A closed run's program may still have something to send. */
        r->deadlock = (outcome.end == ENGINE_STALLED && (waiting || !r->open)) ||
                      (outcome.end == ENGINE_QUIET && waiting);
    }
    if (status == WEFT_OK && r->deadlock)
        status = fail_deadlocked(network, r);
    destroy(&rig);
    return status;
}
