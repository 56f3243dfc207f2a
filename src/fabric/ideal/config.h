/* An ideal network as its keys describe it: its number of nodes, and their distances. */
#ifndef WEFT_FABRIC_IDEAL_CONFIG_H
#define WEFT_FABRIC_IDEAL_CONFIG_H

#include "config/keys.h"
#include "topology/graph/routes.h"
#include "topology/torus/torus.h"

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

#endif
