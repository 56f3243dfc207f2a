/*
 * When the packets of an open loop are born.
 *
 *   no bursts    gaps between births are exponential
 *   bursts       a source is on, then off, then on again: a burst of packets at a fixed spacing,
 *                then a pause. Lengths of bursts are geometric and pauses exponential, or both
 *                have the long tail of a Pareto distribution (sums of such sources are
 *                self-similar: Willinger et al. 1997). Whichever it is, the mean rate is the same.
 *
 *   | | | |             | |      | | | | |          births
 *   <-----><-----------><--------
 *    burst     pause     burst
 *
 * A birth is drawn by the packet's number and what is left of the burst before it; who asks, and
 * when, does not matter.
 */
#ifndef WEFT_NODE_ARRIVAL_PROCESS_H
#define WEFT_NODE_ARRIVAL_PROCESS_H

#include <stdint.h>

enum burst { BURST_NONE, BURST_GEOMETRIC, BURST_PARETO };

struct arrival_process {
    double mean_gap_cycles; /* between two arrivals; 0: all packets exist from the start */
    enum burst burst;       /* BURST_NONE: the rest does not count */
    double burst_packets;   /* mean, at least 1 */
    double spacing_cycles;  /* from one packet of a burst to the next, */
    double pause_cycles;    /* and how much later than that the next burst begins, on average */
    double shape;           /* of Pareto distributions, above 1: they have a mean */
};

/* Bursts with a mean rate of one packet per mean_gap_cycles, whose packets follow each other at a
 * spacing, or as close as they must for that rate. */
struct arrival_process arrival_process_spaced(enum burst burst, double mean_gap_cycles,
                                              double burst_packets, double shape,
                                              double spacing_cycles);

/* Cycles from the birth before to that of a node's packet `sequence`. `left`: packets that its
 * burst still has; 0 at first. */
double arrival_process_next(const struct arrival_process *arrivals, uint64_t seed, uint32_t node,
                            uint32_t sequence, uint32_t *left);

#endif
