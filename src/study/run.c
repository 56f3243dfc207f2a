/* Building, running, gathering. */
#define _GNU_SOURCE
#include "study/run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"
#include "engine/ranks.h"
#include "engine/team.h"
#include "topology/bricks.h"

/* Everything one run is made of. */
struct rig {
    const struct config *config;
    const struct run_options *options;
    struct workload *workload;
    struct endpoints *endpoints;
    struct torus_network *network;
    struct bricks bricks;
    double started, save_at; /* for checkpoints */
};

/* ---- building ---- */

static weft_status check_memory(const struct config *c)
{
    char need[32], have[32];
    /* Of which the ranks on this computer hold their share. */
    uint64_t bytes =
        torus_network_memory(&c->router, c->torus.nodes) * ranks_here() / ranks_count();
    if (bytes <= weft_physical_memory())
        return WEFT_OK;
    return weft_fail(WEFT_BAD_INPUT,
                     "machine.dims: %u nodes need about %s and this computer has %s; use a smaller "
                     "machine",
                     c->torus.nodes, weft_bytes_text(bytes, need),
                     weft_bytes_text(weft_physical_memory(), have));
}

/* `threads`: of all ranks. */
static weft_status choose_bricks(const struct config *c, uint32_t threads, struct bricks *bricks)
{
    enum { MOST_BRICKS = 4096 };
    struct torus cuts;
    if (strcmp(c->bricks, "auto") == 0) {
        /* Few large ones cost least; some for each thread let the work be shared out evenly. */
        struct bricks_wish wish = {.most_nodes = 16384,
                                   .least = threads,
                                   .good = threads > 1 ? 4 * threads : 1,
                                   .good_nodes = 1024};
        bricks_init(bricks, &c->torus, &wish);
        if (bricks->count < ranks_count())
            return weft_fail(WEFT_BAD_INPUT, "%u nodes are too few for %u ranks; use fewer ranks",
                             c->torus.nodes, ranks_count());
        return WEFT_OK;
    }
    if (torus_parse(c->bricks, &cuts) != WEFT_OK || cuts.dims != c->torus.dims)
        return weft_fail(WEFT_BAD_INPUT,
                         "run.bricks = '%s' does not fit the machine; use cuts of each of its %u "
                         "dimensions, as 2x2x1, or auto",
                         c->bricks, c->torus.dims);
    bricks_init_cuts(bricks, &c->torus, cuts.size);
    if (bricks->count < ranks_count())
        return weft_fail(WEFT_BAD_INPUT,
                         "run.bricks = '%s' makes %u partitions for %u ranks; use "
                         "more, or auto",
                         c->bricks, bricks->count, ranks_count());
    if (bricks->count > MOST_BRICKS)
        return weft_fail(WEFT_BAD_INPUT, "run.bricks = '%s' makes %u partitions; use at most %d",
                         c->bricks, bricks->count, MOST_BRICKS);
    return WEFT_OK;
}

/* With checkpoints: enough partitions for every core, should it go on with more threads. */
static weft_status cut(const struct config *c, const struct run_options *o, struct bricks *bricks)
{
    uint32_t threads = o->threads * ranks_count();
    if (o->resume) {
        bricks_init_cuts(bricks, &c->torus, o->resume->head.cuts);
        return WEFT_OK;
    }
    if (o->checkpoint && ranks_count() > 1)
        return weft_fail(WEFT_BAD_INPUT,
                         "--checkpoint is for one process; start it without mpirun");
    if (o->checkpoint && threads < team_cores())
        threads = team_cores();
    return choose_bricks(c, threads, bricks);
}

