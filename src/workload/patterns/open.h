/* Open loops: what patterns with rates of their own, and flows, need of them. */
#ifndef WEFT_WORKLOAD_PATTERNS_OPEN_H
#define WEFT_WORKLOAD_PATTERNS_OPEN_H

#include "workload/workload.h"

/* Sets up a pattern whose senders have rates, and takes them; NULL: all are alike. */
weft_status open_setup_rates(struct workload *w, struct rates *rates);
void open_fini(struct workload *w);

/* The pattern's partner() for one with rates. */
uint32_t open_by_rates(const struct workload *w, uint32_t place, uint32_t sequence);

/* Where a packet of a node goes; false: it sends none. */
bool open_destination(const struct workload *w, uint32_t node, uint32_t sequence,
                      struct step *step);

#endif
