/* Pictures through gnuplot. */
#ifndef WEFT_REPORT_PICTURE_PLOT_H
#define WEFT_REPORT_PICTURE_PLOT_H

#include "report/picture/gnuplot.h"
#include "study/study.h"

/* Names of the files written; "" for those that could not be drawn. */
struct plot {
    char csv[192], svg[192], png[192];
    char why[GNUPLOT_WHY]; /* why a picture is missing: "gnuplot is not installed" */
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

#endif
