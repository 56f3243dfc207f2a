/* How many of some points lie in a box of cells: a table of sums over all boxes that begin at the
 * first cell, so that the answer takes the same time for every box. */
#ifndef WEFT_TOPOLOGY_PLACES_TALLY_H
#define WEFT_TOPOLOGY_PLACES_TALLY_H

#include "topology/places/space.h"

struct tally {
    uint32_t size[SPACE_AXES];
    uint32_t *sum; /* [x + (X + 1) (y + (Y + 1) z)]: points below x, y and z */
};

void tally_init(struct tally *t, const uint32_t size[SPACE_AXES]);
void tally_fini(struct tally *t);

/* Makes a table: clear it, add points, sum them up. */
void tally_clear(struct tally *t);
void tally_add(struct tally *t, const uint32_t at[SPACE_AXES]);
void tally_sum(struct tally *t);

/* Points in a place, which may lie across an end. */
uint32_t tally_in(const struct tally *t, const struct place *place);

#endif
