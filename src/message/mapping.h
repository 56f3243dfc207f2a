/*
 * Which rank runs where: the mapping of ranks to the processors of nodes (the message layer of Blue
 * Gene/L: Almasi et al., Implementing MPI on the BlueGene/L Supercomputer, 5, "Mapping").
 *
 * A processor is named by its node's coordinates and t, its number there; in the machine it has the
 * number node * per_node + t, with nodes as torus_node() numbers them. A mapping gives each rank a
 * processor of its own on a living node. It is written as one of
 *
 *   an order    a permutation of the coordinates' letters and T, in upper or lower case: XYZT.
 *               Ranks are dealt out with the first letter varying fastest. XYZT puts neighbours in
 *               rank on neighbours in x, and comes to the second processors when all first ones
 *               have a rank; TXYZ fills a node before it goes to the next
 *   a fold      fold:16x32, on three dimensions: ranks form a grid of so many columns and rows,
 *               folded so that neighbours in the grid are neighbours in the machine, or nearly
 *   a map file  one line per rank, in increasing order: `x y z t`, or `x y z` on all lines, where t
 *               is 0. Blank lines and comments (#) do not count. Lines beyond the ranks that are
 *               wanted must have that form and are otherwise ignored: on the real machine, what is
 *               mapped to such a rank exits at start
 *
 * The paper calls XYZT the "lexical ordering" of (x, y, z, t). That could also mean that t varies
 * fastest and x slowest; it is taken as on the real machine, where x varies fastest.
 */
#ifndef WEFT_MESSAGE_MAPPING_H
#define WEFT_MESSAGE_MAPPING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "topology/torus/torus.h"

#define MAPPING_NONE UINT32_MAX

/* The machine that ranks are mapped to. It has fewer than 2^32 - 1 processors. */
struct mapping_options {
    unsigned dims; /* 1 to TORUS_MAX_DIMS */
    uint32_t size[TORUS_MAX_DIMS];
    const char *letters; /* of the dimensions, upper case, without T: "XYZ"; a graph has one
                            dimension, the numbers of its nodes: "N" */
    uint32_t per_node;   /* processors of a node, at least 1 */
    const bool *dead;    /* [node]; NULL: none */
    const char *key;     /* that the text is the value of, for complaints; NULL: none */
    uint32_t processes;  /* ranks that are wanted; 0: as many as the order or the file has */
};

struct mapping {
    uint32_t ranks;
    uint32_t *processor; /* [rank] */
    uint32_t *rank;      /* [processor]; MAPPING_NONE: nobody runs there */
};

/* `text` is an order, or the path of a map file. What has only letters of an order is never a path:
 * write ./xyz for a file of that name. */
weft_status mapping_create(const struct mapping_options *options, const char *text,
                           struct mapping *mapping);

/* A map file that has been read; `name` is what complaints call it. */
weft_status mapping_read_text(const struct mapping_options *options, const char *name,
                              const char *text, size_t size, struct mapping *mapping);

void mapping_fini(struct mapping *mapping);

#endif
