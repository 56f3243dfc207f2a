/* The state at the two ends of a crosspoint link (link.h has the protocol, wire.h the bits). */
#ifndef WEFT_FABRIC_CROSSPOINT_LINK_STATE_H
#define WEFT_FABRIC_CROSSPOINT_LINK_STATE_H

#include "base/random.h"
#include "fabric/crosspoint/state.h"

struct crosspoint_sender {
    struct crosspoint_packet replay[CROSSPOINT_SEQUENCES]; /* by number */
    uint8_t first, count;                                  /* numbers not yet acknowledged */
    uint8_t resend;          /* how many of them were resent so far, while resending */
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

/* Marks that a cycle's events leave for the step, by port. */
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

static inline struct crosspoint_sender *crosspoint_sender_at(const struct crosspoint_part *p,
                                                             uint32_t local, unsigned output)
{
    return &p->links->sender[(size_t)local * p->degree + output];
}

static inline struct crosspoint_receiver *crosspoint_receiver_at(const struct crosspoint_part *p,
                                                                 uint32_t local, unsigned input)
{
    return &p->links->receiver[(size_t)local * p->degree + input];
}

#endif