weft_status run_check_routes(const struct config *c)
{
    struct torus_derived derived;
    const struct workload_params *w = &c->workload;
    if (!faults_any(&c->faults))
        return WEFT_OK;
    weft_status status = torus_params_derive(&c->router, &derived);
    bool dynamic = w->dynamic_share > 0 && c->router.dynamic_vcs;
    bool fixed = w->dynamic_share < 1 || w->high_share > 0 || !c->router.dynamic_vcs;
    if (status == WEFT_OK && w->pattern != PATTERN_NEIGHBOUR)
        status = faults_connected(&c->faults, &c->torus, derived.escape_order, dynamic, fixed);
    return status;
}

static weft_status rig_init(struct rig *rig, const struct config *c, const struct run_options *o)
{
    *rig = (struct rig){.config = c, .options = o};
    weft_status status = check_memory(c);
    if (status == WEFT_OK)
        status = run_check_routes(c);
    if (status == WEFT_OK)
        status = cut(c, o, &rig->bricks);
    if (status == WEFT_OK)
        status = workload_create(&c->workload, &c->torus, &c->router, c->software_header_bytes,
                                 c->seed, &rig->workload);
    if (status != WEFT_OK)
        return status;
    struct node_params node = c->node;
    double link_cycles = c->router.link_mb_per_s / c->clock_mhz; /* in a processor cycle */
    node.write_cycles = c->packet_write_cycles * link_cycles;
    node.read_cycles = c->packet_read_cycles * link_cycles;
    struct endpoints_options eo = {.torus = &c->torus,
                                   .router = &c->router,
                                   .faults = &c->faults,
                                   .node = &node,
                                   .program = rig->workload->program,
                                   .bricks = rig->bricks,
                                   .seed = c->seed};
    status = endpoints_create(&eo, &rig->endpoints);
    if (status != WEFT_OK)
        return status;
    const struct workload_params *w = &c->workload;
    bool open = rig->workload->open;
    struct torus_network_options no = {
        .torus = &c->torus,
        .params = &c->router,
        .faults = &c->faults,
        .client = endpoints_client(rig->endpoints),
        .bricks = rig->bricks,
        .seed = c->seed,
        .measure_from = open ? w->warmup_cycles : 0,
        .measure_to = open ? w->warmup_cycles + w->cycles : CYCLE_NEVER,
        .interval = c->interval_cycles,
        .software_header_bytes = c->software_header_bytes,
        .stages = o->stages,
    };
    return torus_network_create(&no, &rig->network);
}

static void rig_fini(struct rig *rig)
{
    torus_network_destroy(rig->network);
    endpoints_destroy(rig->endpoints);
    if (rig->workload)
        workload_destroy(rig->workload);
}

/* ---- running ---- */

static void report(void *arg, cycle_t now, uint64_t delivered)
{
    const struct rig *rig = arg;
    const struct workload *w = rig->workload;
    struct run_progress p = {.now = now, .delivered = delivered};
    cycle_t end = w->params.warmup_cycles + w->params.cycles;
    if (w->open)
        p.share = now < end ? (double)now / (double)end : 1;
    else
        p.share = w->deliveries ? (double)p.delivered / (double)w->deliveries : -1;
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
    return torus_network_check(((struct rig *)arg)->network);
}

/* ---- checkpoints ---- */

static void archive(void *arg, struct archive *a)
{
    struct rig *rig = arg;
    workload_archive(rig->workload, a);
    endpoints_archive(rig->endpoints, a);
    torus_network_archive(rig->network, a);
}

static weft_status restore(void *arg)
{
    struct rig *rig = arg;
    struct archive *a = &rig->options->resume->state;
    archive(rig, a);
    archive_end(a);
    if (a->broken)
        return weft_fail(WEFT_BAD_INPUT, "the checkpoint does not fit its own machine; start anew");
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
    memcpy(head->cuts, rig->bricks.cuts, sizeof(head->cuts));
    for (unsigned d = rig->config->torus.dims; d < TORUS_MAX_DIMS; d++)
        head->cuts[d] = 1;
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
    const struct workload *w = rig->workload;
    const struct workload_params *p = &w->params;
    if (rig->options->until)
        return rig->options->until;
    if (!w->open || !p->drain_cycles)
        return CYCLE_NEVER;
    return p->warmup_cycles + p->cycles + p->drain_cycles;
}

