/* Reading and merging histograms. */
#include "base/statistics/histogram.h"

uint64_t histogram_lower(unsigned b)
{
    if (b < 2u << HISTOGRAM_SUB_BITS)
        return b;
    unsigned shift = (b >> HISTOGRAM_SUB_BITS) - 1;
    return (uint64_t)(b - (shift << HISTOGRAM_SUB_BITS)) << shift;
}

bool histogram_is_sound(const struct histogram *h)
{
    uint64_t count = 0;
    for (unsigned b = 0; b < HISTOGRAM_BUCKETS; b++)
        count += h->bucket[b];
    return count == h->count && (count ? h->bucket[histogram_bucket(h->max)] > 0 : !h->max);
}

void histogram_merge(struct histogram *into, const struct histogram *from)
{
    into->count += from->count;
    into->sum += from->sum;
    if (from->max > into->max)
        into->max = from->max;
    for (unsigned b = 0; b < HISTOGRAM_BUCKETS; b++)
        into->bucket[b] += from->bucket[b];
}

uint64_t histogram_quantile(const struct histogram *h, double share)
{
    double exact = share * (double)h->count;
    uint64_t rank = (uint64_t)exact, seen = 0;
    rank += (double)rank < exact || rank == 0;
    for (unsigned b = 0; b < HISTOGRAM_BUCKETS && h->count; b++) {
        seen += h->bucket[b];
        if (seen >= rank)
            return histogram_lower(b);
    }
    return h->max;
}
