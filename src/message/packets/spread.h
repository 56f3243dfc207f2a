/*
 * Collective operations that the message layer builds from packets, below messages (MSG, 7, 8.4 and
 * 8.5): nothing is posted, matched or acknowledged. All processes begin them in the same order, so
 * that a number tells which one a packet belongs to; each knows how many bytes it is to get.
 *
 *   broadcast   in colours that share no link (topology/torus/flood.h); packets leave copies on
 * their way, and nodes at corners send them on, whether they have begun it or not all-to-all  a
 * packet to each process in turn, in an order of the process's own, by any route; a packet has
 * fewer bytes of data than one of a message
 */
#ifndef WEFT_MESSAGE_PACKETS_SPREAD_H
#define WEFT_MESSAGE_PACKETS_SPREAD_H

#include "message/packets/state.h"

/* Packets that a core can choose from: to be sent on, by direction; of its own broadcast, by
 * colour; the next of its all-to-all. */
enum { PICK_COLOUR = DIRECTIONS_MOST, PICK_EACH = PICK_COLOUR + COLOURS_MOST, PICKS };

/* Begins one, as the process's action says. */
void spread_start(struct here *h);

/* Whether there is anything to be written; such a packet; and that it has been. */
bool spread_has_packets(const struct here *h);
bool spread_packet(const struct here *h, unsigned pick, struct nic_packet *packet);
void spread_written(struct here *h, unsigned pick);

/* A packet has been read. */
void spread_read(struct here *h, const struct nic_packet *packet);

/* Whether the process has all of it, and nothing left to write; and its end. */
bool spread_is_over(const struct here *h);
void spread_end(struct here *h);

static inline bool spread_is(uint8_t kind)
{
    return kind == STEP_FLOOD || kind == STEP_EACH;
}

#endif