/* ---- gathering ---- */

static double ratio(double a, double b)
{
    return b > 0 ? a / b : 0;
}

static uint64_t live_links(const struct config *c)
{
    uint64_t links = torus_links(&c->torus);
    for (unsigned port = 0; port < 2 * c->torus.dims; port++)
        links -= faults_links(&c->faults, &c->torus, port);
    return links;
}

static void gather_links(const struct rig *rig, struct run_result *r)
{
    const struct torus *t = &rig->config->torus;
    double busy = 0, links = (double)live_links(rig->config), span = (double)r->span;
    for (unsigned port = 0; port < MEASURE_PORTS; port++) {
        unsigned d = port / 2;
        if (d < t->dims && t->size[d] > 1)
            r->links_by_port[port] =
                (uint64_t)(t->nodes / t->size[d]) * (t->wrap[d] ? t->size[d] : t->size[d] - 1) -
                faults_links(&rig->config->faults, t, port);
        r->utilisation_by_port[port] =
            ratio((double)r->measure.busy[port], (double)r->links_by_port[port] * span);
        busy += (double)r->measure.busy[port];
    }
    r->link_utilisation = ratio(busy, links * span);
    double payload =
        (double)(r->open ? r->measure.window_payload_hop_bytes : r->measure.payload_hop_bytes);
    r->payload_utilisation = ratio(payload, links * span);
}

static void gather_vcs(const struct rig *rig, struct run_result *r)
{
    const struct torus_derived *d = torus_network_derived(rig->network);
    double links = (double)live_links(rig->config), span = (double)r->span;
    r->vcs = d->vcs;
    for (unsigned v = 0; v < d->vcs; v++)
        r->vc[v] = (struct run_vc){
            .name = torus_vc_name(&rig->config->router, v),
            .share = ratio((double)r->measure.hops_by_vc[v], (double)r->measure.hops),
            .occupancy = ratio((double)r->measure.occupied[v], links * span * d->capacity[v]),
            .unavailable_share = ratio((double)r->measure.unavailable[v], links * span),
        };
}

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

/* Mean utilisation of the links that lead into the hot box. */
static double hot_links(const struct rig *rig, const struct run_result *r)
{
    const struct workload *w = rig->workload;
    const struct torus *t = w->torus;
    bool box = w->params.pattern == PATTERN_HOTREGION || w->params.pattern == PATTERN_HOTSPOT;
    if (!box || !w->hot_links)
        return -1;
    uint64_t busy = 0;
    for (uint32_t i = 0; i < w->hot_nodes; i++) {
        uint32_t node = workload_hot_node(w, i);
        for (unsigned port = 0; port < 2 * t->dims; port++) {
            uint32_t from = torus_neighbour(t, node, port);
            if (from != TORUS_NO_NODE && !workload_is_hot(w, from))
                busy += torus_network_link_busy(rig->network, from, torus_opposite(port));
        }
    }
    ranks_sum(&busy, 1);
    return ratio((double)busy, (double)w->hot_links * (double)r->span);
}

/* Packets of several sizes: how the bytes that were drawn compare with those expected. */
static double drawn_size(const struct rig *rig, const struct measure *m)
{
    const struct workload *w = rig->workload;
    bool drawn = w->params.pattern == PATTERN_ALLTOALL || w->params.pattern == PATTERN_HOTSPOT;
    if (!drawn || w->params.sizes == 1 || w->params.bytes_per_pair || !m->delivered)
        return 1;
    const struct torus_params *p = &rig->config->router;
    double bytes = (double)m->payload_bytes / (double)m->delivered + w->software_header_bytes;
    return (bytes + p->trailer_bytes + p->gap_bytes + p->ack_bytes) /
           (workload_mean_slot(w, p) + p->ack_bytes);
}

