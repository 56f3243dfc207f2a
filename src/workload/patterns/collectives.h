/* A collective operation by packets of the message layer (message/packets/spread.h). */
#ifndef WEFT_WORKLOAD_PATTERNS_COLLECTIVES_H
#define WEFT_WORKLOAD_PATTERNS_COLLECTIVES_H

#include "workload/workload.h"

/* Takes the place of what the pattern has set up. varied: what sizes depend on (node/program.h). */
weft_status spread_collective(struct workload *w, enum step_collective kind, uint64_t varied);

#endif
