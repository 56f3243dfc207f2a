/* What a schedule says of its jobs, all of them and by their size. */
#ifndef WEFT_JOBS_FIGURES_H
#define WEFT_JOBS_FIGURES_H

#include "jobs/schedule.h"

/* Jobs of a size: 1 cell, 2 to 4, 5 to 16, and so on; the last has all that are larger. */
enum { SIZE_CLASSES = 8 };

/* Of some values. */
struct spread {
    double mean, median, most_95; /* 95 of a hundred are no larger */
    double most;
};

struct job_figures {
    uint32_t from_cells, to_cells; /* to: UINT32_MAX: any */
    uint32_t jobs, finished, failed;
    double node_seconds;            /* of finished jobs: asked for and run */
    struct spread wait;             /* seconds from its submission to the start of its last run */
    struct spread slowdown;         /* (wait + run) / run */
    struct spread bounded_slowdown; /* jobs under ten seconds count as ten; at least 1 */
};

struct jobs_figures {
    struct job_figures all, by_size[SIZE_CLASSES];
};

/* All that is known after a run. */
struct jobs_report {
    struct swf_log log; /* what was found in it; its jobs are in the schedule */
    double own_load;    /* of the log */
    double load;        /* as it was scaled */
    struct schedule_result schedule;
    struct jobs_figures figures;
};

void jobs_report_free(struct jobs_report *report);

void figures_of_jobs(const struct schedule_result *r, struct jobs_figures *figures);

#endif
