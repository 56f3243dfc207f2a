/* A run of any pattern. Of `jobs` and `view`, parts of the machine are given to jobs, and nothing
 * is sent; all others are the machine's own (machine/run.h). */
#ifndef WEFT_JOBS_RUN_H
#define WEFT_JOBS_RUN_H

#include "config/config.h"
#include "machine/result.h"

weft_status jobs_run_config(const struct config *config, const struct run_options *options,
                            struct run_result *result);

#endif
