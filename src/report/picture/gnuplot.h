/*
 * Running gnuplot on a script:
 *
 *   FILE *script = gnuplot_begin();      print the script there
 *   gnuplot_end(script, why)             and run it
 *
 * The script is in memory, not in a pipe: a gnuplot that is missing, or ends early, raises no
 * SIGPIPE, and the host program's signal handlers stay untouched.
 */
#ifndef WEFT_REPORT_PICTURE_GNUPLOT_H
#define WEFT_REPORT_PICTURE_GNUPLOT_H

#include <stdbool.h>
#include <stdio.h>

enum { GNUPLOT_WHY = 240 };

/* NULL: there is not enough memory. */
FILE *gnuplot_begin(void);

/* Runs a script (may be NULL) and closes it. false: `why` says so: "gnuplot is not installed". */
bool gnuplot_end(FILE *script, char why[GNUPLOT_WHY]);

#endif
