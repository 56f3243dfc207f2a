/*
 * Carries messages over nics that work by themselves and keep packets in order:
 *
 *   eager       short messages: software splits them into packets, one event each (KAUTZ, 6.1); the
 *               receiver has room for so many (room.h), and what might not fit uses rendezvous
 *   rendezvous  longer messages: a request goes to the receiver, whose software answers with a
 *               command to the sender's engine; the engine streams the message without software,
 *               and at the end tells that at both ends by an event, if it has events
 *   rails       still longer messages: the stream is split over routes that share nothing
 *
 * Processes of one node copy through memory. Every event that a processor sends or receives takes
 * some of its time.
 */
#ifndef WEFT_MESSAGE_ENGINE_ENGINE_H
#define WEFT_MESSAGE_ENGINE_ENGINE_H

#include "message/layer.h"

extern const struct carrier engine_carrier;

#endif
