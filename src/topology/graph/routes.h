/*
 * Routes through graphs: all minimal ones, as the ports that they may go on by; one of them for
 * each pair, for packets that carry their route; and routes that share nothing.
 */
#ifndef WEFT_TOPOLOGY_GRAPH_ROUTES_H
#define WEFT_TOPOLOGY_GRAPH_ROUTES_H

#include "topology/graph/graph.h"

enum { GRAPH_ROUTE_HOPS = 32 }; /* of a route that a packet carries */

/* ---- minimal routes of grids ---- */

/*
 * Minimal routes of tori and meshes, twisted or not. Which directions come nearer to a leaf depends
 * on its difference alone: how far it is along each dimension, around rings as far forward as it
 * is. So a table has an entry per difference, not per pair of nodes.
 */
struct grid_routes {
    struct graph_grid grid;
    uint32_t stride[TORUS_MAX_DIMS]; /* of differences along a dimension */
    uint32_t differences;
    uint32_t *coordinate; /* [node * dims + dimension] */
    uint8_t *port;        /* [node * 2 dims + direction] */
    uint16_t *directions; /* [difference] that come nearer, a bit each */
    uint8_t *hops;        /* [difference] */
};

struct graph_routes;

/* Makes those of r->graph, whatever they are, with diameter and mean distance. WEFT_BAD_INPUT: one
 * is too long. */
weft_status grid_routes_init(struct graph_routes *r);
void grid_routes_destroy(struct grid_routes *g);
uint64_t grid_routes_memory(const struct graph *graph);

uint64_t grid_routes_ports(const struct grid_routes *g, uint32_t from, uint32_t to);
uint32_t grid_routes_hops(const struct grid_routes *g, uint32_t from, uint32_t to);

/* ---- minimal routes ---- */

/* The ways by which a node can go on to leaves: ports that a route may start with, and the hops
 * to go, which are the same whichever is taken. Few different ones occur. */
struct graph_ways {
    uint64_t *ports; /* [number] */
    uint8_t *hops;
    uint32_t count;
};

/* The only link between two groups of a dragonfly: minimal routes from one to the other take it. */
struct graph_gate {
    uint32_t from, to; /* switches */
};

/*
 * Minimal routes from every living node to every living node that has hosts (a leaf): a table of
 * the numbers of ways, or, for tori and meshes, a rule. Packets over one-way links carry their
 * route: there an entry is a port, the one that a hash of the pair chooses, and the hops to go.
 */
struct graph_routes {
    const struct graph *graph;
    uint32_t leaves;
    uint32_t *leaf;           /* [node]: its number; GRAPH_NONE: it has no hosts */
    uint32_t *leaf_at;        /* [leaf]: its node */
    struct grid_routes *grid; /* NULL: there is a table */
    uint8_t *narrow;          /* [graph_routes_entry()]; or, if a byte is not enough, */
    uint16_t *wide;
    /* Entries that are read together lie together: those of a node, which a switch reads for all
     * its packets; in graphs of one-way links those of a leaf, which are read along a route. */
    size_t node_stride, leaf_stride;
    struct graph_ways *ways; /* [node]; NULL: grid, or one-way links */
    struct graph_gate *gate; /* [group * groups + other]; NULL: not every two have one */
    uint32_t diameter;       /* between leaves */
    double mean_distance;    /* between different hosts */
};

/* WEFT_BAD_INPUT: a leaf has no route to another, or one is too long. In any case there is
 * something to finish. */
weft_status graph_routes_init(struct graph_routes *r, const struct graph *g);
weft_status graph_routes_refuse_length(uint32_t from, uint32_t to);
void graph_routes_fini(struct graph_routes *r);
uint64_t graph_routes_memory(const struct graph *g);

static inline size_t graph_routes_entry(const struct graph_routes *r, uint32_t from, uint32_t leaf)
{
    return from * r->node_stride + leaf * r->leaf_stride;
}

