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

#include "fabric/torus/link_state.h"

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

/* A packet enters an injection FIFO. */
void torus_link_injected(struct torus_part *p, uint32_t node, unsigned fifo,
                         const struct torus_packet *packet);

/* Packets in the retransmission FIFOs of a part. */
uint64_t torus_links_kept(const struct torus_part *p);

/* Whether the retransmission FIFO has room for one more packet of any size. */
bool torus_link_has_room(const struct torus_part *p, const struct torus_link_sender *s);

/* Senders that cannot take a packet, whatever their link does. */
unsigned torus_link_blocked(const struct torus_part *p, uint32_t node);

#endif
