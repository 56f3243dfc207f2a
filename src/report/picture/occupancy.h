/*
 * Who is in each cell of the machine, at one time after another:
 *
 *   occupancy_init(&o, result)
 *   occupancy_advance(&o, time)     times that do not decrease; o.run_in is then of that time
 *   occupancy_fini(&o)
 *
 * Where scattered jobs are is not recorded. If there are any, all jobs are stacked instead: the
 * first cells are those of the job that has run longest, then those of the next, and so on.
 */
#ifndef WEFT_REPORT_PICTURE_OCCUPANCY_H
#define WEFT_REPORT_PICTURE_OCCUPANCY_H

#include "jobs/schedule.h"

#define NO_RUN UINT32_MAX

/* A run, and when it begins. */
struct run_start {
    int64_t start;
    uint32_t run;
};

struct occupancy {
    const struct schedule_result *result;
    bool stacked;
    uint32_t *run_in;        /* [cell]: the number of a run, or NO_RUN */
    struct run_start *start; /* of all runs, by time */
    uint32_t next;           /* of them, the first that is still to begin */
    uint32_t *active;        /* runs, by start */
    uint32_t actives;
};

void occupancy_init(struct occupancy *o, const struct schedule_result *result);
void occupancy_advance(struct occupancy *o, int64_t time);
void occupancy_fini(struct occupancy *o);

/* Cells that a run holds. */
uint32_t run_cells(const struct schedule_result *result, const struct job_run *run);

/* How many runs were lost to a node that died. */
uint32_t lost_runs(const struct schedule_result *result);

#endif
