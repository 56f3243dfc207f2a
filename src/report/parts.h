/* What jobs that share a machine did, each by itself: a table, and JSON. */
#ifndef WEFT_REPORT_PARTS_H
#define WEFT_REPORT_PARTS_H

#include <jansson.h>
#include <stdio.h>

#include "machine/result.h"

void parts_print(FILE *out, const struct run_result *r);

/* "part_1", "part_2", ... */
json_t *parts_json(const struct run_result *r);

/* The part of each node, from 1; 0: none. */
json_t *part_of_node_json(const struct run_result *r);

#endif
