/* Writes the messages of a pattern as a trace in GOAL (trace/goal/goal.h). */
#ifndef WEFT_WORKLOAD_EXPORT_H
#define WEFT_WORKLOAD_EXPORT_H

#include "trace/goal/goal.h"
#include "workload/workload.h"

/* Every process becomes a rank. Vectors are combined at `combine_mb_per_s`, which becomes calcs. */
weft_status workload_export(const struct workload *w, double combine_mb_per_s, const char *path,
                            bool binary);

#endif
