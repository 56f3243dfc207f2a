/*
 * The six axes of Tofu (TOFU, "Tofu interconnect architecture"): x, y, z of any length, rings or
 * lines; a and c of two nodes, lines; b of three, a ring. It is a torus of six dimensions
 * (topology/torus/torus.h) whose nodes have ten links:
 *
 *   port  0  1  2  3  4  5  6  7  8  9
 *         x+ x- y+ y- z+ z- a  b+ b- c
 *
 * The twelve nodes that have x, y and z in common are a node group; four of them that have b in
 * common, too, are on one system board.
 */
#ifndef WEFT_FABRIC_TOFU_SHAPE_H
#define WEFT_FABRIC_TOFU_SHAPE_H

#include "topology/torus/torus.h"

enum tofu_axis { TOFU_X, TOFU_Y, TOFU_Z, TOFU_A, TOFU_B, TOFU_C, TOFU_AXES };

enum tofu_port { TOFU_PORT_A = 6, TOFU_PORT_B_PLUS, TOFU_PORT_B_MINUS, TOFU_PORT_C, TOFU_LINKS };

enum { TOFU_GROUP_NODES = 12, TOFU_BOARD_NODES = 4, TOFU_PATHS = TOFU_GROUP_NODES };

/* WEFT_BAD_INPUT: not a shape of Tofu. Sets which of the axes a, b and c are rings. */
weft_status tofu_shape_finish(struct torus *shape);

/* "x+", ..., "a", "b+", "b-", "c" */
const char *tofu_port_name(unsigned port);

static inline enum tofu_axis tofu_port_axis(unsigned port)
{
    static const uint8_t axis[TOFU_LINKS] = {TOFU_X, TOFU_X, TOFU_Y, TOFU_Y, TOFU_Z,
                                             TOFU_Z, TOFU_A, TOFU_B, TOFU_B, TOFU_C};
    return (enum tofu_axis)axis[port];
}

/* The port at the other end of a link. */
static inline unsigned tofu_opposite(unsigned port)
{
    static const uint8_t opposite[TOFU_LINKS] = {1, 0, 3, 2, 5, 4, 6, 8, 7, 9};
    return opposite[port];
}

/* The node behind a port; TORUS_NO_NODE where there is no link. */
uint32_t tofu_neighbour(const struct torus *shape, uint32_t node, unsigned port);

/* The fewest directed links between halves of the machine, cut across an axis of even length or
 * across the longest. */
uint64_t tofu_bisection_links(const struct torus *shape);

/* Links of the whole machine that leave their nodes by a port. */
uint64_t tofu_links(const struct torus *shape, unsigned port);

#endif
