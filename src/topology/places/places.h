/*
 * Where jobs run. A machine hands out cells (node groups of Tofu, midplanes of Blue Gene/L); a job
 * gets a place, and sees its nodes as a view.
 *
 *   cell     the unit that is handed out: a small box of nodes
 *   space    all cells, on three axes; a map of it says which are taken or closed
 *   place    a box of cells
 *   box      a box of nodes: those of a place, for one
 *   view     the nodes of a box as a torus whose neighbours are one link apart
 *   ground   the machine behind it: which nodes are in which cell
 */
#ifndef WEFT_TOPOLOGY_PLACES_PLACES_H
#define WEFT_TOPOLOGY_PLACES_PLACES_H

#include "topology/torus/torus.h"

/* ---- the space (space.c) ---- */

/*
 * A map has a bit for every cell, in layers: cells that are taken, cells that are closed because
 * something in them is dead, and, where rings are wired, the wires of each axis. A ring of some
 * cells of a row, more than one and not all, goes back over the wire that passes the others by:
 * there is one per row and axis, and it is taken with the place (the link chips of Blue Gene/L).
 *
 * "Is there a place" is answered for all corners at once: of a row of cells, the corners of runs of
 * n free ones are found by some shifts, and rows and layers are then combined in the same way. The
 * answer is exact, and takes a microsecond on the K computer.
 */

enum { SPACE_AXES = 3, SPACE_MOST_ALONG = 64 }; /* cells of a row are bits of a word */

enum space_layer { SPACE_TAKEN, SPACE_CLOSED, SPACE_WIRES };

struct space {
    uint32_t size[SPACE_AXES];
    uint32_t first[SPACE_AXES]; /* the machine's coordinates of cell 0: places count from there */
    bool wrap[SPACE_AXES];      /* a place may lie across the end of an axis */
    bool wired;                 /* places are rings */
    uint32_t rows, cells;
    uint32_t words;    /* of a map, with all its layers */
    uint64_t *scratch; /* two layers */
};

/* A word per row of a layer: [y + size[1] * z], bit x. */
typedef uint64_t space_row;

struct place {
    uint32_t at[SPACE_AXES], size[SPACE_AXES];
};

void space_init(struct space *s, const uint32_t size[SPACE_AXES], const bool wrap[SPACE_AXES],
                bool wired);
void space_fini(struct space *s);

/* A map in which nothing is set. */
space_row *space_map(const struct space *s);

/* Takes a place, with its wires, or gives it back. */
void space_take(const struct space *s, space_row *map, const struct place *place, bool take);

/* What two places both need: SPACE_TAKEN, a cell; SPACE_WIRES and an axis, a wire along it; -1:
 * nothing. */
int space_conflict(const struct space *s, const struct place *a, const struct place *b);

/* Opens or closes a cell. */
void space_close(const struct space *s, space_row *map, uint32_t cell, bool close);

/* Takes the first cells that are free and open, wherever they are: sets them in `taken`, an empty
 * map, and not in `map`. False: there are too few. */
bool space_scatter(const struct space *s, const space_row *map, uint32_t cells, space_row *taken);

/* Cells that are neither taken nor closed. */
uint32_t space_free(const struct space *s, const space_row *map);

/* Along each axis, the free cells in a row that a free cell is one of: no place with it is longer.
 * 0: the cell is not free. */
void space_reach(const struct space *s, const space_row *map, uint32_t cell,
                 uint32_t reach[SPACE_AXES]);

/* Sets what another map has set, or clears it. */
void space_add(const struct space *s, space_row *map, const space_row *other);
void space_remove(const struct space *s, space_row *map, const space_row *other);

/* The corners of all places of a size, as one layer that is valid until the next call. `closed`:
 * they may have closed cells. */
const space_row *space_corners(struct space *s, const space_row *map,
                               const uint32_t size[SPACE_AXES], bool closed);

/* The first place of a size: with the lowest z, then y, then x of its corner. */
bool space_find(struct space *s, const space_row *map, const uint32_t size[SPACE_AXES],
                struct place *place);

