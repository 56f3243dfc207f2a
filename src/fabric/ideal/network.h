/*
 * A network without contention inside: what is sent arrives after a latency, whatever else is on
 * its way. The baseline that real networks are compared with: what is slower there is congestion,
 * or distance. Contention at the nodes' own ports is their nic's (node/ports).
 *
 * A cycle is a nanosecond. What is sent stays whole, however long it is.
 */
#ifndef WEFT_FABRIC_IDEAL_NETWORK_H
#define WEFT_FABRIC_IDEAL_NETWORK_H

#include "engine/fine.h"
#include "fabric/ideal/config.h"
#include "fabric/network.h"

#define IDEAL_CYCLES_PER_SECOND 1e9

/* The two ports of a node, where time is measured. */
enum { IDEAL_OUT, IDEAL_IN, IDEAL_PORTS };

struct ideal_packet {
    fine_t when; /* its first byte is at the receiver's port */
    cycle_t birth;
    uint64_t cargo;
    uint32_t source, sequence;
    uint32_t destination;
    uint32_t bytes;
    uint32_t next;
};

struct ideal_part;
struct ideal_network;

struct ideal_client {
    void *ctx;
    /* Makes what the client keeps for a partition; on the thread that will run it. */
    void (*prepare)(void *ctx, struct ideal_part *part, uint32_t partition, uint32_t nodes);
    /* A packet's first byte is here in this cycle; those of one cycle come in the order of their
     * times, sources and numbers. When all of it is received, in fine time. */
    fine_t (*deliver)(void *ctx, struct ideal_part *part, uint32_t local, uint32_t node,
                      const struct ideal_packet *packet);
    /* The node was woken; after what is delivered in the cycle. */
    void (*serve)(void *ctx, struct ideal_part *part, uint32_t local, uint32_t node, cycle_t now);
};

struct ideal_network_options {
    const struct ideal_config *config;
    const struct ideal_topology *topology;
    struct ideal_client client;
    uint32_t partitions;
    cycle_t measure_from, measure_to;
    cycle_t interval;
};

weft_status ideal_network_create(const struct ideal_network_options *options,
                                 struct ideal_network **network);

/* The partition of a node, and its number there. */
void ideal_network_locate(const struct ideal_network *network, uint32_t node, uint32_t *partition,
                          uint32_t *local);

/* Memory that a machine takes at the least, in bytes. */
uint64_t ideal_network_memory(uint32_t nodes);

/* ---- for clients, during serve and deliver ---- */

/* A packet's first byte leaves its node's port at `when`, now or later. Its source, sequence and
 * when are filled in. */
void ideal_send(struct ideal_part *part, uint32_t local, const struct ideal_packet *packet,
                fine_t when);

/* A port (IDEAL_OUT, IDEAL_IN) is busy for a time; for the measures. */
void ideal_busy(struct ideal_part *part, unsigned port, fine_t start, fine_t length);

/* Has serve called in a cycle, later than now. */
void ideal_wake(struct ideal_part *part, uint32_t local, cycle_t when);

/* A process more, or one less, that has not come to its end. */
void ideal_await(struct ideal_part *part, int processes);

uint32_t ideal_part_index(const struct ideal_part *part);
cycle_t ideal_now(const struct ideal_part *part);

#endif
