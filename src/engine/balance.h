/*
 * Who runs which partition, by the work that each took lately: heaviest first, each to the member
 * that has least so far. All members compute it from the same numbers, so nobody has to be told.
 */
#ifndef WEFT_ENGINE_BALANCE_H
#define WEFT_ENGINE_BALANCE_H

#include <stdbool.h>
#include <stdint.h>

/* Gives each of `parts` partitions a member; false, and nothing changes, if it would gain little.
 */
bool balance(const uint64_t *work, uint32_t parts, uint32_t members, uint32_t *member);

/* Even numbers of partitions in a row: to start with. */
void balance_evenly(uint32_t parts, uint32_t members, uint32_t *member);

#endif
