/*
 * Hint bits: the directions in which a packet may be routed (TORUS, "Torus network").
 *
 * By hardware: two cut-off registers a dimension at each node. To a larger coordinate: plus if it
 * is no more than cutoff_plus, else minus; to a smaller one: minus if it is no less than
 * cutoff_minus, else plus. Set here for minimal routing; at half a ring both ways are as long, and
 * nodes take turns by the parity of their coordinates, so that the links share it evenly.
 * By software: minimal too; at half a ring the messages of a node take turns, and packets that are
 * no part of a message draw.
 */
#ifndef WEFT_FABRIC_TORUS_HINTS_H
#define WEFT_FABRIC_TORUS_HINTS_H

#include "fabric/torus/packet.h"
#include "topology/torus.h"

enum hint_source { HINTS_HARDWARE, HINTS_SOFTWARE };

/* The direction register pair of a node in one dimension. */
struct cutoffs {
    int32_t plus, minus;
};

struct cutoffs hints_cutoffs(const struct torus *t, unsigned dim, const uint32_t *coordinate);

/* Sets hint bits and hops of a packet from one node to another. Bit d of `draw` decides
 * software ties along dimension d. */
void hints_set(const struct torus *t, enum hint_source source, uint32_t from, uint32_t to,
               uint64_t draw, struct torus_packet *packet);

#endif
