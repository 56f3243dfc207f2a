/*
 * Whether everything in a network at rest is in one place, counted over all partitions and ranks:
 * packets, and what a fabric keeps account of, such as the room of each buffer.
 *
 *   struct audit a = {.network = n, .count = ..., .counts = ..., .event = ..., .part = ...};
 *   weft_status status = audit_take(&a);
 *   ... compare a.count with what it should be
 */
#ifndef WEFT_FABRIC_CHECK_H
#define WEFT_FABRIC_CHECK_H

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

/*
 * Why a network is stuck: packets wait for room in other buffers. A cycle of buffers, each waiting
 * for the next, cannot resolve itself.
 */

/* The packet at the head of a buffer, and how full the buffer is. */
struct waiting_head {
    uint32_t occupied;    /* in the fabric's units */
    bool waits;           /* for room in another buffer: */
    uint32_t node, place; /* its node, and its number there */
};

/* How a fabric describes its buffers. */
struct waiting_buffers {
    uint32_t nodes, per_node;
    /* The machine's number for a partition's local node; false: no such node. */
    bool (*node)(const struct network_part *part, uint32_t local, uint32_t *node);
    struct waiting_head (*head)(const struct network_part *part, uint32_t local, uint32_t place);
    /* Appends a line about a buffer to `text`, as text_append() does. */
    size_t (*print)(const struct network *network, uint32_t node, uint32_t place, uint32_t occupied,
                    char *text, size_t size, size_t at);
    const char *otherwise; /* why nothing moves if there is no cycle */
};

/* Writes the shortest cycle of buffers that wait for each other, one line per buffer, or says that
 * there is none. For a network at rest; all ranks must call it together. */
void waiting_explain(const struct network *network, const struct waiting_buffers *buffers,
                     char *text, size_t size);

#endif
