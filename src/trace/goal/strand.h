/*
 * A trace of a rank, written as a program that does one thing after the other: what a strand starts
 * waits for what it has joined, and the strand goes on at once until it joins again.
 *
 *   strand_init(&s, w)
 *     strand_send(&s, to, bytes); strand_receive(&s, from, bytes)     side by side
 *     strand_join(&s)                                                 what follows waits for both
 *     strand_calc(&s, ns)                                             joins, works, joins
 *   strand_clear(&s)          for the next rank;      strand_fini(&s)
 *
 * A rank may have several strands, which run side by side.
 */
#ifndef WEFT_TRACE_GOAL_STRAND_H
#define WEFT_TRACE_GOAL_STRAND_H

#include "trace/goal/write.h"

/* Operations. */
struct strand_list {
    uint32_t *op;
    uint32_t count, room;
};

struct strand {
    struct goal_writer *w;
    struct strand_list before, started; /* what it has joined; what it has not */
    uint32_t tag; /* of its messages; those of strands that exchange some side by side differ */
};

void strand_init(struct strand *s, struct goal_writer *w);
void strand_fini(struct strand *s);
void strand_clear(struct strand *s);

void strand_send(struct strand *s, uint32_t to, uint64_t bytes);
void strand_receive(struct strand *s, uint32_t from, uint64_t bytes);
void strand_join(struct strand *s);
void strand_calc(struct strand *s, uint64_t ns);

/* Sends, and does not wait for it when it joins: only the rank's end does. */
void strand_send_aside(struct strand *s, uint32_t to, uint64_t bytes);

/* What follows waits also for what another strand has joined. */
void strand_follow(struct strand *s, const struct strand *other);

#endif
