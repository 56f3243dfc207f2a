/* The gnuplot script of a study's picture: its metric over x, its timeline, or bars. */
#ifndef WEFT_REPORT_PICTURE_SCRIPT_H
#define WEFT_REPORT_PICTURE_SCRIPT_H

#include <stdio.h>

#include "study/study.h"

/* Names of lines: a curve's, a series', or both. */
size_t script_lines(const struct study *study);
const char *script_line_name(const struct study *study, size_t line, char *name, size_t size);

/* The cycle of a row of the timelines, "" behind the last; a line's value in a row, "" if it has
 * none. A run's last row is left out: it is cut short. */
const char *script_cycle(const struct study *study, size_t row);
const char *script_value(const struct study *study, size_t line, size_t row);

/* Quotes text as gnuplot and CSV do: quotes are doubled, control characters dropped. */
void script_quote(FILE *f, const char *text, char quote);

/* terminal: gnuplot's, with its font; width: the picture's, in pixels. */
void script_print(FILE *script, const struct study *study, const char *picture,
                  const char *terminal, unsigned width);

#endif
