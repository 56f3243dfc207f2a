/* Pictures: of studies by gnuplot, of schedules of jobs as SVG. */
#ifndef WEFT_REPORT_PICTURE_PICTURE_H
#define WEFT_REPORT_PICTURE_PICTURE_H

#include "jobs/jobs.h"
#include "study/study.h"

/* ---- plot.c ---- */

/* Names of the files written; "" for those that could not be drawn. */
struct plot {
    char csv[192], svg[192], png[192];
    char why[240]; /* why a picture is missing: "gnuplot is not installed" */
};

/*
 * Writes weft-NAME.csv and, if gnuplot is installed, weft-NAME.svg and .png into the current
 * folder: the study's metric over x (or its timeline), with the paper's values where it gives them.
 * A picture that cannot be drawn is not a failure.
 */
weft_status plot_study(const struct study *study, struct plot *plot);

/* Whether weft-NAME.csv, or the pictures of a name, can be written; before anything runs. */
weft_status plot_try_csv(const char *name);
weft_status plot_try_picture(const char *name);

/* Draws weft-NAME.svg and .png alone. */
void plot_picture(const struct study *study, const char *name, struct plot *plot);

/* ---- gantt.c, frames.c ---- */

/* A schedule over time, from the first submission to the last end: each job that ran is painted
 * where it ran; below it, how full the machine was and how many jobs waited. An SVG of about
 * 1200 x 730 pixels. */
weft_status gantt_write(const char *path, const struct jobs_report *report, const char *title);

/* Who was where in the machine, at twelve instants between the first submission and the last, or at
 * fewer if there are fewer seconds. */
weft_status frames_write(const char *path, const struct jobs_report *report, const char *title);

#endif
