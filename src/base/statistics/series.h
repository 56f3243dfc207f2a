/* Means of intervals of a simulation that follow each other: where its beginning ends, and how well
 * the mean of the rest is known. */
#ifndef WEFT_BASE_STATISTICS_SERIES_H
#define WEFT_BASE_STATISTICS_SERIES_H

#include <stddef.h>

/*
 * How many of the first values belong to the warm-up, by the marginal standard error rule (MSER:
 * White, "An effective truncation heuristic for bias reduction in simulation output", 1997): those
 * without which the mean of the rest is known best,
 *
 *     d that minimises  sum over i > d of (y[i] - mean of those)^2 / (n - d)^2
 *
 * A value in the second half says that the series is too short to tell (Hoad, Robinson and Davies,
 * "Automating warm-up length estimation", 2010). The last few are left out: a mean of almost
 * nothing always looks well known.
 */
size_t series_truncation(const double *y, size_t n);

/* The correlation of neighbours: 0 if they know nothing of each other. */
double series_correlation(const double *y, size_t n);

/*
 * Half the width of the 95 % interval of the mean of values that follow each other in time. Where
 * neighbours are correlated, an interval as of independent values would be too narrow: it is
 * widened by sqrt((1 + r) / (1 - r)), which is right if each value depends on the one before only.
 * NAN: there are less than two.
 */
double series_half_width(const double *y, size_t n);

#endif
