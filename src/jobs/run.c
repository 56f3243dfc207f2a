/* From a configuration to a schedule and its figures. */
#include "jobs/run.h"

#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "engine/ranks.h"
#include "jobs/figures.h"
#include "jobs/input.h"
#include "machine/family.h"
#include "machine/machine.h"
#include "machine/run.h"
#include "jobs/view.h"

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
    TRY(jobs_input(p, ground_nodes(g), run->seed, &in));
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
    weft_status status = schedule_run(&options, in.job, in.jobs, &j->schedule);
    j->load = load_of(&j->schedule);
    figures_of_jobs(&j->schedule, &j->figures);
    return status;
}

static weft_status check_options(const struct config *c, const struct run_options *o,
                                 const struct ground *g)
{
    const struct jobs_params *p = config_section(c, &jobs_section);
    if (o->checkpoint || ranks_count() > 1)
        return BAD_INPUT("workload.pattern",
                         ("a schedule of jobs runs in one process and has no checkpoints"),
                         ("run it without %s", o->checkpoint ? "--checkpoint" : "mpirun"));
    if (p->mtbf_hours > 0 && p->mtbf_hours < 1)
        return BAD_INPUT("jobs.mtbf_hours",
                         ("jobs.mtbf_hours = %g: nodes fail too often", p->mtbf_hours),
                         ("use 0, for never, or at least 1"));
    if (p->load > 0 && p->load < 1e-6)
        return BAD_INPUT("jobs.load", ("jobs.load = %g is too small", p->load),
                         ("use 0, for the log's own, or at least 1e-6"));
    if (p->large_nodes && p->spares && g->torus.dims != SIX_AXES)
        return BAD_INPUT("jobs.large_nodes jobs.spares",
                         ("jobs.large_nodes: partitions of this machine cannot leave nodes out"),
                         ("use 0"));
    return WEFT_OK;
}

/* What a result has, if there was no network. */
static void fill_result(struct run_result *r)
{
    r->threads = r->ranks = r->partitions = 1;
    r->fraction_of_peak = r->unblocking_probability = r->hot_link_utilisation = -1;
    r->one_way_cycles = r->offered_load = r->waiting_mean = r->network_mean = -1;
    r->peak_rss_bytes = memory_peak();
}

static weft_status execute(const struct config *c, const struct run_options *o,
                           const struct ground *g, struct run_result *r)
{
    TRY(check_options(c, o, g));
    if (config_workload(c)->pattern->kind == PATTERN_VIEW)
        return view_show(c, g, r);
    r->jobs = memory_alloc(1, sizeof(*r->jobs));
    r->free_jobs = jobs_report_free;
    weft_status status = run_schedule(c, o, g, r->jobs);
    if (status != WEFT_OK) {
        jobs_report_free(r->jobs);
        r->jobs = NULL;
        return status;
    }
    add_figures(r->jobs, r);
    r->measure.digest = r->jobs->schedule.digest;
    r->sim_seconds = (double)(r->jobs->schedule.last - r->jobs->schedule.from);
    return WEFT_OK;
}

weft_status jobs_run_config(const struct config *c, const struct run_options *o,
                            struct run_result *r)
{
    struct ground g;
    double wall = clock_seconds(), cpu = clock_process_seconds();
    if (!pattern_is_jobs(config_workload(c)->pattern))
        return run_config(c, o, r);
    memset(r, 0, sizeof(*r));
    fill_result(r);
    weft_status status = family_of(c)->ground(c, &g);
    if (status == WEFT_OK)
        status = execute(c, o, &g, r);
    ground_fini(&g);
    r->wall_seconds = clock_seconds() - wall;
    r->cpu_seconds = clock_process_seconds() - cpu;
    return config_locate(c, status);
}
