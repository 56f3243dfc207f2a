/*
 * The nic of a torus node: injection and reception FIFOs that its processor writes and reads
 * (TORUS, "Torus network": 6 + 2 injection FIFOs, two groups of 6 + 1 reception FIFOs; SIM 3:
 * unbounded injection FIFOs in the papers' simulator).
 *
 * It runs a program of packets by itself, or serves a client as every nic does (nic.h): then the
 * processor cuts the client's sends into packets.
 *
 *   unbounded FIFOs   all packets of a program are in their FIFOs from their birth on; writing
 *                     them takes no time. FIFO f holds packets f, f+6, f+12, ...; only the first
 *                     in each FIFO is ever made.
 *   bounded FIFOs     the processor writes the packets in order, each into the FIFO of its first
 *                     direction or the next one that has room, and waits when there is none.
 *
 * The processor: writing a packet into a FIFO and reading one out take a core's time (node/core.h);
 * reading goes first. Each group of reception FIFOs has a core of its own, which also writes the
 * answers to what it reads and the program's packets for that group. Open-loop packets cost no such
 * time: they are in their FIFO at birth. Answers and sends of a client go before the program's
 * sequence.
 */
#ifndef WEFT_NODE_FIFO_FIFO_H
#define WEFT_NODE_FIFO_FIFO_H

#include "config/keys.h"
#include "fabric/torus/route.h"
#include "fabric/torus/network.h"
#include "node/core.h"
#include "node/program.h"
#include "node/watermark.h"

enum fifo_choice { FIFO_IN_TURN, FIFO_BY_DIRECTION };

struct fifo_params {
    enum hint_source hints;
    enum fifo_choice choice;  /* of a bounded injection FIFO */
    double consumer_mb_per_s; /* rate at which a core also empties reception FIFOs; 0: at once */
    uint32_t injection_watermark_bytes, reception_watermark_bytes; /* 0: none */
};

extern const struct key_section fifo_section;
extern const struct key_table fifo_keys;

struct fifos_options {
    const struct torus *torus;
    const struct torus_params *router;
    const struct torus_faults *faults; /* dead nodes neither send nor are sent to */
    const struct fifo_params *params;
    const struct core_params *cores; /* what packets cost them */
    uint32_t software_header_bytes;
    struct program program; /* of packets; without a step(): serve a client */
    struct bricks bricks;
    uint64_t seed;
};

weft_status fifos_create(const struct fifos_options *options, struct nic **nic);

/* The client to give to the network. */
struct torus_client fifos_client(struct nic *fifos);

/* How often contents rose to their watermarks. */
struct watermark_counts fifos_watermarks(const struct nic *fifos);

#endif
