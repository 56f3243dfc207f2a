/* What was measured, from the network's counters to the figures of a result. */
#include <math.h>
#include <string.h>

#include "base/status.h"
#include "base/memory.h"
#include "base/statistics/series.h"
#include "engine/ranks.h"
#include "machine/run.h"
#include "machine/session_state.h"
#include "mpi/world.h"
#include "workload/parts/parts.h"
#include "workload/programs/programs.h"

/* Half the 95 % interval of the mean response, from the means of batches; negative: not known. */
static double batch_interval(const struct measure *m)
{
    double mean[MEASURE_BATCHES];
    for (unsigned b = 0; b < MEASURE_BATCHES; b++) {
        if (!m->batch_count[b])
            return -1;
        mean[b] = (double)m->batch_sum[b] / (double)m->batch_count[b];
    }
    return series_half_width(mean, MEASURE_BATCHES);
}

static void gather_rates(const struct session *s, struct run_result *r)
{
    const struct measure *m = &r->measure;
    r->sim_seconds = (double)r->cycles / s->facts.cycles_per_second;
    r->fraction_of_peak = r->one_way_cycles = r->hot_link_utilisation = -1;
    r->offered_load = r->open && s->workload->pattern->kind != PATTERN_PARTS
                          ? s->model->workload->params.load
                          : -1;
    double payload = (double)(r->open ? m->window_payload_bytes : m->payload_bytes);
    r->throughput =
        run_ratio(payload, (double)r->span * s->facts.nodes) * s->facts.cycles_per_second;
    r->response_mean = run_ratio((double)m->response.sum, (double)m->response.count);
    r->response_interval = r->open ? batch_interval(m) : -1;
    /* Packets still under way, or copies left on the way, are in one of the sums only. */
    bool split = m->response.count && m->waiting.count == m->response.count;
    r->waiting_mean = split ? (double)m->waiting.sum / (double)m->waiting.count : -1;
    r->network_mean = split ? r->response_mean - r->waiting_mean : -1;
    r->unblocking_probability = m->acks ? (double)m->unblocking / (double)m->acks : -1;
}

static void gather_engine(const struct session *s, struct run_result *r)
{
    const struct engine_outcome *outcome = &s->outcome;
    const struct checkpoint *resumed = s->options.resume;
    r->threads = outcome->threads;
    r->partitions = s->model->partitions;
    r->window_cycles = (uint32_t)s->model->network->engine.lookahead;
    r->events = network_totals(s->model->network).events;
    r->windows = outcome->windows;
    uint64_t sums[2] = {(uint64_t)(outcome->cpu_seconds * 1e9), memory_peak()};
    ranks_sum(sums, 2);
    r->ranks = ranks_count();
    r->cpu_seconds = (double)sums[0] * 1e-9 + (resumed ? resumed->head.cpu_seconds : 0);
    r->hops_per_cpu_second = run_ratio((double)r->measure.hops, r->cpu_seconds);
    r->peak_rss_bytes = sums[1];
    r->wall_seconds = outcome->wall_seconds + (resumed ? resumed->head.wall_seconds : 0);
    r->setup_seconds += outcome->prepare_seconds;
}

/* What the cores did, as shares of the time until the last process ended. */
static void gather_cores(const struct session *s, const struct processes_result *p,
                         struct run_result *r)
{
    static const char *const names[CORES_MOST][WORKS] = {
        {NULL, "core_program", "core_software", "core_writing", "core_reading", "core_copying",
         "core_flushing", "core_interrupts"},
        {NULL, "second_core_program", "second_core_software", "second_core_writing",
         "second_core_reading", "second_core_copying", "second_core_flushing",
         "second_core_interrupts"}};
    if (!s->model->cores)
        return;
    double cycles = (double)r->cycles / s->facts.cycles_per_second * s->model->cores->clock_mhz *
                    1e6 * s->model->site.living;
    for (uint32_t core = 0; core < core_count(s->model->cores->mode); core++)
        for (unsigned work = WORK_PROGRAM; work < WORKS; work++)
            run_result_add(r, names[core][work], run_ratio(p->spent[core][work], cycles));
    run_result_add(r, "unexpected_messages", (double)p->unexpected);
    if (p->interrupted) {
        run_result_add(r, "reception_interrupts", (double)p->reception_interrupts);
        run_result_add(r, "injection_interrupts", (double)p->injection_interrupts);
    }
    if (p->io_calls)
        run_result_add(r, "io_response_seconds",
                       p->io_cycles / (double)p->io_calls / s->facts.cycles_per_second);
}

