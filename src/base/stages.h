/*
 * Where a run's time goes: measured code says which stage of its work it is in, and a timer on the
 * process's CPU time samples it once per millisecond.
 *
 *   timer->start();  ... stage_now = 3; ...  timer->stop(samples);
 *
 * The timer uses SIGPROF, so only a program may provide it: library code gets a pointer to it.
 */
#ifndef WEFT_BASE_STAGES_H
#define WEFT_BASE_STAGES_H

#include <stdint.h>

enum { STAGES_MOST = 16 };

/* The stage of this thread; 0: none of the named ones. */
extern _Thread_local volatile unsigned char stage_now;

struct stage_timer {
    void (*start)(void);
    void (*stop)(uint64_t samples[STAGES_MOST]); /* how often each stage was seen */
};

extern const struct stage_timer stage_timer;

#endif
