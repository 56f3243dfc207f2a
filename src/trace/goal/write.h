/*
 * Writes traces in GOAL, as text or in binary form (goal.h).
 *
 *   goal_write_open(&w, path, ranks, binary)
 *   goal_write_rank(w, rank)         each once, ascending; those that are left out are empty
 *     a = goal_write_op(w, &op)      numbered from 0
 *     goal_write_requires(w, b, a)   b starts when a has ended; both are known
 *     goal_write_irequires(w, b, a)  b starts when a has started
 *   goal_write_close(w)              also ends `w`; a failure was kept until here
 *
 * A rank is kept until the next one begins, and no more.
 */
#ifndef WEFT_TRACE_GOAL_WRITE_H
#define WEFT_TRACE_GOAL_WRITE_H

#include "base/status.h"
#include "trace/goal/goal.h"

struct goal_writer;

weft_status goal_write_open(struct goal_writer **writer, const char *path, uint32_t ranks,
                            bool binary);

/* The binary form to a descriptor, which stays its owner's. */
struct goal_writer *goal_write_to(int descriptor, uint32_t ranks);

void goal_write_rank(struct goal_writer *w, uint32_t rank);
uint32_t goal_write_op(struct goal_writer *w, const struct goal_op *op);
void goal_write_requires(struct goal_writer *w, uint32_t op, uint32_t on);
void goal_write_irequires(struct goal_writer *w, uint32_t op, uint32_t on);
weft_status goal_write_close(struct goal_writer *w);

/* Leaves nothing behind. */
void goal_write_abandon(struct goal_writer *w);

/* Writes a whole trace. */
weft_status goal_convert(const struct goal *goal, const char *path, bool binary);

#endif
