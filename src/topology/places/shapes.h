/*
 * Which boxes of cells can serve a job (TOFU, "High system utilization"): a job asks for nodes, is
 * given a view, and whatever box has that view will do. In a machine of six axes, cells are groups
 * of 2 x 3 x 2 nodes, and a view axis is x, y or z times 2 or 3: the view 12 x 12 x 6 has nine
 * boxes; in a machine of three axes it has three.
 */
#ifndef WEFT_TOPOLOGY_PLACES_SHAPES_H
#define WEFT_TOPOLOGY_PLACES_SHAPES_H

#include "topology/places/space.h"

/* Which boxes are tried. */
enum shapes_choice {
    SHAPES_SINGLE,    /* the most compact one */
    SHAPES_ROTATIONS, /* that one, in any direction */
    SHAPES_VIEW,      /* all that have its view */
    SHAPES_ANY,       /* all that have no more cells than it has: other views too */
    SHAPES_SCATTERED, /* any cells, wherever they are: no view, a bound for what boxes can reach */
};

/* A box of cells, and the view that it is taken for. */
struct extent {
    uint32_t size[SPACE_AXES];
    uint8_t factor[SPACE_AXES]; /* which factor each axis of it has in the view */
};

struct shapes {
    struct extent *list; /* in the order in which they are tried; the first is the most compact */
    uint32_t count;      /* 0: the space is too small */
    uint32_t cells;      /* of the smallest */
};

struct shapes_options {
    uint32_t space[SPACE_AXES];
    uint32_t factor[SPACE_AXES]; /* nodes of a cell along each view axis; all orders will do */
    uint32_t lost[SPACE_AXES];   /* coordinates of that view axis that a dead node costs; 0: it
                                    cannot be left out */
    enum shapes_choice choice;
    double waste;         /* cells beyond those needed that a compact box may have, as a share */
    uint32_t large_nodes; /* jobs of that many nodes are given spare coordinates; 0: none are */
    uint32_t spares;      /* dead nodes that such a job must be able to do without */
};

/* The dead nodes that a job of some nodes can do without. */
uint32_t shapes_spares(const struct shapes_options *options, uint32_t nodes);

/* A box with the view that is most like a cube. */
struct extent shapes_compact(const struct shapes_options *options, const uint32_t size[SPACE_AXES]);

/* The view of a box: its sizes in nodes. */
void shapes_view(const struct shapes_options *options, const struct extent *box,
                 uint32_t view[SPACE_AXES]);

/* The boxes for a job of some nodes. */
struct shapes shapes_for(const struct shapes_options *options, uint32_t nodes);

/* The boxes of a view, whose sizes are in nodes. */
struct shapes shapes_of_view(const struct shapes_options *options, const uint32_t view[SPACE_AXES]);

void shapes_fini(struct shapes *s);

#endif
