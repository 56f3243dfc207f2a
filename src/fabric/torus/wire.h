/*
 * What a link does to bits: packets and acknowledgments as bytes, errors that flip them, and what
 * the checks say about the outcome (link.h has the protocol).
 *
 *   packet      header 8, payload, valid byte 1, packet CRC 3
 *   ack         kind and VC 1, chunks freed 2, last sequence number 1, 0: 1, CRC 3
 *
 * Bytes are made only where an error hits, and for link CRCs and checksums.
 */
#ifndef WEFT_FABRIC_TORUS_WIRE_H
#define WEFT_FABRIC_TORUS_WIRE_H

#include "fabric/torus/link_state.h"

enum {
    WIRE_TRAILER_BYTES = 4, /* valid byte, packet CRC */
    WIRE_FRAME_BYTES = TORUS_MAX_CHUNKS * TORUS_CHUNK_BYTES + WIRE_TRAILER_BYTES,
};

enum torus_wire {
    FRAME_GOOD,
    FRAME_BAD_TAIL,   /* the packet CRC is wrong */
    FRAME_BAD_HEADER, /* the header CRC is wrong */
    FRAME_HELD,       /* the header is wrong but its CRC matches; the packet CRC sees it */
    FRAME_ESCAPED,    /* something is wrong, but no check sees it */
};

static inline uint32_t wire_bytes(const struct torus_packet *packet)
{
    return torus_packet_bytes(packet) + WIRE_TRAILER_BYTES;
}

static inline void link_count(struct torus_part *p, enum link_count what)
{
    p->base.measure.link[what]++;
}

/* Sends a packet, or the state of an acknowledgment, by a port in cycle `time`. */
enum torus_wire wire_frame(struct torus_part *p, const struct torus_router *r,
                           struct torus_link_sender *s, unsigned port,
                           const struct torus_packet *packet, uint8_t sequence, cycle_t time);
bool wire_ack(struct torus_part *p, const struct torus_router *r, struct torus_link_sender *s,
              unsigned port, unsigned vc, uint32_t state, cycle_t time);

/* Continues a link CRC, or a FIFO's checksum, over a packet on its way into node `to`. */
uint32_t wire_crc(const struct torus_part *p, uint32_t crc, uint32_t to,
                  const struct torus_packet *packet, uint8_t sequence);

#endif
