/*
 * Whether a crosspoint network can deadlock, decided before it runs (KAUTZ, 4.2).
 *
 * A packet in crosspoint buffer (i, j) on VC v waits for an entry open to v in the buffer that its
 * next two hops name. Each VC has an entry of its own in each buffer, so without a cycle of buffers
 * and VCs something can always move (Dally and Seitz). The graph is first built from all turns that
 * any route could take; if that has a cycle, from the turns that routes do take.
 *
 * The decrement rule has no cycle on any graph: on one VC a packet goes down in node numbers, then
 * up, and never down again. It needs one VC more than a route has peaks.
 */
#ifndef WEFT_FABRIC_CROSSPOINT_PROOF_H
#define WEFT_FABRIC_CROSSPOINT_PROOF_H

#include "fabric/crosspoint/params.h"

/* The most VCs that any shortest route needs, and the first pair that needs them. */
struct crosspoint_need {
    uint32_t vcs, hops;
    uint32_t from, to;
};
struct crosspoint_need crosspoint_need(const struct graph_routes *routes,
                                       const struct crosspoint_params *params);

/* WEFT_BAD_INPUT, naming the pair, if two living nodes have no route, or a shortest one needs more
 * hops in its routing string than there are; then, if it needs more VCs. */
weft_status crosspoint_check_graph(const struct graph *graph,
                                   const struct crosspoint_params *params);
weft_status crosspoint_check_routes(const struct graph_routes *routes,
                                    const struct crosspoint_params *params);

/* WEFT_OK: proved, and `text` says how. WEFT_FAILED: not proved, and `text` has the cycle. `rails`:
 * how many disjoint routes long messages take; 1: the shortest only. */
weft_status crosspoint_prove(const struct graph_routes *routes,
                             const struct crosspoint_params *params, uint32_t rails, char *text,
                             size_t size);

#endif
