/* A run's result as JSON, in the format of docs/guide.md, which other programs read. */
#ifndef WEFT_REPORT_RESULT_RESULT_H
#define WEFT_REPORT_RESULT_RESULT_H

#include "machine/run.h"

/* The whole result as text; the caller frees it. */
char *result_json(const struct config *config, const struct run_result *result);

#endif
