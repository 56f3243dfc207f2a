/* Random numbers: the C library's own generators, with the state of a rank. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/random.h"
#include "posix/internal.h"

enum { STATE_BYTES = 128 };

/* The state is behind the record. */
static struct random_data *state(void)
{
    struct posix_rank *r = posix_current();
    if (!r->chance) {
        r->chance = memory_alloc(1, sizeof(*r->chance) + STATE_BYTES);
        initstate_r(1, (char *)(r->chance + 1), STATE_BYTES, r->chance);
    }
    return r->chance;
}

static long rank_random(void)
{
    int32_t number;
    random_r(state(), &number);
    return number;
}

static int rank_rand(void)
{
    return (int)rank_random();
}

static void rank_srand(unsigned seed)
{
    srandom_r(seed, state());
}

static char *rank_initstate(unsigned seed, char *bytes, size_t size)
{
    struct random_data *own = state();
    char *old = (char *)(own->state - 1);
    return initstate_r(seed, bytes, size, own) == 0 ? old : NULL;
}

static char *rank_setstate(char *bytes)
{
    struct random_data *own = state();
    char *old = (char *)(own->state - 1);
    return setstate_r(bytes, own) == 0 ? old : NULL;
}

/* ---- 48 bits ---- */

static struct drand48_data *state48(void)
{
    return &posix_current()->chance48;
}

/* Defines a generator whose state the program keeps, and the same one with the rank's state. */
#define GENERATOR(TYPE, OF_PROGRAM, OF_RANK)                                                       \
    static TYPE rank_##OF_PROGRAM(unsigned short from[3])                                          \
    {                                                                                              \
        TYPE number;                                                                               \
        OF_PROGRAM##_r(from, state48(), &number);                                                  \
        return number;                                                                             \
    }                                                                                              \
    static TYPE rank_##OF_RANK(void)                                                               \
    {                                                                                              \
        return rank_##OF_PROGRAM(state48()->__x);                                                  \
    }
GENERATOR(double, erand48, drand48)
GENERATOR(long, nrand48, lrand48)
GENERATOR(long, jrand48, mrand48)

static void rank_srand48(long seed)
{
    srand48_r(seed, state48());
}

static unsigned short *rank_seed48(unsigned short seed[3])
{
    seed48_r(seed, state48());
    return state48()->__old_x;
}

static void rank_lcong48(unsigned short parameters[7])
{
    lcong48_r(parameters, state48());
}

/* ---- what would be the computer's noise: other draws in every rank, the same in every run ---- */

static ssize_t rank_getrandom(void *to, size_t bytes, unsigned flags)
{
    struct posix_rank *r = posix_current();
    uint64_t key = random_key(0, r->number, RANDOM_ORDER);
    (void)flags;
    for (size_t at = 0; at < bytes; at++)
        ((unsigned char *)to)[at] = (unsigned char)random_draw(key, r->entropy++);
    return (ssize_t)bytes;
}

static int rank_getentropy(void *to, size_t bytes)
{
    rank_getrandom(to, bytes, 0);
    return 0;
}

static uint32_t rank_arc4random(void)
{
    uint32_t number;
    rank_getrandom(&number, sizeof(number), 0);
    return number;
}

static uint32_t rank_arc4random_uniform(uint32_t bound)
{
    uint64_t draw;
    rank_getrandom(&draw, sizeof(draw), 0);
    return bound ? random_below(draw, bound) : 0;
}

const struct posix_function random_functions[] = {
    FUNCTION(rand),       FUNCTION(srand),
    FUNCTION(random),     FUNCTION_AS("srandom", rank_srand),
    FUNCTION(initstate),  FUNCTION(setstate),
    FUNCTION(erand48),    FUNCTION(nrand48),
    FUNCTION(jrand48),    FUNCTION(drand48),
    FUNCTION(lrand48),    FUNCTION(mrand48),
    FUNCTION(srand48),    FUNCTION(seed48),
    FUNCTION(lcong48),    FUNCTION(getrandom),
    FUNCTION(getentropy), FUNCTION_AS("arc4random_buf", rank_getrandom),
    FUNCTION(arc4random), FUNCTION(arc4random_uniform),
    {NULL, NULL},
};
