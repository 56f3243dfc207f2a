/*
 * Open-loop traffic on DMA engines: packets that are born at random times and go where a pattern
 * says, without software. Those that wait are not stored: a node makes its next packets when the
 * engine has sent some of the few in its hands.
 */
#ifndef WEFT_NODE_DMA_SOURCE_H
#define WEFT_NODE_DMA_SOURCE_H

#include "node/dma/paths.h"

struct source_options {
    const struct paths *paths;
    void *ctx;
    /* Where a node's packet goes, and its payload; false: the node does not send. */
    bool (*packet)(void *ctx, uint32_t node, uint32_t sequence, uint32_t *to, uint32_t *bytes);
    double mean_gap_cycles; /* between a node's packets, exponential; 0: none are sent */
    cycle_t stop_at;        /* no births from here on */
    uint32_t partitions;
    uint64_t seed;
};

struct sources;

struct sources *sources_create(const struct source_options *options);
void sources_destroy(struct sources *sources);
struct dma_client sources_client(struct sources *sources);
void sources_attach(struct sources *sources, struct dmas *dmas);
void sources_archive(struct sources *sources, struct archive *archive);

#endif
