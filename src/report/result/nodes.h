/* What each node did, in files. */
#ifndef WEFT_REPORT_RESULT_NODES_H
#define WEFT_REPORT_RESULT_NODES_H

#include <jansson.h>

#include "machine/machine.h"
#include "machine/result.h"
#include "report/result/columns.h"

extern const struct column_table node_columns;

/* The section `each_node` of a result; NULL: there is none without run.detail. */
json_t *nodes_json(const struct config *config, const struct run_result *result);

/* A row per node; needs run.detail. */
weft_status nodes_write_csv(const char *path, const struct config *config,
                            const struct run_result *result);

#endif
