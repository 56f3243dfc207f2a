/*
 * Parameters of the torus router (TORUS, "Torus network"). The machine file gives each its
 * value, unit and source; this is what the router reads. torus_params_derive() computes the rest.
 */
#ifndef WEFT_FABRIC_TORUS_PARAMS_H
#define WEFT_FABRIC_TORUS_PARAMS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "fabric/errors.h"
#include "fabric/part.h"

/*
 * A packet on its way: what routing and measuring need. Its bytes are made only when an error
 * makes them matter (docs/machines/bluegene-l.md).
 *
 * Where a packet is: in exactly one of
 *   - an injection FIFO, a VC FIFO or the bypass channel of a router (linked by `next`),
 *   - an ARRIVE event of the wheel, or a message between partitions (by value).
 */

enum { TORUS_CHUNK_BYTES = 32, TORUS_MAX_CHUNKS = 8, TORUS_ROUTER_DIMS = 3 };

enum torus_flag {
    TORUS_DYNAMIC = 1,  /* adaptive; otherwise deterministic */
    TORUS_DEPOSIT = 2,  /* leave a copy at every node on the way */
    TORUS_HIGH = 4,     /* high priority */
    TORUS_GROUP1 = 8,   /* for the second group of reception FIFOs */
    TORUS_CROSSED = 16, /* << dimension: has crossed that ring's dateline */
    TORUS_GHOST = 128,  /* was corrupted on a link; nobody keeps it */
};

struct torus_packet {
    cycle_t birth;                    /* when it was generated */
    uint32_t source;                  /* node */
    uint32_t sequence;                /* of its source; (source, sequence) names the packet */
    uint32_t next;                    /* in its queue or the pool's free list; NO_PACKET: last */
    uint16_t hops[TORUS_ROUTER_DIMS]; /* still to go along each dimension */
    uint8_t hint;                     /* bit p: may leave by port p; 0: has arrived */
    uint8_t chunks;                   /* 1..8 of 32 bytes */
    uint8_t flags;
    uint8_t vc;      /* on which it travels or waits */
    uint8_t tag;     /* for use by the program that sent it */
    uint8_t padding; /* unused payload bytes of its last chunk */
};

_Static_assert(sizeof(struct torus_packet) == 32, "two packets per cache line");

static inline uint32_t torus_packet_bytes(const struct torus_packet *p)
{
    return (uint32_t)p->chunks * TORUS_CHUNK_BYTES;
}

/* Chunks of a packet with these bytes in all: at least its first. */
static inline uint32_t torus_chunks(uint64_t bytes)
{
    return bytes ? (uint32_t)((bytes + TORUS_CHUNK_BYTES - 1) / TORUS_CHUNK_BYTES) : 1;
}

enum {
    TORUS_PORTS = 2 * TORUS_ROUTER_DIMS,
    TORUS_VCS = 8,
    TORUS_NORMAL_FIFOS = 6,
    TORUS_HIGH_FIFOS = 2,
    TORUS_FIFOS = TORUS_NORMAL_FIFOS + TORUS_HIGH_FIFOS,
    TORUS_RECEPTION_FIFOS = 2 * (TORUS_PORTS + 1), /* two groups of 6 directions + 1 high */
};

enum escape_kind { ESCAPE_BUBBLE, ESCAPE_DATELINE, ESCAPE_NONE };
enum escape_order { ORDER_DIMENSION, ORDER_DIRECTION };
enum bubble_rule { BUBBLE_FULL_SIZE, BUBBLE_ACTUAL_SIZE };
enum vc_choice { CHOOSE_JSQ, CHOOSE_RANDOM };

/* Errors on links, and the protocol that recovers from them (link.h). */
struct torus_link_params {
    bool protocol; /* whether it is modelled at all */
    struct error_params errors;
    uint32_t crc_bits; /* of the packet CRC that receivers check: 24, or fewer to let errors pass */
    uint32_t retransmission_bytes;
    uint32_t timeout_cycles;
    uint32_t ack_delay_cycles; /* by then a packet is acknowledged even if its space is not free */
    uint32_t idle_ack_cycles;  /* before a lost acknowledgment is repeated on an idle link */
};

