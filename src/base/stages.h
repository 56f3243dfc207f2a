/*
 * Where a run's time goes: code that is measured says which stage of its work it is in, and a timer
 * of the process's CPU time looks once a millisecond.
 *
 *   stages_start();  ... stage_now = 3; ...  stages_stop(samples);
 */
#ifndef WEFT_BASE_STAGES_H
#define WEFT_BASE_STAGES_H

#include <stdint.h>

enum { STAGES_MOST = 16 };

/* The stage of this thread; 0: none of those that are told apart. */
extern _Thread_local volatile unsigned char stage_now;

void stages_start(void);

/* How often each stage was seen. */
void stages_stop(uint64_t samples[STAGES_MOST]);

#endif
