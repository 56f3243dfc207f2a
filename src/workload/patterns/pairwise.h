/* What each node sends to each other one in `alltoall` and `hotspot`. */
#ifndef WEFT_WORKLOAD_PATTERNS_PAIRWISE_H
#define WEFT_WORKLOAD_PATTERNS_PAIRWISE_H

#include "workload/workload.h"

enum sizes { SIZES_EQUAL, SIZES_VARIED };

struct pairwise_params {
    uint32_t packets_per_pair;
    uint64_t bytes_per_pair;    /* payload; if not 0, it replaces packets_per_pair and sizes */
    uint32_t packets_per_visit; /* to a destination before the next one's turn */
    enum sizes sizes;           /* of the messages of an all-to-all */
};

extern const struct key_section pairwise_section;

/* Not 0: the payload of a pair, and the sizes of packets are what it takes. */
static inline uint64_t pairwise_bytes(const struct config *c)
{
    return ((const struct pairwise_params *)config_section(c, &pairwise_section))->bytes_per_pair;
}

#endif
