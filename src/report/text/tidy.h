/*
 * A sweep as a tidy table: one row per run, one column per variable. First what was swept and how
 * it ended, then the figures that were asked for, then all else: every figure of the results, and
 * every key of the configurations. What a run does not have is empty.
 */
#ifndef WEFT_REPORT_TEXT_TIDY_H
#define WEFT_REPORT_TEXT_TIDY_H

#include "study/sweep.h"

/* Leaves the sweep showing the last of these figures. */
weft_status tidy_write(const char *path, struct sweep *sweep, const char *const *metric,
                       unsigned metrics);

#endif