static void gather_rates(const struct rig *rig, struct run_result *r)
{
    const struct workload *w = rig->workload;
    const struct measure *m = &r->measure;
    double cycle_rate = rig->config->router.link_mb_per_s * 1e6, span = (double)r->span;
    double nodes = rig->config->torus.nodes;
    r->sim_seconds = (double)r->cycles / cycle_rate;
    r->bound_cycles = w->bound_cycles * drawn_size(rig, m);
    r->fraction_of_peak = -1;
    if (w->open && w->rate_bound > 0)
        r->fraction_of_peak = ratio((double)m->window_delivered, span * w->senders * w->rate_bound);
    else if (!w->open && w->bound_cycles > 0)
        r->fraction_of_peak = ratio(r->bound_cycles, (double)r->cycles);
    r->offered_load = w->open ? w->params.load : -1;
    double payload = (double)(w->open ? m->window_payload_bytes : m->payload_bytes);
    r->throughput = ratio(payload, span * nodes) * cycle_rate;
    r->response_mean = ratio((double)m->response.sum, (double)m->response.count);
    r->response_interval = w->open ? batch_interval(m) : -1;
    r->unblocking_probability = m->acks ? (double)m->unblocking / (double)m->acks : -1;
    r->one_way_cycles = -1;
    if (w->params.pattern == PATTERN_PINGPONG && w->deliveries)
        r->one_way_cycles = (double)r->cycles / (2.0 * w->params.messages);
}

static void gather(const struct rig *rig, const struct engine_outcome *outcome,
                   struct run_result *r)
{
    const struct workload *w = rig->workload;
    r->open = w->open;
    cycle_t measured = w->params.warmup_cycles + w->params.cycles;
    /* Tokens may travel for a while after the last delivery: count buffers to the end of events. */
    cycle_t end = torus_network_now(rig->network);
    if (w->open && end < measured)
        end = measured;
    torus_network_measure(rig->network, end, &r->measure);
    const struct measure *m = &r->measure;
    r->cycles = m->last_delivery;
    if (w->open && r->cycles < measured)
        r->cycles = measured;
    bool any = m->first_injection != CYCLE_NEVER && m->last_delivery > m->first_injection;
    r->span = w->open ? w->params.cycles : any ? m->last_delivery - m->first_injection : 0;
    gather_links(rig, r);
    gather_vcs(rig, r);
    gather_rates(rig, r);
    r->hot_link_utilisation = hot_links(rig, r);
    r->link_protocol = rig->config->router.link.protocol;
    torus_network_links(rig->network, &r->link_report);
    struct watermark_counts marks = endpoints_watermarks(rig->endpoints);
    r->injection_watermarks = marks.injection;
    r->reception_watermarks = marks.reception;
    r->threads = outcome->threads;
    r->partitions = torus_network_partitions(rig->network);
    r->window_cycles = torus_network_derived(rig->network)->hop_cycles;
    r->events = torus_network_events(rig->network);
    r->windows = outcome->windows;
    uint64_t sums[2] = {(uint64_t)(outcome->cpu_seconds * 1e9), weft_peak_rss()};
    ranks_sum(sums, 2);
    r->ranks = ranks_count();
    r->cpu_seconds = (double)sums[0] * 1e-9;
    if (rig->options->resume)
        r->cpu_seconds += rig->options->resume->head.cpu_seconds;
    r->peak_rss_bytes = sums[1];
    r->wall_seconds = outcome->wall_seconds;
    if (rig->options->resume)
        r->wall_seconds += rig->options->resume->head.wall_seconds;
    r->setup_seconds += outcome->prepare_seconds;
}

/* More threads than partitions would only wait. Every rank has one at least. */
static uint32_t threads_needed(const struct rig *rig)
{
    uint32_t ranks = ranks_count(), most = (rig->bricks.count + ranks - 1) / ranks;
    return rig->options->threads < most ? rig->options->threads : most;
}

