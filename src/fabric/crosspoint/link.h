/*
 * Links that make errors, and how they recover (KAUTZ, 3.2, 3.3, 4.3).
 *
 *   transmitter                                  receiver
 *   number, replay buffer   ── data packet ──>   CRC at its tail: good, or "error found"
 *   frees what is good      <── control ───      last good number, error found, map of busy entries
 *   on "error found": a short packet, then       drops everything until that short packet
 *   all after the last good number again
 *
 * Cut-through forwards a packet's head before its CRC is known. If the CRC is bad, the tail is
 * marked as poisoned on the next link: the packet is dropped where it waits once all of it is
 * there, or ignored at an endpoint. Until then a corrupted header is believed, so the packet may be
 * misrouted; a packet that names an entry in use, or a VC that it cannot have, is not taken.
 *
 * Control packets leave without pause. Those with no news are not modelled; the next one makes up
 * for one that is lost.
 *
 * A transmitter that has resent ignores "error found" until its short packet can have been
 * answered. Bits are real where bits matter: when an error hits, header, payload and CRC are made,
 * bits are flipped, and the check decides.
 */
#ifndef WEFT_FABRIC_CROSSPOINT_LINK_H
#define WEFT_FABRIC_CROSSPOINT_LINK_H

#include "fabric/crosspoint/link_state.h"

void crosspoint_links_prepare(struct crosspoint_part *p);

/* Packets in the replay buffers of a part. */
uint64_t crosspoint_links_kept(const struct crosspoint_part *p);

/* Notes an event as a mark for the step; the step does what the marks ask for. */
void crosspoint_link_note(struct crosspoint_part *p, event_t e);
void crosspoint_link_step(struct crosspoint_part *p, struct crosspoint_node *s, cycle_t now);

/* Whether an output can take a new packet. */
bool crosspoint_link_is_open(const struct crosspoint_part *p, const struct crosspoint_node *s,
                             unsigned output);

/* A packet was granted an output; its route has advanced. It leaves in cycle `when`. */
void crosspoint_link_send(struct crosspoint_part *p, struct crosspoint_node *s, unsigned output,
                          uint32_t index, cycle_t when);

/* Whether a switch can do what a header says, right or wrong. */
bool crosspoint_link_is_possible(const struct crosspoint_part *p, const struct crosspoint_node *s,
                                 unsigned input, const struct crosspoint_packet *packet);

#endif
