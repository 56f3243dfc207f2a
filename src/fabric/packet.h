/*
 * A packet on its way: what routing and measuring need. Its bytes are made only when an error
 * makes them matter (design.md, decision 7).
 *
 * Where a packet is: in exactly one of
 *   - an injection FIFO, a VC FIFO or the bypass channel of a router (linked by `next`),
 *   - an ARRIVE event of the wheel, or a message between partitions (by value).
 */
#ifndef WEFT_FABRIC_PACKET_H
#define WEFT_FABRIC_PACKET_H

#include <stdint.h>

#include "engine/wheel.h"

enum { CHUNK_BYTES = 32, PACKET_MAX_CHUNKS = 8, PACKET_MAX_DIMS = 3 };

#define PACKET_NONE UINT32_MAX

enum packet_flag {
    PACKET_DYNAMIC = 1,  /* adaptive; otherwise deterministic */
    PACKET_DEPOSIT = 2,  /* leave a copy at every node on the way */
    PACKET_HIGH = 4,     /* high priority */
    PACKET_GROUP1 = 8,   /* for the second group of reception FIFOs */
    PACKET_CROSSED = 16, /* << dimension: has crossed that ring's dateline */
    PACKET_GHOST = 128,  /* was corrupted on a link; nobody keeps it */
};

struct packet {
    cycle_t birth;                  /* when it was generated */
    uint32_t source;                /* node */
    uint32_t sequence;              /* of its source; (source, sequence) names the packet */
    uint32_t next;                  /* in its queue or the pool's free list; PACKET_NONE: last */
    uint16_t hops[PACKET_MAX_DIMS]; /* still to go along each dimension */
    uint8_t hint;                   /* bit p: may leave by port p; 0: has arrived */
    uint8_t chunks;                 /* 1..8 of 32 bytes */
    uint8_t flags;
    uint8_t vc;      /* in which it travels or waits */
    uint8_t tag;     /* free for the program that sent it */
    uint8_t padding; /* payload bytes of its last chunk that are not used */
};

_Static_assert(sizeof(struct packet) == 32, "two packets a cache line");

static inline uint32_t packet_bytes(const struct packet *p)
{
    return (uint32_t)p->chunks * CHUNK_BYTES;
}

#endif
