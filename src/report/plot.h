/* Pictures through gnuplot. */
#ifndef WEFT_REPORT_PLOT_H
#define WEFT_REPORT_PLOT_H

#include "study/study.h"

/*
 * Writes weft-NAME.csv and, if gnuplot is there, weft-NAME.svg and .png into the current folder:
 * the study's metric over x (or its timeline), with the paper's values where it gives them.
 * `picture` (128 bytes) is the picture's name, or "" without gnuplot.
 */
weft_status plot_study(const struct study *study, char *picture);

#endif
