/*
 * Whether everything in a network at rest is in one place, counted over all partitions and ranks:
 * packets, and what a fabric keeps account of, such as the room of each buffer.
 *
 *   struct audit a = {.network = n, .count = ..., .counts = ..., .event = ..., .part = ...};
 *   weft_status status = audit_take(&a);
 *   ... compare a.count with what it should be
 */
#ifndef WEFT_FABRIC_AUDIT_H
#define WEFT_FABRIC_AUDIT_H

#include "fabric/network.h"

struct audit {
    const struct network *network;
    uint32_t *count; /* the fabric's own; in the end those of all ranks, added up */
    size_t counts;
    /* Adds what an event stands for, which is due at a partition or on its way to it; packet: the
     * one that it brings, or NULL. */
    void (*event)(struct audit *a, const struct network_part *part, event_t event,
                  const void *packet);
    /* Adds what a partition's tables hold; its packets to `packets`. */
    void (*part)(struct audit *a, const struct network_part *part);
    uint64_t packets; /* found in a partition */
};

/* All ranks must call it together. WEFT_FAILED: a partition has not the packets that it should
 * have, in whichever rank. */
weft_status audit_take(struct audit *a);

#endif
