/*
 * The routes that software gives to a DMA engine: a routing string and the VC to start on (KAUTZ,
 * 4.1 and 4.2), for the shortest route and for several that share nothing.
 */
#ifndef WEFT_NODE_DMA_PATHS_H
#define WEFT_NODE_DMA_PATHS_H

#include "fabric/crosspoint/network.h"

struct paths {
    const struct graph *graph;
    const struct graph_routes *routes;
    const struct crosspoint_params *params;
    struct crosspoint_derived derived;
};

/* A route to a node, ready for a packet. */
struct path {
    uint32_t string;
    uint8_t vc;
};

weft_status paths_init(struct paths *p, const struct graph *graph,
                       const struct graph_routes *routes, const struct crosspoint_params *params);

/* The shortest route. */
struct path paths_shortest(const struct paths *p, uint32_t from, uint32_t to);

/* Finds up to `most` routes that share nothing, leaving out those that need too many VCs; returns
 * how many, at least one. */
uint32_t paths_disjoint(const struct paths *p, uint32_t from, uint32_t to, uint32_t most,
                        struct path *path);

#endif
