/*
 * What each link of Tofu carries of a pattern: its flows, by the routes that their packets take.
 *
 * Routes are fixed by source and destination, so that, unlike on a torus whose packets adapt, no
 * link can leave work to another. With an I/O plane the links of z = 0 carry most: packets of I/O
 * nodes go along x and y before they leave it, and packets to I/O nodes after they have come to it.
 */
#ifndef WEFT_FABRIC_TOFU_LOAD_H
#define WEFT_FABRIC_TOFU_LOAD_H

#include "fabric/tofu/route.h"
#include "topology/torus/bound.h"

struct tofu_load {
    const struct tofu_routing *routing;
    unsigned path; /* that senders take, 1 to TOFU_PATHS; 0: all in turn */
    double *link;  /* [node * TOFU_LINKS + port]: packets */
};

void tofu_load_init(struct tofu_load *l, const struct tofu_routing *routing, unsigned path);
void tofu_load_fini(struct tofu_load *l);

/* Adds `packets` from one node to another. */
void tofu_load_add(struct tofu_load *l, uint32_t from, uint32_t to, double packets);

/* Adds flows between boxes. Where something is dead, detours count on small machines only: on
 * others packets are taken to go as if it lived. */
void tofu_load_add_boxes(struct tofu_load *l, const struct box_flow *flow);

/* Cycles for which the busiest link is kept busy, if a packet takes `lines` of them and its
 * acknowledgment `ack` of the link back. */
double tofu_load_worst(const struct tofu_load *l, double lines, double ack);

#endif
