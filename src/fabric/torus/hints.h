/*
 * Hint bits: the directions in which a packet may be routed (TORUS, "Torus network").
 *
 * By hardware: each node has two cut-off registers per dimension. To a larger coordinate: plus if
 * it is at most cutoff_plus, else minus; to a smaller one: minus if it is at least cutoff_minus,
 * else plus. Here they are set for minimal routing; at half a ring both ways are equally long, and
 * nodes alternate by the parity of their coordinates, so that links share the load evenly.
 * By software: minimal too; at half a ring the messages of a node alternate, and packets that are
 * not part of a message draw at random.
 */
#ifndef WEFT_FABRIC_TORUS_HINTS_H
#define WEFT_FABRIC_TORUS_HINTS_H

#include "fabric/torus/packet.h"
#include "topology/torus/torus.h"

enum hint_source { HINTS_HARDWARE, HINTS_SOFTWARE };

/* A node's pair of cut-off registers in one dimension. */
struct cutoffs {
    int32_t plus, minus;
};

struct cutoffs hints_cutoffs(const struct torus *t, unsigned dim, const uint32_t *coordinate);

/* Sets hint bits and hops of a packet from one node to another. Bit d of `draw` decides
 * software ties along dimension d. */
void hints_set(const struct torus *t, enum hint_source source, uint32_t from, uint32_t to,
               uint64_t draw, struct torus_packet *packet);

#endif
