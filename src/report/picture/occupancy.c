/* A sweep over the runs in the order of their starts. */
#include "report/picture/occupancy.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static bool is_scattered(const struct job_run *run)
{
    return run->place.size[0] == 0;
}

uint32_t run_cells(const struct schedule_result *r, const struct job_run *run)
{
    const uint32_t *size = run->place.size;
    if (!is_scattered(run))
        return size[0] * size[1] * size[2];
    return (r->job[run->job].nodes + r->cell_nodes - 1) / r->cell_nodes;
}

uint32_t lost_runs(const struct schedule_result *r)
{
    uint32_t lost = 0;
    for (uint32_t i = 0; i < r->runs; i++)
        lost += r->run[i].lost;
    return lost;
}

static int compare(const void *a, const void *b)
{
    const struct run_start *x = a, *y = b;
    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    return x->run < y->run ? -1 : x->run > y->run;
}

void occupancy_init(struct occupancy *o, const struct schedule_result *r)
{
    *o = (struct occupancy){.result = r};
    o->run_in = memory_alloc(r->space.cells, sizeof(*o->run_in));
    o->start = memory_alloc(r->runs + 1, sizeof(*o->start));
    o->active = memory_alloc(r->runs + 1, sizeof(*o->active));
    for (uint32_t i = 0; i < r->runs; i++) {
        o->start[i] = (struct run_start){r->run[i].start, i};
        o->stacked |= is_scattered(&r->run[i]);
    }
    qsort(o->start, r->runs, sizeof(*o->start), compare);
}

void occupancy_fini(struct occupancy *o)
{
    free(o->run_in);
    free(o->start);
    free(o->active);
}

static void stop_ended(struct occupancy *o, int64_t time)
{
    uint32_t left = 0;
    for (uint32_t i = 0; i < o->actives; i++)
        if (o->result->run[o->active[i]].end > time)
            o->active[left++] = o->active[i];
    o->actives = left;
}

static void start_due(struct occupancy *o, int64_t time)
{
    for (; o->next < o->result->runs && o->start[o->next].start <= time; o->next++)
        if (o->result->run[o->start[o->next].run].end > time)
            o->active[o->actives++] = o->start[o->next].run;
}

/* Cells of a row, which may lie across its end. */
static void fill_row(struct occupancy *o, uint32_t row, const struct place *p, uint32_t run)
{
    uint32_t length = o->result->space.size[0];
    for (uint32_t x = 0; x < p->size[0]; x++)
        o->run_in[row * length + (p->at[0] + x) % length] = run;
}

static void fill_place(struct occupancy *o, uint32_t run)
{
    const struct place *p = &o->result->run[run].place;
    const uint32_t *size = o->result->space.size;
    for (uint32_t z = 0; z < p->size[2]; z++)
        for (uint32_t y = 0; y < p->size[1]; y++)
            fill_row(o, (p->at[2] + z) % size[2] * size[1] + (p->at[1] + y) % size[1], p, run);
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
    stop_ended(o, time);
    start_due(o, time);
    memset(o->run_in, 0xff, o->result->space.cells * sizeof(*o->run_in));
    if (o->stacked)
        stack(o);
    for (uint32_t i = 0; !o->stacked && i < o->actives; i++)
        fill_place(o, o->active[i]);
}
