/* A run of a trace in GOAL, for what a result says about it. */
#ifndef WEFT_WORKLOAD_PROGRAMS_GOAL_H
#define WEFT_WORKLOAD_PROGRAMS_GOAL_H

#include "trace/goal/goal.h"
#include "trace/goal/replay.h"
#include "workload/workload.h"

extern const struct pattern goal_pattern;

struct goal_run {
    struct goal goal;
    struct replay *replay;
    uint64_t hash; /* of the file, once somebody has asked */
};

/* NULL: the workload is none. */
const struct goal_run *goal_run_of(const struct workload *w);

#endif
