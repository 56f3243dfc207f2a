/*
 * Boxes of a torus that are wired apart (MSG, 2: link chips between midplanes redirect signals;
 * they "provide isolation between independent partitions while maintaining fully connected networks
 * within a partition").
 *
 * Each box is a torus of its own: every axis of it is a ring, whatever part of a row it is. No link
 * leads from one box to another. Cells (midplanes) that are in no box are closed, each on itself.
 *
 *   a row of 4 midplanes        wired as 2x1x1@0/0/0, and two that are in no box
 *   ┌─A───B───C───D─┐           ┌─A───B─┐  ┌─C─┐  ┌─D─┐
 *   └───────────────┘           └───────┘  └───┘  └───┘
 *
 * Nodes keep their numbers in the machine. What depends on where a node is in its ring asks for its
 * home (torus.h): the torus that it is in, and its coordinates or number there. Without a wiring
 * that is the machine, and its own.
 */
#ifndef WEFT_TOPOLOGY_TORUS_WIRING_H
#define WEFT_TOPOLOGY_TORUS_WIRING_H

#include "topology/torus/torus.h"

/* Boxes of whole cells, which share none. */
struct wiring *wiring_create(const struct torus *torus, const uint32_t cell[TORUS_MAX_DIMS],
                             const struct box *box, uint32_t boxes);
void wiring_destroy(struct wiring *wiring); /* NULL will do */

#endif
