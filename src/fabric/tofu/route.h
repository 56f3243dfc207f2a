/*
 * Routes (TOFU, "Multipath routing function" and "I/O communication routing"). A packet goes in
 * three phases, each by a shortest way:
 *
 *   1. along b, c, a to a relay in its source's node group, which its sender chooses: twelve paths
 *   2. along x, y, z in the order of its group of virtual channels to its destination's node group
 *   3. along a, c, b to its destination
 *
 * Path 1 has the source itself as relay; path 1 + da + 2 db + 6 dc has the node that lies da, db
 * and dc further along a, b and c. Software chooses the path, and detours around what is dead by
 * choosing another; where none of the twelve is whole, by the other group of channels or the long
 * way around a ring.
 *
 * Each group has two virtual channels. Phase 1 has the lower, phase 3 the higher one; in phase 2 a
 * packet changes to the higher one when it passes the last link of a ring, and starts again with
 * the lower one along the next axis. Along b no packet takes two hops, so that ring needs nothing.
 */
#ifndef WEFT_FABRIC_TOFU_ROUTE_H
#define WEFT_FABRIC_TOFU_ROUTE_H

#include "fabric/tofu/faults.h"

/* Groups of virtual channels. */
enum tofu_group { TOFU_GROUP_COMPUTE, TOFU_GROUP_IO, TOFU_GROUPS };

enum { TOFU_GROUP_VCS = 2, TOFU_VCS = TOFU_GROUPS * TOFU_GROUP_VCS };

/*
 * A route, as a packet carries it; 0: at its destination. From the low bits:
 *   phase 1: b 2 bits (1 plus, 2 minus), c 1, a 1; phase 3: a 1, c 1, b 2;
 *   phase 2: three fields of 16 bits in order, each a port (3 bits) and the hops left
 */
typedef uint64_t tofu_route_t;

enum tofu_route_bits {
    ROUTE_B1 = 0,
    ROUTE_C1 = 2,
    ROUTE_A1 = 3,
    ROUTE_A3 = 4,
    ROUTE_C3 = 5,
    ROUTE_B3 = 6,
    ROUTE_XYZ = 8,
    ROUTE_FIELD = 16,
    ROUTE_HOPS = 3, /* within a field */
};

/* What a path is made from. */
struct tofu_path {
    uint8_t number; /* 1 to 12 */
    uint8_t group;  /* enum tofu_group */
    uint8_t around; /* bit per axis x, y, z: the long way around its ring */
};

struct tofu_routing {
    const struct torus *shape;
    const struct tofu_faults *faults;
    uint8_t order[TOFU_GROUPS][3]; /* of x, y and z, by group */
    bool io_plane;                 /* nodes with z = 0 are I/O nodes */
};

/* The group that a node's packets use, unless they have to detour. */
static inline enum tofu_group tofu_group_of(const struct tofu_routing *r, uint32_t node)
{
    const struct torus *t = r->shape;
    uint32_t z = node / (t->size[TOFU_X] * t->size[TOFU_Y]) % t->size[TOFU_Z];
    return r->io_plane && z == 0 ? TOFU_GROUP_IO : TOFU_GROUP_COMPUTE;
}

/* The route of a path; false: it has none (the long way around a line, or around nothing). */
bool tofu_route_make(const struct tofu_routing *r, uint32_t from, uint32_t to,
                     struct tofu_path path, tofu_route_t *route);

/* Whether every link of a route lives, and it leads to `to`. */
bool tofu_route_is_whole(const struct tofu_routing *r, uint32_t from, uint32_t to,
                         tofu_route_t route);

/* The path of this number or, if that is not whole, another; false: there is none. */
bool tofu_route_choose(const struct tofu_routing *r, uint32_t from, uint32_t to, unsigned number,
                       struct tofu_path *path, tofu_route_t *route);

/* Up to `most` paths that have no link in common, the shortest first; returns how many. */
unsigned tofu_route_disjoint(const struct tofu_routing *r, uint32_t from, uint32_t to,
                             unsigned most, struct tofu_path *path);

/* WEFT_BAD_INPUT, with the pair, if two living nodes have no path. */
weft_status tofu_check_paths(const struct tofu_routing *r);

/* The port by which a route goes on; the route must not have ended. */
static inline unsigned tofu_route_port(tofu_route_t route)
{
    static const uint8_t first[16] = {0,           TOFU_PORT_B_PLUS, TOFU_PORT_B_MINUS, 0,
                                      TOFU_PORT_C, TOFU_PORT_B_PLUS, TOFU_PORT_B_MINUS, 0,
                                      TOFU_PORT_A, TOFU_PORT_B_PLUS, TOFU_PORT_B_MINUS, 0,
                                      TOFU_PORT_C, TOFU_PORT_B_PLUS, TOFU_PORT_B_MINUS, 0};
    static const uint8_t last[16] = {
        0,           TOFU_PORT_A, TOFU_PORT_C,       TOFU_PORT_A, TOFU_PORT_B_PLUS, TOFU_PORT_A,
        TOFU_PORT_C, TOFU_PORT_A, TOFU_PORT_B_MINUS, TOFU_PORT_A, TOFU_PORT_C,      TOFU_PORT_A};
    uint64_t xyz = route >> ROUTE_XYZ;
    if (route & 15)
        return first[route & 15];
    if (xyz)
        return xyz >> (__builtin_ctzll(xyz) & ~15) & 7;
    return last[route >> ROUTE_A3 & 15];
}

/* The route after a hop. */
static inline tofu_route_t tofu_route_advance(tofu_route_t route)
{
    uint64_t xyz = route >> ROUTE_XYZ;
    if (route & 15)
        return route & ((route & 3) ? ~3ull : ~(route & -route));
    if (!xyz) {
        uint64_t left = route & 0x30;
        return left ? route & ~(left & -left) : 0;
    }
    unsigned at = (unsigned)__builtin_ctzll(xyz) & ~15u;
    xyz -= (uint64_t)(1 << ROUTE_HOPS) << at;
    if (!(xyz >> at & 0xfff8))
        xyz &= ~(0xffffull << at);
    return (route & 0xff) | xyz << ROUTE_XYZ;
}

/* Whether a word can be a route at all: no field goes by a port that it has not, or nowhere. */
bool tofu_route_is_one(tofu_route_t route);

/* Whether a route is in its third phase. */
static inline bool tofu_route_is_last(tofu_route_t route)
{
    return !(route & ~0xf0ull);
}

static inline uint32_t tofu_route_hops(tofu_route_t route)
{
    uint64_t ends = route & 0xff, xyz = route >> ROUTE_XYZ;
    /* Neither of the two bits of b is set together with the other. */
    return (uint32_t)__builtin_popcountll(ends) + (uint32_t)(xyz >> ROUTE_HOPS & 0x1fff) +
           (uint32_t)(xyz >> (ROUTE_FIELD + ROUTE_HOPS) & 0x1fff) +
           (uint32_t)(xyz >> (2 * ROUTE_FIELD + ROUTE_HOPS) & 0x1fff);
}

#endif
