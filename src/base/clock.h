/*
 * Measuring Weft itself, never for the simulation: wall-clock and CPU seconds, and where a run's
 * time goes. Measured code says which stage of its work it is in, and a timer samples it.
 *
 *   timer->start();  ... stage_now = 3; ...  timer->stop(samples);
 *
 * A timer uses SIGPROF, so only a program may provide it: library code gets a pointer to it.
 */
#ifndef WEFT_BASE_CLOCK_H
#define WEFT_BASE_CLOCK_H

#include <stdint.h>
#include <time.h>

static inline double clock_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* CPU time of all threads of this process so far. */
static inline double clock_process_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

enum { STAGES_MOST = 16 };

/* The stage of this thread; 0: none of the named ones. */
extern _Thread_local volatile unsigned char stage_now;

struct stage_timer {
    void (*start)(void);
    void (*stop)(uint64_t samples[STAGES_MOST]); /* how often each stage was seen */
};

#endif
