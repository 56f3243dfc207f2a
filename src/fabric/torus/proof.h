/*
 * Whether a torus network can deadlock, decided before it runs.
 *
 * A packet in a buffer waits for room in the next: channels (node, port, VC) depend on channels,
 * and without a cycle of them something can always move (Dally and Seitz; with dynamic VCs it is
 * enough that the escape VCs have no cycle and that every packet can always ask for one: Duato).
 * Packets are received whole before they free room, so only the next channel counts.
 *
 * The graph is built from what packets may do, not from all pairs: from a channel of a ring to the
 * next channel of that ring, as long as packets travel that far, and to the channels of later
 * directions in the escape's order. The bubble's rings are cycles by design; they are allowed if a
 * packet needs room for two to enter and each is accounted at full size, so that room for one
 * always remains (Puente et al.; TORUS, "Torus network", for packets of different sizes).
 */
#ifndef WEFT_FABRIC_TORUS_PROOF_H
#define WEFT_FABRIC_TORUS_PROOF_H

#include "fabric/torus/faults.h"
#include "fabric/torus/params.h"

struct proof_traffic {
    bool dynamic, high; /* kinds of packets besides those with fixed paths */
    bool long_ways;     /* packets may go more than half way around a ring */
    bool small_packets; /* some are smaller than full ones */
};

/*
 * WEFT_OK: proved, and `text` says how. WEFT_FAILED: not proved; `text` says why and, if there is a
 * cycle, lists the shortest as lines of node, port and VC.
 */
weft_status torus_prove(const struct torus *torus, const struct torus_params *params,
                        const struct torus_faults *faults, const struct proof_traffic *traffic,
                        char *text, size_t size);

#endif