/* What a trace held, and what became of it. */
static void gather_trace(const struct session *s, const struct processes_result *p,
                         struct run_result *r)
{
    const struct workload *w = s->model->workload;
    double rate = s->facts.cycles_per_second;
    const struct goal_run *run = goal_run_of(w);
    if (!run)
        return;
    const struct goal_totals *t = &run->goal.totals;
    double computed = replay_computed_seconds(run->replay), cpus = t->cpus ? t->cpus : 1;
    run_result_add(r, "trace_ranks", run->goal.ranks);
    run_result_add(r, "trace_operations", (double)t->ops);
    run_result_add(r, "trace_messages", (double)t->sends);
    run_result_add(r, "trace_bytes", (double)t->bytes);
    run_result_add(r, "first_end_seconds", (double)p->first_ended / rate);
    run_result_add(r, "last_end_seconds", (double)p->ended / rate);
    run_result_add(r, "computing_share",
                   run_ratio(computed, (double)p->ended / rate * w->processes * cpus));
    if (t->sends > p->messages)
        run_result_add(r, "unreceived_messages", (double)(t->sends - p->messages));
}

/* What the processes achieved. */
static void gather_processes(const struct session *s, struct run_result *r)
{
    struct processes_result p = processes_result(s->model->processes);
    double rate = s->facts.cycles_per_second, rounds = s->workload->messages;
    double seconds = (double)(r->open ? r->span : p.ended) / rate;
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
    if (!r->open && s->workload->pattern->kind != PATTERN_PARTS &&
        machine_uses(s->config, "workload.messages"))
        run_result_add(r, "seconds_per_round", seconds / rounds);
    gather_trace(s, &p, r);
    gather_cores(s, &p, r);
    if (p.rail_messages)
        run_result_add(r, "rails_per_message", (double)p.rail_streams / (double)p.rail_messages);
}

/* ---- parts of a machine that jobs share ---- */

/* Of a share of the peak, what it would be if units that are out had sent: that was not offered. */
static double carried_share(double share, uint64_t delivered, uint64_t withheld)
{
    return share * (1 + run_ratio((double)withheld, (double)delivered));
}

/* Of a part's packets. */
static void gather_part_packets(const struct session *s, const struct workload *w,
                                const struct measure_class *c, struct run_part *p)
{
    p->digest = c->digest;
    p->delivered = c->delivered;
    p->payload_bytes = c->payload_bytes;
    p->seconds = (double)c->last_delivery / s->facts.cycles_per_second;
    p->responses = c->response.count;
    p->response_mean = run_ratio((double)c->response.sum, (double)c->response.count);
    p->response_99 = histogram_quantile(&c->response, 0.99);
    p->response_most = c->response.max;
    p->offered_load = w->open && w->as == LAYER_PACKETS ? w->params.load : -1;
    p->fraction_of_peak = -1;
    if (w->open && w->rate_bound > 0)
        p->fraction_of_peak = run_ratio((double)c->window_delivered,
                                        (double)session_measured(s) * w->senders * w->rate_peak);
    else if (!w->open && w->bound_cycles > 0)
        p->fraction_of_peak = run_ratio(w->bound_cycles, (double)c->last_delivery);
    double carried = carried_share(p->fraction_of_peak, c->window_delivered, c->window_withheld);
    p->steady =
        window_is_carried(&w->params, (double)c->window_delivered, p->offered_load, carried);
    p->lost = c->lost;
}

