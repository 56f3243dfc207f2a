/*
 * Why a network stands still: buffers whose packets wait for room in other buffers. Following each
 * to the next, a cycle is what nobody can leave.
 */
#ifndef WEFT_FABRIC_WAITING_H
#define WEFT_FABRIC_WAITING_H

#include "fabric/network.h"

/* The packet at the head of a buffer, and how full the buffer is. */
struct waiting_head {
    uint32_t occupied;    /* in the fabric's units */
    bool waits;           /* for room in another buffer, which is */
    uint32_t node, place; /* at this node, the one of this number there */
};

/* What a fabric says of its buffers. */
struct waiting_buffers {
    uint32_t nodes, per_node;
    /* The machine's node with a local number in a partition; false: there are no more. */
    bool (*node)(const struct network_part *part, uint32_t local, uint32_t *node);
    struct waiting_head (*head)(const struct network_part *part, uint32_t local, uint32_t place);
    /* Appends the line of a buffer to `text`, as waiting_print() does. */
    size_t (*print)(const struct network *network, uint32_t node, uint32_t place, uint32_t occupied,
                    char *text, size_t size, size_t at);
    const char *otherwise; /* why nothing moves if there is no cycle */
};

/* Writes down the shortest cycle of buffers that wait for each other, a line per buffer, or that
 * there is none. For a network at rest; all ranks call it together. */
void waiting_explain(const struct network *network, const struct waiting_buffers *buffers,
                     char *text, size_t size);

/* Appends to `text` from letter `at` on; how long it would be. */
size_t waiting_print(char *text, size_t size, size_t at, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

#endif
