/* Tables of jobs. */
#include <stdlib.h>

#include "base/memory.h"
#include "base/file/output.h"
#include "base/text/text.h"
#include "report/result/values.h"
#include "report/sections.h"

uint32_t run_cells(const struct schedule_result *r, const struct job_run *run)
{
    const uint32_t *size = run->place.size;
    if (size[0])
        return size[0] * size[1] * size[2];
    return (r->job[run->job].nodes + r->cell_nodes - 1) / r->cell_nodes;
}

/* The machine's coordinate of a box's first cell. */
static uint32_t corner_of(const struct schedule_result *r, const struct job_run *run, unsigned axis)
{
    return r->space.first[axis] + run->place.at[axis];
}

uint32_t lost_runs(const struct schedule_result *r)
{
    uint32_t lost = 0;
    for (uint32_t i = 0; i < r->runs; i++)
        lost += r->run[i].lost;
    return lost;
}

/* ---- for people ---- */

static const char *plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}

/* Seconds as a person would say them: "35 s", "12.5 min", "3.4 h", "2.1 d". */
static const char *text_span(double seconds, char text[32])
{
    if (seconds < 120)
        snprintf(text, 32, "%.0f s", seconds);
    else if (seconds < 2 * 3600)
        snprintf(text, 32, "%.1f min", seconds / 60);
    else if (seconds < 2 * 86400)
        snprintf(text, 32, "%.1f h", seconds / 3600);
    else
        snprintf(text, 32, "%.1f d", seconds / 86400);
    return text;
}

/* The gaps of a log, and how each was filled. */
static void print_gaps(FILE *out, const struct swf_log *log)
{
    const struct {
        uint32_t count;
        const char *what;
    } gap[] = {{log->no_run, "without a run time: left out"},
               {log->no_processors, "without processors: left out"},
               {log->no_submit, "without a submit time: taken as 0"},
               {log->zero_run, "with a run time of 0: taken as 1 s"},
               {log->unsorted, "not in the order of submit times: sorted"},
               {log->no_estimate, "without an estimate: the run time is taken"},
               {log->overrun, "that ran longer than estimated: estimate raised"}};
    for (unsigned i = 0; i < sizeof(gap) / sizeof(gap[0]); i++)
        if (gap[i].count)
            fprintf(out, "               %u job%s %s\n", gap[i].count, plural(gap[i].count),
                    gap[i].what);
}

static void print_log(FILE *out, const struct jobs_params *p, const struct jobs_report *j)
{
    const struct schedule_result *s = &j->schedule;
    char a[32], b[32], time[32];
    fprintf(out, "  log          %s job%s %s%s over %s, for %lld processor%s: load %.3f",
            text_count(s->jobs, a), plural(s->jobs), p->log[0] ? "of " : "generated", p->log,
            text_span((double)(s->to - s->from), time), (long long)j->log.processors,
            plural((uint64_t)j->log.processors), j->own_load);
    if (p->load > 0)
        fprintf(out, ", scaled to %.3f", j->load);
    fprintf(out, "\n");
    print_gaps(out, &j->log);
    fprintf(out, "  scaled       to %s node%s in %s cell%s of %u\n", text_count(s->nodes, a),
            plural(s->nodes), text_count(s->nodes / s->cell_nodes, b),
            plural(s->nodes / s->cell_nodes), s->cell_nodes);
}

static void print_shares(FILE *out, const struct schedule_result *s)
{
    static const char *const meaning[SHARES] = {
        [SHARE_USED] = "in use: nodes that jobs asked for",
        [SHARE_INTERNAL] = "allocated beyond what jobs asked for (internal fragmentation)",
        [SHARE_EXTERNAL] =
            "free, and enough for the first job in the queue (external fragmentation)",
        [SHARE_STARVED] = "free, but too little for the first job in the queue",
        [SHARE_IDLE] = "free while no job waits",
        [SHARE_CLOSED] = "closed for repair",
    };
    for (unsigned i = 0; i < SHARES; i++)
        if (i < SHARE_CLOSED || s->share[i] > 0)
            fprintf(out, "  %s %6.2f %%    %s\n", i ? "           " : "machine    ",
                    100 * s->share[i], meaning[i]);
}

static void print_row(FILE *out, const char *name, const struct job_figures *f, double all)
{
    char mean[32], median[32], most[32];
    fprintf(out, "  %-12s %7u %5.1f %% %9s %9s %9s %9.1f %9.1f\n", name, f->finished,
            all > 0 ? 100 * f->node_seconds / all : 0, text_span(f->wait.mean, mean),
            text_span(f->wait.median, median), text_span(f->wait.most_95, most),
            f->bounded_slowdown.mean, f->bounded_slowdown.median);
}

