/*
 * The link protocol of Blue Gene/L under errors (TORUS, "Torus network": header CRC, packet CRC and
 * valid byte, acknowledgments, retransmission FIFO with time-out, link CRC). Without errors none of
 * it runs: links then carry every packet, and the step is not the lossy one (step.c).
 *
 * A sender keeps every packet it sent in its retransmission FIFO until it is acknowledged. Each has
 * a sequence number; the receiver takes only the one it expects. When the sender's timer runs out,
 * it resends everything that is not acknowledged, in order, before anything new.
 *
 *   header CRC wrong     the packet is ignored
 *   packet CRC wrong     known only when the tail arrives. By then the packet may have left: it
 *                        continues as a ghost, with its valid byte cleared, and is dropped where
 *                        its tail finds it waiting, or where it would be received. Its buffer space
 *                        stays reserved for the retransmission.
 *   no check sees it     both link CRCs, over all good packets of a link, differ at the end
 *
 * Acknowledgments are cumulative: the last sequence number received, and the total of chunks freed
 * in a VC, so a later one makes up for one that is lost; on an idle link, an ack-only packet after
 * idle_ack_cycles. A sender that has resent everything LINK_ROUNDS_MOST times without any
 * acknowledgment gives up: its link is dead.
 *
 * Bits are real where bits matter (docs/machines/bluegene-l.md): when an error hits a packet, its
 * header is packed, its payload and checks are made, bits are flipped, and the checks decide.
 */
#ifndef WEFT_FABRIC_TORUS_LINK_H
#define WEFT_FABRIC_TORUS_LINK_H

#include "fabric/torus/state.h"

/* The state at the two ends of a torus link. */

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

/* Marks that a cycle's events leave for the step, by kind, from the first of the protocol on. */
enum { LINK_EVENTS = TORUS_EVENT_OTHER - TORUS_EVENT_FRAME };
struct torus_link_marks {
    uint8_t ports[LINK_EVENTS];            /* as masks */
    uint8_t vcs[LINK_EVENTS][TORUS_PORTS]; /* the same */
    uint32_t payload[2][TORUS_PORTS];      /* of FRAME and ACK_FRAME */
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

/*
 * What a link does to bits: packets and acknowledgments as bytes, errors that flip them, and what
 * the checks say about the outcome.
 *
 *   packet      header 8, payload, valid byte 1, packet CRC 3
 *   ack         kind and VC 1, chunks freed 2, last sequence number 1, 0: 1, CRC 3
 *
 * Bytes are made only where an error hits, and for link CRCs and checksums.
 */

enum {
    WIRE_TRAILER_BYTES = 4, /* valid byte, packet CRC */
    WIRE_FRAME_BYTES = TORUS_MAX_CHUNKS * TORUS_CHUNK_BYTES + WIRE_TRAILER_BYTES,
};

enum torus_wire {
    FRAME_GOOD,
    FRAME_BAD_TAIL,   /* the packet CRC is wrong */
    FRAME_BAD_HEADER, /* the header CRC is wrong */
    FRAME_HELD,       /* the header is wrong but its CRC matches; the packet CRC sees it */
    FRAME_ESCAPED,    /* something is wrong, but no check sees it */
};

static inline uint32_t wire_bytes(const struct torus_packet *packet)
{
    return torus_packet_bytes(packet) + WIRE_TRAILER_BYTES;
}

/* Sends a packet, or the state of an acknowledgment, by a port in cycle `time`. */
enum torus_wire wire_frame(struct torus_part *p, const struct torus_router *r,
                           struct torus_link_sender *s, unsigned port,
                           const struct torus_packet *packet, uint8_t sequence, cycle_t time);
bool wire_ack(struct torus_part *p, const struct torus_router *r, struct torus_link_sender *s,
              unsigned port, unsigned vc, uint32_t state, cycle_t time);

/* Continues a link CRC, or a FIFO's checksum, over a packet on its way into node `to`. */
uint32_t wire_crc(const struct torus_part *p, uint32_t crc, uint32_t to,
                  const struct torus_packet *packet, uint8_t sequence);

/* ---- the protocol ---- */

void torus_links_prepare(struct torus_part *p);

/* Applies an event of the protocol: leaves a mark for the step. */
void torus_link_note(struct torus_part *p, uint32_t node, event_t e);

/* Does what the marks ask for, before the step proper. */
void torus_link_step(struct torus_part *p, struct torus_router *r, uint32_t node, cycle_t now);

/* A packet was granted a sender; it is in the pool, and its route has advanced. */
void torus_link_send(struct torus_part *p, struct torus_router *r, uint32_t node, unsigned port,
                     uint32_t index, cycle_t now);

/* Chunks of a receiver's VC became free. */
void torus_link_ack(struct torus_part *p, struct torus_router *r, unsigned receiver, unsigned vc,
                    unsigned tokens, cycle_t now);

struct network_sender torus_link_sender(const struct network_part *part, uint32_t local,
                                        unsigned port);

/* Whether the retransmission FIFO has room for one more packet of any size. */
bool torus_link_has_room(const struct torus_part *p, const struct torus_link_sender *s);

/* Senders that cannot take a packet, whatever their link does. */
unsigned torus_link_blocked(const struct torus_part *p, uint32_t node);

#endif
