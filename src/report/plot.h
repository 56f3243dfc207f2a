/* Pictures through gnuplot. */
#ifndef WEFT_REPORT_PLOT_H
#define WEFT_REPORT_PLOT_H

#include "report/gnuplot.h"
#include "study/study.h"

/* What was written: names of files, or "" for those that could not be drawn. */
struct plot {
    char csv[128], svg[128], png[128];
    char why[GNUPLOT_WHY]; /* the first of them could not be: "gnuplot is not installed" */
};

/*
 * Writes weft-NAME.csv and, if gnuplot is there, weft-NAME.svg and .png into the current folder:
 * the study's metric over x (or its timeline), with the paper's values where it gives them. That a
 * picture cannot be drawn is no failure.
 */
weft_status plot_study(const struct study *study, struct plot *plot);

#endif
