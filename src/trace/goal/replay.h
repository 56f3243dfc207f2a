/*
 * Runs a trace in GOAL (goal.h) through the message layer: each rank is a process, whose operations
 * start as soon as what they wait for has ended or started.
 *
 * A rank's processor posts sends and receives and works through calcs one after the other, in the
 * order in which they became ready; of those that become ready at once, sends come first, then
 * receives, then calcs, as in LogGOPSim. When nothing is ready, it waits until a message is
 * complete that others wait for. A send is complete when the message layer says so: once its buffer
 * is free.
 *
 * If operations of the trace name several cpus, these compute side by side, each its own calcs one
 * after the other, while the processor does nothing but messages.
 *
 * What a rank keeps is what is under way: a list of operations that are ready, and how much those
 * still wait for that have seen some of it. The rest is in the trace.
 */
#ifndef WEFT_TRACE_GOAL_REPLAY_H
#define WEFT_TRACE_GOAL_REPLAY_H

#include "message/action.h"
#include "trace/goal/goal.h"

struct replay;

/* `factor`: seconds of a processor per second of a calc. The trace stays its owner's. */
struct replay *replay_create(const struct goal *goal, double factor);
void replay_destroy(struct replay *replay);

/* Its runner, for the message layer. */
struct runner_maker replay_maker(struct replay *replay);

/* Seconds of calcs, of all ranks together. All ranks of the simulator must call this. */
double replay_computed_seconds(const struct replay *replay);

#endif
