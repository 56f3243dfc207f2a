/*
 * Packets of Tofu (TOFU, "Throughput and packet transfer"): 32 to 2048 bytes in lines of 8 bytes,
 * header and CRC included; a cycle is a line on a link.
 */
#ifndef WEFT_FABRIC_TOFU_PACKET_H
#define WEFT_FABRIC_TOFU_PACKET_H

#include "engine/wheel.h"
#include "fabric/tofu/route.h"

enum {
    TOFU_LINE_BYTES = 8,
    TOFU_MIN_LINES = 4,
    TOFU_MAX_LINES = 256,
    TOFU_ENGINES = 4, /* of a node, at most */
};

enum tofu_flag {
    TOFU_LAST = 1,     /* of its send */
    TOFU_POISONED = 2, /* corrupted on a link after its head had left; nobody keeps it */
    TOFU_BARRIER = 4,  /* for the barrier interface of its destination */
    TOFU_GET = 8,      /* asks the engine at its destination for data */
    TOFU_IO = 16,      /* goes by the channels of I/O */
};

/* (source, sequence) is its name. */
struct tofu_packet {
    union {
        cycle_t birth;
        cycle_t tail_at; /* of a poisoned packet in a router: when its last line is there */
    };
    tofu_route_t route;
    uint64_t cargo; /* the sender's, opaque here */
    uint32_t source, sequence, destination;
    uint32_t next;  /* in its queue or the pool's free list */
    uint16_t lines; /* all of it */
    uint16_t bytes; /* of payload that belong to a message */
    uint8_t vc;     /* in whose buffer it is */
    uint8_t flags;  /* enum tofu_flag */
    uint8_t engine; /* that receives it */
    uint8_t number; /* for the link protocol: its number, */
    uint8_t frame;  /* and its fate */
    uint32_t asked; /* TOFU_GET: for so many bytes */
};

#endif
