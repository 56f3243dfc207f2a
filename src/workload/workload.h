/*
 * Workloads: which packets each node sends, and the bandwidth bound of that traffic.
 *
 * Open-loop patterns offer a load (a share of their bound) during warm-up and measurement; then
 * the network drains. Closed ones end when their last byte has arrived.
 */
#ifndef WEFT_WORKLOAD_WORKLOAD_H
#define WEFT_WORKLOAD_WORKLOAD_H

#include "node/fifo/endpoint.h"

enum pattern {
    PATTERN_ALLTOALL,
    PATTERN_UNIFORM,
    PATTERN_HOTREGION,
    PATTERN_HOTSPOT,
    PATTERN_NEIGHBOUR,
    PATTERN_PINGPONG,
    PATTERN_LINEFILL,
    PATTERN_PLANEFILL,
    PATTERN_TRANSPOSE,
    PATTERN_BITCOMPLEMENT,
    PATTERN_BITREVERSE,
    PATTERN_TORNADO,
    PATTERN_SHUFFLE,
    PATTERN_PERMUTATION,
    PATTERN_PAIRS,
    PATTERN_RING,
    PATTERN_ALLREDUCE,
    PATTERN_SURVEY, /* nothing is sent: what the topology is */
    PATTERN_COUNT,
};

/* Of processes (digraph_workload.h). */
enum exchange { EXCHANGE_BOTH, EXCHANGE_ONE_WAY, EXCHANGE_TURNS };
enum pairing { PAIRING_RANDOM, PAIRING_TRANSPOSE };
enum algorithm { ALGORITHM_AUTO, ALGORITHM_DOUBLING, ALGORITHM_HALVING };

struct byte_list {
    uint32_t count, value[8];
};

enum within { WITHIN_ALL, WITHIN_LINE, WITHIN_PLANE };

struct workload_params {
    enum pattern pattern;
    uint8_t chunks[TORUS_MAX_CHUNKS]; /* packet sizes, drawn evenly */
    uint32_t sizes;
    double dynamic_share; /* of packets routed dynamically */
    double high_share;    /* of packets with high priority */
    uint32_t groups;      /* of reception FIFOs in use: 1 or 2 */

    /* Open loop. */
    double load;
    cycle_t warmup_cycles, cycles, drain_cycles; /* drain 0: until empty */
    double hot_share;

    /* Closed. */
    uint32_t packets_per_pair;
    uint64_t bytes_per_pair;    /* payload; if not 0, instead of packets_per_pair and sizes */
    uint32_t packets_per_visit; /* to a destination before the next one's turn */
    enum within within;
    uint32_t dim;           /* a line's dimension, a plane's normal */
    struct torus hot;       /* size of the hot box; dims 0: the pattern's default */
    uint64_t message_bytes; /* payload of a ping-pong or fill */
    uint32_t messages;      /* round trips of a ping-pong */
    uint32_t hops;          /* between ping and pong */
    bool deposit;

    /* Processes, and packets between nodes of a graph. */
    struct byte_list payloads; /* drawn evenly */
    uint32_t processes_per_node, processes, pairs;
    enum exchange exchange;
    enum pairing pairing;
    enum algorithm algorithm;
};

struct workload {
    struct workload_params params;
    const struct torus *torus;
    struct program program; /* its ctx is this workload */
    uint64_t seed;
    uint32_t software_header_bytes;
    bool open;
    double rate_bound;   /* open: packets a cycle and sending node at the bound; 0: none */
    double bound_cycles; /* closed: time that the busiest links need; 0: none */
    uint64_t deliveries; /* closed: expected, copies included */
    uint32_t senders;    /* nodes that send */
    uint32_t group_dims; /* mask of the dimensions in which a group's nodes differ */
    uint32_t group_nodes;
    uint32_t hot_nodes, hot_links; /* nodes of the hot box; links into it */
    uint32_t pair_packets;         /* of an all-to-all or hot spot, from a node to another */
    uint32_t message_packets;      /* of a ping-pong message or fill */
    uint32_t ping, pong;           /* nodes */
    uint32_t arrived[2];           /* packets of the running message at ping, pong */
    cycle_t arrived_last[2];
    uint64_t permutation_key;
};

/* By pattern, and a NULL behind the last. */
extern const char *const pattern_names[];

const char *pattern_name(enum pattern pattern);
bool pattern_is_open(enum pattern pattern);

/* On a torus; and of processes on a graph, where others are packets. */
bool pattern_is_for_torus(enum pattern pattern);
bool pattern_is_scripted(enum pattern pattern);

/* The fixed partner of a node by numbers alone; itself or out of range: it is silent. */
uint32_t pattern_partner(enum pattern pattern, uint32_t nodes, uint32_t node, uint64_t key);

weft_status workload_create(const struct workload_params *params, const struct torus *torus,
                            const struct torus_params *router, uint32_t software_header_bytes,
                            uint64_t seed, struct workload **workload);
void workload_destroy(struct workload *workload);

/* Saves what a workload keeps while it runs, or takes it in. */
void workload_archive(struct workload *workload, struct archive *archive);

/* Whether a node lies in the hot box, which starts at the origin. */
bool workload_is_hot(const struct workload *workload, uint32_t node);

/* ---- between the files of this folder ---- */

/* patterns.c: where an open-loop packet goes; false: this node does not send. */
bool pattern_send(const struct workload *w, uint32_t node, uint32_t sequence, struct send *send);
void pattern_bound(struct workload *w, const struct torus_params *router);

/* programs.c: the closed workloads. */
weft_status program_setup(struct workload *w, const struct torus_params *router);

/* Packets of a message with so much payload, and the size of one of them. */
uint64_t workload_message_packets(const struct workload *w, uint64_t payload);
void workload_message_packet(const struct workload *w, uint64_t payload, uint32_t index,
                             struct send *send);

/* Size, routing and priority of a packet, drawn. */
void workload_dress(const struct workload *w, uint32_t node, uint32_t sequence, struct send *send);

/* Byte times of a link that a packet takes on average, without its acknowledgment. */
double workload_mean_slot(const struct workload *w, const struct torus_params *router);

/* Node number `index` of the hot box. */
uint32_t workload_hot_node(const struct workload *w, uint32_t index);

#endif
