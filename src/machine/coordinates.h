/* What families whose nodes have coordinates tell their patterns in the same way. */
#ifndef WEFT_MACHINE_COORDINATES_H
#define WEFT_MACHINE_COORDINATES_H

#include "machine/family.h"

/* Hops of a shortest route, and the most of any; for struct site. */
uint32_t coordinates_distance(const struct site *site, uint32_t from, uint32_t to);
uint32_t coordinates_diameter(const struct site *site);

/* Nodes that live, and marks at those that do not. */
struct living {
    uint32_t *node; /* NULL: all live */
    bool *dead;     /* [node]; the same */
};

typedef bool living_question(const void *faults, uint32_t node);

struct living living_list(uint32_t nodes, living_question *is_dead, const void *faults);
void living_fini(struct living *l);

#endif
