/* Figures of a machine that is shared: for people, as JSON, and a table of its jobs as CSV. */
#ifndef WEFT_REPORT_JOBS_H
#define WEFT_REPORT_JOBS_H

#include <jansson.h>
#include <stdio.h>

#include "jobs/figures.h"
#include "machine/jobs_params.h"

void jobs_print(FILE *out, const struct jobs_params *params, const struct jobs_report *report);
json_t *jobs_json(const struct jobs_report *report);

/* One line per job, in the order of their submission. */
weft_status jobs_write_csv(const char *path, const struct jobs_report *report);

#endif
