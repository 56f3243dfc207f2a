/*
 * Graphs as networks: nodes, hosts at nodes, and links from an output port of one node to an input
 * port of another.
 *
 * A link is one-way, or it is half of a two-way link, whose halves have the same port at each end.
 * A node with one host may be that host (a direct network, as a Kautz graph) or a switch with
 * hosts, many or none. Two nodes may be joined by several two-way links.
 *
 *   kautz:3:6                 one-way links; every node is its own host
 *   torus:4x4x8               a ring per dimension; mesh:4x4x8: a line per dimension
 *   torus:4x4x8:xz4,yz4       twisted: who goes around x, or y, is moved by 4 along z
 *   hyperx:8x8:4              all switches of a row linked with each other; 4 hosts per switch
 *   full:16:4                 all switches linked with each other
 *   dragonfly:4:8:4[:33]      4 hosts per switch, 8 switches per group, 4 global links per switch
 *   fattree:16:3              of switches with 16 ports, in 3 levels
 *   xgft:16,8:1,8             an extended generalised fat tree (Öhring et al. 1995)
 *   a path                    a file, of nodes or of switches (read.c)
 *
 * Ports are numbered from 0 in the order in which links are made. Links have a sort: the dimension
 * of a torus or a HyperX, local and global links of a dragonfly, the level of a fat tree. A route
 * is shortest by the sum of its links' weights: a global link weighs more than two local ones, so
 * that a minimal route through a dragonfly has one at most (Kim et al. 2008).
 */
#ifndef WEFT_TOPOLOGY_GRAPH_GRAPH_H
#define WEFT_TOPOLOGY_GRAPH_GRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "topology/torus/torus.h"

enum {
    GRAPH_MAX_PORTS = 64, /* of a node, those of its hosts included */
    GRAPH_MAX_NODES = 1 << 17,
    GRAPH_MAX_HOSTS = 1 << 20,
    GRAPH_ONE_WAY_LINKS = 7, /* out of a node, and into it, in a graph of one-way links */
    GRAPH_ONE_WAY_NODES = 1 << 16,
    GRAPH_MAX_HOPS = 64, /* of a minimal route */
    GRAPH_SORTS = 8,
};

#define GRAPH_NONE UINT32_MAX

struct graph_end {
    uint32_t node; /* GRAPH_NONE: no link, or a dead one */
    uint8_t port;  /* its port there */
    uint8_t sort;
    bool wraps; /* it closes a ring */
};

enum graph_form {
    GRAPH_OTHER,
    GRAPH_TORUS, /* rings or lines, twisted or not: moves along dimensions commute */
    GRAPH_TREE,  /* up, then down */
    GRAPH_DRAGONFLY,
};

/* The nodes as a torus, whose rings may be twisted: who goes around the first dimension is moved so
 * far along the second. */
struct graph_grid {
    struct torus torus; /* dims 0: it is none */
    uint32_t shift[TORUS_MAX_DIMS][TORUS_MAX_DIMS];
    bool twisted[TORUS_MAX_DIMS], any_twisted;
};

struct graph {
    uint32_t nodes, degree; /* degree: most links out of a node, or into one */
    uint64_t links;         /* one way, alive */
    bool one_way;           /* some links have no other half */
    struct graph_end *to;   /* [node * degree + output port] */
    struct graph_end *from; /* [node * degree + input port]; of two-way links the same as `to` */
    uint8_t *ports;         /* [node]: links out of it, the dead ones included */
    uint32_t dead_nodes;
    bool *dead; /* [node] */

    uint32_t hosts;
    uint32_t *first_host;  /* [node], and the number of hosts at the end */
    uint32_t *host_switch; /* [host]: its node */

    uint32_t sorts;
    const char *sort_name[GRAPH_SORTS];
    uint8_t weight[GRAPH_SORTS];
    bool is_long[GRAPH_SORTS]; /* over a longer wire: a dragonfly's global links */

