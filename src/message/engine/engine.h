/*
 * Carries messages over nics that make packets by themselves, and over those that cut sends into
 * packets for the processor. How a message travels depends on what the nic can do:
 *
 *   eager       software splits the message into packets, one event each: short messages on a nic
 *               with an engine (KAUTZ, 6.1), all messages on a nic without
 *   rendezvous  longer messages: a request goes to the receiver, whose software answers with a
 *               command to the sender's engine; the engine streams the message without software
 *   rails       still longer messages: the stream is split over routes that share nothing
 *
 * If packets overtake each other, they carry their message's number and length; a message has
 * arrived when all of its bytes and all messages before it have. Processes of one node copy through
 * memory. Every event that a processor sends or receives takes some of its time.
 */
#ifndef WEFT_MESSAGE_ENGINE_ENGINE_H
#define WEFT_MESSAGE_ENGINE_ENGINE_H

#include "message/layer.h"

extern const struct carrier engine_carrier;

#endif
