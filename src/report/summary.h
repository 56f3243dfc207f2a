/* What a person reads on the terminal. */
#ifndef WEFT_REPORT_SUMMARY_H
#define WEFT_REPORT_SUMMARY_H

#include <stdio.h>

#include "study/run.h"
#include "study/study.h"

void summary_run(FILE *out, const struct config *config, const struct run_result *result);

/* The machine resolved: topology, peak figures, parameters with units and sources. */
void summary_machine(FILE *out, const struct config *config);

/* All keys with their units, defaults and help. */
void summary_keys(FILE *out);

/* One line of a study's table, and the line over it. */
void summary_study_head(FILE *out, const struct study *study);
void summary_study_row(FILE *out, const struct study *study, const struct study_run *run);

/* 1234567 as "1 234 567". */
const char *summary_count(uint64_t value, char text[32]);

#endif
