/*
 * The bandwidth bound of a traffic pattern under minimal routing.
 *
 * Whatever route an adaptive packet takes, source and destination fix the planes it crosses along
 * each dimension (a tie at half a ring counts half each way). So the packets through a plane,
 * divided by its links, are a load that some link must carry: the largest is a lower bound on the
 * busiest link. For each packet an acknowledgment crosses the plane the other way.
 */
#ifndef WEFT_TOPOLOGY_TORUS_BOUND_H
#define WEFT_TOPOLOGY_TORUS_BOUND_H

#include "topology/torus/torus.h"

/* Packets from each node of a box to each of another; none to itself. */
struct box_flow {
    struct box from, to;
    uint32_t dims;  /* mask: along other dimensions both ends have the same coordinate */
    double packets; /* per pair; less than 0 takes away from another flow */
};

struct bound {
    const struct torus *torus;
    /* [dim][plane][0 plus, 1 minus]: packets through the plane after that coordinate, as the
     * difference from the plane before. */
    double (*step[TORUS_MAX_DIMS])[2];
};

void bound_init(struct bound *b, const struct torus *torus);
void bound_fini(struct bound *b);

/* Adds `packets` from one node to another. */
void bound_add(struct bound *b, uint32_t from, uint32_t to, double packets);

/* Adds packets from one coordinate to another along one dimension. */
void bound_add_dim(struct bound *b, unsigned dim, uint32_t from, uint32_t to, double packets);

/* Adds `packets` from each node, spread evenly over the others in its group: the nodes that differ
 * only in the dimensions of the mask. */
void bound_add_uniform(struct bound *b, uint32_t dims, double packets);

/*
 * Byte times for which the busiest plane keeps its links busy, if a packet takes `slot` of them and
 * its acknowledgment `ack` on the way back.
 */
double bound_worst(const struct bound *b, double slot, double ack);

/* Mean utilisation of all links when the busiest plane's links are full: at most 1. */
double bound_peak_utilisation(const struct bound *b, double slot, double ack);

#endif
