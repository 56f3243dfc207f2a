/* Sums of spans of time, each with a weight. */
#include "report/picture/load.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "report/picture/occupancy.h"

/* Adds a weight to each bin by the part of it that lies between two times. */
static void add_span(struct load_window w, double *bin, int64_t from, int64_t to, double weight)
{
    double per_second = w.bins / (double)(w.to - w.from);
    double begin = fmax(0, (double)(from - w.from) * per_second);
    double end = fmin(w.bins, (double)(to - w.from) * per_second);
    for (uint32_t i = (uint32_t)fmin(begin, w.bins); i < end; i++)
        bin[i] += weight * (fmin(end, i + 1.0) - fmax(begin, i));
}

void load_in_use(const struct schedule_result *r, struct load_window w, double *share)
{
    memset(share, 0, w.bins * sizeof(*share));
    for (uint32_t i = 0; i < r->runs; i++)
        add_span(w, share, r->run[i].start, r->run[i].end,
                 (double)run_cells(r, &r->run[i]) / r->space.cells);
}

/* A job waits from its submission to its first run, and from each run that is lost to the next. */
void load_waiting(const struct schedule_result *r, struct load_window w, double *jobs)
{
    int64_t *since = memory_alloc(r->jobs, sizeof(*since));
    memset(jobs, 0, w.bins * sizeof(*jobs));
    for (uint32_t i = 0; i < r->jobs; i++)
        since[i] = r->job[i].submit;
    for (uint32_t i = 0; i < r->runs; i++) {
        const struct job_run *run = &r->run[i];
        add_span(w, jobs, since[run->job], run->start, 1);
        since[run->job] = run->end;
    }
    for (uint32_t i = 0; i < r->jobs; i++)
        if (r->job[i].state == JOB_WAITING)
            add_span(w, jobs, since[i], w.to, 1);
    free(since);
}
