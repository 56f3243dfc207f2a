/* Rules for series of means. */
#include "base/statistics/series.h"

#include <math.h>

#include "base/statistics/interval.h"

size_t series_truncation(const double *y, size_t n)
{
    enum { LEAST_LEFT = 5 };
    double sum = 0, squares = 0, best = INFINITY;
    size_t at = 0;
    /* From the end: sums of differences from the last value, which is near to the mean. */
    for (size_t d = n; d-- > 0;) {
        double difference = y[d] - y[n - 1], left = (double)(n - d);
        sum += difference;
        squares += difference * difference;
        double error = (squares - sum * sum / left) / (left * left);
        if (n - d >= LEAST_LEFT && error <= best) {
            best = error;
            at = d;
        }
    }
    return at;
}

double series_correlation(const double *y, size_t n)
{
    struct interval all = {.count = 0};
    double variance = 0, products = 0;
    for (size_t i = 0; i < n; i++)
        interval_add(&all, y[i]);
    double mean = interval_mean(&all);
    for (size_t i = 0; i < n; i++) {
        variance += (y[i] - mean) * (y[i] - mean);
        products += i ? (y[i] - mean) * (y[i - 1] - mean) : 0;
    }
    return variance > 0 ? products / variance : 0;
}

double series_half_width(const double *y, size_t n)
{
    const double most = 0.98; /* beyond it the values say nothing at all */
    struct interval all = {.count = 0};
    for (size_t i = 0; i < n; i++)
        interval_add(&all, y[i]);
    double r = series_correlation(y, n);
    r = r < 0 ? 0 : r > most ? most : r;
    return n < 2 ? NAN : interval_half_width(&all) * sqrt((1 + r) / (1 - r));
}
