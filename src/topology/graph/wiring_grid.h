/* Minimal routes of tori and meshes by differences: a part of wiring_routes. */
#ifndef WEFT_TOPOLOGY_GRAPH_WIRING_GRID_H
#define WEFT_TOPOLOGY_GRAPH_WIRING_GRID_H

#include "topology/graph/wiring.h"

struct wiring_grid {
    struct torus torus;
    uint32_t shift[TORUS_MAX_DIMS][TORUS_MAX_DIMS]; /* struct wiring */
    bool twisted[TORUS_MAX_DIMS], any_twisted;
    uint32_t stride[TORUS_MAX_DIMS]; /* of differences along a dimension */
    uint32_t differences;
    uint32_t *place;      /* [switch * dims + dimension]: its coordinates */
    uint8_t *port;        /* [switch * 2 dims + direction] */
    uint16_t *directions; /* [difference] that come nearer, a bit each */
    uint8_t *hops;        /* [difference] */
};

/* WEFT_BAD_INPUT: a route is too long. In any case *grid is there to be destroyed. */
weft_status wiring_grid_create(const struct wiring *w, struct wiring_grid **grid,
                               uint32_t *diameter, double *mean_distance);
void wiring_grid_destroy(struct wiring_grid *g);
uint64_t wiring_grid_memory(const struct wiring *w);

/* The complaint about a route with too many hops. */
weft_status wiring_refuse_length(uint32_t from, uint32_t to);

#endif
