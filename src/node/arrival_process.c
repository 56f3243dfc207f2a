/* Draws of arrivals, of bursts and of pauses. */
#include "node/arrival_process.h"

#include <stdbool.h>

#include "base/random.h"

/* Bursts are shorter than this. */
#define BURST_MOST 0x1p30

struct arrival_process arrival_process_spaced(enum burst burst, double mean, double packets,
                                              double shape, double spacing)
{
    if (spacing > mean)
        spacing = mean;
    return (struct arrival_process){.mean_gap_cycles = mean,
                                    .burst = burst,
                                    .burst_packets = packets,
                                    .spacing_cycles = spacing,
                                    .pause_cycles = packets * (mean - spacing),
                                    .shape = shape};
}

static double share(uint64_t draw)
{
    return (double)(draw >> 11) * 0x1p-53;
}

/* Packets of a burst: at least one, and exactly as many as they should be on average. Without its
 * first packet, a burst is geometric, or of Lomax's distribution rounded up or down by chance. */
static uint32_t burst_length(const struct arrival_process *b, uint64_t draw)
{
    double more = b->burst_packets - 1, length;
    if (more <= 0)
        return 1;
    if (b->burst == BURST_GEOMETRIC) /* how often the die must be thrown, by the inverse */
        length = 1 + random_exponential(draw) / random_logarithm(b->burst_packets / more);
    else
        length = 1 + more * (b->shape - 1) * (random_pareto(draw, b->shape) - 1) +
                 share(random_mix(draw));
    return (uint32_t)(length < BURST_MOST ? length : BURST_MOST);
}

static double pause(const struct arrival_process *b, uint64_t draw)
{
    if (b->burst == BURST_GEOMETRIC)
        return b->pause_cycles * random_exponential(draw);
    return b->pause_cycles * (b->shape - 1) / b->shape * random_pareto(draw, b->shape);
}

/* The first birth: a run begins within a burst, after any of its packets, as often as it meets one
 * at any other time. */
static double first_birth(const struct arrival_process *b, uint64_t key, uint64_t draw,
                          uint32_t *left)
{
    bool on = share(random_mix(draw)) * b->mean_gap_cycles < b->spacing_cycles;
    double rest = on ? b->spacing_cycles * share(random_mix(draw + 1)) : 0;
    if (on && *left) {
        --*left;
        return rest;
    }
    *left = burst_length(b, random_draw(key, UINT32_MAX)) - 1;
    return rest + pause(b, draw);
}

double arrival_process_next(const struct arrival_process *b, uint64_t seed, uint32_t node,
                            uint32_t sequence, uint32_t *left)
{
    uint64_t draw = random_draw(random_key(seed, node, RANDOM_INTERVAL), sequence);
    if (b->burst == BURST_NONE)
        return random_exponential(draw) * b->mean_gap_cycles;
    if (*left) {
        --*left;
        return b->spacing_cycles;
    }
    uint64_t key = random_key(seed, node, RANDOM_BURST);
    *left = burst_length(b, random_draw(key, sequence)) - 1;
    return sequence ? b->spacing_cycles + pause(b, draw) : first_birth(b, key, draw, left);
}
