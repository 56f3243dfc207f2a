/*
 * A histogram of durations in cycles: exact below 128, then 64 buckets per octave (a bucket is at
 * most 1.6 % wide). Counts are integers, so merging in any order gives the same histogram.
 */
#ifndef WEFT_BASE_STATISTICS_HISTOGRAM_H
#define WEFT_BASE_STATISTICS_HISTOGRAM_H

#include <stdbool.h>
#include <stdint.h>

enum {
    HISTOGRAM_SUB_BITS = 6,
    HISTOGRAM_BUCKETS = (64 - HISTOGRAM_SUB_BITS + 1) << HISTOGRAM_SUB_BITS
};

struct histogram {
    uint64_t count;
    uint64_t sum;
    uint64_t max;
    uint64_t bucket[HISTOGRAM_BUCKETS];
};

static inline unsigned histogram_bucket(uint64_t value)
{
    if (value < 2u << HISTOGRAM_SUB_BITS)
        return (unsigned)value;
    unsigned shift = 63 - (unsigned)__builtin_clzll(value) - HISTOGRAM_SUB_BITS;
    return (shift << HISTOGRAM_SUB_BITS) + (unsigned)(value >> shift);
}

static inline void histogram_add(struct histogram *h, uint64_t value)
{
    h->count++;
    h->sum += value;
    if (value > h->max)
        h->max = value;
    h->bucket[histogram_bucket(value)]++;
}

/* The smallest value that falls into bucket b. */
uint64_t histogram_lower(unsigned b);

/* Whether its counts agree with each other, as those of a damaged file may not. */
bool histogram_is_sound(const struct histogram *h);

void histogram_merge(struct histogram *into, const struct histogram *from);

/* The value at or below which a share (0..1) of the entries lies, rounded down to its bucket's
 * lower edge; 0 if there are none. */
uint64_t histogram_quantile(const struct histogram *h, double share);

#endif
