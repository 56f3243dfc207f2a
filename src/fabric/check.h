/*
 * Whether everything in a network at rest is in one place, counted over all partitions and ranks:
 * packets, and what a fabric keeps account of, such as the room of each buffer.
 *
 *   struct audit a = {.network = n, .counts = ..., .event = ..., .part = ..., .compare = ...};
 *   return audit_take(&a);
 */
#ifndef WEFT_FABRIC_CHECK_H
#define WEFT_FABRIC_CHECK_H

#include "fabric/network.h"

struct audit {
    const struct network *network;
    uint32_t *count; /* the fabric's own, from zero; in the end those of all ranks, added up */
    size_t counts;
    /* Adds what an event stands for, which is due at a partition or on its way to it; packet: the
     * one that it brings, or NULL. */
    void (*event)(struct audit *a, const struct network_part *part, event_t event,
                  const void *packet);
    /* Adds what a partition's tables hold; its packets to `packets`. */
    void (*part)(struct audit *a, const struct network_part *part);
    /* Compares the counts with what they should be. */
    weft_status (*compare)(const struct audit *a);
    uint64_t packets; /* found in a partition */
};

/* All ranks must call it together. WEFT_FAILED: a partition has not the packets that it should
 * have, in whichever rank, or the counts are not right. */
weft_status audit_take(struct audit *a);

#endif
