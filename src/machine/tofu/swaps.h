/* Units of Tofu that are swapped (fabric/tofu/swap.h), and what a run has to do with them. */
#ifndef WEFT_MACHINE_TOFU_SWAPS_H
#define WEFT_MACHINE_TOFU_SWAPS_H

#include "fabric/tofu/network.h"
#include "machine/result.h"
#include "workload/workload.h"

/* WEFT_BAD_INPUT: a unit takes part in something that would wait for it, or no pattern (NULL) sends
 * anything. */
weft_status tofu_swaps_check(const struct tofu_config *machine, const struct workload *workload);

/* What happened at each unit. */
void tofu_swaps_gather(const struct tofu_config *machine, const struct tofu_network *network,
                       struct run_result *result);

#endif