static void print_sizes(FILE *out, const struct jobs_report *j)
{
    const struct jobs_figures *f = &j->figures;
    char name[32];
    fprintf(out, "\n  %-12s %7s %7s %9s %9s %9s %9s %9s\n", "cells", "jobs", "work", "wait",
            "median", "95 %", "bounded", "median");
    fprintf(out, "  %-12s %7s %7s %9s %9s %9s %9s\n", "", "", "", "mean", "", "", "slowdown");
    for (unsigned i = 0; i < SIZE_CLASSES; i++) {
        const struct job_figures *c = &f->by_size[i];
        if (!c->finished)
            continue;
        if (!i)
            snprintf(name, sizeof(name), "1");
        else if (c->to_cells == UINT32_MAX)
            snprintf(name, sizeof(name), "%u or more", c->from_cells);
        else
            snprintf(name, sizeof(name), "%u to %u", c->from_cells, c->to_cells);
        print_row(out, name, c, f->all.node_seconds);
    }
    print_row(out, "all", &f->all, f->all.node_seconds);
    fputc('\n', out);
}

void jobs_print(FILE *out, const struct jobs_params *p, const struct jobs_report *j)
{
    static const char *const policy[] = {"first come, first served", "EASY backfill",
                                         "conservative backfill"};
    static const char *const shapes[] = {"one box", "one box, turned", "all boxes with its view",
                                         "all boxes of its size", "scattered cells"};
    const struct schedule_result *s = &j->schedule;
    uint32_t lost = lost_runs(s);
    char time[32];
    print_log(out, p, j);
    fprintf(out, "  policy       %s by %s estimates; for each job, %s\n", policy[p->policy],
            p->estimates == ESTIMATES_PERFECT ? "perfect" : "users'", shapes[p->shapes]);
    print_shares(out, s);
    fprintf(out, "  jobs         %u finished, %u failed", s->count[JOB_FINISHED],
            s->count[JOB_FAILED]);
    if (s->unplaceable)
        fprintf(out, " (%u of them fit nowhere, even in the empty machine)", s->unplaceable);
    if (s->count[JOB_WAITING])
        fprintf(out, ", %u never found a place", s->count[JOB_WAITING]);
    fprintf(out, "; the last ended %s after the first submission\n",
            text_span((double)(s->last - s->from), time));
    if (s->deaths)
        fprintf(out,
                "  failures     %u node%s failed, %u run%s lost: %.2f %% of the machine's time "
                "(part of what is in use)\n",
                s->deaths, plural(s->deaths), lost, plural(lost), 100 * s->lost_share);
    print_sizes(out, j);
}

/* ---- JSON ---- */

static json_t *spread_json(const struct spread *s)
{
    return json_pack("{s:f,s:f,s:f,s:f}", "mean", s->mean, "median", s->median, "p95", s->most_95,
                     "max", s->most);
}

const struct run_column run_columns[RUN_COLUMNS] = {
    [RUN_JOB] = {"job", 1, 8, CEILING_NONE},
    [RUN_START] = {"start_seconds", 1, 8, CEILING_NONE},
    [RUN_END] = {"end_seconds", 1, 8, CEILING_NONE},
    [RUN_AT] = {"at", SPACE_AXES, 2, CEILING_CELL},
    [RUN_SIZE] = {"size", SPACE_AXES, 2, CEILING_SIZE},
    [RUN_HELD] = {"held", 1, 4, CEILING_CELLS},
    [RUN_LOST] = {"lost", 1, 1, CEILING_FLAG},
};

struct packing {
    const struct schedule_result *schedule;
    const struct run_column *column;
};

static uint64_t run_number(const void *ctx, size_t index)
{
    const struct packing *p = ctx;
    const struct job_run *run = &p->schedule->run[index / p->column->numbers];
    switch (p->column - run_columns) {
    case RUN_JOB:
        return (uint64_t)p->schedule->job[run->job].number;
    case RUN_START:
        return (uint64_t)run->start;
    case RUN_END:
        return (uint64_t)run->end;
    case RUN_AT:
        return corner_of(p->schedule, run, index % SPACE_AXES);
    case RUN_SIZE: /* scattered jobs have a size of 0 */
        return run->place.size[index % SPACE_AXES];
    case RUN_HELD:
        return run_cells(p->schedule, run);
    default:
        return run->lost;
    }
}

