/* What a person reads on the terminal. */
#ifndef WEFT_REPORT_TEXT_SUMMARY_H
#define WEFT_REPORT_TEXT_SUMMARY_H

#include <stdio.h>

#include "machine/run.h"
#include "study/study.h"

void summary_run(FILE *out, const struct config *config, const struct run_result *result);

/* The resolved machine: topology, peak figures, parameters with units and sources. */
void summary_machine(FILE *out, const struct config *config);

/* All keys that begin so, with their units, defaults and help; WEFT_BAD_INPUT: none does. */
weft_status summary_keys(FILE *out, const char *prefix);

/* The same of one machine, with its values. */
weft_status summary_machine_keys(FILE *out, const struct config *config, const char *prefix);

/* A study with all its results: its runs, its claims, the verdicts. */
void summary_study(FILE *out, const struct study *study);

/* What a claim allows: "-0.2 +- 0.07", "> 1", "0.1 to 3". */
void summary_claim_range(const struct study_claim *claim, char text[48]);

/* What was measured: "0.96 +- 0.003", with the 95 % interval over several seeds. */
void summary_claim_figure(const struct study_claim *claim, char text[48]);

/* One line: how many claims have each verdict. */
void summary_verdicts(FILE *out, const size_t count[VERDICTS]);

#endif
