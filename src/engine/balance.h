/*
 * Which member runs which partition, by the partitions' recent work and the time their members
 * took: cores differ in speed when shared with other programs, and a window lasts as long as its
 * slowest member. All members compute it from the same numbers, so none has to be told.
 */
#ifndef WEFT_ENGINE_BALANCE_H
#define WEFT_ENGINE_BALANCE_H

#include <stdbool.h>
#include <stdint.h>

/* Memory for balance(), which allocates none: it runs where nobody can give up. */
struct balance_load;
struct balance_room {
    uint32_t parts, members;
    struct balance_load *load;
    uint32_t *fresh;
};
void balance_room_init(struct balance_room *room, uint32_t parts, uint32_t members);
void balance_room_fini(struct balance_room *room);

/*
 * Moves partitions, one by one, from members that take long to those that finish first; few, since
 * a partition that moves leaves a warm cache behind. work: of each partition; time: that each
 * member took for all its partitions, in any unit; NULL or 0: unknown; pace: each member's time per
 * unit of work, kept from call to call, initially 0. Returns whether any moved: none do if the gain
 * would be small.
 */
bool balance(struct balance_room *room, const uint64_t *work, const uint64_t *time, double *pace,
             uint32_t *member);

/* The initial shares: equally many consecutive partitions each. */
void balance_evenly(uint32_t parts, uint32_t members, uint32_t *member);

#endif
