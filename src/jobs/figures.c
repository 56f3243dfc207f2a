/* Means and quantiles of finished jobs. */
#include "jobs/figures.h"

#include <stdlib.h>

#include "base/memory.h"

enum { BRIEF = 10 }; /* seconds: shorter jobs say little (Feitelson and Rudolph 1998) */

static int compare(const void *a, const void *b)
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
    qsort(value, count, sizeof(*value), compare);
    for (uint32_t i = 0; i < count; i++)
        s.mean += value[i] / count;
    s.median = (value[(count - 1) / 2] + value[count / 2]) / 2;
    s.most_95 = value[(uint32_t)(((uint64_t)count * 95 + 99) / 100) - 1];
    s.most = value[count - 1];
    return s;
}

static bool is_in(const struct schedule_result *r, const struct job *j, const struct job_figures *f)
{
    uint32_t cells = (j->nodes + r->cell_nodes - 1) / r->cell_nodes;
    return cells >= f->from_cells && cells <= f->to_cells;
}

static void fill(const struct schedule_result *r, struct job_figures *f, double *value[3])
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < r->jobs; i++) {
        const struct job *j = &r->job[i];
        if (!is_in(r, j, f))
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

void figures_of_jobs(const struct schedule_result *r, struct jobs_figures *figures)
{
    double *value[3];
    for (unsigned i = 0; i < 3; i++)
        value[i] = memory_alloc(r->jobs + 1, sizeof(**value));
    *figures = (struct jobs_figures){.all = {.from_cells = 0, .to_cells = UINT32_MAX}};
    fill(r, &figures->all, value);
    for (unsigned i = 0; i < SIZE_CLASSES; i++) {
        struct job_figures *f = &figures->by_size[i];
        f->from_cells = i ? (1u << 2 * (i - 1)) + 1 : 0;
        f->to_cells = i + 1 < SIZE_CLASSES ? 1u << 2 * i : UINT32_MAX;
        fill(r, f, value);
    }
    for (unsigned i = 0; i < 3; i++)
        free(value[i]);
}

void jobs_report_free(struct jobs_report *report)
{
    if (!report)
        return;
    schedule_result_fini(&report->schedule);
    free(report);
}