static void gather_part_processes(const struct session *s, const struct workload_part *part,
                                  struct run_part *p)
{
    const struct workload *w = part->workload;
    struct processes_result got =
        processes_result_of(s->model->processes, part->first, w->processes);
    p->processes = got.active;
    p->messages = got.messages;
    p->process_rate = got.mean_rate;
    if (!w->open)
        p->seconds = (double)got.ended / s->facts.cycles_per_second;
    if (!w->world)
        return;
    p->mpi = memory_alloc(1, sizeof(*p->mpi));
    world_result(w->world, p->mpi);
}

static void gather_parts(const struct session *s, struct run_result *r)
{
    const struct workload_parts *all = workload_parts(s->model->workload);
    double window = (double)session_measured(s) / s->facts.cycles_per_second;
    r->part = memory_alloc(all->count, sizeof(*r->part));
    r->parts = all->count;
    r->part_of_nodes = s->model->workload->site->nodes;
    r->part_of = memory_alloc(r->part_of_nodes, sizeof(*r->part_of));
    memcpy(r->part_of, all->of, r->part_of_nodes * sizeof(*r->part_of));
    for (uint32_t i = 0; i < all->count; i++) {
        const struct workload_part *part = &all->part[i];
        const struct measure_class *c = &r->measure.by_class[i + 1];
        struct run_part *p = &r->part[i];
        *p = (struct run_part){.place = memory_copy(part->place),
                               .pattern = part->workload->pattern->name,
                               .nodes = part->site.living,
                               .left_out = part->view.left_out,
                               .open = part->workload->open};
        gather_part_packets(s, part->workload, c, p);
        if (s->model->processes)
            gather_part_processes(s, part, p);
        double bytes = (double)(p->open ? c->window_payload_bytes : c->payload_bytes);
        p->throughput = run_ratio(bytes / p->nodes, p->open ? window : p->seconds);
        if (p->mpi && !r->mpi.code)
            r->mpi.code = p->mpi->code;
    }
}

/* ---- the whole ---- */

/* What the memories of nodes did. */
static void gather_memory(const struct session *s, struct run_result *r)
{
    const struct memories *m = s->model->nic->memory;
    double rate = s->facts.cycles_per_second;
    if (!m)
        return;
    /* Of several ranks, the first knows when the run ended. */
    struct memory_counts c = memories_counts(m, ranks_max(r->cycles));
    double nodes = s->facts.nodes - s->facts.dead_nodes;
    run_result_add(r, "memory_busy", run_ratio(c.busy, (double)r->cycles * nodes));
    run_result_add(r, "memory_wait_seconds", c.waited / rate);
}

/* How close the traffic came to its bound, and what its processes achieved. */
static void gather_workload(const struct session *s, struct run_result *r)
{
    const struct workload *w = s->model->workload;
    if (!w)
        return;
    if (s->model->processes)
        gather_processes(s, r);
    if (w->pattern->kind == PATTERN_PARTS)
        gather_parts(s, r);
    r->bound_cycles = w->bound_cycles;
    if (w->open && w->rate_bound > 0)
        r->fraction_of_peak = run_ratio((double)r->measure.window_delivered,
                                        (double)r->span * w->senders * w->rate_peak);
    if (w->pattern->kind != PATTERN_PARTS && machine_uses(s->config, "workload.hops") && r->cycles)
        r->one_way_cycles = (double)r->cycles / (2.0 * s->workload->messages);
}

/*
 * Whether all senders get the same share of the network while it is measured: Jain's index, 1 if
 * they do and 1/n if one of n has it all, and the fewest and most packets that one of them sent.
 */
static void gather_fairness(const struct session *s, struct run_result *r)
{
    const struct workload *w = s->model->workload;
    const struct network *n = s->model->network;
    uint64_t sum[3] = {0}, most = 0, least = UINT64_MAX; /* senders, packets, squares */
    if (!w || w->pattern->kind == PATTERN_PARTS || w->uneven || !w->open ||
        w->as != LAYER_PACKETS || s->facts.damaged)
        return;
    for (uint32_t node = 0; node < s->facts.nodes; node++) {
        struct nic_node at = model_locate(s->model, node);
        struct step step = {.to = NOBODY};
        if (engine_rank(&n->engine, at.partition) != ranks_me() ||
            !w->program.step(w->program.ctx, node, 0, &step))
            continue;
        uint64_t sent = network_part(n, at.partition)->sent[at.local];
        sum[0]++;
        sum[1] += sent;
        sum[2] += sent * sent;
        most = sent > most ? sent : most;
        least = sent < least ? sent : least;
    }
    ranks_sum(sum, 3);
    most = ranks_max(most);
    least = UINT64_MAX - ranks_max(UINT64_MAX - least);
    if (!sum[1])
        return;
    run_result_add(r, "fairness", run_fairness((double)sum[1], (double)sum[2], (double)sum[0]));
    run_result_add(r, "least_packets_of_a_node", (double)least);
    run_result_add(r, "most_packets_of_a_node", (double)most);
}

