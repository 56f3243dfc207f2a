/*
 * I/O nodes. Every machine says what they can do, for files of MPI programs (mpi/object/storage.h).
 * On Blue Gene/L programs of messages also reach them packet by packet.
 *
 * Function shipping (MSG, 2): a system call of a compute node travels over the tree to the I/O node
 * of its processing set, whose daemon performs it and answers. What both ends know of it:
 *
 *   write   the call's header and its data ──────>  IO_WRITE, IO_DATA, IO_DATA ...
 *                                       <────────  IO_REPLY: a status
 *   read    the header ──────────────────────────>  IO_READ
 *                                       <────────  IO_REPLY ...: a status and the data
 *
 * The daemon has one buffer for each process of its set: longer calls are made piece by piece. All
 * packets are full; the header takes the first bytes of what is sent either way.
 */
#ifndef WEFT_NODE_IO_H
#define WEFT_NODE_IO_H

#include <stdint.h>

#include "config/keys.h"

/* The I/O path of a machine: its I/O nodes. */
struct io_params {
    uint32_t nodes_per; /* compute nodes of an I/O node; 0: there are no I/O nodes */
    double mb_per_s;    /* to and from storage, each way */
    double call_us;     /* of an I/O node's processor */
    /* Of calls over a tree: */
    uint32_t header_bytes; /* of a call, and of its answer */
    uint32_t buffer_bytes; /* for each process: more is several calls; 0: there is no tree */
};

extern const struct key_section io_section;
extern const struct key_table io_keys;

enum io_kind { IO_WRITE, IO_READ, IO_DATA, IO_REPLY, IO_KINDS };

/* Processes of a node, at most. */
enum { IO_SLOTS = 2 };

/* What a packet says, as a point's cargo. */
struct io_cargo {
    uint8_t kind, slot; /* enum io_kind; of the process that calls, on its node */
    uint32_t bytes;     /* of the piece that is written or read */
};

static inline uint64_t io_pack(struct io_cargo c)
{
    return (uint64_t)c.bytes << 32 | (uint64_t)c.slot << 8 | c.kind;
}

static inline struct io_cargo io_unpack(uint64_t cargo)
{
    return (struct io_cargo){.kind = cargo & 0xff, .slot = cargo >> 8 & 0xff, .bytes = cargo >> 32};
}

/* Packets that carry the header and so many bytes. */
static inline uint32_t io_packets(uint64_t bytes, uint32_t header_bytes, uint32_t packet_bytes)
{
    return (uint32_t)((bytes + header_bytes + packet_bytes - 1) / packet_bytes);
}

#endif
