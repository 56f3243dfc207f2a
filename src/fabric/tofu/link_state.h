/* The state at the two ends of a Tofu link (link.h has the protocol, wire.h the bits). */
#ifndef WEFT_FABRIC_TOFU_LINK_STATE_H
#define WEFT_FABRIC_TOFU_LINK_STATE_H

#include "base/slots.h"
#include "fabric/tofu/state.h"

enum {
    TOFU_NUMBERS = 256, /* of packets; at most half of them are under way */
    TOFU_WINDOW = TOFU_NUMBERS / 2,
};

struct tofu_sender {
    struct slots_list kept;   /* packets that were not acknowledged, oldest first */
    uint32_t count, lines;    /* of them */
    uint32_t resend;          /* the next of them to be sent again; SLOT_NONE */
    uint8_t number;           /* of the next new packet */
    uint16_t freed[TOFU_VCS]; /* lines that the receiver has said were freed, modulo 2^16 */
    cycle_t waits_since;      /* for its oldest packet to be acknowledged */
    struct error_source errors;
};

struct tofu_receiver {
    uint8_t expected;           /* number */
    bool error;                 /* a packet was bad: all others are dropped until it comes again */
    uint16_t freed[TOFU_VCS];   /* lines so far, modulo 2^16 */
    uint16_t used[TOFU_VCS];    /* lines in the buffers, ghosts included */
    struct error_source errors; /* of the control lines on the way back */
};

/* Marks that a cycle's events leave for the step. */
struct tofu_marks {
    uint16_t frames, tails;               /* inputs */
    uint16_t asks;                        /* inputs that ask for packets again */
    uint8_t tail[TOFU_LINKS];             /* enum tail_says, and the virtual channel */
    uint32_t frame[TOFU_LINKS];           /* packets */
    uint64_t controls;                    /* queues with news for the sender behind */
    uint16_t released[TOFU_LINK_PLACES];  /* lines that good packets have left, */
    uint16_t abandoned[TOFU_LINK_PLACES]; /* and ghosts */
};

struct tofu_link_states {
    struct tofu_sender *sender;     /* [local * TOFU_LINKS + output] */
    struct tofu_receiver *receiver; /* [local * TOFU_LINKS + input] */
    struct tofu_marks *marks;       /* [local] */
    struct slots kept;              /* struct tofu_packet */
};

static inline struct tofu_packet *tofu_kept_at(const struct tofu_part *p, uint32_t index)
{
    return (struct tofu_packet *)p->links->kept.item + index;
}

#endif
