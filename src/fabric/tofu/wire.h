/*
 * What a link does to bits (link.h has the protocol).
 *
 *   packet   header of four lines: route 64, destination 32, source 32, sequence 32, lines 9,
 *            number 8, virtual channel 2, engine 2, flags 6, message's bytes 11, 0; payload; a line
 *            with a CRC of 32 bits
 *   control  one line: expected number 8, virtual channel 2, again 1, freed lines 16, 0: 5; CRC 32
 *
 * The sizes are those that Ajima gave at Cool Chips XV (four lines of header, one of CRC, 8 bytes
 * for an acknowledgment); the order within, and the polynomial (base/crc.h), are not public.
 */
#ifndef WEFT_FABRIC_TOFU_WIRE_H
#define WEFT_FABRIC_TOFU_WIRE_H

#include "fabric/tofu/link_state.h"

enum tofu_wire {
    TOFU_WIRE_GOOD,
    TOFU_WIRE_BAD,     /* the CRC will say so; the header is as received */
    TOFU_WIRE_NO_HEAD, /* bad, and the receiver sees no packet of that length in it */
};

static inline void link_count(struct tofu_part *p, enum link_count what)
{
    p->base.measure.link[what]++;
}

/* Sends a packet by an output in cycle `time`; it becomes what the receiver sees. */
enum tofu_wire tofu_wire_packet(struct tofu_part *p, const struct tofu_node *s, unsigned output,
                                struct tofu_packet *packet, cycle_t time);

/* Sends a control line by an input's link back; returns whether it arrives as it was sent. */
bool tofu_wire_control(struct tofu_part *p, const struct tofu_node *s, unsigned input,
                       uint32_t words, cycle_t time);

#endif
