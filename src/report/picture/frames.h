/* Who was where in the machine, at some instants between the first submission and the last. */
#ifndef WEFT_REPORT_PICTURE_FRAMES_H
#define WEFT_REPORT_PICTURE_FRAMES_H

#include "jobs/figures.h"

/* Writes an SVG of twelve frames, or of fewer if there are fewer seconds. */
weft_status frames_write(const char *path, const struct jobs_report *report, const char *title);

#endif
