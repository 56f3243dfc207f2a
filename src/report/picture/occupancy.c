/* A sweep over the runs in the order of their starts; sums of spans of time, each with a weight. */
#define _GNU_SOURCE
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "report/picture/drawing.h"
#include "report/sections.h"

static int compare_starts(const void *a, const void *b, void *result)
{
    const struct job_run *run = ((const struct schedule_result *)result)->run;
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    if (run[x].start != run[y].start)
        return run[x].start < run[y].start ? -1 : 1;
    return x < y ? -1 : x > y;
}

void occupancy_init(struct occupancy *o, const struct schedule_result *r)
{
    *o = (struct occupancy){.result = r};
    o->run_in = memory_alloc(r->space.cells, sizeof(*o->run_in));
    o->order = memory_alloc(r->runs + 1, sizeof(*o->order));
    o->active = memory_alloc(r->runs + 1, sizeof(*o->active));
    for (uint32_t i = 0; i < r->runs; i++) {
        o->order[i] = i;
        o->stacked |= r->run[i].place.size[0] == 0;
    }
    qsort_r(o->order, r->runs, sizeof(*o->order), compare_starts, (void *)r);
}

void occupancy_fini(struct occupancy *o)
{
    free(o->run_in);
    free(o->order);
    free(o->active);
}

/* The cells of a place, which may lie across the ends of the axes. */
static void fill_place(struct occupancy *o, uint32_t run)
{
    const struct place *p = &o->result->run[run].place;
    const uint32_t *size = o->result->space.size;
    for (uint32_t z = 0; z < p->size[2]; z++)
        for (uint32_t y = 0; y < p->size[1]; y++) {
            uint32_t row = (p->at[2] + z) % size[2] * size[1] + (p->at[1] + y) % size[1];
            for (uint32_t x = 0; x < p->size[0]; x++)
                o->run_in[row * size[0] + (p->at[0] + x) % size[0]] = run;
        }
}

static void stack(struct occupancy *o)
{
    uint32_t cell = 0;
    for (uint32_t i = 0; i < o->actives; i++) {
        uint32_t cells = run_cells(o->result, &o->result->run[o->active[i]]);
        for (; cells && cell < o->result->space.cells; cells--)
            o->run_in[cell++] = o->active[i];
    }
}

void occupancy_advance(struct occupancy *o, int64_t time)
{
    const struct job_run *run = o->result->run;
    uint32_t left = 0;
    for (uint32_t i = 0; i < o->actives; i++)
        if (run[o->active[i]].end > time)
            o->active[left++] = o->active[i];
    for (; o->next < o->result->runs && run[o->order[o->next]].start <= time; o->next++)
        if (run[o->order[o->next]].end > time)
            o->active[left++] = o->order[o->next];
    o->actives = left;
    memset(o->run_in, 0xff, o->result->space.cells * sizeof(*o->run_in));
    if (o->stacked)
        stack(o);
    for (uint32_t i = 0; !o->stacked && i < o->actives; i++)
        fill_place(o, o->active[i]);
}

/* ---- how full the machine is ---- */

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
