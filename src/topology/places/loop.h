/*
 * Loops through a plane: the longest ring of points, neighbours one link apart, in a grid some of
 * whose points are dead.
 *
 * The plane has `along` x `across` points; point (i, j) has number i * across + j. It is long and
 * narrow: at most three points across. A loop then crosses from one column to the next either twice
 * or not at all, so that a walk over the columns finds the longest one: all that has to be known of
 * what lies behind is between which two rows the loop is open (TOFU, Figure 3).
 */
#ifndef WEFT_TOPOLOGY_PLACES_LOOP_H
#define WEFT_TOPOLOGY_PLACES_LOOP_H

#include <stdbool.h>
#include <stdint.h>

enum { LOOP_MOST_ACROSS = 3 };

struct plane {
    uint32_t along, across;
    bool ring;           /* a column of three is a ring */
    const uint8_t *dead; /* [column], bit j: point j of it; NULL: none */
};

/* Points of the longest loop. One point, or two that are linked, are a loop too. */
uint32_t loop_length(const struct plane *plane);

/* Writes its points in order, from the first one on, along its column first; returns how many.
 * There must be room for all points of the plane. */
uint32_t loop_find(const struct plane *plane, uint32_t *point);

#endif
