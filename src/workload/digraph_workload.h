/*
 * Workloads of machines whose nodes are joined by any directed graph: open-loop packets between
 * nodes, and scripts of processes that exchange messages (KAUTZ, 6).
 */
#ifndef WEFT_WORKLOAD_DIGRAPH_WORKLOAD_H
#define WEFT_WORKLOAD_DIGRAPH_WORKLOAD_H

#include "message/process.h"
#include "workload/workload.h"

struct digraph_workload {
    struct workload_params params;
    const struct paths *paths;
    const struct dma_params *dma;
    uint64_t seed;
    uint32_t *living;       /* nodes that are not dead */
    uint32_t nodes;         /* how many */
    uint32_t rows, columns; /* of the nodes, for a transpose */
    bool open;              /* measured in a window */
    bool scripted;          /* processes, else packets */

    /* Packets. */
    double rate_bound;      /* packets a cycle and sending node at the bound; 0: none */
    double mean_gap_cycles; /* between a node's packets; 0: none are sent */
    uint32_t senders;
    uint64_t permutation_key;

    /* Processes. */
    struct script script; /* its ctx is this workload */
    uint32_t processes, per_node;
    uint32_t *partner; /* of each process; NO_PROCESS: none */
    uint32_t *place;   /* ring: where a process stands in it; pairs: 0 or 1, who sends first */
    uint32_t *order;   /* ring: the process at each place */
    uint32_t core;     /* allreduce: the power of two that does the work */
};

/* Whether a pattern can be had on such a machine. */
bool digraph_workload_has(enum pattern pattern);

weft_status digraph_workload_create(const struct workload_params *params, const struct paths *paths,
                                    const struct dma_params *dma, uint32_t most_per_node,
                                    uint64_t seed, struct digraph_workload **workload);
void digraph_workload_destroy(struct digraph_workload *workload);

/* Where a node's packet goes, and its payload (source_options.packet). */
bool digraph_workload_packet(void *workload, uint32_t node, uint32_t sequence, uint32_t *to,
                             uint32_t *bytes);

/* digraph_scripts.c: the scripts. */
weft_status digraph_scripts_setup(struct digraph_workload *w);

#endif
