/*
 * Links that make errors, and how they are mended (KAUTZ, 3.2, 3.3, 4.3).
 *
 *   transmitter                                  receiver
 *   number, replay buffer   ── data packet ──>   CRC at its tail: good, or "error found"
 *   frees what is good      <── control ───      last good number, error found, map of busy entries
 *   on "error found": a short packet, then       drops everything until that short packet
 *   all after the last good number again
 *
 * The head of a packet has gone on by cut-through before its CRC is known. If it was bad the tail
 * is marked as poisoned on the next link: the packet is dropped where it waits once all of it is
 * there, or ignored at an endpoint. A corrupted header is believed until then: such a packet may be
 * misrouted; one that names an entry in use, or a VC that it cannot have, is not taken.
 *
 * Control packets leave without pause. Those that tell nothing new are not modelled; one that is
 * lost is made good by the next.
 *
 * A transmitter that has sent again ignores "error found" until its short packet can have been
 * answered. Bits are real where bits matter: when an error hits, header, payload and CRC are made,
 * bits are flipped, and the check decides.
 */
#ifndef WEFT_FABRIC_CROSSPOINT_LINK_H
#define WEFT_FABRIC_CROSSPOINT_LINK_H

#include "base/random.h"
#include "fabric/crosspoint/state.h"

struct crosspoint_sender {
    struct crosspoint_packet replay[CROSSPOINT_SEQUENCES]; /* by number */
    uint8_t first, count;                                  /* numbers that are not acknowledged */
    uint8_t resend;          /* how many of them were sent again, while resending */
    bool resending, recover; /* recover: the short packet goes first */
    cycle_t deaf_until;      /* to "error found" */
    cycle_t waits_since;     /* for its first packet to be acknowledged */
    struct error_source errors;
};

struct crosspoint_receiver {
    uint8_t last;                    /* good number */
    bool error;                      /* found */
    bool control;                    /* a CONTROL event is pending */
    uint16_t used[CROSSPOINT_PORTS]; /* entries, by output */
    struct error_source errors;      /* of the control link */
};

/* What the events of a cycle leave for the step, by port. */
struct crosspoint_marks {
    uint8_t frames, tails, controls, told, resends;
    uint8_t tail[CROSSPOINT_PORTS]; /* enum tail_says */
    uint32_t frame[CROSSPOINT_PORTS], news[CROSSPOINT_PORTS];
    uint16_t released[CROSSPOINT_PORTS][CROSSPOINT_PORTS]; /* by input and output */
};

struct crosspoint_links {
    struct crosspoint_sender *sender;     /* [local * degree + output] */
    struct crosspoint_receiver *receiver; /* [local * degree + input] */
    struct crosspoint_marks *marks;       /* [local] */
};

void crosspoint_links_prepare(struct crosspoint_part *p);

/* Packets in the replay buffers of a part. */
uint64_t crosspoint_links_kept(const struct crosspoint_part *p);

/* Leaves a mark for the step; and what the marks ask for. */
void crosspoint_link_note(struct crosspoint_part *p, event_t e);
void crosspoint_link_step(struct crosspoint_part *p, struct crosspoint_node *s, cycle_t now);

/* Whether an output can take a new packet. */
bool crosspoint_link_is_open(const struct crosspoint_part *p, const struct crosspoint_node *s,
                             unsigned output);

/* A packet was granted an output; its route has advanced. It leaves in cycle `when`. */
void crosspoint_link_send(struct crosspoint_part *p, struct crosspoint_node *s, unsigned output,
                          uint32_t index, cycle_t when);

#endif
