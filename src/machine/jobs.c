/* From a configuration to a schedule and its figures. */
#include "machine/jobs.h"

#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "engine/ranks.h"
#include "jobs/figures.h"
#include "machine/family.h"
#include "machine/machine.h"

static void pass_progress(void *arg, double share)
{
    const struct run_options *o = arg;
    if (o->progress)
        o->progress(o->arg, &(struct run_progress){.share = share});
}

static bool pass_interrupted(void *arg)
{
    const struct run_options *o = arg;
    return o->interrupted && o->interrupted(o->arg);
}

static void add_spread(struct run_result *r, const char *const name[4], const struct spread *s)
{
    run_result_add(r, name[0], s->mean);
    run_result_add(r, name[1], s->median);
    run_result_add(r, name[2], s->most_95);
    run_result_add(r, name[3], s->most);
}

static void add_figures(const struct jobs_report *j, struct run_result *r)
{
    static const char *const share[SHARES] = {
        [SHARE_USED] = "utilisation",
        [SHARE_INTERNAL] = "internal_fragmentation",
        [SHARE_EXTERNAL] = "external_fragmentation",
        [SHARE_STARVED] = "starved_share",
        [SHARE_IDLE] = "idle_share",
        [SHARE_CLOSED] = "closed_share",
    };
    static const char *const wait[] = {"wait_seconds_mean", "wait_seconds_median",
                                       "wait_seconds_95", "wait_seconds_most"};
    static const char *const slowdown[] = {"slowdown_mean", "slowdown_median", "slowdown_95",
                                           "slowdown_most"};
    static const char *const bounded[] = {"bounded_slowdown_mean", "bounded_slowdown_median",
                                          "bounded_slowdown_95", "bounded_slowdown_most"};
    const struct schedule_result *s = &j->schedule;
    run_result_add(r, "jobs_submitted", s->jobs);
    run_result_add(r, "jobs_finished", s->count[JOB_FINISHED]);
    run_result_add(r, "jobs_failed", s->count[JOB_FAILED]);
    run_result_add(r, "jobs_waiting", s->count[JOB_WAITING]);
    run_result_add(r, "jobs_unplaceable", s->unplaceable);
    run_result_add(r, "job_runs", s->runs);
    run_result_add(r, "node_failures", s->deaths);
    run_result_add(r, "jobs_own_load", j->own_load);
    run_result_add(r, "jobs_load", j->load);
    for (unsigned i = 0; i < SHARES; i++)
        run_result_add(r, share[i], s->share[i]);
    run_result_add(r, "lost_share", s->lost_share);
    add_spread(r, wait, &j->figures.all.wait);
    add_spread(r, slowdown, &j->figures.all.slowdown);
    add_spread(r, bounded, &j->figures.all.bounded_slowdown);
}

/* The share of the machine that jobs ask for, from the first submission to the last. */
static double load_of(const struct schedule_result *s)
{
    double work = 0, span = (double)(s->to - s->from);
    for (uint32_t i = 0; i < s->jobs; i++)
        work += (double)s->job[i].run * s->job[i].nodes;
    return run_ratio(work / s->nodes, span);
}

static weft_status run_schedule(const struct config *c, const struct run_options *o,
                                const struct ground *g, struct jobs_report *j)
{
    const struct jobs_params *p = config_section(c, &jobs_section);
    const struct run_params *run = config_section(c, &run_section);
    struct jobs_input in;
    weft_status status = jobs_input(p, ground_nodes(g), run->seed, &in);
    if (status != WEFT_OK)
        return status;
    struct schedule_options options = {.ground = g,
                                       .shapes = {.choice = p->shapes,
                                                  .waste = p->waste,
                                                  .large_nodes = p->large_nodes,
                                                  .spares = p->spares},
                                       .policy = p->policy,
                                       .mtbf_seconds = p->mtbf_hours * 3600,
                                       .repair_seconds = (int64_t)(p->repair_hours * 3600),
                                       .most_lost = p->most_lost,
                                       .seed = run->seed,
                                       .check = o->check,
                                       .progress = pass_progress,
                                       .interrupted = pass_interrupted,
                                       .arg = (void *)o};
    j->log = in.log;
    j->own_load = in.own_load;
    status = schedule_run(&options, in.job, in.jobs, &j->schedule);
    j->load = load_of(&j->schedule);
    figures_of_jobs(&j->schedule, &j->figures);
    return status;
}

static weft_status check_options(const struct config *c, const struct run_options *o)
{
    const struct jobs_params *p = config_section(c, &jobs_section);
    struct ground g;
    if (o->checkpoint || ranks_count() > 1)
        return BAD_INPUT("workload.pattern", ("a schedule of jobs runs in one process at one go"),
                         ("run it without %s", o->checkpoint ? "--checkpoint" : "mpirun"));
    if (p->mtbf_hours > 0 && p->mtbf_hours < 1)
        return BAD_INPUT("jobs.mtbf_hours",
                         ("jobs.mtbf_hours = %g: nodes fail too often", p->mtbf_hours),
                         ("use 0, for never, or at least 1"));
    if (p->load > 0 && p->load < 1e-6)
        return BAD_INPUT("jobs.load", ("jobs.load = %g is too small", p->load),
                         ("use 0, for the log's own, or at least 1e-6"));
    weft_status status = family_of(c)->ground(c, &g);
    bool six = g.torus.dims == TORUS_MAX_DIMS;
    ground_fini(&g);
    if (status == WEFT_OK && p->large_nodes && p->spares && !six)
        return BAD_INPUT("jobs.large_nodes jobs.spares",
                         ("jobs.large_nodes: partitions of this machine cannot leave nodes out"),
                         ("use 0"));
    return status;
}