/* How many of some points lie in a box of cells: a table of sums over all boxes that begin at the
 * first cell, so that the answer takes the same time for every box. */
struct tally {
    uint32_t size[SPACE_AXES];
    uint32_t *sum; /* [x + (X + 1) (y + (Y + 1) z)]: points below x, y and z */
};

void tally_init(struct tally *t, const uint32_t size[SPACE_AXES]);
void tally_fini(struct tally *t);

/* Makes a table: clear it, add points, sum them up. */
void tally_clear(struct tally *t);
void tally_add(struct tally *t, const uint32_t at[SPACE_AXES]);
void tally_sum(struct tally *t);

/* Points in a place, which may lie across an end. */
uint32_t tally_in(const struct tally *t, const struct place *place);

/* ---- boxes for a job (shapes.c) ---- */

/*
 * Which boxes of cells can serve a job (TOFU, "High system utilization"): a job asks for nodes, is
 * given a view, and whatever box has that view will do. In a machine of six axes, cells are groups
 * of 2 x 3 x 2 nodes, and a view axis is x, y or z times 2 or 3: the view 12 x 12 x 6 has nine
 * boxes; in a machine of three axes it has three.
 */

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
                                    cannot be left out on a line of cells */
    bool ring[SPACE_AXES];       /* on a box that spans the axis it can */
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

/* ---- loops (loop.c) ---- */

/*
 * Loops through a plane: the longest ring of points, neighbours one link apart, in a grid some of
 * whose points are dead.
 *
 * The plane has `along` x `across` points; point (i, j) has number i * across + j. It is long and
 * narrow: at most three points across. A walk over the columns therefore finds the longest loop: of
 * what lies behind, only which rows the loop is open in matters, and how those are connected (TOFU,
 * Figure 3). On a line of columns these are two rows or none. On a ring of columns a loop may also
 * pass from the last column to the first: one walk for each set of rows in which it does.
 */

enum { LOOP_MOST_ACROSS = 3 };

struct plane {
    uint32_t along, across;
    bool ring_along;  /* the last column is linked to the first */
    bool ring_across; /* a column of three is a ring */
    uint8_t *dead;    /* [column], bit j: point j of it is left out; NULL: none */
};

/* Points of the longest loop. One point, or two that are linked, are a loop too. Among loops of the
 * same length, one that does not pass from the last column to the first is taken. */
uint32_t loop_length(const struct plane *plane);

/* Writes its points in order, from the first one on, along its column first; returns how many.
 * There must be room for all points of the plane. */
uint32_t loop_find(const struct plane *plane, uint32_t *point);

/* ---- views (view.c) ---- */

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

enum { VIEW_MOST_AXES = 3, VIEW_NO_AXIS = 255 };

/* Machines of six axes: x, y and z, and three short ones that loops turn round in. */
enum { AXIS_A = 3, AXIS_B, AXIS_C, SIX_AXES };

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

/* ---- the ground (ground.c) ---- */

/*
 * What a machine hands out to jobs: the cells of a box of its nodes. On Tofu a cell is a node
 * group, and the box leaves out the planes of I/O nodes; on Blue Gene/L it is a midplane, and
 * places are rings over wires that link chips switch.
 *
 * Places count from the first cell that is handed out. What users read and write has the machine's
 * coordinates: group 1/2/3 of Tofu is the one of nodes 1/2/3/0/0/0 to 1/2/3/1/2/1.
 */
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

/* Reads a place: "3x3x2@0/4/1", so many cells along x, y and z from a cell of the machine on;
 * without the cell, from the first one that is handed out; "all": the whole ground. Complaints name
 * the key. */
weft_status ground_parse(const struct ground *g, const char *key, const char *text,
                         struct place *place);

/* The nodes of a place; the view of them that is most like a cube, with up to three axes; and the
 * one that a box of its size was chosen for. */
struct box ground_box(const struct ground *g, const struct place *place);
struct view_plan ground_plan(const struct ground *g, const struct place *place, unsigned axes);
struct view_plan ground_plan_for(const struct ground *g, const struct place *place,
                                 const struct extent *extent);

#endif
