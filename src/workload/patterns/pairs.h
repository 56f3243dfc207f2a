/* A pair of processes, for ping-pongs. */
#ifndef WEFT_WORKLOAD_PATTERNS_PAIRS_H
#define WEFT_WORKLOAD_PATTERNS_PAIRS_H

#include "workload/workload.h"

/* Two processes of a workload take turns, and `a` begins. */
void pairs_play(struct workload *w, uint32_t a, uint32_t b);

#endif
