/*
 * Running gnuplot on a script:
 *
 *   FILE *script = gnuplot_begin();      what is printed there...
 *   gnuplot_end(script, why)             ...is run
 *
 * The script lies in memory, not in a pipe: a gnuplot that is not there, or ends early, raises no
 * SIGPIPE, and no signal handler of the program around us has to be touched.
 */
#ifndef WEFT_REPORT_GNUPLOT_H
#define WEFT_REPORT_GNUPLOT_H

#include <stdbool.h>
#include <stdio.h>

enum { GNUPLOT_WHY = 240 };

/* NULL: there is no memory for it. */
FILE *gnuplot_begin(void);

/* Runs a script (NULL does no harm) and closes it. false: `why`, as "gnuplot is not installed". */
bool gnuplot_end(FILE *script, char why[GNUPLOT_WHY]);

#endif
