/*
 * The space that jobs are placed in: cells of a box of three axes, which are what a machine hands
 * out (node groups of Tofu, midplanes of Blue Gene/L). A map has a bit for every cell; a place is a
 * box of cells that are all free.
 *
 * A map has layers: cells that are taken, cells that are closed because something in them is dead,
 * and, where rings are wired, the wires of each axis. A ring of some cells of a row, more than one
 * and not all, goes back over the wire that passes the others by: there is one per row and axis,
 * and it is taken with the place (the link chips of Blue Gene/L).
 *
 * "Is there a place" is answered for all corners at once: of a row of cells, the corners of runs of
 * n free ones are found by some shifts, and rows and layers are then combined in the same way. The
 * answer is exact, and takes a microsecond on the K computer.
 */
#ifndef WEFT_TOPOLOGY_PLACES_SPACE_H
#define WEFT_TOPOLOGY_PLACES_SPACE_H

#include <stdbool.h>
#include <stdint.h>

enum { SPACE_AXES = 3, SPACE_MOST_ALONG = 64 }; /* cells of a row are bits of a word */

enum space_layer { SPACE_TAKEN, SPACE_CLOSED, SPACE_WIRES };

struct space {
    uint32_t size[SPACE_AXES];
    bool wrap[SPACE_AXES]; /* a place may lie across the end of an axis */
    bool wired;            /* places are rings */
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

/* Opens or closes a cell. */
void space_close(const struct space *s, space_row *map, uint32_t cell, bool close);

/* Whether a cell of a place is taken in a map. */
bool space_touches(const struct space *s, const space_row *map, const struct place *place);

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

#endif