    enum graph_form form;
    uint32_t group; /* switches per group, numbered in order; 0: there are none */
    struct graph_grid grid;
};

/* The torus of the nodes; NULL: they are none, or a twisted one. */
static inline const struct torus *graph_torus(const struct graph *g)
{
    return g->grid.torus.dims && !g->grid.any_twisted ? &g->grid.torus : NULL;
}

/*
 * Reads the text of a graph as above, for one of two kinds of network, and refuses what is none:
 * a direct network, in which every node is its own host, with at most GRAPH_ONE_WAY_LINKS links out
 * and in, one to each neighbour; or switches with hosts, whose links are two-way. After a failure
 * nothing is left to free, but graph_fini() may be called.
 */
weft_status graph_parse_direct(const char *text, struct graph *g);
weft_status graph_parse_switches(const char *text, struct graph *g);

/* The same, of any kind; after a failure there may be something to free. What is no file is told
 * the example. */
bool graph_is_rule(const char *text);
weft_status graph_by_rule(const char *text, struct graph *g);
weft_status graph_read(const char *path, const char *example, struct graph *g);
weft_status graph_read_text(const char *name, const char *text, size_t size, struct graph *g);
void graph_fini(struct graph *g);

/* For makers: nodes without links or hosts; a one-way link, or a two-way one, at the next free
 * ports of both ends, which must have one; hosts of each node (NULL: one), and the end. */
void graph_init(struct graph *g, uint32_t nodes, uint32_t degree);
void graph_connect(struct graph *g, uint32_t from, uint32_t to);
void graph_join(struct graph *g, uint32_t a, uint32_t b, uint8_t sort, bool wraps);
weft_status graph_finish(struct graph *g, const char *text, const uint32_t *hosts);

/* Killing what is already dead does nothing. A link is one way; what is left is of no form. */
void graph_kill_link(struct graph *g, uint32_t node, uint32_t port);
void graph_kill_node(struct graph *g, uint32_t node); /* with its links */

/* The output port from one node to another; g->degree: there is none. */
uint32_t graph_port(const struct graph *g, uint32_t from, uint32_t to);

/* A hash of everything that a run depends on: a file with new content differs. */
uint64_t graph_hash(const struct graph *g);

static inline uint32_t graph_hosts_at(const struct graph *g, uint32_t node)
{
    return g->first_host[node + 1] - g->first_host[node];
}

static inline const struct graph_end *graph_end_at(const struct graph *g, uint32_t node,
                                                   unsigned port)
{
    return &g->to[(size_t)node * g->degree + port];
}

/*
 * Cuts the graph into parts of about the same size with few links between them, by METIS (Karypis
 * and Kumar 1998), into part[node]. No part is empty; there must not be more parts than nodes.
 * METIS draws from rand(): only one thread may call this at a time, and another C library may cut
 * differently. It cannot be interrupted. It cuts kautz:3:9 (26,244 nodes) into 16 parts in 0.06 s
 * and into 128 in 0.2 s; a random graph of 65,536 nodes of degree 7 into 16 in 1.3 s.
 */
void graph_cut(const struct graph *g, uint32_t parts, uint32_t *part);

/* ---- distances ---- */

/* Hops from every node to one; UINT32_MAX: no route. The queue must have room for all nodes. */
void graph_hops(const struct graph *g, uint32_t to, uint32_t *hops, uint32_t *queue);

struct graph_survey {
    uint32_t diameter;
    double mean_distance;      /* over all ordered pairs of different living nodes */
    bool connected;            /* if not, neither is known, and */
    uint32_t cut_from, cut_to; /* this is the first pair without a route */
};
struct graph_survey graph_survey(const struct graph *g);

/* The largest diameter if any single living link, or any single living node, dies: all are
 * tried. UINT32_MAX: some failure cuts the graph. */
uint32_t graph_diameter_link_dead(const struct graph *g);
uint32_t graph_diameter_node_dead(const struct graph *g);

#endif