/* ---- a view ---- */

/* Hops between neighbours of a view, at most: 1, wherever its box is. Where rings are wired, so are
 * the ends of its axes. */
static uint32_t farthest(const struct ground *g, const struct view *v)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < v->shape.nodes; i++)
        for (unsigned port = 0; port < 2 * v->shape.dims; port++) {
            uint32_t next = torus_neighbour(&v->shape, i, port);
            if (next == TORUS_NO_NODE || next == i ||
                (g->wired && torus_link_wraps(&v->shape, i, port)))
                continue;
            uint32_t hops = torus_distance(&g->torus, v->node[i], v->node[next]);
            most = hops > most ? hops : most;
        }
    return most;
}

/* Boxes of the machine that have the same view. */
static uint32_t count_boxes(const struct ground *g, const struct view_plan *plan,
                            const struct place *place)
{
    struct shapes_options o = {.choice = SHAPES_VIEW};
    uint32_t size[SPACE_AXES] = {1, 1, 1};
    struct box box = ground_box(g, place);
    ground_shapes(g, &o);
    for (unsigned k = 0; k < plan->axes; k++) {
        const struct view_plane *p = &plan->plane[k];
        for (unsigned i = 0; i < p->alongs; i++)
            size[k] *= box.size[p->along[i]];
        if (p->across != VIEW_NO_AXIS)
            size[k] *= box.size[p->across];
    }
    struct shapes s = shapes_of_view(&o, size);
    uint32_t count = s.count;
    shapes_fini(&s);
    return count;
}

static void add_view(const struct ground *g, const struct jobs_params *p, const struct view *v,
                     struct run_result *r)
{
    static const char *const size[] = {"view_size_1", "view_size_2", "view_size_3"};
    static const char *const at[] = {"node_x", "node_y", "node_z", "node_a", "node_b", "node_c"};
    uint32_t c[TORUS_MAX_DIMS];
    run_result_add(r, "view_nodes", v->shape.nodes);
    run_result_add(r, "view_left_out", v->left_out);
    for (unsigned k = 0; k < v->shape.dims; k++)
        run_result_add(r, size[k], v->shape.size[k]);
    run_result_add(r, "view_neighbours_apart", farthest(g, v));
    torus_coordinates(&g->torus, v->node[p->coordinate], c);
    for (unsigned d = 0; d < g->torus.dims; d++)
        run_result_add(r, at[d], c[d]);
}

static weft_status show_view(const struct jobs_params *p, const struct ground *g,
                             struct run_result *r)
{
    struct place place;
    struct view_plan plan;
    struct view view;
    weft_status status = ground_parse(g, "jobs.box", p->box, &place);
    if (status != WEFT_OK)
        return status;
    struct box box = ground_box(g, &place);
    if (strcmp(p->planes, "auto") == 0)
        plan = ground_plan(g, &place, p->axes);
    else
        status = view_parse(&g->torus, "jobs.planes", p->planes, &plan);
    if (status == WEFT_OK)
        status = view_create(&g->torus, &box, &plan, g->dead, &view);
    if (status != WEFT_OK)
        return status;
    if (p->coordinate >= view.shape.size[0])
        status = BAD_INPUT("jobs.coordinate",
                           ("jobs.coordinate = %u: the view's first axis has %u", p->coordinate,
                            view.shape.size[0]),
                           ("use less"));
    else
        add_view(g, p, &view, r);
    if (status == WEFT_OK && plan.axes == SPACE_AXES)
        run_result_add(r, "view_boxes", count_boxes(g, &plan, &place));
    view_fini(&view);
    return status;
}

/* ---- either ---- */

/* What a result has, if there was no network. */
static void fill_result(struct run_result *r)
{
    r->threads = r->ranks = r->partitions = 1;
    r->fraction_of_peak = r->unblocking_probability = r->hot_link_utilisation = -1;
    r->one_way_cycles = -1;
    r->peak_rss_bytes = memory_peak();
}

weft_status jobs_execute(const struct config *c, const struct run_options *o, struct run_result *r)
{
    const struct jobs_params *p = config_section(c, &jobs_section);
    struct ground g;
    double wall = clock_seconds(), cpu = clock_process_seconds();
    weft_status status = check_options(c, o);
    if (status == WEFT_OK)
        status = family_of(c)->ground(c, &g);
    if (status != WEFT_OK)
        return config_locate(c, status);
    fill_result(r);
    if (strcmp(config_workload(c)->pattern->name, "view") == 0) {
        status = show_view(p, &g, r);
        ground_fini(&g);
        return config_locate(c, status);
    }
    r->jobs = memory_alloc(1, sizeof(*r->jobs));
    status = run_schedule(c, o, &g, r->jobs);
    ground_fini(&g);
    if (status != WEFT_OK) {
        jobs_report_free(r->jobs);
        r->jobs = NULL;
        return status;
    }
    add_figures(r->jobs, r);
    r->measure.digest = r->jobs->schedule.digest;
    r->sim_seconds = (double)(r->jobs->schedule.last - r->jobs->schedule.from);
    r->wall_seconds = clock_seconds() - wall;
    r->cpu_seconds = clock_process_seconds() - cpu;
    return WEFT_OK;
}
