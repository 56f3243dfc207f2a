/* Sums of values, and Student's distribution. */
#include "base/statistics/interval.h"

#include <math.h>

void interval_add(struct interval *i, double value)
{
    if (i->count++ == 0)
        i->first = value;
    double difference = value - i->first;
    i->sum += difference;
    i->squares += difference * difference;
}

double interval_mean(const struct interval *i)
{
    return i->count ? i->first + i->sum / (double)i->count : NAN;
}

/* From a table; above it by the first terms of Fisher's expansion in 1/degrees (Abramowitz and
 * Stegun, 26.7.5), which is right to 4 digits there. */
double interval_quantile(size_t degrees)
{
    static const double table[] = {12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365,
                                   2.306,  2.262, 2.228, 2.201, 2.179, 2.160, 2.145,
                                   2.131,  2.120, 2.110, 2.101, 2.093, 2.086};
    enum { ROWS = sizeof(table) / sizeof(table[0]) };
    const double z = 1.959964;
    if (degrees == 0)
        return INFINITY;
    if (degrees <= ROWS)
        return table[degrees - 1];
    double n = (double)degrees, z3 = z * z * z, z5 = z3 * z * z, z7 = z5 * z * z;
    return z + (z3 + z) / (4 * n) + (5 * z5 + 16 * z3 + 3 * z) / (96 * n * n) +
           (3 * z7 + 19 * z5 + 17 * z3 - 15 * z) / (384 * n * n * n);
}

double interval_half_width(const struct interval *i)
{
    if (i->count < 2)
        return 0;
    double n = (double)i->count, variance = (i->squares - i->sum * i->sum / n) / (n - 1);
    return interval_quantile(i->count - 1) * sqrt(variance > 0 ? variance / n : 0);
}
