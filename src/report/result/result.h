/* A run's result as JSON, in the format of docs/guide.md, which other programs read, and tables of
 * its links and nodes. */
#ifndef WEFT_REPORT_RESULT_RESULT_H
#define WEFT_REPORT_RESULT_RESULT_H

#include "machine/run.h"

/* The whole result as text; the caller frees it. */
char *result_json(const struct config *config, const struct run_result *result);

/* Tables of what each link and virtual channel, and each node, did; both need run.detail. */
weft_status links_write_csv(const char *path, const struct run_result *result);
weft_status nodes_write_csv(const char *path, const struct config *config,
                            const struct run_result *result);

#endif
