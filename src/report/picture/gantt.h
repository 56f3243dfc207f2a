/*
 * A schedule over time: each job that ran is painted where it ran, from its start to its end; below
 * it, how full the machine was and how many jobs waited.
 */
#ifndef WEFT_REPORT_PICTURE_GANTT_H
#define WEFT_REPORT_PICTURE_GANTT_H

#include "jobs/figures.h"

/* Writes an SVG of about 1200 x 730 pixels, from the first submission to the last end. */
weft_status gantt_write(const char *path, const struct jobs_report *report, const char *title);

#endif
