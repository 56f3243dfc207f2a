/*
 * What a machine hands out to jobs: the cells of a box of its nodes. On Tofu a cell is a node
 * group, and the box leaves out the planes of I/O nodes; on Blue Gene/L it is a midplane, and
 * places are rings over wires that link chips switch.
 */
#ifndef WEFT_TOPOLOGY_PLACES_GROUND_H
#define WEFT_TOPOLOGY_PLACES_GROUND_H

#include "topology/places/shapes.h"
#include "topology/places/view.h"

struct ground {
    struct torus torus;            /* the machine */
    struct box box;                /* of it, what is handed out */
    uint32_t cell[TORUS_MAX_DIMS]; /* nodes of a cell along each axis */
    bool wired;                    /* places are rings, whatever the machine's own are */
    bool *dead;                    /* [node]; NULL: none */
};

/* Counts a node as dead; ground_fini() frees the list. */
void ground_kill(struct ground *g, uint32_t node);
void ground_fini(struct ground *g);

/* Cells along x, y and z; whether a place may lie across an end. */
void ground_space(const struct ground *g, struct space *space);

uint32_t ground_cell_nodes(const struct ground *g);
uint32_t ground_nodes(const struct ground *g); /* of all cells */

/* Fills in what depends on the machine: the space, factors, and what a dead node costs. */
void ground_shapes(const struct ground *g, struct shapes_options *shapes);

/* The cell of a node; UINT32_MAX: it is in none. */
uint32_t ground_cell(const struct ground *g, uint32_t node);

/* The node that has a number among those of all cells. */
uint32_t ground_node(const struct ground *g, uint32_t index);

/* Reads a place: "3x3x2@0/4/1", so many cells along x, y and z from a cell on; without the cell,
 * from the first one on; "all": the whole ground. Complaints name the key. */
weft_status ground_parse(const struct ground *g, const char *key, const char *text,
                         struct place *place);

/* The nodes of a place; the view of them that is most like a cube, with up to three axes; and the
 * one that a box of its size was chosen for. */
struct box ground_box(const struct ground *g, const struct place *place);
struct view_plan ground_plan(const struct ground *g, const struct place *place, unsigned axes);
struct view_plan ground_plan_for(const struct ground *g, const struct place *place,
                                 const struct extent *extent);

#endif