static weft_status stop_early(struct rig *rig, cycle_t now)
{
    const char *checkpoint = rig->options->checkpoint;
    weft_status status = checkpoint ? save(rig, now) : WEFT_OK;
    if (status != WEFT_OK)
        return status;
    if (checkpoint)
        return weft_fail(WEFT_FAILED, "interrupted at cycle %llu; `weft resume %s` goes on",
                         (unsigned long long)now, checkpoint);
    return weft_fail(WEFT_FAILED, "interrupted at cycle %llu; nothing was written",
                     (unsigned long long)now);
}

/* Why nothing moves: a link that does not come through, or buffers that wait for each other. */
static void explain(const struct rig *rig, struct run_result *r)
{
    const struct link_report *l = &r->link_report;
    char text[64];
    if (!l->in_vain) {
        torus_network_explain(rig->network, r->deadlock_text, sizeof(r->deadlock_text));
        return;
    }
    size_t length = (size_t)snprintf(
        r->deadlock_text, sizeof(r->deadlock_text),
        "%llu links have sent again and again in vain (mark them in machine.dead_links):",
        (unsigned long long)l->in_vain);
    for (uint32_t i = 0; i < l->named; i++) {
        const struct link_verdict *v = &l->first[i];
        if (!v->differs)
            length += (size_t)snprintf(
                r->deadlock_text + length, sizeof(r->deadlock_text) - length, " %s",
                faults_link_text(&rig->config->torus, v->node, v->port, text));
    }
}

weft_status run_config(const struct config *c, const struct run_options *o, struct run_result *r)
{
    struct rig rig;
    struct engine_outcome outcome;
    double start = clock_seconds();
    memset(r, 0, sizeof(*r));
    weft_status status = rig_init(&rig, c, o);
    status = ranks_agree(status, rig.bricks.count);
    if (status != WEFT_OK) {
        rig_fini(&rig);
        return status;
    }
    r->setup_seconds = clock_seconds() - start;
    struct engine_options eo = {
        .threads = threads_needed(&rig),
        .stop_at = stop_time(&rig),
        .stall_cycles = c->stall_cycles,
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
    uint64_t warm_hops = 0;
    if (o->timed_from) { /* what comes before is run, but not timed */
        cycle_t stop_at = eo.stop_at;
        eo.stop_at = o->timed_from;
        status = torus_network_run(rig.network, &eo, &outcome);
        eo.stop_at = stop_at;
        r->setup_seconds += outcome.prepare_seconds;
        warm_hops = torus_network_hops(rig.network);
    }
    if (o->stages)
        stages_start();
    if (status == WEFT_OK && (!o->timed_from || outcome.end == ENGINE_STOPPED))
        status = torus_network_run(rig.network, &eo, &outcome);
    if (o->stages)
        stages_stop(r->stage_samples);
    if (status == WEFT_OK && outcome.end == ENGINE_INTERRUPTED)
        status = stop_early(&rig, outcome.now);
    if (status == WEFT_OK) {
        gather(&rig, &outcome, r);
        r->timed_hops = r->measure.hops - warm_hops;
        bool waiting = torus_network_pending(rig.network) > 0;
        r->deadlock = outcome.end == ENGINE_STALLED || (waiting && outcome.end == ENGINE_QUIET);
    }
    if (status == WEFT_OK && r->deadlock) {
        explain(&rig, r);
        status =
            weft_fail(WEFT_FAILED,
                      "deadlock: nothing has arrived since cycle %llu and "
                      "%llu packets are under way; %s",
                      (unsigned long long)r->cycles,
                      (unsigned long long)torus_network_pending(rig.network), r->deadlock_text);
    }
    rig_fini(&rig);
    return status;
}

void run_result_fini(struct run_result *r)
{
    free(r->link_report.checksum);
    measure_fini(&r->measure);
}
