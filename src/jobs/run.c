/* From a configuration to a schedule and its figures. */
#include "jobs/jobs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/random.h"
#include "engine/ranks.h"
#include "machine/family.h"
#include "machine/machine.h"
#include "machine/run.h"

/* ---- jobs, scaled to the machine ---- */

/* Node seconds over those that the machine had from the first submission to the last. */
static double own_load(const struct swf_log *log)
{
    double work = 0, span = (double)(log->job[log->jobs - 1].submit - log->job[0].submit);
    for (uint32_t i = 0; i < log->jobs; i++)
        work += (double)log->job[i].run * (double)log->job[i].processors;
    return span > 0 ? work / span / (double)log->processors : 0;
}

/* Submit times: scaled, and shaken. */
static weft_status set_times(const struct jobs_params *p, uint64_t seed, struct jobs_report *j)
{
    struct swf_log *log = &j->log;
    int64_t first = log->job[0].submit;
    double span = (double)(log->job[log->jobs - 1].submit - first), scale = 1;
    if (p->load > 0 && span <= 0)
        return BAD_INPUT("jobs.load", ("jobs.load: all jobs of the log are submitted at once"),
                         ("use 0: there are no times to scale"));
    if (p->load > 0)
        scale = j->own_load / p->load;
    if (p->load > 0 && scale * span > JOBS_MOST_SECONDS)
        return BAD_INPUT("jobs.load",
                         ("jobs.load = %g: submit times would be more than %.0f s apart", p->load,
                          JOBS_MOST_SECONDS),
                         ("use a larger load"));
    for (uint32_t i = 0; i < log->jobs; i++) {
        uint64_t draw = random_draw(random_key(seed, 2, RANDOM_JOB), i);
        double shift = (double)p->shake_seconds * ((double)(draw >> 11) * 0x1p-52 - 1);
        double time = (double)(log->job[i].submit - first) * scale + shift;
        log->job[i].submit = time > 0 ? (int64_t)time : 0;
    }
    swf_sort(log);
    return WEFT_OK;
}

/* The same share of the machine, rounded up to a whole node. */
static void scale_jobs(const struct jobs_params *p, uint32_t nodes, const struct swf_log *log)
{
    double scale = (double)nodes / (double)log->processors;
    for (uint32_t i = 0; i < log->jobs; i++) {
        struct job *j = &log->job[i];
        double size = ceil((double)j->processors * scale - 1e-9);
        j->nodes = size < 1 ? 1 : size > nodes ? nodes : (uint32_t)size;
        j->estimate = p->estimates == ESTIMATES_PERFECT ? j->run : j->estimate;
    }
}

static weft_status make_jobs(const struct jobs_params *p, uint32_t nodes, uint64_t seed,
                             struct jobs_report *j)
{
    struct swf_log *log = &j->log;
    if (p->log[0])
        TRY(swf_read(p->log, log));
    else
        TRY(generate_log(&p->model, seed, log));
    if (p->processors != KEY_AUTO)
        log->processors = p->processors;
    j->own_load = own_load(log);
    TRY(set_times(p, seed, j));
    scale_jobs(p, nodes, log);
    return WEFT_OK;
}

/* ---- figures: means and quantiles of finished jobs ---- */

enum { BRIEF = 10 }; /* seconds: shorter jobs say little (Feitelson and Rudolph 1998) */

