/*
 * Directed graphs as networks: nodes, and one-way links from an output port of one node to an input
 * port of another. Kautz graphs (KAUTZ, 5) and any graph read from a file.
 *
 * A Kautz graph K(d, k) has (d + 1) d^(k-1) nodes, each with d links out and d in, and no node is
 * further than k hops from any other. Its nodes are numbered as by Imase and Itoh (1981): node i
 * has port p linked to node -(d i + p + 1) modulo the number of nodes.
 *
 * A graph file has one line per node, `FROM: TO TO ...`, in the order of output ports; nodes are
 * numbered from 0, and each must have a line; '#' starts a comment. Input ports are numbered in the
 * order in which the file (or the numbering) names their links.
 */
#ifndef WEFT_TOPOLOGY_GRAPH_DIGRAPH_H
#define WEFT_TOPOLOGY_GRAPH_DIGRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

enum {
    DIGRAPH_MAX_DEGREE = 7,
    DIGRAPH_MAX_NODES = 1 << 16,
    DIGRAPH_MAX_HOPS = 32, /* of a route */
};

#define DIGRAPH_NO_NODE UINT32_MAX

struct digraph_end {
    uint32_t node; /* DIGRAPH_NO_NODE: no link, or a dead one */
    uint32_t port; /* its port there */
};

struct digraph {
    uint32_t nodes, degree; /* degree: most links out of a node, or into one */
    uint64_t links;         /* alive */
    uint32_t dead_nodes;
    struct digraph_end *to;   /* [node * degree + output port] */
    struct digraph_end *from; /* [node * degree + input port] */
    bool *dead;               /* [node] */
};

/* Makes nodes without links; adds a link at the next free port of both ends, which must have one.
 */
void digraph_init(struct digraph *g, uint32_t nodes, uint32_t degree);
void digraph_connect(struct digraph *g, uint32_t from, uint32_t to);

/* `kautz:3:6`, or the path of a graph file. */
weft_status digraph_parse(const char *text, struct digraph *g);
weft_status digraph_kautz(uint32_t degree, uint32_t diameter, struct digraph *g);
weft_status digraph_read(const char *path, struct digraph *g);
weft_status digraph_read_text(const char *name, const char *text, size_t size, struct digraph *g);
void digraph_fini(struct digraph *g);

/* Killing what is already dead does nothing. */
void digraph_kill_link(struct digraph *g, uint32_t node, uint32_t port);
void digraph_kill_node(struct digraph *g, uint32_t node); /* with its links */

/* The output port from one node to another; g->degree: there is none. */
uint32_t digraph_port(const struct digraph *g, uint32_t from, uint32_t to);

/* ---- distances ---- */

struct digraph_survey {
    uint32_t diameter;
    double mean_distance;      /* over all ordered pairs of different living nodes */
    bool connected;            /* if not, neither is known, and */
    uint32_t cut_from, cut_to; /* this is the first pair without a route */
};
struct digraph_survey digraph_survey(const struct digraph *g);

/* The largest diameter if any single living link, or any single living node, dies: all are
 * tried. UINT32_MAX: some failure cuts the graph. */
uint32_t digraph_diameter_link_dead(const struct digraph *g);
uint32_t digraph_diameter_node_dead(const struct digraph *g);

/* ---- routes ---- */

struct digraph_route {
    uint32_t hops;
    uint8_t port[DIGRAPH_MAX_HOPS]; /* output ports, in the order of hops */
};

/* For every pair, the first output port of a shortest route; a hash of the pair breaks ties. */
struct digraph_routes {
    uint32_t nodes;
    uint8_t *port; /* [to * nodes + from]; DIGRAPH_MAX_DEGREE: none */
};

/* Hops from every node to one; UINT32_MAX: no route. The queue must have room for all nodes. */
void digraph_hops(const struct digraph *g, uint32_t to, uint32_t *hops, uint32_t *queue);

void digraph_routes_init(struct digraph_routes *r, const struct digraph *g);
void digraph_routes_fini(struct digraph_routes *r);

/* A shortest route; false: there is none (as from a node to itself), or it has more than
 * DIGRAPH_MAX_HOPS hops. */
bool digraph_route(const struct digraph *g, const struct digraph_routes *r, uint32_t from,
                   uint32_t to, struct digraph_route *route);

/*
 * All shortest routes to a node at once, which form a tree: writes the other nodes that reach it
 * into `order`, nearest first, and their hops into `hops`, by node; returns how many. What adds up
 * along routes can be added up along the tree, in one step per node. Both arrays must have room for
 * all nodes.
 */
uint32_t digraph_routes_tree(const struct digraph *g, const struct digraph_routes *r, uint32_t to,
                             uint32_t *order, uint32_t *hops);

/* The next node on a route; the ends must differ and have a route. */
static inline uint32_t digraph_routes_next(const struct digraph *g, const struct digraph_routes *r,
                                           uint32_t from, uint32_t to)
{
    return g->to[(size_t)from * g->degree + r->port[(size_t)to * r->nodes + from]].node;
}

/* Up to `most` routes that share neither a link nor a node between their ends, with the fewest hops
 * in total, the shortest first; returns how many. There are fewer if one more would make a route
 * longer than DIGRAPH_MAX_HOPS. Threads may call it at the same time. */
uint32_t digraph_disjoint_routes(const struct digraph *g, uint32_t from, uint32_t to, uint32_t most,
                                 struct digraph_route *route);

/* ---- cuts ---- */

/* Cuts the graph into parts of about the same size with few links between them (METIS), into
 * part[node]. No part is empty; there must not be more parts than nodes. METIS draws from rand():
 * only one thread may call this at a time, and another C library may cut differently. */
void digraph_cut(const struct digraph *g, uint32_t parts, uint32_t *part);

#endif
