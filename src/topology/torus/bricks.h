/*
 * Cutting a torus into bricks: partitions of the simulator.
 *
 * A brick is a box of nodes. Bricks are cut across their longest edge until they are small enough
 * and there are enough of them. Within a brick, nodes are numbered with the first dimension
 * fastest. Sizes need not be divisible.
 */
#ifndef WEFT_TOPOLOGY_TORUS_BRICKS_H
#define WEFT_TOPOLOGY_TORUS_BRICKS_H

#include "topology/torus/torus.h"

struct bricks {
    const struct torus *torus;
    uint32_t cuts[TORUS_MAX_DIMS]; /* bricks along each dimension */
    uint32_t count;
};

/*
 * Bricks of at most `most_nodes` nodes, and at least `least` of them if possible; up to `good` of
 * them as long as each keeps `good_nodes`.
 */
struct bricks_wish {
    uint32_t most_nodes, least, good, good_nodes;
};
void bricks_init(struct bricks *b, const struct torus *torus, const struct bricks_wish *wish);

/* Bricks with the given cuts; cuts[d] is limited to the size. */
void bricks_init_cuts(struct bricks *b, const struct torus *torus, const uint32_t *cuts);

/* The nodes of a brick. */
struct box bricks_box(const struct bricks *b, uint32_t brick);

/* The node with number `local` in a brick, and the reverse. */
uint32_t bricks_node(const struct bricks *b, uint32_t brick, uint32_t local);
void bricks_find(const struct bricks *b, uint32_t node, uint32_t *brick, uint32_t *local);

#endif
