/*
 * Broadcasts over links that nobody else uses: how copies of a packet spread from a root over a
 * mesh or torus, if a packet leaves one at every node of a straight line that it passes.
 *
 * A message is cut into colours, which share no link. If all dimensions are rings, there is a
 * colour for each direction, otherwise one for each dimension. Colour a takes dimension a first,
 * then the others in turn:
 *
 *   1. from the root along a;
 *   2. each node of that line: along b; each node of that plane: along c; ...
 *   3. the nodes that do not differ from the root along a (the root's column, here) get theirs from
 *      beside them: on a torus over the ring's closing link, on a mesh from a neighbour
 *
 *       a mesh, colour a                a torus, colour a+
 *       o<──o   o   o                ──>o   o   o   o──
 *           ^   ^   ^                       ^   ^   ^
 *       o<──o   o   o                ──>o   o   o   o──
 *           ^   ^   ^                       ^   ^   ^
 *       R──>o──>o──>o                   R──>o──>o──>o
 */
#ifndef WEFT_TOPOLOGY_TORUS_FLOOD_H
#define WEFT_TOPOLOGY_TORUS_FLOOD_H

#include "topology/torus/torus.h"

enum { FLOOD_WAYS_MOST = 2 * TORUS_MAX_DIMS + 1 };

struct flood {
    const struct torus *torus;
    unsigned colours; /* 0: a single node */
    unsigned dims;    /* of those wanted: longer than 1, */
    uint8_t dim[TORUS_MAX_DIMS];
    bool rings; /* and all of them rings */
};

/* A straight line from a node. */
struct flood_way {
    uint8_t port;
    uint16_t hops;
};

/* Over the nodes that differ in some of the dimensions only: bit d of the mask is dimension d. */
struct flood flood_make(const struct torus *torus, uint32_t dims);

/* Where a node sends packets of a colour, once it has them; returns how many ways. `root` differs
 * from the node in no other dimension. */
unsigned flood_ways(const struct flood *flood, uint32_t root, unsigned colour, uint32_t node,
                    struct flood_way way[FLOOD_WAYS_MOST]);

#endif
