/* Random numbers: the C library's own generators, with the state of a rank. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "posix/parts.h"

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

long rank_random(void)
{
    int32_t number;
    random_r(state(), &number);
    return number;
}

int rank_rand(void)
{
    return (int)rank_random();
}

void rank_srand(unsigned seed)
{
    srandom_r(seed, state());
}

char *rank_initstate(unsigned seed, char *bytes, size_t size)
{
    struct random_data *own = state();
    char *old = (char *)(own + 1);
    return initstate_r(seed, bytes, size, own) == 0 ? old : NULL;
}

char *rank_setstate(char *bytes)
{
    struct random_data *own = state();
    char *old = (char *)(own + 1);
    return setstate_r(bytes, own) == 0 ? old : NULL;
}

/* ---- 48 bits ---- */

double rank_drand48(void)
{
    return erand48(posix_current()->chance48);
}

long rank_lrand48(void)
{
    return nrand48(posix_current()->chance48);
}

long rank_mrand48(void)
{
    return jrand48(posix_current()->chance48);
}

void rank_srand48(long seed)
{
    unsigned short *x = posix_current()->chance48;
    x[0] = 0x330e;
    x[1] = (unsigned short)seed;
    x[2] = (unsigned short)(seed >> 16);
}

unsigned short *rank_seed48(unsigned short seed[3])
{
    struct posix_rank *r = posix_current();
    memcpy(r->before48, r->chance48, sizeof(r->before48));
    memcpy(r->chance48, seed, sizeof(r->chance48));
    return r->before48;
}
