/*
 * Carries messages over FIFOs that processors write and read packet by packet: the message layer of
 * Blue Gene/L (MSG, 5 and 6). Every step is work of a core, which does one thing at a time; what it
 * brings about happens when it ends.
 *
 *   one-packet      the message fits into a packet, which takes a fixed path
 *   eager           packets on a fixed path: they arrive in order, a running count is enough
 *   adaptive eager  packets take any way; the receiver confirms the first packet of a message, and
 *                   only then may the next message to it start
 *   rendezvous      a scout on a fixed path asks; the answer says where the data go; data packets
 *                   take any way, and the second core may read them
 *
 * Packets to one destination go through one injection FIFO, by their direction (FIFO pinning), and
 * messages to it one after the other: so they arrive in order.
 */
#ifndef WEFT_MESSAGE_PACKETS_PACKETS_H
#define WEFT_MESSAGE_PACKETS_PACKETS_H

#include "message/layer.h"

extern const struct carrier packets_carrier;

#endif
