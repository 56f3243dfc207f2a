/*
 * An n-dimensional torus or mesh; each dimension has a size and is a ring (wrap) or a line.
 *
 * Nodes are numbered with the first dimension fastest: id = x + X (y + Y z). A port is a
 * direction: 2d is plus, 2d + 1 is minus along dimension d. A ring of two has both links: plus
 * and minus lead to the same neighbour over different wires. A dimension of one has no links.
 */
#ifndef WEFT_TOPOLOGY_TORUS_TORUS_H
#define WEFT_TOPOLOGY_TORUS_TORUS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "config/keys.h"

enum { TORUS_MAX_DIMS = 6, TORUS_MAX_PORTS = 2 * TORUS_MAX_DIMS };

#define TORUS_NO_NODE UINT32_MAX

struct torus {
    unsigned dims;
    uint32_t size[TORUS_MAX_DIMS];
    bool wrap[TORUS_MAX_DIMS];
    unsigned wraps; /* values that a key gave for it; the rest are like the last of these */
    uint32_t nodes;
    const struct wiring *wiring; /* its boxes that are wired apart (wiring.h); NULL: it is one */
};

/* Formats of keys whose field is a torus: its sizes as 8x8x8 ("auto", dims 0, if the key has a
 * default), and which dimensions are rings, for all of them or for each. */
extern const struct key_format torus_dims_format, torus_wrap_format;

static inline unsigned torus_opposite(unsigned port)
{
    return port ^ 1;
}

/* "x+", "x-", "y+", ... */
const char *torus_port_name(unsigned port);

/* Parses "8x8x8" into sizes; sets wrap in all dimensions. */
weft_status torus_parse(const char *text, struct torus *t);

/* Writes the sizes as "8x8x8" into `text`, which must have at least 80 bytes. */
const char *torus_text(const struct torus *t, char *text);

/* The torus of exactly `nodes` nodes, in 2 or 3 dimensions, with sides as equal as possible, the
 * shortest first. */
void torus_near(uint32_t nodes, unsigned dims, struct torus *t);

/* Writes a node's coordinates as "1/2/3". */
enum { TORUS_NODE_TEXT = 11 * TORUS_MAX_DIMS };
const char *torus_node_text(const struct torus *t, uint32_t node, char text[TORUS_NODE_TEXT]);

/* Reads the first `dims` coordinates of a node from such a text, which may go on, and moves behind
 * them; the others are 0. False: there is no such node. */
bool torus_parse_node(const struct torus *t, unsigned dims, const char **text, uint32_t *node);

void torus_coordinates(const struct torus *t, uint32_t node, uint32_t *coordinate);
uint32_t torus_node(const struct torus *t, const uint32_t *coordinate);

/* Some nodes of a torus: from a corner, so many along each axis, around its ends where it wraps. */
struct box {
    uint32_t at[TORUS_MAX_DIMS], size[TORUS_MAX_DIMS];
};

/* Nodes of a box, which have an index each, the first axis fastest, and coordinates from the corner
 * on: the node by either, the coordinates by the index, the index of a node that is in the box, and
 * whether it is. */
uint32_t box_nodes(const struct torus *t, const struct box *box);
uint32_t box_node(const struct torus *t, const struct box *box, uint32_t index);
void box_coordinates(const struct torus *t, const struct box *box, uint32_t index,
                     uint32_t *coordinate);
uint32_t box_node_at(const struct torus *t, const struct box *box, const uint32_t *coordinate);
uint32_t box_index(const struct torus *t, const struct box *box, uint32_t node);
bool box_has(const struct torus *t, const struct box *box, uint32_t node);

/* The node behind a port; TORUS_NO_NODE where there is no link. Links, and distances, are those of
 * the boxes of a torus that is wired apart. */
uint32_t torus_neighbour(const struct torus *t, uint32_t node, unsigned port);

/* Whether the link behind a port closes its ring (between the last node and the first). */
bool torus_link_wraps(const struct torus *t, uint32_t node, unsigned port);

/* Directed links of the whole machine. */
uint64_t torus_links(const struct torus *t);

/*
 * Hops along one dimension from a to b by a shortest way: positive is plus, negative minus.
 * At half a ring both ways are shortest: sets *tie and returns the plus way.
 */
int32_t torus_offset(const struct torus *t, unsigned dim, uint32_t a, uint32_t b, bool *tie);

/* UINT32_MAX: no way leads there. */
uint32_t torus_distance(const struct torus *t, uint32_t a, uint32_t b);

/* Mean hops along a dimension between two different nodes, over all pairs. */
double torus_mean_hops(const struct torus *t, unsigned dim);

uint32_t torus_diameter(const struct torus *t);

/* Directed links between the halves of the machine, cut across its longest dimension. */
uint64_t torus_bisection_links(const struct torus *t);

/* ---- boxes that are wired apart (wiring.h) ---- */

struct wiring_box {
    struct box box; /* of the machine */
    struct torus torus;
};

struct wiring {
    uint32_t given; /* boxes that were asked for: the first; the others are single cells, idle */
    uint32_t boxes;
    struct wiring_box *box;
    uint32_t *of;     /* [node of the machine]: its box */
    uint32_t *number; /* [node of the machine]: its number there */
};

static inline const struct wiring_box *wiring_box_of(const struct wiring *w, uint32_t node)
{
    return &w->box[w->of[node]];
}

/* The torus that a node is in, and the node's number there. */
static inline const struct torus *wiring_torus(const struct torus *t, uint32_t node)
{
    return t->wiring ? &wiring_box_of(t->wiring, node)->torus : t;
}

static inline uint32_t wiring_number(const struct torus *t, uint32_t node)
{
    return t->wiring ? t->wiring->number[node] : node;
}

/* The torus that a node is in, and the node's coordinates there. */
static inline const struct torus *wiring_home(const struct torus *t, uint32_t node,
                                              uint32_t *coordinate)
{
    const struct torus *home = wiring_torus(t, node);
    torus_coordinates(home, wiring_number(t, node), coordinate);
    return home;
}

/* Whether links join two nodes, over whatever others. */
static inline bool wiring_joins(const struct torus *t, uint32_t a, uint32_t b)
{
    return !t->wiring || t->wiring->of[a] == t->wiring->of[b];
}

/* Whether a node is in no box that was asked for. */
static inline bool wiring_idles(const struct torus *t, uint32_t node)
{
    return t->wiring && t->wiring->of[node] >= t->wiring->given;
}

#endif
