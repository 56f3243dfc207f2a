/* The mean of some values, and how well it is known. */
#ifndef WEFT_BASE_STATISTICS_INTERVAL_H
#define WEFT_BASE_STATISTICS_INTERVAL_H

#include <stddef.h>

struct interval {
    size_t count;
    double sum, squares; /* of the differences from the first value: figures may be large */
    double first;
};

void interval_add(struct interval *i, double value);

/* NAN: there is no value. */
double interval_mean(const struct interval *i);

/* Half the width of the 95 % interval of the mean, by Student's distribution; 0 for one value. */
double interval_half_width(const struct interval *i);

/* The 97.5 % quantile of Student's distribution. */
double interval_quantile(size_t degrees);

#endif
