/*
 * A team of threads bound to cores: the carrier inside one process. The first member is the
 * caller's own thread; a team of one is the serial carrier, and its barrier is free.
 */
#ifndef WEFT_ENGINE_TEAM_H
#define WEFT_ENGINE_TEAM_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

struct team {
    uint32_t size;
    _Alignas(64) _Atomic uint32_t arrived;
    _Alignas(64) _Atomic uint32_t phase;
    _Alignas(64) _Atomic uint32_t sleepers;
    uint32_t spins; /* polls before a waiter sleeps; 0 when there are too few cores */
};

/* Runs body(arg, member) for members 0..size-1 at once and returns when all are done.
 * WEFT_BAD_INPUT: the system has no room for that many threads; then none has run. */
weft_status team_run(struct team *t, uint32_t size, void (*body)(void *arg, uint32_t member),
                     void *arg);

/* Waits until every member has called it as often; what they wrote before is visible after. */
void team_barrier(struct team *t);

/* To be called while polling for what another member will do; `polls` starts at 0. */
void team_pause(const struct team *t, uint32_t *polls);

/* Whether `size` members have a core each, counting those of other ranks on this computer. */
bool team_is_roomy(uint32_t size);

/* Cores that this process may use. */
uint32_t team_cores(void);

/* CPU time of the calling thread in seconds. */
double team_cpu_seconds(void);

#endif
