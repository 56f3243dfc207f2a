/* How full a machine is and how many jobs wait, over time. */
#ifndef WEFT_REPORT_PICTURE_LOAD_H
#define WEFT_REPORT_PICTURE_LOAD_H

#include "jobs/schedule.h"

/* Some seconds, cut into equal bins. */
struct load_window {
    int64_t from, to; /* from < to */
    uint32_t bins;
};

/* Means over each bin: the share of all cells that jobs hold, and the number of jobs that wait. */
void load_in_use(const struct schedule_result *result, struct load_window window, double *share);
void load_waiting(const struct schedule_result *result, struct load_window window, double *jobs);

#endif
