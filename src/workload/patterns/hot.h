/*
 * A hot box of nodes, which starts at the origin, and the keys that say how much goes there: for
 * the patterns `hotregion` and `hotspot`. Without coordinates it is the first node.
 */
#ifndef WEFT_WORKLOAD_PATTERNS_HOT_H
#define WEFT_WORKLOAD_PATTERNS_HOT_H

#include "workload/workload.h"

struct hot_params {
    double share;
    bool apart;       /* what does not go to the box stays outside it, and the box is silent */
    struct torus box; /* dims 0: the pattern's default */
};

extern const struct key_table hot_keys;

struct hot_box {
    double share; /* of packets that go to it; the rest goes anywhere */
    bool apart;
    struct torus box;
    uint32_t nodes, links; /* links into it, if there are coordinates */
};

/* For a region, half of each side; else one node. Sets w->hot. */
weft_status hot_setup(struct workload *w, bool region, struct hot_box *hot);

/* Whether flows go to a hot box. */
static inline bool flows_are_hot(const struct flows *f)
{
    const struct hot_box *hot = f->workload->hot;
    return hot && (hot->share > 0 || hot->apart);
}

/* Whether a node is in the hot box; node number `index` of the box. */
bool workload_is_hot(const struct workload *w, uint32_t node);
uint32_t workload_hot_node(const struct workload *w, uint32_t index);

#endif
