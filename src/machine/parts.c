/* What was measured of each part of a machine that jobs share. */
#include "workload/parts/parts.h"

#include <string.h>

#include "base/memory.h"
#include "machine/session_state.h"
#include "mpi/world.h"

/* Of a part's packets. */
static void gather_packets(const struct session *s, const struct workload *w,
                           const struct measure_class *c, struct run_part *p)
{
    double rate = machine_cycles_per_second(s->config);
    p->digest = c->digest;
    p->delivered = c->delivered;
    p->payload_bytes = c->payload_bytes;
    p->seconds = (double)c->last_delivery / rate;
    p->responses = c->response.count;
    p->response_mean = run_ratio((double)c->response.sum, (double)c->response.count);
    p->response_99 = histogram_quantile(&c->response, 0.99);
    p->response_most = c->response.max;
    p->offered_load = w->open && w->as == LAYER_PACKETS ? w->params.load : -1;
    p->fraction_of_peak = -1;
    if (w->open && w->rate_bound > 0)
        p->fraction_of_peak = run_ratio((double)c->window_delivered,
                                        (double)s->workload->cycles * w->senders * w->rate_peak);
    else if (!w->open && w->bound_cycles > 0)
        p->fraction_of_peak = run_ratio(w->bound_cycles, (double)c->last_delivery);
    p->steady = session_is_steady(&w->params, (double)c->window_delivered, p->offered_load,
                                  p->fraction_of_peak);
}

static void gather_processes(const struct session *s, const struct workload_part *part,
                             struct run_part *p)
{
    const struct workload *w = part->workload;
    struct processes_result got =
        processes_result_of(s->model->processes, part->first, w->processes);
    p->processes = got.active;
    p->messages = got.messages;
    p->process_rate = got.mean_rate;
    if (!w->open)
        p->seconds = (double)got.ended / machine_cycles_per_second(s->config);
    if (!w->world)
        return;
    p->mpi = memory_alloc(1, sizeof(*p->mpi));
    world_result(w->world, p->mpi);
}

static void gather_throughput(const struct session *s, const struct measure_class *c,
                              struct run_part *p)
{
    double window = (double)s->workload->cycles / machine_cycles_per_second(s->config);
    double bytes = (double)(p->open ? c->window_payload_bytes : c->payload_bytes);
    p->throughput = run_ratio(bytes / p->nodes, p->open ? window : p->seconds);
}

void session_gather_parts(const struct session *s, struct run_result *r)
{
    const struct workload_parts *all = workload_parts(s->model->workload);
    r->part = memory_alloc(all->count, sizeof(*r->part));
    r->parts = all->count;
    r->part_of_nodes = s->model->workload->site->nodes;
    r->part_of = memory_alloc(r->part_of_nodes, sizeof(*r->part_of));
    memcpy(r->part_of, all->of, r->part_of_nodes * sizeof(*r->part_of));
    for (uint32_t i = 0; i < all->count; i++) {
        const struct workload_part *part = &all->part[i];
        struct run_part *p = &r->part[i];
        *p = (struct run_part){.place = memory_copy(part->place),
                               .pattern = part->workload->pattern->name,
                               .nodes = part->nodes,
                               .left_out = part->view.left_out,
                               .open = part->workload->open};
        gather_packets(s, part->workload, &r->measure.by_class[i + 1], p);
        if (s->model->processes)
            gather_processes(s, part, p);
        gather_throughput(s, &r->measure.by_class[i + 1], p);
        if (p->mpi && !r->mpi.code)
            r->mpi.code = p->mpi->code;
    }
}
