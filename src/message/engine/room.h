/*
 * Room for eager messages. Each process has a place for so many packets from each other process;
 * whoever sends keeps count of what it has put there, and sends nothing eagerly that might not fit.
 * The receiver owes the room of what its software has taken: it goes back with the next eager
 * message to that process or, when more than half of the place is owed, by itself.
 *
 *   sender     room_take ── message ──> ... room_regain <── room ──┐
 *   receiver                            room_owe ─────────────────┘
 *
 * Both ends count by pairs, as keys that only the caller understands: a process and its peer.
 */
#ifndef WEFT_MESSAGE_ENGINE_ROOM_H
#define WEFT_MESSAGE_ENGINE_ROOM_H

#include "base/map.h"

enum { ROOM_MOST = 0xffff };

struct room {
    struct map pairs; /* packets put there << 16 | owed */
    uint32_t most;    /* packets that a place holds; 0: any number, and nothing is counted */
};

/* Takes room for a message; false: there is not enough, as far as is known here. Sets *back to the
 * packets that are owed to the peer, which the message gives back. */
bool room_take(struct room *r, uint64_t pair, uint32_t packets, uint32_t *back);

/* The peer gives room back; false: it cannot. */
bool room_regain(struct room *r, uint64_t pair, uint32_t packets);

/* A message was taken out; returns how many packets must be given back now. */
uint32_t room_owe(struct room *r, uint64_t pair, uint32_t packets);

/* Whether a restored state can be one. */
bool room_is_sound(const struct room *r);

#endif
