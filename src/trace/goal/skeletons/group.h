/* Collective operations of some of the ranks, for skeletons. */
#ifndef WEFT_TRACE_GOAL_SKELETONS_GROUP_H
#define WEFT_TRACE_GOAL_SKELETONS_GROUP_H

#include "message/process_grid.h"
#include "trace/goal/skeletons/skeleton.h"
#include "trace/goal/strand.h"

/* Block `index` of a vector that is cut as evenly as can be. */
static inline uint64_t group_block(uint64_t bytes, uint32_t count, uint32_t index)
{
    return bytes * (index + 1) / count - bytes * index / count;
}

/* Works through two vectors. */
void group_combine(struct strand *s, uint64_t bytes, double mb_per_s);

/* `bytes` from each to each other, all at once. */
void group_alltoall(struct strand *s, const struct process_group *g, uint64_t bytes);

/* A vector combined for all: in a ring (a reduce-scatter, then an allgather), or as MPICH does it
 * (message/schedule.h). */
void group_allreduce(struct strand *s, const struct process_group *g, uint64_t bytes,
                     enum skeleton_algorithm algorithm, double combine_mb_per_s);

#endif
