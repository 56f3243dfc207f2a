/*
 * Counter-based random numbers: a draw is a pure function of (key, counter).
 *
 * The key is made from the seed, an owner (a node) and what the draws are for; the counter is the
 * number of draws so far. Nobody shares a generator, so a draw cannot depend on who ran first.
 * The function is the output stage of SplitMix64 (Steele, Lea, Flood 2014) over key + counter
 * times the golden ratio.
 */
#ifndef WEFT_BASE_RANDOM_H
#define WEFT_BASE_RANDOM_H

#include <stdint.h>

/* What a draw is for; part of the key. */
enum random_purpose {
    RANDOM_ARBITRATION = 1,
    RANDOM_DESTINATION,
    RANDOM_INTERVAL,
    RANDOM_SIZE,
    RANDOM_ORDER,
    RANDOM_TIE,
    RANDOM_CLASS,
    RANDOM_PERMUTATION,
    RANDOM_LINK,
    RANDOM_PHASE,
    RANDOM_PAIR,
    RANDOM_JOB,
    RANDOM_DEATH,
    RANDOM_PART,
    RANDOM_BURST,
    RANDOM_DETOUR,
};

static inline uint64_t random_mix(uint64_t x)
{
    x ^= x >> 30;
    x *= 0xbf58476d1ce4e5b9u;
    x ^= x >> 27;
    x *= 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

static inline uint64_t random_key(uint64_t seed, uint64_t owner, enum random_purpose purpose)
{
    uint64_t key = random_mix(seed + 0x9e3779b97f4a7c15u);
    key = random_mix(key ^ (owner + 0x632be59bd9b4e019u));
    return random_mix(key + (uint64_t)purpose * 0xd1342543de82ef95u);
}

static inline uint64_t random_draw(uint64_t key, uint64_t counter)
{
    return random_mix(key + (counter + 1) * 0x9e3779b97f4a7c15u);
}

/* The draws of a key, one after the other: `state` starts as the key. */
static inline uint64_t random_next(uint64_t *state)
{
    return random_mix(*state += 0x9e3779b97f4a7c15u);
}

/* A number below `bound` (at least 1), from one draw. */
static inline uint32_t random_below(uint64_t draw, uint32_t bound)
{
    return (uint32_t)(((draw >> 32) * bound) >> 32);
}

/*
 * An exponentially distributed number of mean 1, from one draw. Uses only IEEE additions,
 * multiplications and divisions, so that every computer gets the same bits (log() of two C
 * libraries may differ in the last one).
 */
double random_exponential(uint64_t draw);

/* A number of Pareto's distribution from 1 on, from one draw: above x with probability
 * x^-shape. With the same care. */
double random_pareto(uint64_t draw, double shape);

/* The natural logarithm of a number of at least 1, with the same care. */
double random_logarithm(double value);

/*
 * The image of `index` under a random permutation of 0..count-1 that `key` selects. Computed, not
 * stored: a billion destinations in random order need no memory.
 */
uint32_t random_permute(uint64_t key, uint32_t count, uint32_t index);

#endif
