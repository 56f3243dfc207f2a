/*
 * A network without internal contention: a packet arrives after a latency, whatever else is on its
 * way. It is the baseline for real networks: whatever is slower there is due to congestion or
 * distance. The NIC (node/ports) models contention at a node's own ports.
 *
 * A cycle is a nanosecond. Packets stay whole, however long they are.
 */
#ifndef WEFT_FABRIC_IDEAL_NETWORK_H
#define WEFT_FABRIC_IDEAL_NETWORK_H

#include "config/keys.h"
#include "engine/fine.h"
#include "fabric/face.h"
#include "fabric/network.h"
#include "topology/graph/routes.h"
#include "topology/torus/torus.h"

/* An ideal network as its keys describe it: its number of nodes, and their distances. */

enum { IDEAL_NODES_MOST = 1 << 20, IDEAL_GRAPH_NODES = 1 << 14 };

struct ideal_config {
    uint32_t nodes_given; /* 0: as many as the topology has */
    char topology[CONFIG_TEXT];
    double latency_ns, hop_ns; /* of a message, whatever its length */
    uint32_t packet_bytes;     /* of a full packet, in patterns of packets */
    uint32_t partitions;       /* 0: by the number of threads */

    uint32_t nodes; /* after ideal_config_finish() */
};

extern const struct key_section ideal_section;
extern const struct key_table ideal_keys;

/* Checks that the values fit together, and counts the nodes. */
weft_status ideal_config_finish(struct ideal_config *c);

/*
 * Hops between nodes: none (all equally near), along a torus or mesh, or through a directed graph.
 */
struct ideal_topology {
    struct torus torus; /* dims 0: none */
    struct graph graph;
    uint8_t *hops; /* graph: [to * nodes + from]; NULL: none */
    uint32_t nodes, diameter;
};

weft_status ideal_topology_init(struct ideal_topology *t, const struct ideal_config *c);
void ideal_topology_fini(struct ideal_topology *t);

/* Hops from one node to another. */
uint32_t ideal_distance(const struct ideal_topology *t, uint32_t from, uint32_t to);

#define IDEAL_CYCLES_PER_SECOND 1e9

/* The two ports of a node, where time is measured. */
enum { IDEAL_OUT, IDEAL_IN, IDEAL_PORTS };

struct ideal_packet {
    fine_t when; /* when its first byte is at the receiver's port */
    cycle_t birth;
    uint64_t cargo;
    uint32_t source, sequence;
    uint64_t bytes;
    uint32_t destination;
    uint32_t next;
};

/* Where a port of a node is measured by itself (detail.h). */
static inline uint32_t ideal_slot(uint32_t local, unsigned port)
{
    return local * IDEAL_PORTS + port;
}

struct ideal_network;

/* No packet arrives after it; times of one message more still fit. */
#define IDEAL_LAST_CYCLE (CYCLE_END / 2)

/* The most cycles that one message may take. */
#define IDEAL_LONGEST_CYCLES 1e12

struct ideal_network_options {
    const struct ideal_config *config;
    const struct ideal_topology *topology;
    struct face_client client;
    uint32_t partitions;
    struct measure_plan plan;
};

weft_status ideal_network_create(const struct ideal_network_options *options,
                                 struct ideal_network **network);

/* The least memory that a machine takes, in bytes. */
uint64_t ideal_network_memory(uint32_t nodes);

/* What it offers to the nics of its nodes. Their ports are their own: a packet leaves when it says,
 * now or later. Packets are handed over when their first byte comes; those of one cycle in the
 * order of their times, sources and numbers, before the node is served. */
extern const struct face ideal_face;

#endif
