/*
 * I/O nodes of Blue Gene/L (MSG, 2): one for a processing set of compute nodes, on the tree and not
 * on the torus. Its daemon, ciod, does the system calls that compute nodes ship to it (node/io.h):
 *
 *   tree ──> reception FIFO ──> daemon reads ──> the call ──> Ethernet ──> daemon writes ──> tree
 *
 * One core does all that the daemon does, one thing at a time, with the costs of any node for
 * packets. A call takes a time of its own; then its data wait for the Ethernet, which carries them
 * one call after the other, each way; the daemon goes on in the meantime. Answers go first.
 */
#ifndef WEFT_NODE_MAPPED_IO_NODE_H
#define WEFT_NODE_MAPPED_IO_NODE_H

#include <stdint.h>

#include "engine/fine.h"
#include "node/io.h"

extern const struct key_table tree_io_keys;

enum io_doing { IO_RESTS, IO_READS, IO_CALLS, IO_WRITES };
enum io_way { IO_OUT, IO_IN, IO_WAYS };

/* A process's call. */
enum io_state {
    CALL_NONE,
    CALL_COMING,  /* packets of it are still to come */
    CALL_MADE,    /* the daemon is at it */
    CALL_WAITS,   /* for the Ethernet, which has done it at `ready` */
    CALL_ANSWERED /* packets of the answer are still to be written */
};

struct io_call {
    fine_t ready;
    uint32_t bytes, packets; /* still to come, or to be written */
    uint32_t next;           /* behind it, for the Ethernet */
    uint8_t state, way;      /* enum io_state, io_way */
};

struct io_node {
    fine_t until;                           /* the daemon's core is busy until then */
    fine_t wire[IO_WAYS];                   /* and the Ethernet */
    fine_t busy, wire_busy[IO_WAYS];        /* for so long in all */
    uint64_t calls, bytes[IO_WAYS];         /* that the Ethernet has taken */
    uint64_t packets[IO_WAYS];              /* over its link of the tree: from it, to it */
    uint32_t first[IO_WAYS], last[IO_WAYS]; /* calls at the Ethernet; TREE_NONE: none */
    uint32_t call;                          /* that the daemon is at */
    uint32_t answered;                      /* being answered; TREE_NONE: none */
    uint8_t doing;
};

/* Sums over all I/O nodes of a machine. */
struct io_counts {
    uint32_t nodes;
    uint64_t calls, bytes[IO_WAYS], packets[IO_WAYS];
    double busy, wire_busy[IO_WAYS]; /* cycles */
};

#endif
