/* The state at the two ends of a torus link (link.h has the protocol, wire.h the bits). */
#ifndef WEFT_FABRIC_TORUS_LINK_STATE_H
#define WEFT_FABRIC_TORUS_LINK_STATE_H

#include "fabric/torus/state.h"

enum { LINK_FRAMES = 64, LINK_ROUNDS_MOST = 1024 };

/* An unacknowledged packet, as it left; `next` is its sequence number. */
struct torus_link_frame {
    struct torus_packet packet;
    uint64_t cargo;
    cycle_t sent_at;
};

struct torus_link_sender {
    struct torus_link_frame frame[LINK_FRAMES]; /* a ring: the retransmission FIFO */
    uint32_t first, count, bytes;
    uint32_t resend;           /* next of them to be resent, while resending */
    uint32_t rounds;           /* of resending, since the last acknowledgment */
    uint32_t crc;              /* link CRC */
    uint16_t freed[TORUS_VCS]; /* chunks that came back, modulo 2^16 */
    uint8_t sequence;          /* of the next new packet */
    bool timer, resending, full;
    cycle_t busy_until;
    struct error_source errors;
};

struct torus_link_receiver {
    uint32_t crc;
    uint16_t freed[TORUS_VCS];
    uint8_t expected, told; /* sequence numbers: the next; the last that an acknowledgment named */
    uint8_t stale;          /* VCs whose last acknowledgment was lost */
    bool due, refresh;      /* events are pending */
};

/* Marks that a cycle's events leave for the step: masks of ports. */
struct torus_link_marks {
    uint8_t told, frames, dues, refreshes, timeouts, resends;
    uint8_t told_vc[TORUS_PORTS], tail_vcs[TORUS_PORTS];
    uint32_t told_state[TORUS_PORTS], frame[TORUS_PORTS];
};

/* A packet that was corrupted on its way into this router. */
enum { GHOST_FRESH = 1 };

struct torus_links {
    struct torus_link_sender *sender;     /* [node * TORUS_PORTS + port] */
    struct torus_link_receiver *receiver; /* [node * TORUS_PORTS + receiver] */
    struct torus_link_marks *marks;       /* [node] */
    uint8_t *ghost;                       /* by packet of the pool */
    uint32_t *checksum;                   /* [node * TORUS_FIFOS + fifo], of what was injected */
};

static inline struct torus_link_sender *torus_sender_at(const struct torus_part *p, uint32_t node,
                                                        unsigned port)
{
    return &p->links->sender[(size_t)node * TORUS_PORTS + port];
}

static inline struct torus_link_receiver *torus_receiver_at(const struct torus_part *p,
                                                            uint32_t node, unsigned port)
{
    return &p->links->receiver[(size_t)node * TORUS_PORTS + port];
}

#endif
