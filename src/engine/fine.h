/*
 * Fine time, in 1/65536 cycles, for what the fabric's clock does not pace: processors, DMA engines
 * and random gaps, so that their times add up without drift.
 */
#ifndef WEFT_ENGINE_FINE_H
#define WEFT_ENGINE_FINE_H

#include "engine/wheel.h"

typedef uint64_t fine_t;

enum { FRACTION_BITS = 16 };

static inline fine_t fine_at(cycle_t cycle)
{
    return cycle << FRACTION_BITS;
}

/* A duration, rounded to nearest; one beyond all clocks is as long as fits. */
static inline fine_t fine_length(double cycles)
{
    double fine = cycles * (1 << FRACTION_BITS) + 0.5;
    return fine < 0x1p62 ? (fine_t)fine : 1ull << 62;
}

/* The first cycle that is not before a fine time. */
static inline cycle_t fine_cycle_after(fine_t fine)
{
    return (fine + (1 << FRACTION_BITS) - 1) >> FRACTION_BITS;
}

static inline fine_t fine_max(fine_t a, fine_t b)
{
    return a > b ? a : b;
}

#endif
