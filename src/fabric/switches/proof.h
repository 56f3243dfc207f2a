/*
 * Whether a network of switches can deadlock, decided before it runs.
 *
 * A channel is a link and a class of VCs; a packet in it waits for the channels that routing allows
 * at the next switch. All routes from any host to any other are followed, with all detours; without
 * a cycle of waits something can always move (Dally and Seitz 1987). Where any minimal port may be
 * taken on VCs of its own, the channels are the escape VCs only, which every packet can fall back
 * on and then stays on (Duato 1993).
 */
#ifndef WEFT_FABRIC_SWITCHES_PROOF_H
#define WEFT_FABRIC_SWITCHES_PROOF_H

#include "fabric/switches/params.h"

/* WEFT_OK: proved, and `text` says how. WEFT_FAILED: not proved, and `text` has the cycle. */
weft_status switches_prove(const struct switches_routing *routing, char *text, size_t size);

#endif
