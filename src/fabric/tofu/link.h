/*
 * Links that make errors, and how they recover (TOFU, "Throughput and packet transfer": link-level
 * retransmission out of an 8 KB buffer recovers CRC errors; packets keep their order).
 *
 *   sender                                      receiver
 *   number, retransmission buffer ── packet ──> CRC at its tail: good, or asks for it again
 *   frees what is acknowledged  <── control ──  next number expected, room freed so far, or "again"
 *   on "again": all that is kept, once more     drops everything until the bad one comes again
 *
 * The paper has no more than that; numbers, control lines and their contents are ours. What a
 * control line says is cumulative, so the next one makes up for one that is lost; on an idle link
 * the receiver repeats it after refresh_cycles (of which only those that matter are modelled).
 *
 * Cut-through forwards a packet's head before its CRC is known. If the CRC is bad, the packet is
 * dropped where it still waits when its tail arrives; if it has left, its tail is marked as
 * poisoned, and the routers behind do the same. Until then a corrupted header is believed: such a
 * ghost may be misrouted, and its destination ignores it.
 *
 * Bits are real where bits matter: when an error hits, header, payload and CRC are made, bits are
 * flipped, and the check decides.
 */
#ifndef WEFT_FABRIC_TOFU_LINK_H
#define WEFT_FABRIC_TOFU_LINK_H

#include "fabric/tofu/link_state.h"

void tofu_links_prepare(struct tofu_part *p);
void tofu_links_fini(struct tofu_part *p);
uint64_t tofu_links_memory(void); /* of a node */

/* Packets in retransmission buffers that are nowhere else. */
uint64_t tofu_links_kept(const struct tofu_part *p);

/* Applies an event, or notes it for the step, which does the rest. */
void tofu_link_note(struct tofu_part *p, struct tofu_node *s, event_t e);
void tofu_link_step(struct tofu_part *p, struct tofu_node *s, cycle_t now);

/* Whether an output can take a new packet of this length. */
bool tofu_link_has_room(const struct tofu_part *p, const struct tofu_node *s, unsigned output,
                        uint32_t lines);

/* Sends the next packet of a retransmission; false: there is none. */
bool tofu_link_resend(struct tofu_part *p, struct tofu_node *s, unsigned output, cycle_t now);

/* A packet was granted an output; its route has advanced. It leaves in cycle `when`. */
void tofu_link_send(struct tofu_part *p, struct tofu_node *s, unsigned output, uint32_t index,
                    cycle_t when);

/* A packet leaves a queue: all of it has left in cycle `when`. */
void tofu_link_release(struct tofu_part *p, const struct tofu_node *s, unsigned queue,
                       const struct tofu_packet *packet, cycle_t when);

/* Saves or restores what tables do not hold. */
void tofu_links_archive(struct tofu_part *p, struct archive *a);

#endif