static int compare_values(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* Sorts the values. */
static struct spread spread_of(double *value, uint32_t count)
{
    struct spread s = {.mean = 0};
    if (!count)
        return s;
    qsort(value, count, sizeof(*value), compare_values);
    for (uint32_t i = 0; i < count; i++)
        s.mean += value[i] / count;
    s.median = (value[(count - 1) / 2] + value[count / 2]) / 2;
    s.most_95 = value[(uint32_t)(((uint64_t)count * 95 + 99) / 100) - 1];
    s.most = value[count - 1];
    return s;
}

static void fill_figures(const struct schedule_result *r, struct job_figures *f, double *value[3])
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < r->jobs; i++) {
        const struct job *j = &r->job[i];
        uint32_t cells = (j->nodes + r->cell_nodes - 1) / r->cell_nodes;
        if (cells < f->from_cells || cells > f->to_cells)
            continue;
        f->jobs++;
        f->failed += j->state == JOB_FAILED;
        if (j->state != JOB_FINISHED)
            continue;
        double wait = (double)(j->start - j->submit), run = (double)j->run;
        double bounded = (wait + run) / (run < BRIEF ? BRIEF : run);
        value[0][n] = wait;
        value[1][n] = (wait + run) / run;
        value[2][n++] = bounded < 1 ? 1 : bounded;
        f->node_seconds += run * j->nodes;
    }
    f->finished = n;
    f->wait = spread_of(value[0], n);
    f->slowdown = spread_of(value[1], n);
    f->bounded_slowdown = spread_of(value[2], n);
}

static void figures_of_jobs(const struct schedule_result *r, struct jobs_figures *figures)
{
    double *value[3];
    for (unsigned i = 0; i < 3; i++)
        value[i] = memory_alloc(r->jobs + 1, sizeof(**value));
    *figures = (struct jobs_figures){.all = {.from_cells = 0, .to_cells = UINT32_MAX}};
    fill_figures(r, &figures->all, value);
    for (unsigned i = 0; i < SIZE_CLASSES; i++) {
        struct job_figures *f = &figures->by_size[i];
        f->from_cells = i ? (1u << 2 * (i - 1)) + 1 : 0;
        f->to_cells = i + 1 < SIZE_CLASSES ? 1u << 2 * i : UINT32_MAX;
        fill_figures(r, f, value);
    }
    for (unsigned i = 0; i < 3; i++)
        free(value[i]);
}

void jobs_report_free(struct jobs_report *report)
{
    if (!report)
        return;
    swf_fini(&report->log);
    schedule_result_fini(&report->schedule);
    free(report);
}

/* ---- runs ---- */

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
    static const char *const names[][4] = {
        {"wait_seconds_mean", "wait_seconds_median", "wait_seconds_95", "wait_seconds_most"},
        {"slowdown_mean", "slowdown_median", "slowdown_95", "slowdown_most"},
        {"bounded_slowdown_mean", "bounded_slowdown_median", "bounded_slowdown_95",
         "bounded_slowdown_most"}};
    const struct job_figures *all = &j->figures.all;
    const struct spread *const spread[] = {&all->wait, &all->slowdown, &all->bounded_slowdown};
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
    for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        run_result_add(r, names[i][0], spread[i]->mean);
        run_result_add(r, names[i][1], spread[i]->median);
        run_result_add(r, names[i][2], spread[i]->most_95);
        run_result_add(r, names[i][3], spread[i]->most);
    }
}

static weft_status run_schedule(const struct config *c, const struct run_options *o,
                                const struct ground *g, struct jobs_report *j)
{
    const struct jobs_params *p = config_section(c, &jobs_section);
    const struct run_params *run = config_section(c, &run_section);
    TRY(make_jobs(p, ground_nodes(g), run->seed, j));
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
                                       .run = o};
    weft_status status = schedule_run(&options, j->log.job, j->log.jobs, &j->schedule);
    j->log.job = NULL; /* they are the schedule's */
    const struct schedule_result *s = &j->schedule;
    double work = 0;
    for (uint32_t i = 0; i < s->jobs; i++)
        work += (double)s->job[i].run * s->job[i].nodes;
    j->load = run_ratio(work / s->nodes, (double)(s->to - s->from));
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
    r->threads = r->ranks = r->partitions = 1; /* there is no network: */
    r->fraction_of_peak = r->unblocking_probability = r->hot_link_utilisation = -1;
    r->one_way_cycles = r->offered_load = r->waiting_mean = r->network_mean = -1;
    r->peak_rss_bytes = memory_peak();
    weft_status status = family_of(c)->ground(c, &g);
    if (status == WEFT_OK)
        status = execute(c, o, &g, r);
    ground_fini(&g);
    r->wall_seconds = clock_seconds() - wall;
    r->cpu_seconds = clock_process_seconds() - cpu;
    return config_locate(c, status);
}
