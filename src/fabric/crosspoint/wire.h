/*
 * What a link does to bits (link.h has the protocol).
 *
 *   header   start 8, route 32, VC 4, words 5, number 4, entry 4, 0: 7 bits
 *   payload  2 to 18 words
 *   trailer  end 8, CRC 32, type 4, DMA's 20 bits
 *   control  start 1, last good number and error flag 1, map of busy entries 2 per output,
 *            out-of-band 1, CRC 4 bytes: 15 for four outputs
 *
 * The widths are from KAUTZ, 3.2 and 3.3; the order, and the polynomial of the CRC
 * (base/crc.h), are not given there.
 */
#ifndef WEFT_FABRIC_CROSSPOINT_WIRE_H
#define WEFT_FABRIC_CROSSPOINT_WIRE_H

#include "fabric/crosspoint/link_state.h"

enum frame_kind {
    FRAME_DATA,
    FRAME_RECOVER, /* the short packet that answers "error found" */
};

enum crosspoint_wire {
    WIRE_GOOD,
    WIRE_BAD,     /* the CRC will say so; the header is as received */
    WIRE_NO_HEAD, /* bad, and the receiver sees no packet in it */
};

static inline void link_count(struct crosspoint_part *p, enum link_count what)
{
    p->base.measure.link[what]++;
}

/* Sends a frame by an output in cycle `time`; `packet` becomes what the receiver sees. */
enum crosspoint_wire crosspoint_wire_frame(struct crosspoint_part *p,
                                           const struct crosspoint_node *s, unsigned output,
                                           struct crosspoint_packet *packet, enum frame_kind kind,
                                           cycle_t time);

/* Sends a control packet by an input; returns whether it arrives as it was sent. */
bool crosspoint_wire_control(struct crosspoint_part *p, const struct crosspoint_node *s,
                             unsigned input, cycle_t time);

#endif
