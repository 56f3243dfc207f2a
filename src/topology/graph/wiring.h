/*
 * Wirings: switches joined by two-way links, and hosts at some of them. A switch without hosts only
 * switches. Ports of a switch are numbered from 0 in the order in which its links were made; two
 * switches may be joined by several links.
 *
 *   torus:4x4x8               a ring per dimension; mesh:4x4x8: a line per dimension
 *   torus:4x4x8:xz4,yz4       twisted: who goes around x, or y, is moved by 4 along z
 *   hyperx:8x8:4              all switches of a row linked with each other; 4 hosts per switch
 *   full:16:4                 all switches linked with each other
 *   dragonfly:4:8:4[:33]      4 hosts per switch, 8 switches per group, 4 global links per switch
 *   fattree:16:3              of switches with 16 ports, in 3 levels
 *   xgft:16,8:1,8             an extended generalised fat tree (Öhring et al. 1995)
 *   a path                    a file (wiring_read.c)
 *
 * Links have a sort: the dimension of a torus or a HyperX, local and global links of a dragonfly,
 * the level of a fat tree. A route is shortest by the sum of its links' weights: a global link
 * weighs more than two local ones, so that a minimal route through a dragonfly has one at most
 * (Kim et al. 2008).
 */
#ifndef WEFT_TOPOLOGY_GRAPH_WIRING_H
#define WEFT_TOPOLOGY_GRAPH_WIRING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "topology/torus/torus.h"

enum {
    WIRING_MAX_PORTS = 64, /* of a switch, those of its hosts included */
    WIRING_MAX_SWITCHES = 1 << 17,
    WIRING_MAX_HOSTS = 1 << 20,
    WIRING_SORTS = 8,
    WIRING_MAX_HOPS = 64, /* of a minimal route */
};

#define WIRING_NONE UINT32_MAX

struct wiring_end {
    uint32_t node; /* a switch; WIRING_NONE: no link */
    uint8_t port;  /* its port there */
    uint8_t sort;
    bool wraps; /* it closes a ring */
};

enum wiring_form {
    WIRING_TORUS, /* rings or lines, twisted or not: moves along dimensions commute */
    WIRING_TREE,  /* up, then down */
    WIRING_DRAGONFLY,
    WIRING_OTHER,
};

struct wiring {
    enum wiring_form form;
    uint32_t switches, hosts, radix; /* radix: most links of a switch */
    struct wiring_end *end;          /* [switch * radix + port] */
    uint8_t *ports;                  /* [switch]: links */
    uint32_t *first_host;            /* [switch], and the number of hosts at the end */
    uint32_t *host_switch;           /* [host] */
    uint32_t sorts;
    const char *sort_name[WIRING_SORTS];
    uint8_t weight[WIRING_SORTS];
    bool is_long[WIRING_SORTS]; /* over a longer wire: a dragonfly's global links */
    uint64_t links;             /* one way */
    uint32_t group;             /* switches per group, numbered in order; 0: there are none */
    struct torus torus;         /* of the switches, if it is one that is not twisted; dims 0 */
    bool twisted;
    struct torus grid;                              /* the same, twisted or not; */
    uint32_t shift[TORUS_MAX_DIMS][TORUS_MAX_DIMS]; /* and who goes around the first dimension is
                                                     * moved so far along the second */
};

/* Reads the text of a wiring as above. After a failure, too, wiring_fini() may be called. */
weft_status wiring_parse(const char *text, struct wiring *w);
weft_status wiring_make(const char *text, struct wiring *w); /* not from a file */
weft_status wiring_read(const char *path, struct wiring *w);
weft_status wiring_read_text(const char *name, const char *text, size_t size, struct wiring *w);
void wiring_fini(struct wiring *w);

/* For makers: switches without links or hosts; a link, whose ends must have a free port; hosts at
 * a switch, in the order of switches; and the end. */
void wiring_init(struct wiring *w, uint32_t switches, uint32_t radix);
void wiring_connect(struct wiring *w, uint32_t a, uint32_t b, uint8_t sort, bool wraps);
weft_status wiring_finish(struct wiring *w, const char *text, const uint32_t *hosts);

static inline uint32_t wiring_hosts_at(const struct wiring *w, uint32_t node)
{
    return w->first_host[node + 1] - w->first_host[node];
}

static inline const struct wiring_end *wiring_end_at(const struct wiring *w, uint32_t node,
                                                     unsigned port)
{
    return &w->end[(size_t)node * w->radix + port];
}

/* Cuts the switches into parts of about the same size with few links between them. */
void wiring_cut(const struct wiring *w, uint32_t parts, uint32_t *part);

/* A hash of everything that a run depends on: a file with new content differs. */
uint64_t wiring_hash(const struct wiring *w);

/* ---- minimal routes ---- */

/* The ways by which a switch can go on to leaves: ports that a route may start with, and the hops
 * to go, which are the same whichever is taken. Few different ones occur. */
struct wiring_ways {
    uint64_t *ports; /* [number] */
    uint8_t *hops;
    uint32_t count;
};

/* The only link between two groups of a dragonfly: minimal routes from one to the other take it. */
struct wiring_gate {
    uint32_t from, to; /* switches */
};

/*
 * Minimal routes from every switch to every switch that has hosts (a leaf): a table of the numbers
 * of ways, or, for tori and meshes, a rule.
 */
struct wiring_routes {
    const struct wiring *wiring;
    uint32_t leaves;
    uint32_t *leaf;           /* [switch]: its number; WIRING_NONE: it has no hosts */
    uint32_t *leaf_at;        /* [leaf]: its switch */
    struct wiring_grid *grid; /* NULL: there is a table */
    uint8_t *narrow;          /* [from * leaves + leaf]; or, if a byte is not enough, */
    uint16_t *wide;
    struct wiring_ways *ways; /* [switch] */
    struct wiring_gate *gate; /* [group * groups + other]; NULL: not every two have one */
    uint32_t diameter;        /* between leaves */
    double mean_distance;     /* between different hosts */
};

/* WEFT_BAD_INPUT: a leaf has no route to another, or one is too long. */
weft_status wiring_routes_init(struct wiring_routes *r, const struct wiring *w);
void wiring_routes_fini(struct wiring_routes *r);
uint64_t wiring_routes_memory(const struct wiring *w);

/* wiring_grid.c */
uint64_t wiring_grid_ports(const struct wiring_grid *g, uint32_t from, uint32_t to);
uint32_t wiring_grid_hops(const struct wiring_grid *g, uint32_t from, uint32_t to);

static inline uint32_t wiring_number(const struct wiring_routes *r, uint32_t from, uint32_t leaf)
{
    size_t at = (size_t)from * r->leaves + leaf;
    return r->narrow ? r->narrow[at] : r->wide[at];
}

static inline uint64_t wiring_ports(const struct wiring_routes *r, uint32_t from, uint32_t leaf)
{
    if (r->grid) /* where every switch is a leaf */
        return wiring_grid_ports(r->grid, from, leaf);
    return r->ways[from].ports[wiring_number(r, from, leaf)];
}

static inline uint32_t wiring_hops(const struct wiring_routes *r, uint32_t from, uint32_t leaf)
{
    if (r->grid)
        return wiring_grid_hops(r->grid, from, leaf);
    return r->ways[from].hops[wiring_number(r, from, leaf)];
}

/* Has an entry of the table brought near. */
static inline void wiring_fetch(const struct wiring_routes *r, uint32_t from, uint32_t leaf)
{
    if (r->narrow)
        __builtin_prefetch(&r->narrow[(size_t)from * r->leaves + leaf]);
}

#endif
