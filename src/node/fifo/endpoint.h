/*
 * The processor interface of every node: it feeds the injection FIFOs from a program and empties
 * the reception FIFOs (TORUS, "Torus network": 6 + 2 injection FIFOs, two groups of 6 + 1 reception
 * FIFOs; SIM 3: unbounded injection FIFOs in the papers' simulator).
 *
 * A program is a sequence of packets of each node, a pure function of (node, sequence number), so
 * that nothing has to be stored: an all-to-all of 32K nodes never holds its billion packets.
 *
 *   unbounded FIFOs   all packets are in their FIFOs from their birth on. FIFO f holds packets
 *                     f, f+6, f+12, ...; only the first of each is ever made.
 *   bounded FIFOs     the processor writes the packets in order, each into the next FIFO that has
 *                     room, and waits when none has.
 *
 * The processor: writing a packet into a FIFO and reading one out take a core's time (MSG, "Network
 * access overhead"), reading first. A core of its own serves each group of reception FIFOs; the
 * first one writes. Open-loop traffic has no program and no core: it is in its FIFO at its birth.
 *
 * A program may also answer: `received` is told of each packet and may send (ping-pong, corner
 * turns). Answers go before the sequence.
 */
#ifndef WEFT_NODE_FIFO_ENDPOINT_H
#define WEFT_NODE_FIFO_ENDPOINT_H

#include "fabric/torus/faults.h"
#include "fabric/torus/hints.h"
#include "fabric/torus/network.h"

/* One packet that a program sends. */
struct send {
    uint32_t destination;
    uint32_t message; /* number of the message; 0: none. At half a ring messages take turns */
    uint8_t chunks;
    uint8_t flags; /* enum torus_flag */
    uint8_t tag;
    uint8_t padding; /* bytes of the last chunk that are no payload */
    bool routed;     /* hint and hops are given (software hint bits); else set by the hint rule */
    uint8_t hint;
    uint16_t hops[TORUS_ROUTER_DIMS];
};

struct endpoint;

struct program {
    void *ctx;
    /* The packet with this number of a node; false: the node has no such packet, nor a later one.
     */
    bool (*packet)(void *ctx, uint32_t node, uint32_t sequence, struct send *send);
    /* A packet will have been read from its reception FIFO in cycle `when`; answers are sent by
     * endpoint_send(). Called for one node at a time. NULL: no answers. */
    void (*received)(void *ctx, struct endpoint *endpoint, uint32_t node,
                     const struct torus_packet *packet, cycle_t when);
    double mean_gap_cycles; /* open loop: between births of a node's packets, exponential; or 0 */
    double high_share;      /* of open-loop packets that have high priority */
    cycle_t stop_at;        /* no births from here on */
};

struct fifo_params {
    enum hint_source hints;
    double write_cycles, read_cycles; /* of the link clock that a core spends on each packet */
    double consumer_mb_per_s; /* at which a core empties reception FIFOs, besides; 0: at once */
    uint32_t injection_watermark_bytes, reception_watermark_bytes; /* 0: none */
};

struct endpoints_options {
    const struct torus *torus;
    const struct torus_params *router;
    const struct torus_faults *faults; /* dead nodes neither send nor are sent to */
    const struct fifo_params *node;
    struct program program;
    struct bricks bricks;
    uint64_t seed;
};

struct endpoints;

weft_status endpoints_create(const struct endpoints_options *options, struct endpoints **endpoints);
void endpoints_destroy(struct endpoints *endpoints);

/* What the network is to be given as its client. */
struct torus_client endpoints_client(struct endpoints *endpoints);

/* Saves where every node stands in its program, or takes it in. */
void endpoints_archive(struct endpoints *endpoints, struct archive *archive);

/* Times that a FIFO's content rose to its watermark, over all nodes. */
struct watermark_counts {
    uint64_t injection, reception;
};
struct watermark_counts endpoints_watermarks(const struct endpoints *endpoints);

/* For programs, during `received`: sends a packet in cycle `when`, not before the one received. */
void endpoint_send(struct endpoint *endpoint, const struct send *send, cycle_t when);

#endif
