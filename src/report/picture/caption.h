/* What the lines above a picture of jobs say. */
#ifndef WEFT_REPORT_PICTURE_CAPTION_H
#define WEFT_REPORT_PICTURE_CAPTION_H

#include "jobs/schedule.h"

/* "28 476 jobs, 28 000 finished, 476 failed; utilisation 71.2 %, idle 12.0 %" */
const char *caption_of_jobs(const struct schedule_result *result, char *text, size_t size);

/* What a colour is. `stacked`: cells are not where jobs were (occupancy.h); `lost`: what runs that
 * were lost look like, "hatched". */
const char *caption_of_colours(const struct schedule_result *result, bool stacked, const char *lost,
                               char *text, size_t size);

#endif
