/* Whether bytes are a trace: every number in its range, every list what it says, no circle. */
#ifndef WEFT_TRACE_GOAL_CHECK_H
#define WEFT_TRACE_GOAL_CHECK_H

#include "base/status.h"
#include "trace/goal/goal.h"

/* An operation that waits for itself, through others. */
struct goal_circle {
    uint32_t rank, op; /* op GOAL_NONE: there is none */
};

/* Sets what a trace holds. WEFT_BAD_INPUT names the byte; if that is a circle, `circle` says whose,
 * for those who know where it was written. */
weft_status goal_check(const char *name, struct goal *goal, struct goal_circle *circle);

#endif
