/*
 * Where a run's time goes: code that is measured says which stage of its work it is in, and a timer
 * of the process's CPU time looks once a millisecond.
 *
 *   timer->start();  ... stage_now = 3; ...  timer->stop(samples);
 *
 * The timer takes SIGPROF, so that only a program may bring it: code of the library gets a pointer.
 */
#ifndef WEFT_BASE_STAGES_H
#define WEFT_BASE_STAGES_H

#include <stdint.h>

enum { STAGES_MOST = 16 };

/* The stage of this thread; 0: none of those that are told apart. */
extern _Thread_local volatile unsigned char stage_now;

struct stage_timer {
    void (*start)(void);
    void (*stop)(uint64_t samples[STAGES_MOST]); /* how often each stage was seen */
};

extern const struct stage_timer stage_timer;

#endif
