/*
 * Cutting a torus into bricks: partitions of the simulator.
 *
 * A brick is a box of nodes. By default it is a midplane, 8x8x8 (TORUS: the simulator "partitions
 * its work on a midplane basis"), cut further while there are fewer bricks than threads.
 * Within a brick nodes are numbered with the first dimension fastest. Sizes need not divide.
 */
#ifndef WEFT_TOPOLOGY_BRICKS_H
#define WEFT_TOPOLOGY_BRICKS_H

#include "topology/torus.h"

struct bricks {
    const struct torus *torus;
    uint32_t cuts[TORUS_MAX_DIMS]; /* bricks along each dimension */
    uint32_t count;
};

/* Bricks of at most `edge` nodes along each dimension, at least `least` of them if possible. */
void bricks_init(struct bricks *b, const struct torus *torus, uint32_t edge, uint32_t least);

/* Bricks cut as told; cuts[d] is limited to the size. */
void bricks_init_cuts(struct bricks *b, const struct torus *torus, const uint32_t *cuts);

uint32_t bricks_nodes(const struct bricks *b, uint32_t brick);

/* The node with number `local` in a brick, and back. */
uint32_t bricks_node(const struct bricks *b, uint32_t brick, uint32_t local);
void bricks_find(const struct bricks *b, uint32_t node, uint32_t *brick, uint32_t *local);

#endif
