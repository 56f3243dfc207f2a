/*
 * Minimal routes of tori and meshes, twisted or not. Which directions come nearer to a leaf depends
 * on its difference alone: how far it is along each dimension, around rings as far forward as it
 * is. So a table has an entry per difference, not per pair of nodes.
 */
#ifndef WEFT_TOPOLOGY_GRAPH_GRID_ROUTES_H
#define WEFT_TOPOLOGY_GRAPH_GRID_ROUTES_H

#include "topology/graph/graph.h"

struct grid_routes {
    struct torus torus;
    uint32_t shift[TORUS_MAX_DIMS][TORUS_MAX_DIMS]; /* struct graph */
    bool twisted[TORUS_MAX_DIMS], any_twisted;
    uint32_t stride[TORUS_MAX_DIMS]; /* of differences along a dimension */
    uint32_t differences;
    uint32_t *place;      /* [node * dims + dimension]: its coordinates */
    uint8_t *port;        /* [node * 2 dims + direction] */
    uint16_t *directions; /* [difference] that come nearer, a bit each */
    uint8_t *hops;        /* [difference] */
    uint32_t diameter;
    double mean_distance;
    bool fits;                 /* no route has more than GRAPH_MAX_HOPS; otherwise, */
    uint32_t far_from, far_to; /* this one has */
};

struct grid_routes *grid_routes_create(const struct graph *graph);
void grid_routes_destroy(struct grid_routes *g);
uint64_t grid_routes_memory(const struct graph *graph);

uint64_t grid_routes_ports(const struct grid_routes *g, uint32_t from, uint32_t to);
uint32_t grid_routes_hops(const struct grid_routes *g, uint32_t from, uint32_t to);

#endif
