/*
 * Who runs which partition, by the work that each took lately and the time that its member needed:
 * cores differ in speed when they are shared with others, and a window lasts as long as its slowest
 * member. All members compute it from the same numbers, so nobody has to be told.
 */
#ifndef WEFT_ENGINE_BALANCE_H
#define WEFT_ENGINE_BALANCE_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Moves partitions from members that need long to those that are done first, one by one: one that
 * moves leaves a warm cache behind. work: of each partition; time: that each member needed for all
 * of its own, in any unit, NULL or 0 where it is not known; pace: time for a unit of work of each
 * member, kept from call to call, 0 at first. Returns whether any moved: none do if it would gain
 * little.
 */
bool balance(const uint64_t *work, uint32_t parts, const uint64_t *time, double *pace,
             uint32_t members, uint32_t *member);

/* Even numbers of partitions in a row: to start with. */
void balance_evenly(uint32_t parts, uint32_t members, uint32_t *member);

#endif
