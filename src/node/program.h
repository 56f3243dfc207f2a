/*
 * What a node runs: a sequence of steps, each a pure function of who takes it and its number, so
 * that nothing has to be stored: an all-to-all of 32K nodes never holds its billion packets.
 * Whoever runs a program asks for its steps in the same way, be it
 *
 *   packets    a generator: every step is one packet to a node; the nic asks for the next one when
 * it has room (node/fifo) or a few ahead (node/source.h) messages   a script: in a step a process
 * sends a message, or receives one, or both at once, and then works; the next step begins when all
 * of that is done (message/process.h)
 *
 * A program of packets may also answer: `received` is told of each packet and may send.
 */
#ifndef WEFT_NODE_PROGRAM_H
#define WEFT_NODE_PROGRAM_H

#include "node/nic.h"

#define NOBODY UINT32_MAX

/* Classes of packets, on machines that tell them apart. */
enum step_flag {
    STEP_ADAPTIVE = 1, /* any shortest way; otherwise one fixed way */
    STEP_DEPOSIT = 2,  /* leaves a copy at every node on its way */
    STEP_HIGH = 4,     /* high priority */
    STEP_SECOND = 8,   /* for the second group of reception FIFOs */
};

/* One direction, and hops along it: a way that the program itself chose. */
struct step_way {
    bool chosen;
    uint8_t port;
    uint16_t hops;
};

struct step {
    uint32_t to;    /* node of a packet, process of a message; NOBODY: nothing is sent */
    uint64_t bytes; /* payload */

    /* Messages. */
    uint32_t from; /* process that a message is received from; NOBODY: none is */
    uint64_t from_bytes;
    uint64_t reduce_bytes; /* combined when both are done */

    /* Packets. */
    struct step_way way;
    uint32_t message; /* its number, from 1; 0: none. At half a ring, messages take turns */
    uint8_t flags;    /* enum step_flag */
    uint8_t tag;      /* travels with the packet */
};

/* Whoever runs a program of packets takes its answers. */
struct replies {
    void (*send)(struct replies *replies, const struct step *step, cycle_t when);
};

/* What a program is told of a packet. */
struct receipt {
    uint32_t node; /* that received it */
    uint32_t source, sequence;
    uint32_t bytes; /* payload */
    uint8_t tag;
};

struct program {
    void *ctx;
    /* The step with this number of a node or process; false: there is no such step, nor a later
     * one.
     */
    bool (*step)(void *ctx, uint32_t who, uint32_t number, struct step *step);
    /* A packet will have been read in cycle `when`; answers may be sent from then on. Called for
     * one node at a time. NULL: nobody answers. */
    void (*received)(void *ctx, struct replies *replies, const struct receipt *receipt,
                     cycle_t when);
    double mean_gap_cycles; /* open loop: between births of a node's packets, exponential; or 0 */
    double high_share;      /* of open-loop packets that have high priority */
    cycle_t stop_at;        /* no births and no steps from here on */
};

#endif