static json_t *runs_json(const struct schedule_result *s)
{
    const struct space *space = &s->space;
    json_t *o =
        json_pack("{s:I,s:[I,I,I],s:[I,I,I],s:[b,b,b],s:I}", "count", (json_int_t)s->runs, "cells",
                  (json_int_t)space->size[0], (json_int_t)space->size[1],
                  (json_int_t)space->size[2], "first_cell", (json_int_t)space->first[0],
                  (json_int_t)space->first[1], (json_int_t)space->first[2], "wrap", space->wrap[0],
                  space->wrap[1], space->wrap[2], "cell_nodes", (json_int_t)s->cell_nodes);
    for (const struct run_column *c = run_columns; c < run_columns + RUN_COLUMNS; c++)
        json_object_set_new(o, c->name,
                            packed_numbers((size_t)s->runs * c->numbers, c->bytes, run_number,
                                           &(struct packing){s, c}));
    return o;
}

json_t *jobs_json(const struct run_result *r)
{
    if (!r->jobs)
        return NULL;
    const struct swf_log *log = &r->jobs->log;
    json_t *sizes = json_array();
    for (unsigned i = 0; i < SIZE_CLASSES; i++) {
        const struct job_figures *f = &r->jobs->figures.by_size[i];
        json_t *to = f->to_cells < UINT32_MAX ? json_integer(f->to_cells) : NULL;
        json_array_append_new(
            sizes, json_pack("{s:I,s:I,s:I,s:f,s:o,s:o,s:o,s:I,s:o*}", "jobs", (json_int_t)f->jobs,
                             "finished", (json_int_t)f->finished, "failed", (json_int_t)f->failed,
                             "node_seconds", f->node_seconds, "wait_seconds", spread_json(&f->wait),
                             "slowdown", spread_json(&f->slowdown), "bounded_slowdown",
                             spread_json(&f->bounded_slowdown), "from_cells",
                             (json_int_t)(i ? f->from_cells : 1), "to_cells", to));
    }
    return json_pack(
        "{s:{s:I,s:I,s:I,s:I,s:I,s:I,s:I,s:I,s:I},s:o,s:o}", "log", "lines", (json_int_t)log->lines,
        "processors", (json_int_t)log->processors, "no_run_time", (json_int_t)log->no_run,
        "no_processors", (json_int_t)log->no_processors, "no_submit_time",
        (json_int_t)log->no_submit, "zero_run_time", (json_int_t)log->zero_run, "unsorted",
        (json_int_t)log->unsorted, "no_estimate", (json_int_t)log->no_estimate, "overrun",
        (json_int_t)log->overrun, "by_size", sizes, "runs", runs_json(&r->jobs->schedule));
}

/* ---- CSV ---- */

static const char *const state_names[JOB_STATES] = {"to come", "waiting", "running", "finished",
                                                    "failed"};

/* A job that did not finish has no wait and no slowdown; one that never ran, no start either. */
static void write_job(FILE *out, const struct schedule_result *s, const struct job *j,
                      const struct job_run *run)
{
    fprintf(out, "%lld,%lld,%u,%lld,%lld,%s,%u,", (long long)j->number, (long long)j->submit,
            j->nodes, (long long)j->run, (long long)j->estimate, state_names[j->state], j->lost);
    if (!run) {
        fprintf(out, ",,,,,\n");
        return;
    }
    fprintf(out, "%lld,%lld,", (long long)run->start, (long long)run->end);
    if (j->state == JOB_FINISHED)
        fprintf(out, "%lld,%.6g,", (long long)(run->start - j->submit),
                (double)(run->end - j->submit) / (double)(run->end - run->start));
    else
        fprintf(out, ",,");
    if (run->place.size[0])
        fprintf(out, "%ux%ux%u,%u/%u/%u\n", run->place.size[0], run->place.size[1],
                run->place.size[2], corner_of(s, run, 0), corner_of(s, run, 1),
                corner_of(s, run, 2));
    else
        fprintf(out, "%u,scattered\n", run_cells(s, run));
}

static void print_jobs(FILE *out, const void *schedule)
{
    const struct schedule_result *s = schedule;
    const struct job_run **last = memory_alloc(s->jobs + 1, sizeof(*last));
    for (uint32_t i = 0; i < s->runs; i++)
        last[s->run[i].job] = &s->run[i];
    fprintf(out, "job,submit_s,nodes,run_s,estimate_s,state,lost,start_s,end_s,wait_s,slowdown,"
                 "box_cells,at_cell\n");
    for (uint32_t i = 0; i < s->jobs; i++)
        write_job(out, s, &s->job[i], last[i]);
    free(last);
}

weft_status jobs_write_csv(const char *path, const struct jobs_report *report)
{
    return output_whole(path, print_jobs, &report->schedule);
}
