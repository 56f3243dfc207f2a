/*
 * What a node runs: a sequence of steps. Each step is a pure function of who takes it and of its
 * number, so nothing has to be stored: an all-to-all of 32K nodes never holds its billion packets.
 * There are two kinds of programs, and both are asked for their steps in the same way:
 *
 *   packets    a generator: every step is one packet to a node; the nic asks for the next one when
 *              it has room (node/fifo), or for a few in advance (node/source.h)
 *   messages   a script: in a step a process sends a message, or receives one, or both at once,
 *              waits until no more are under way than the step says, and then works
 *              (message/process.h)
 *
 * Steps may have times of their own (`timed`): packets and messages from a file, which is read as
 * the time goes on.
 *
 * A program of packets may also answer: `received` is called for each packet and may send.
 */
#ifndef WEFT_NODE_PROGRAM_H
#define WEFT_NODE_PROGRAM_H

#include "base/random.h"
#include "node/arrival_process.h"
#include "node/nic.h"

#define NOBODY     UINT32_MAX
#define ANY_NUMBER UINT32_MAX /* of messages may be under way: do not wait */

/* Classes of packets, on machines that tell them apart. */
enum step_flag {
    STEP_ADAPTIVE = 1, /* any shortest route; otherwise one fixed route */
    STEP_DEPOSIT = 2,  /* leaves a copy at every node on its route */
    STEP_HIGH = 4,     /* high priority */
    STEP_SECOND = 8,   /* for the second group of reception FIFOs */
};

/* One direction, and hops along it: a route that the program itself chose. */
struct step_way {
    bool chosen;
    uint8_t port;
    uint16_t hops;
};

/* Collective operations that a machine or its message layer does itself, all processes together. */
enum step_collective {
    STEP_NO_COLLECTIVE,
    STEP_BARRIER,     /* by global interrupts, or gates */
    STEP_TREE_ALL,    /* a vector of `bytes` combined by the tree, for all */
    STEP_TREE_RECAST, /* the same: combined to the root, whose software sends it to all */
    STEP_TREE_CAST,   /* `bytes` from process `root` to all */
    STEP_FLOOD,       /* `bytes` from process `root` to all, by packets that leave copies */
    STEP_EACH,        /* from each process to each, by packets rather than messages */
    STEP_GATES,       /* one operand combined by gates, for all */
    STEP_PACKET_OUT,  /* no operation of all: a single packet of a program is written, */
    STEP_PACKET_IN,   /* or taken */
    STEP_POINT_OUT,   /* the same of a packet of the tree, to process `to` */
    STEP_POINT_IN,
    STEP_WRITE_OUT, /* nor are calls to an I/O node: `bytes` are written, */
    STEP_READ_IN,   /* or read */
};

/* Bytes from one process to another if they vary from pair to pair: 0 to twice the mean, drawn by
 * the key; if that is 0, they do not. */
static inline uint64_t varied_bytes(uint64_t mean, uint64_t key, uint32_t from, uint32_t to)
{
    if (!key)
        return mean;
    return random_mix(key + random_mix((uint64_t)from << 32 | to)) % (2 * mean + 1);
}

struct step {
    uint32_t to;    /* node of a packet, process of a message; NOBODY: nothing is sent */
    uint64_t bytes; /* payload */

    /* Messages. */
    uint32_t from; /* process that a message is received from; NOBODY: none */
    uint64_t from_bytes;
    uint32_t sends_left, receives_left; /* the step is done when no more are under way */
    uint64_t reduce_bytes;              /* combined then; by a collective operation: before it */
    uint8_t collective;                 /* enum step_collective: last of all; no message then */
    uint32_t root;
    uint64_t varied; /* STEP_EACH: 0: `bytes` to each; else see varied_bytes() */

    /* Packets. */
    struct step_way way;
    uint32_t message; /* its number, from 1; 0: none. At half a ring, messages take turns */
    uint8_t flags;    /* enum step_flag */
    uint8_t tag;      /* travels with the packet */

    /* Both. */
    cycle_t now; /* set by who asks */
    bool timed;  /* it has a time of its own: its birth. A step that neither sends nor receives then
                  * means that there is none yet, and who asked is to ask again at that time. */
    cycle_t birth;
};

/* Where a program of packets sends its answers; provided by whoever runs it. */
struct replies {
    void (*send)(struct replies *replies, const struct step *step, cycle_t when);
};

/* What a program is told about a packet. */
struct receipt {
    uint32_t node; /* the receiver */
    uint32_t source, sequence;
    uint32_t bytes; /* payload */
    uint8_t tag;
};

struct program {
    void *ctx;
    /* Fills in the step with this number of a node or process; false: it has no such step, and no
     * later one. */
    bool (*step)(void *ctx, uint32_t who, uint32_t number, struct step *step);
    /* A packet will have been read in cycle `when`; answers may be sent from then on. Never called
     * for two packets of one node at once. NULL: the program does not answer. */
    void (*received)(void *ctx, struct replies *replies, const struct receipt *receipt,
                     cycle_t when);
    double mean_gap_cycles; /* open loop: mean time between births at a node, exponential; else 0 */
    /* The births at one node, if nodes differ or have bursts; NULL: they do not. */
    struct arrival_process (*arrivals)(void *ctx, uint32_t node);
    bool timed;        /* some steps have times of their own; a node asks for them in order */
    double high_share; /* open loop: share of packets with high priority */
    cycle_t stop_at;   /* no births and no steps from this cycle on */
};

static inline struct arrival_process program_arrivals(const struct program *p, uint32_t node)
{
    return p->arrivals ? p->arrivals(p->ctx, node)
                       : (struct arrival_process){.mean_gap_cycles = p->mean_gap_cycles};
}

#endif
