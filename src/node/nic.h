/*
 * The one face of a network interface: what messages and traffic see of a machine, and all they
 * see.
 *
 * A nic is asked to post sends, and tells its client what becomes of them:
 *
 *   client: woken ─────────> nic_post(send) ─ ... packets ... ─> arrived, at the destination
 *                                        └──> sent: the source's buffer is free
 *
 * A send carries a 64-bit cargo that only its poster understands; every packet made of it brings
 * the cargo to its destination, across partitions and ranks. A nic says what it can do
 * (nic_traits), and protocols choose by that, never by a machine's name. All times lie in the
 * future of the caller or are now; nothing is called per byte. Processors' time is charged where it
 * is spent: by the nic for packets that a processor writes and reads, by the client for everything
 * else.
 *
 * A nic belongs to a network in partitions: calls name a node by its partition and its number
 * there, and are made by the thread that runs the partition.
 */
#ifndef WEFT_NODE_NIC_H
#define WEFT_NODE_NIC_H

#include <stdbool.h>

#include "engine/fine.h"

/* What a nic can do. */
struct nic_traits {
    uint64_t packet_payload; /* of a full packet, in bytes */
    bool ordered;            /* what a queue sends to a node, and each stream, keeps its order */
    bool engine;             /* makes packets of streams by itself; otherwise processors do */
    uint32_t queues;         /* processors per node that post side by side */
    uint32_t routes;         /* routes that share nothing, of one pair, at most */
    double cycles_per_us;
};

/* A node while something happens at it. */
struct nic_node {
    uint32_t partition, local; /* which partition, and its number there */
    uint32_t node;             /* its number in the machine */
};

/* A way to a node that nic_routes() found; {0}: whatever the nic finds best. */
struct nic_route {
    uint64_t handle;
};

enum nic_flag {
    NIC_STREAM = 1,   /* of a buffer, made into packets by the engine; otherwise by a processor */
    NIC_ADAPTIVE = 2, /* packets may take any shortest way, and overtake each other */
};

struct nic_send {
    uint32_t to; /* node */
    uint64_t bytes;
    uint64_t cargo;
    struct nic_route route;
    cycle_t birth;
    fine_t
        ready; /* not before; of a send that a processor makes, when it has made the first packet */
    fine_t gap;    /* that a processor needs from one packet to the next */
    uint8_t flags; /* enum nic_flag */
    uint8_t queue; /* of the processor that posts it */
};

/* A packet, or a whole send of a nic that makes no packets. */
struct nic_arrival {
    uint32_t source; /* node */
    uint32_t sequence;
    uint32_t bytes; /* of its send */
    uint64_t cargo;
    bool last; /* of its send, where packets keep their order */
};

struct nic_client {
    void *ctx;
    /* Makes what the client keeps for a partition, on the thread that will run it. */
    void (*prepare)(void *ctx, uint32_t partition, uint32_t nodes);
    /* At the start, when nic_wake() said, and whenever else the nic looks at the node. */
    void (*woken)(void *ctx, const struct nic_node *at, cycle_t now);
    /* The nic is done with what came at `when`. */
    void (*arrived)(void *ctx, const struct nic_node *at, const struct nic_arrival *arrival,
                    fine_t when);
    /* The last byte of a send has left at `when`; the send is as it was posted. */
    void (*sent)(void *ctx, const struct nic_node *at, const struct nic_send *send, fine_t when);
};

struct nic;

struct nic_kind {
    fine_t (*post)(struct nic *nic, const struct nic_node *at, const struct nic_send *send);
    uint32_t (*routes)(struct nic *nic, uint32_t from, uint32_t to, uint32_t most,
                       struct nic_route *route);
    void (*wake)(struct nic *nic, const struct nic_node *at, cycle_t when);
    fine_t (*notify)(struct nic *nic, const struct nic_node *at, fine_t when);
    cycle_t (*now)(const struct nic *nic, uint32_t partition);
    void (*await)(struct nic *nic, uint32_t partition, int processes);
};

/* The first member of each kind of nic. */
struct nic {
    const struct nic_kind *kind;
    struct nic_traits traits;
    uint32_t partitions;
    struct nic_client client;
};

/* Sends; returns when the processor that posts it is free again (now, if the nic works by itself).
 */
static inline fine_t nic_post(struct nic *n, const struct nic_node *at, const struct nic_send *send)
{
    return n->kind->post(n, at, send);
}

/* Up to `most` routes that share nothing; how many there are, one at least. */
static inline uint32_t nic_routes(struct nic *n, uint32_t from, uint32_t to, uint32_t most,
                                  struct nic_route *route)
{
    return n->kind->routes(n, from, to, most, route);
}

/* Has woken() called in a cycle, later than now. */
static inline void nic_wake(struct nic *n, const struct nic_node *at, cycle_t when)
{
    n->kind->wake(n, at, when);
}

/* The nic tells a processor that a message of several sends is complete; when it has. */
static inline fine_t nic_notify(struct nic *n, const struct nic_node *at, fine_t when)
{
    return n->kind->notify(n, at, when);
}

static inline cycle_t nic_now(const struct nic *n, uint32_t partition)
{
    return n->kind->now(n, partition);
}

/* A process more, or one less, that has not come to its end. */
static inline void nic_await(struct nic *n, uint32_t partition, int processes)
{
    n->kind->await(n, partition, processes);
}

#endif
