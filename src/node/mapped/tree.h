/*
 * The tree network of Blue Gene/L and its global interrupts (MSG, 2 and 3), beside the torus: on
 * the same nodes, partitions and wheels.
 *
 * The living nodes form a heap: node number i of them has the children a * i + 1 ... a * i + a, for
 * an arity a. A packet of 256 bytes and 10 of control occupies a link for its length; its head is
 * at the next node a hop later and goes on at once (cut-through), if the link there is free and the
 * node behind it has room. Two virtual channels share a link:
 *
 *   combined   VC 0, upwards: a node's ALU combines the packets of all its children and its own,
 *              in order, and sends one on; at the root they end (TREE_REDUCE) or turn round
 *              (TREE_ALL)
 *   cast       VC 0, downwards: to every node
 *   point      VC 1: to one node, up as far as needed, then down, with a word of 64 bits that says
 *              what it is; a cast from elsewhere goes up to the root this way, in buffers of its
 *              own behind each link: it may wait for nodes that wait for points
 *
 * Combined packets and casts are of a class (tree_classes.h), which says which nodes take part. I/O
 * nodes (io_node.h) hang on free ports; only points go to and from them.
 *
 * A node's processor writes packets into an injection FIFO and reads them from a reception FIFO of
 * each VC. When nobody reads, packets wait, all the way back.
 *
 * Links make errors as those of the torus do: a corrupted packet is found by its check and sent
 * again, and those behind it wait.
 *
 * Global interrupts: a wire that all nodes drive. When the last node has entered a barrier, all see
 * it a fixed time later, which grows with the levels of the tree.
 */
#ifndef WEFT_NODE_MAPPED_TREE_H
#define WEFT_NODE_MAPPED_TREE_H

#include "config/keys.h"
#include "fabric/errors.h"
#include "fabric/torus/network.h"
#include "node/core.h"
#include "node/mapped/io_node.h"
#include "node/mapped/tree_classes.h"
#include "node/nic.h"

enum { TREE_ARITY_MOST = 4, TREE_NODES_MOST = 1 << 22 };

struct tree_params {
    uint32_t arity;
    double mb_per_s;
    uint32_t packet_bytes, control_bytes;
    uint32_t hop_cycles;
    uint32_t fifo_packets, link_packets; /* room for each VC: at the processor, at a link's end */
    double barrier_ns, barrier_hop_ns;   /* of a global interrupt: fixed, and per level and way */
    char classes[CONFIG_TEXT];           /* tree_classes.h; none: class 0 alone */
};

extern const struct key_section tree_section;
extern const struct key_table tree_keys;

/* WEFT_BAD_INPUT: a packet or a barrier takes more cycles than there are. The tree has so many
 * nodes, and a cycle is a byte time of the torus. */
weft_status tree_check_times(const struct tree_params *params, uint32_t nodes,
                             double link_mb_per_s);

struct tree_options {
    const struct tree_params *params;
    const struct io_params *io;
    const struct tree_classes *classes;
    const struct core_params *cores; /* of I/O nodes */
    const struct error_params *errors;
    double link_mb_per_s; /* of the torus, whose byte times are the cycles */
    uint32_t nodes;
    const bool *dead; /* [node]; NULL: none */
    struct bricks bricks;
    uint64_t seed;
};

struct tree;

struct tree *tree_create(const struct tree_options *options);
void tree_destroy(struct tree *tree);

/* Makes the channels between partitions; at set-up. */
void tree_connect(struct tree *tree, struct torus_network *network);

/* Calls of the torus's client (network.h): a partition's memory; events; and a node's step, which
 * comes after its events and whenever something was injected or read. */
void tree_prepare(struct tree *tree, struct network_part *part);
void tree_event(struct tree *tree, uint32_t partition, uint32_t local, unsigned what, unsigned more,
                uint32_t payload, cycle_t now);
bool tree_is_event(const struct tree *tree, uint32_t partition, uint32_t local, unsigned what,
                   unsigned more, uint32_t payload);
void tree_step(struct tree *tree, const struct nic_node *at, cycle_t now);

/* The processor's side. */
struct nic_tree *tree_face(struct tree *tree);

/* The least time that an event takes to another partition. */
uint32_t tree_least_cycles(const struct tree_params *params);

void tree_archive(struct tree *tree, uint32_t partition, struct archive *archive);

struct tree_counts {
    uint64_t packets, retransmitted; /* over links */
};
struct tree_counts tree_counts(const struct tree *tree);
struct io_counts tree_io_counts(const struct tree *tree);
uint32_t tree_packet_cycles(const struct tree *tree); /* on a link */

/* I/O nodes of so many living nodes. */
static inline uint32_t tree_io_nodes(uint32_t living, uint32_t nodes_per)
{
    return nodes_per ? (living + nodes_per - 1) / nodes_per : 0;
}

#endif