static inline uint32_t graph_routes_number(const struct graph_routes *r, uint32_t from,
                                           uint32_t leaf)
{
    size_t at = graph_routes_entry(r, from, leaf);
    return r->narrow ? r->narrow[at] : r->wide[at];
}

/* Entries of graphs of one-way links: GRAPH_ONE_WAY_LINKS ports fit three bits. */
enum { ROUTE_PORT_BITS = 3 };

static inline uint32_t graph_entry_port(uint32_t entry)
{
    return entry & ((1u << ROUTE_PORT_BITS) - 1);
}

static inline uint32_t graph_entry_hops(uint32_t entry)
{
    return entry >> ROUTE_PORT_BITS;
}

/* All ports that a minimal route may start with; of one-way links, the one that is chosen. */
static inline uint64_t graph_routes_ports(const struct graph_routes *r, uint32_t from,
                                          uint32_t leaf)
{
    if (r->ways)
        return r->ways[from].ports[graph_routes_number(r, from, leaf)];
    if (r->grid) /* where every node is a leaf */
        return grid_routes_ports(r->grid, from, leaf);
    uint32_t entry = graph_routes_number(r, from, leaf);
    return (uint64_t)(graph_entry_hops(entry) > 0) << graph_entry_port(entry);
}

static inline uint32_t graph_routes_hops(const struct graph_routes *r, uint32_t from, uint32_t leaf)
{
    if (r->ways)
        return r->ways[from].hops[graph_routes_number(r, from, leaf)];
    if (r->grid)
        return grid_routes_hops(r->grid, from, leaf);
    return graph_entry_hops(graph_routes_number(r, from, leaf));
}

/* Has an entry of the table brought near. */
static inline void graph_routes_fetch(const struct graph_routes *r, uint32_t from, uint32_t leaf)
{
    if (r->narrow)
        __builtin_prefetch(&r->narrow[graph_routes_entry(r, from, leaf)]);
}

/* ---- one route of each pair ---- */

struct graph_route {
    uint32_t hops;
    uint8_t port[GRAPH_ROUTE_HOPS]; /* output ports, in the order of hops */
};

/* The output port that a pair's route starts with: a hash of the pair chooses between minimal ones.
 * The ends must differ and live, and the end must be a leaf. */
uint32_t graph_route_port(const struct graph_routes *r, uint32_t from, uint32_t to);

/* The route; false: there is none (as from a node to itself), or it has more than GRAPH_ROUTE_HOPS
 * hops. */
bool graph_route(const struct graph_routes *r, uint32_t from, uint32_t to,
                 struct graph_route *route);

/*
 * All routes to a node at once, which form a tree: what adds up along routes can be added up along
 * the tree, in one step per node. Where a table lies row by row, from a node to all leaves, a tree
 * is a column; columns are read in blocks, so leaves should come in order.
 */
struct graph_trees {
    const struct graph_routes *routes;
    uint32_t *order;       /* the other nodes, nearest first; */
    uint32_t count;        /* how many */
    const uint8_t *port;   /* [node]: of its route */
    uint32_t first;        /* leaf of the block */
    uint8_t *ports, *hops; /* [leaf of the block * nodes + node] */
};

void graph_trees_init(struct graph_trees *t, const struct graph_routes *r);
void graph_trees_fini(struct graph_trees *t);
void graph_trees_to(struct graph_trees *t, uint32_t to);

/* ---- routes that share nothing ---- */

/* Up to `most` routes that share neither a link nor a node between their ends, with the fewest hops
 * in total, the shortest first; returns how many. There are fewer if one more would make a route
 * longer than GRAPH_ROUTE_HOPS. The degree is at most GRAPH_ONE_WAY_LINKS. Threads may call it at
 * the same time. */
uint32_t graph_disjoint_routes(const struct graph *g, uint32_t from, uint32_t to, uint32_t most,
                               struct graph_route *route);

#endif