struct torus_params {
    /* Link. One cycle is one byte time. */
    double link_mb_per_s;
    uint32_t trailer_bytes, gap_bytes, ack_bytes;
    struct torus_link_params link;

    /* Stages of a hop, in cycles; their sum is the zero-load time per hop. */
    uint32_t transfer_cycles; /* from the receiver over its path to the sender */
    uint32_t wire_cycles;     /* serialiser, cable, deserialiser */
    uint32_t pipeline_cycles; /* input pipeline */
    uint32_t arbitration_cycles;
    uint32_t request_cycles; /* from a link or VC becoming free to the first request for it */
    uint32_t vc_fifo_cycles; /* extra for a packet that had to enter a VC FIFO */

    /* Virtual channels: dynamic ones, then the escape (one or a pair), then high priority. */
    uint32_t dynamic_vcs;
    uint32_t dynamic_vc_bytes, escape_vc_bytes, high_vc_bytes;
    enum escape_kind escape;
    enum escape_order escape_order;
    int32_t dateline[TORUS_ROUTER_DIMS]; /* after this coordinate; negative: no dateline */
    enum bubble_rule bubble_rule;
    uint32_t paths;               /* from each receiver to the senders */
    uint32_t vc_transfers;        /* packets that may leave a VC at the same time */
    int32_t bypass_dynamic_bytes; /* bypass while a VC holds no more; negative: never */
    int32_t bypass_escape_bytes;

    /* Arbitration. Shares are of cycles, 0..1. */
    enum vc_choice vc_choice;
    double receiver_slq_share, sender_slq_share, in_network_share;
    bool arbitration_gap;       /* between passes of a blocked receiver: the flaw since fixed */
    uint32_t slq_period_cycles; /* SLQ cycles, then random ones, and so on */

    /* Processor interface; 0 bytes: unbounded. */
    uint32_t injection_fifo_bytes, reception_fifo_bytes;
};

/* What the router computes with, derived from the above. */
struct torus_derived {
    uint32_t vcs;    /* of a receiver */
    uint32_t queues; /* of a node: (VCs + bypass) of each receiver, then the injection FIFOs */
    uint32_t receiver_queues;         /* queues of one receiver: VCs + bypass */
    uint32_t escape_vc, high_vc;      /* the first of each */
    uint8_t dynamic_mask;             /* VCs */
    uint16_t capacity[TORUS_VCS];     /* chunks */
    uint8_t level[TORUS_VCS][256];    /* by chunks in a VC: how full arbiters see it, 0..3 */
    int16_t bypass_chunks[TORUS_VCS]; /* bypass while the VC holds no more */
    uint8_t full_size[TORUS_VCS];     /* 1: every packet is accounted as a full one */
    uint8_t class_vc[4];              /* of each class of fixed moves (state.h), */
    uint8_t class_packets[4];         /* and how many full packets it needs room for */
    uint8_t room_asked[2];            /* VCs where moves need room for one full packet, for two */
    uint8_t most_asked[TORUS_VCS];    /* chunks: with these free behind a VC, every move has room */
    uint64_t port_vcs[64];            /* by ports: bits 8 * port + VC of all dynamic VCs there */
    uint8_t escape_order[TORUS_PORTS];
    uint8_t escape_port[64]; /* by hint bits: the first port of them in that order */
    uint32_t hop_cycles;     /* grant at a node to first possible grant at the next */
    uint32_t ack_cycles;     /* acknowledgment granted to tokens usable upstream */
    uint32_t tail_cycles;    /* a link is busy with a packet after its delivery: usually 0 */
    uint32_t slot_cycles[TORUS_MAX_CHUNKS + 1];      /* a packet occupies a link, path or bus */
    uint32_t receiver_slq_cycles, sender_slq_cycles; /* of a period */
    uint32_t in_network;                             /* share of 65536 */
};

/* Checks that the values fit together, and computes the derived ones. */
weft_status torus_params_derive(const struct torus_params *params, struct torus_derived *derived);

/* "D0", "BN", ... as the papers call a virtual channel. */
const char *torus_vc_name(const struct torus_params *params, unsigned vc);

#endif