/* The family's own figures, which may take a long time. */
struct gathering {
    struct session *session;
    struct run_result *result;
};

static weft_status gather_own(void *arg)
{
    const struct gathering *g = arg;
    const struct family *f = g->session->family;
    (session_is_survey(g->session) ? f->survey : f->gather)(g->session->model, g->result);
    return WEFT_OK;
}

static weft_status gather_family(struct session *s, struct run_result *r)
{
    struct gathering own = {s, r};
    protected_call_watch(s->options.interrupted, s->options.arg);
    weft_status status = protected_call(gather_own, &own);
    protected_call_watch(NULL, NULL);
    return ranks_agree(status, 0);
}

/* Whether some packets have not come. What senders keep until it is acknowledged are copies of
 * packets that are still in the network, have come, or were hit on their way. */
static bool are_under_way(const struct session *s, const struct run_result *r)
{
    struct network_totals totals = network_totals(s->model->network);
    return totals.pending > totals.kept ||
           r->measure.injected > r->measure.delivered + r->measure.lost;
}

weft_status session_gather(struct session *s, struct run_result *r)
{
    r->open = s->model->open;
    cycle_t measured = session_measured_end(s);
    /* Tokens may travel for a while after the last delivery: count buffers up to the last event. */
    cycle_t end = network_now(s->model->network);
    if (r->open && end < measured)
        end = measured;
    network_measure(s->model->network, end, &r->measure);
    const struct measure *m = &r->measure;
    r->cycles = m->last_read > m->last_delivery ? m->last_read : m->last_delivery;
    if (r->open && r->cycles < measured)
        r->cycles = measured;
    bool any = m->first_injection != CYCLE_NEVER && r->cycles > m->first_injection;
    r->warmup_cycles = r->open ? (double)s->model->window.from : -1;
    r->measured_cycles = r->open ? (double)session_measured(s) : -1;
    r->searched = r->open && s->model->window.is_found;
    r->settled = !s->model->window.unsettled;
    r->span = r->open ? session_measured(s) : any ? r->cycles - m->first_injection : 0;
    gather_rates(s, r);
    gather_workload(s, r);
    gather_memory(s, r);
    if (s->model->workload && s->model->workload->world)
        world_result(s->model->workload->world, &r->mpi);
    gather_fairness(s, r);
    session_gather_links(s, r);
    weft_status status = gather_family(s, r);
    if (status != WEFT_OK) {
        run_result_fini(r);
        return status;
    }
    session_sum_up_links(s, r);
    if (!r->open && r->bound_cycles > 0)
        r->fraction_of_peak = run_ratio(r->bound_cycles, (double)r->cycles);
    r->wounded = s->facts.damaged;
    r->judged = r->open && r->fraction_of_peak >= 0;
    double carried = carried_share(r->fraction_of_peak, m->window_delivered, m->window_withheld);
    r->steady =
        window_is_carried(s->workload, (double)m->window_delivered, r->offered_load, carried);
    for (uint32_t i = 0; i < r->parts; i++) {
        r->judged |= r->part[i].open;
        r->steady &= !r->part[i].open || r->part[i].steady;
    }
    bool stopped = s->outcome.end == ENGINE_STOPPED && !s->model->stop_at && !s->options.until;
    bool left = are_under_way(s, r);
    r->cut_off = r->open && stopped && s->workload->drain_cycles && left;
    gather_engine(s, r);
    return WEFT_OK;
}
