/*
 * What routing offers, counted without traffic (TOFU, "Multipath routing function"): how many paths
 * a pair of nodes has, and which pairs are left without one when something is under maintenance.
 */
#ifndef WEFT_FABRIC_TOFU_SURVEY_H
#define WEFT_FABRIC_TOFU_SURVEY_H

#include "fabric/tofu/route.h"

/* How many of the twelve paths from node 0 differ. (Groups look the same from each of their nodes.)
 * All 0: there is no such pair. */
struct tofu_path_counts {
    uint32_t between_least, between_most; /* to a node of another group */
    uint32_t within_least, within_most;   /* to another node of the same group */
};

struct tofu_path_counts tofu_count_paths(const struct tofu_routing *routing);

/* The same for those that have no link in common. Takes long on large machines. */
struct tofu_path_counts tofu_count_apart(const struct tofu_routing *routing);

/* Ordered pairs of living nodes without a path, added up over all machines in which one node, one
 * board or one group is dead, and nothing else. Takes very long on large machines. */
struct tofu_cut_counts {
    uint64_t node, board, group;
};

struct tofu_cut_counts tofu_count_cuts(const struct tofu_routing *routing);

#endif
