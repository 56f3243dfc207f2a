/*
 * Why a network is stuck: packets wait for room in other buffers. A cycle of buffers, each waiting
 * for the next, cannot resolve itself.
 */
#ifndef WEFT_FABRIC_WAITING_H
#define WEFT_FABRIC_WAITING_H

#include "fabric/network.h"

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
