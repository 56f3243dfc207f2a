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

#include "topology/torus/torus.h"

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

/*
 * What is dead or under maintenance: nodes, system boards, node groups and links (TOFU, "Multipath
 * routing function" and "Torus mapping and fault tolerance"). Software chooses paths around all of
 * it (route.h). A dead link is dead both ways.
 */

enum {
    TOFU_FAULTS_MOST = 48, /* of each sort */
    TOFU_SWAPS_MOST = 16,  /* units that are out of service for a time (swap.h) */
};

struct tofu_faults {
    uint32_t nodes, links; /* how many are dead */
    uint32_t node[TOFU_FAULTS_MOST * (1 + TOFU_BOARD_NODES + TOFU_GROUP_NODES) +
                  TOFU_SWAPS_MOST * TOFU_GROUP_NODES]; /* ascending */
    struct {
        uint32_t node;
        uint8_t port;
    } link[TOFU_FAULTS_MOST];
};

struct tofu_fault_texts {
    const char *nodes;  /* "1/2/3/0/1/0,...": x, y, z, a, b and c */
    const char *boards; /* "1/2/3/2,...": x, y, z and b */
    const char *groups; /* "1/2/3,...": x, y and z */
    const char *links;  /* "1/2/3/0/1/0:x+,..." */
};

/* "none" or "": none of a sort. */
weft_status tofu_faults_parse(const struct torus *shape, const struct tofu_fault_texts *texts,
                              struct tofu_faults *faults);

/* Kills a node, or all nodes of its board or node group. */
enum tofu_unit { TOFU_UNIT_NODE, TOFU_UNIT_BOARD, TOFU_UNIT_GROUP };
/* Reads "/b" of a board behind the first three coordinates, which are `node`'s. */
bool tofu_parse_board(const struct torus *shape, const char **text, uint32_t *node);
void tofu_faults_kill(const struct torus *shape, uint32_t node, enum tofu_unit unit,
                      struct tofu_faults *faults);

static inline bool tofu_faults_any(const struct tofu_faults *f)
{
    return f->nodes || f->links;
}

bool tofu_is_dead(const struct tofu_faults *f, uint32_t node);

/* Whether a link can carry packets: it exists, and neither it nor an end of it is dead. */
bool tofu_link_lives(const struct tofu_faults *f, const struct torus *shape, uint32_t node,
                     unsigned port);

/* "1/2/3/0/1/0:x+", as machine.dead_links names a link. */
const char *tofu_link_text(const struct torus *shape, uint32_t node, unsigned port, char text[64]);

/* Finds the one link that a text names. */
bool tofu_find_link(const struct torus *shape, const char *text, uint32_t *node, uint32_t *port);

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

/*
 * What routing offers, counted without traffic (TOFU, "Multipath routing function"): how many paths
 * a pair of nodes has, and which pairs are left without one when something is under maintenance.
 */

/* How many of the twelve paths from node 0 differ. (Groups look the same from each of their nodes.)
 * All 0: there is no such pair. */
struct tofu_path_counts {
    uint32_t between_least, between_most; /* to a node of another group */
    uint32_t within_least, within_most;   /* to another node of the same group */
};

/* `apart`: only those that have no link in common. Takes long on large machines. */
struct tofu_path_counts tofu_count_paths(const struct tofu_routing *routing, bool apart);

/* Ordered pairs of living nodes without a path, added up over all machines in which one node, one
 * board or one group is dead, and nothing else. Takes very long on large machines. */
struct tofu_cut_counts {
    uint64_t node, board, group;
};

struct tofu_cut_counts tofu_count_cuts(const struct tofu_routing *routing);

#endif
