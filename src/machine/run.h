/*
 * One run: builds machine and workload from a configuration, runs them, and gathers what was
 * measured. With several ranks, all must call it with the same arguments; only the first rank gets
 * the whole result.
 */
#ifndef WEFT_MACHINE_RUN_H
#define WEFT_MACHINE_RUN_H

#include "machine/checkpoint.h"
#include "machine/machine.h"
#include "machine/result.h"

/*
 * WEFT_OK: done. WEFT_FAILED: a deadlock (the result is filled in and says so), an interruption or
 * a broken invariant. WEFT_BAD_INPUT: it could not start. The caller must call run_result_fini()
 * after WEFT_OK and after a deadlock.
 */
weft_status run_config(const struct config *config, const struct run_options *options,
                       struct run_result *result);

#endif
