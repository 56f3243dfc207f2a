/*
 * Whether the state of a network at rest can be one, and why a network does not move.
 *
 * A partition that was read from a file is inspected: every index lies in its table, every list
 * ends, every packet is in one place, and what routers keep ready (masks, room) is what their
 * queues and events make of it. After that the network can be audited, and can run.
 *
 * The audit counts over all partitions and ranks: packets, and what the fabric keeps account of for
 * each buffer, such as its room.
 */
#ifndef WEFT_FABRIC_CHECK_H
#define WEFT_FABRIC_CHECK_H

#include "fabric/network.h"

/* Of a partition. */
struct inspection {
    const struct network_part *part;
    struct visited *packets;
    char *pending; /* [local]: what is_event() found of a router's events */
};

/* Notes an event of which there is one at most; false: it is another one. */
static inline bool inspect_once(uint64_t *set, unsigned bit)
{
    bool first = !(*set >> bit & 1);
    *set |= 1ull << bit;
    return first;
}

/* Takes the packets of a queue; false: they are no list, or its tail is another. */
bool inspect_queue(const struct inspection *a, uint32_t head, uint32_t tail);

struct audit {
    const struct network *network;
    uint32_t
        *count; /* by router and buffer: the fabric's own, from zero; in the end of all ranks */
    uint64_t packets; /* found in a partition */
    bool twice;       /* two packets are in one entry of a buffer */
};

static inline uint32_t *audit_count(const struct audit *a, uint32_t node, uint32_t buffer)
{
    return &a->count[(size_t)node * a->network->buffers + buffer];
}

/* The packet at the head of a buffer, and how full the buffer is. */
struct waiting_head {
    uint32_t occupied;     /* in the fabric's units */
    bool waits;            /* for room in another buffer: */
    uint32_t node, buffer; /* its router, and its number there */
};

/* What is asked of a network at rest. */
struct network_checks {
    size_t pending_size; /* of what is kept of a router's events, zeroed at first */
    /* Whether an event can be one; packet: the one it brings. `pending`: its router's; NULL: the
     * event comes from another partition, or its node is no router. */
    bool (*is_event)(const struct network_part *part, void *pending, cycle_t time, event_t event,
                     const void *packet);
    /* What is wrong with a router's tables and queues; NULL: nothing. Takes every packet that it
     * finds from the visited set. */
    const char *(*router_flaw)(const struct inspection *a, uint32_t local);
    /* And with the rest of a partition. NULL: it has none. */
    const char *(*rest_flaw)(const struct network_part *part);

    /* Adds what an event stands for, which is due at a partition or on its way to it; packet: the
     * one that it brings, or NULL. NULL: nothing is audited. */
    void (*audit_event)(struct audit *a, const struct network_part *part, event_t event,
                        const void *packet);
    /* Adds what a router's tables hold; its packets to `packets`. */
    void (*audit_router)(struct audit *a, const struct network_part *part, uint32_t local);
    /* Compares the count of a buffer with what it should be. */
    weft_status (*compare)(const struct network *network, uint32_t node, uint32_t buffer,
                           uint32_t count);

    /* Who waits for whom: a buffer of a router, and a line about it, appended to `text` as
     * text_append() does. NULL: nothing waits inside the network. */
    struct waiting_head (*head)(const struct network_part *part, uint32_t local, uint32_t buffer);
    size_t (*print_buffer)(const struct network *network, uint32_t node, uint32_t buffer,
                           uint32_t occupied, char *text, size_t size, size_t at);
};

#endif
