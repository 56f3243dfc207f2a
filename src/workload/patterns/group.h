/* Groups of nodes, lines or planes of a torus, and the keys that say which: for the patterns
 * `alltoall` and the fills. */
#ifndef WEFT_WORKLOAD_PATTERNS_GROUP_H
#define WEFT_WORKLOAD_PATTERNS_GROUP_H

#include "workload/workload.h"

enum within { WITHIN_ALL, WITHIN_LINE, WITHIN_PLANE };

struct group_params {
    enum within within;
    uint32_t dim; /* a line's dimension, a plane's normal */
};

extern const struct key_section group_section;
extern const struct key_table group_keys;

struct node_group {
    uint32_t dims; /* mask of the dimensions in which a group's nodes differ */
    uint32_t nodes;
};

/* On a torus; WEFT_BAD_INPUT: it has no such dimension. */
weft_status group_setup(const struct torus *t, enum within within, uint32_t dim,
                        struct node_group *group);

/* Node number `index` of the group that a node belongs to. */
uint32_t group_node(const struct torus *t, const struct node_group *group, uint32_t node,
                    uint32_t index);

#endif
