/*
 * Whether packets can wait for each other for ever (Dally and Seitz 1987). A channel is a virtual
 * channel of a link; it waits for those that packets in it may ask for next: whatever the path,
 * detours and long ways included. The graph of a whole machine contains those of all machines with
 * something dead, so one proof covers every fault.
 */
#ifndef WEFT_FABRIC_TOFU_PROOF_H
#define WEFT_FABRIC_TOFU_PROOF_H

#include "fabric/tofu/params.h"

/* Says why there is no deadlock (WEFT_OK), or which channels may wait for each other. */
weft_status tofu_prove(const struct tofu_routing *routing, const struct tofu_params *params,
                       char *text, size_t size);

#endif
