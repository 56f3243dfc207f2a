/*
 * A packet on its way: what routing and measuring need. Its bytes are made only when an error
 * makes them matter (docs/machines/bluegene-l.md).
 *
 * Where a packet is: in exactly one of
 *   - an injection FIFO, a VC FIFO or the bypass channel of a router (linked by `next`),
 *   - an ARRIVE event of the wheel, or a message between partitions (by value).
 */
#ifndef WEFT_FABRIC_TORUS_PACKET_H
#define WEFT_FABRIC_TORUS_PACKET_H

#include <stdint.h>

#include "fabric/event.h"

enum { TORUS_CHUNK_BYTES = 32, TORUS_MAX_CHUNKS = 8, TORUS_ROUTER_DIMS = 3 };

enum torus_flag {
    TORUS_DYNAMIC = 1,  /* adaptive; otherwise deterministic */
    TORUS_DEPOSIT = 2,  /* leave a copy at every node on the way */
    TORUS_HIGH = 4,     /* high priority */
    TORUS_GROUP1 = 8,   /* for the second group of reception FIFOs */
    TORUS_CROSSED = 16, /* << dimension: has crossed that ring's dateline */
    TORUS_GHOST = 128,  /* was corrupted on a link; nobody keeps it */
};

struct torus_packet {
    cycle_t birth;                    /* when it was generated */
    uint32_t source;                  /* node */
    uint32_t sequence;                /* of its source; (source, sequence) names the packet */
    uint32_t next;                    /* in its queue or the pool's free list; NO_PACKET: last */
    uint16_t hops[TORUS_ROUTER_DIMS]; /* still to go along each dimension */
    uint8_t hint;                     /* bit p: may leave by port p; 0: has arrived */
    uint8_t chunks;                   /* 1..8 of 32 bytes */
    uint8_t flags;
    uint8_t vc;      /* on which it travels or waits */
    uint8_t tag;     /* for use by the program that sent it */
    uint8_t padding; /* unused payload bytes of its last chunk */
};

_Static_assert(sizeof(struct torus_packet) == 32, "two packets per cache line");

static inline uint32_t torus_packet_bytes(const struct torus_packet *p)
{
    return (uint32_t)p->chunks * TORUS_CHUNK_BYTES;
}

/* Chunks of a packet with these bytes in all: at least its first. */
static inline uint32_t torus_chunks(uint64_t bytes)
{
    return bytes ? (uint32_t)((bytes + TORUS_CHUNK_BYTES - 1) / TORUS_CHUNK_BYTES) : 1;
}

#endif
