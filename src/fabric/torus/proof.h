/*
 * Whether a torus network can deadlock, decided before it runs.
 *
 * A packet that waits in a buffer waits for room in the next: channels (node, port, VC) depend on
 * channels, and without a cycle of them something can always move (Dally and Seitz; with dynamic
 * VCs it is enough that the escape VCs have none, and that every packet can always ask for one:
 * Duato). Packets are received whole before they leave room, so that only the next channel counts.
 *
 * The graph is built of what packets may do, not of all pairs: from a channel of a ring onwards to
 * the next of that ring, as long as packets travel so far, and to the channels of later directions
 * in the escape's order. The bubble's rings are cycles by design; they are allowed if a packet
 * needs room for two to enter and each is accounted in full, so that room for one always stays
 * (Puente et al.; TORUS, "Torus network", for sizes that differ).
 */
#ifndef WEFT_FABRIC_TORUS_PROOF_H
#define WEFT_FABRIC_TORUS_PROOF_H

#include "fabric/torus/faults.h"
#include "fabric/torus/params.h"

struct proof_traffic {
    bool dynamic, high; /* kinds of packets that there are, besides those with fixed paths */
    bool long_ways;     /* packets that go round a ring for more than half of it */
    bool small_packets; /* some are smaller than full ones */
};

/*
 * WEFT_OK: proved, and `text` says how. WEFT_FAILED: not; `text` is why, and the shortest cycle as
 * lines of node, port and VC where there is one.
 */
weft_status torus_prove(const struct torus *torus, const struct torus_params *params,
                        const struct torus_faults *faults, const struct proof_traffic *traffic,
                        char *text, size_t size);

#endif
