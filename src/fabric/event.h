/*
 * How fabrics pack an event into 64 bits: 32 of payload, 22 of node within the partition, 4 of
 * kind, 3 of port, 3 of VC. Each fabric has its own kinds.
 */
#ifndef WEFT_FABRIC_EVENT_H
#define WEFT_FABRIC_EVENT_H

#include "engine/wheel.h"

enum {
    EVENT_PORT_SHIFT = 3,
    EVENT_KIND_SHIFT = 6,
    EVENT_NODE_SHIFT = 10,
    EVENT_MAX_NODES = 1 << 22
};

static inline event_t event_make(unsigned kind, uint32_t node, unsigned port, unsigned vc,
                                 uint32_t payload)
{
    return (uint64_t)payload << 32 | (uint64_t)node << EVENT_NODE_SHIFT | kind << EVENT_KIND_SHIFT |
           port << EVENT_PORT_SHIFT | vc;
}

static inline unsigned event_kind(event_t e)
{
    return e >> EVENT_KIND_SHIFT & 15;
}

static inline uint32_t event_node(event_t e)
{
    return (uint32_t)e >> EVENT_NODE_SHIFT;
}

static inline unsigned event_port(event_t e)
{
    return e >> EVENT_PORT_SHIFT & 7;
}

static inline unsigned event_vc(event_t e)
{
    return e & 7;
}

static inline uint32_t event_payload(event_t e)
{
    return (uint32_t)(e >> 32);
}

/* Not a packet of the pool: the end of a queue. */
#define NO_PACKET UINT32_MAX

/* Flags a link end in another partition: the other bits are an index of far, not a local node. */
#define FAR 0x80000000u

struct far_node {
    uint32_t channel, local;
};

#endif
