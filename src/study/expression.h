/*
 * Claims are written as arithmetic over the curves of a study:
 *
 *   at(jsq, response_cycles.mean, 0.95) / at(base, response_cycles.mean, 0.95) - 1
 *   swing(dateline, link_utilisation, 0.3, 1) > 3 * swing(bubble, link_utilisation, 0.3, 1)
 *
 *   numbers, + - * /, parentheses, comparisons (1 or 0), and
 *   at(CURVE, FIGURE, X)              a figure of the run at X, interpolated between runs
 *   mean, max, min, swing(CURVE, SERIES, FROM, TO)
 *                                     of the timeline from share FROM of the run to share TO;
 *                                     swing: (max - min) / mean
 *   follows(CURVE, SERIES, SERIES, FROM, TO)   correlation of the two series
 *   moves(CURVE, SERIES, SERIES, FROM, TO)     correlation of their changes from row to row
 *   turns(CURVE, SERIES, FROM, TO)    number of rises and falls by a quarter of its mean or more
 *   falls(CURVE, SERIES, SHARE)       when it first falls below this share of its highest value,
 *                                     as a share of the run; 1: never
 *   abs(EXPRESSION)
 */
#ifndef WEFT_STUDY_EXPRESSION_H
#define WEFT_STUDY_EXPRESSION_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

/* Where the numbers come from. */
struct expression_source {
    void *ctx;
    bool in_advance; /* there are no numbers yet: a quotient may be of 0 */
    weft_status (*figure)(void *ctx, const char *curve, const char *figure, double x,
                          double *value);
    /* The rows of a curve's timeline; the caller frees *values. */
    weft_status (*series)(void *ctx, const char *curve, const char *series, double **values,
                          size_t *count);
};

/* WEFT_BAD_INPUT says what is wrong and where in the text. */
weft_status expression_value(const char *text, const struct expression_source *source,
                             double *value);

#endif
