/* A run of the pattern `jobs` or `view`: parts of the machine are given to jobs, and nothing is
 * sent. */
#ifndef WEFT_MACHINE_JOBS_H
#define WEFT_MACHINE_JOBS_H

#include "config/config.h"
#include "machine/result.h"

weft_status jobs_execute(const struct config *config, const struct run_options *options,
                         struct run_result *result);

#endif
