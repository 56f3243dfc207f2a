/*
 * Torus views: what a job sees of the nodes that it was given (TOFU, "Torus mapping and fault
 * tolerance"). A view is a torus of one to three axes whose neighbours are one link apart, whatever
 * box of the machine it lies in: each of its axes is a loop through a plane of the machine.
 *
 * A plane has a short axis across it, which a loop turns round in (a, b or c of Tofu), and another
 * one along it; with fewer than three view axes, several along it, which a snake makes one:
 *
 *   three view axes    x across b, y across a, z across c (or paired otherwise)
 *   one view axis      all other axes across b
 *
 * Where nothing turns round, an axis of the machine is an axis of the view as it is, and its ends
 * are wired to each other: partitions of Blue Gene/L.
 *
 * Dead nodes are left out. A point of a plane stands for all nodes of the view that share it, and
 * goes with the dead node: which plane's point is left out for which node is chosen so that the
 * view is as large as can be.
 */
#ifndef WEFT_TOPOLOGY_PLACES_VIEW_H
#define WEFT_TOPOLOGY_PLACES_VIEW_H

#include "topology/torus/torus.h"

enum { VIEW_MOST_AXES = 3, VIEW_NO_AXIS = 255 };

/* Machines of six axes: x, y and z, and three short ones that loops turn round in. */
enum { AXIS_A = 3, AXIS_B, AXIS_C, SIX_AXES };

/* Some nodes of a torus: from a corner, so many along each axis, around its ends where it wraps. */
struct box {
    uint32_t at[TORUS_MAX_DIMS], size[TORUS_MAX_DIMS];
};

/* The plane of a view axis, by axes of the machine. */
struct view_plane {
    uint8_t along[TORUS_MAX_DIMS], alongs; /* the first varies fastest */
    uint8_t across;                        /* VIEW_NO_AXIS: none */
};

struct view_plan {
    unsigned axes;
    struct view_plane plane[VIEW_MOST_AXES];
};

struct view {
    struct torus shape; /* of the view: rings */
    uint32_t *node;     /* of the machine, at each node of the view */
    uint32_t left_out;  /* nodes of the box that are not in it, dead ones included */
};

/* Nodes of a box. */
uint32_t box_nodes(const struct torus *t, const struct box *box);

/* The usual plan: in machines of six axes, planes that turn round in a, b and c, the longest axis
 * in b; in others, the axes as they are. `axes`: 1 to 3, or as many as the machine has. */
struct view_plan view_usual(const struct torus *t, const struct box *box, unsigned axes);

/* Reads a plan, a plane per view axis: "xb,ya,zc". Of a plane's axes the last is the one across it;
 * in a machine of three axes, planes have one axis each: "x,y,z". Complaints name the key. */
weft_status view_parse(const struct torus *t, const char *key, const char *text,
                       struct view_plan *plan);

/* Every axis of the machine must be in one plane. WEFT_BAD_INPUT: no node is left, or an axis has
 * no room to turn round. */
weft_status view_create(const struct torus *t, const struct box *box, const struct view_plan *plan,
                        const bool *dead, struct view *view);
void view_fini(struct view *view);

/* Whether the view that view_create() would make around some dead nodes, all of them in the box and
 * each listed once, has at least so many nodes. Quick: nodes of the box are not visited. */
bool view_has(const struct torus *t, const struct box *box, const struct view_plan *plan,
              const uint32_t *dead, uint32_t deads, uint64_t nodes);

#endif
