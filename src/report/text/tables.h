/* What a person reads on the terminal, and tables: of a run, a machine, its keys, a study, a sweep,
 * two results, and the papers' claims. */
#ifndef WEFT_REPORT_TEXT_TABLES_H
#define WEFT_REPORT_TEXT_TABLES_H

#include <stdio.h>

#include "machine/run.h"
#include "study/sweep.h"

/* ---- run.c ---- */

void summary_run(FILE *out, const struct config *config, const struct run_result *result);

/* ---- study.c ---- */

/* A study with all its results: its runs, its claims, the verdicts. */
void summary_study(FILE *out, const struct study *study);

/* What a claim allows: "-0.2 +- 0.07", "> 1", "0.1 to 3". */
void summary_claim_range(const struct study_claim *claim, char text[48]);

/* What was measured: "0.96 +- 0.003", with the 95 % interval over several seeds. */
void summary_claim_figure(const struct study_claim *claim, char text[48]);

/* One line: how many claims have each verdict. */
void summary_verdicts(FILE *out, const size_t count[VERDICTS]);

/* ---- reference.c ---- */

/* The resolved machine: topology, peak figures, parameters with units and sources. */
void summary_machine(FILE *out, const struct config *config);

/* All keys that begin so, with their units, defaults and help; WEFT_BAD_INPUT: none does. */
weft_status summary_keys(FILE *out, const char *prefix);

/* The same of one machine, with its values. */
weft_status summary_machine_keys(FILE *out, const struct config *config, const char *prefix);

/* The table of figures in Markdown, as the guide has it: one for each kind of runs. */
void figures_markdown(FILE *out);

/* ---- tidy.c ---- */

/*
 * A sweep as a tidy table: one row per run, one column per variable. First what was swept and how
 * it ended, then the figures that were asked for, then all else: every figure of the results, and
 * every key of the configurations. What a run does not have is empty. Leaves the sweep showing the
 * last of these figures.
 */
weft_status tidy_write(const char *path, struct sweep *sweep, const char *const *metric,
                       unsigned metrics);

/* ---- compare.c ---- */

/* Prints what was set differently in two results, and which figures differ (`out` NULL: does not);
 * writes all of both as CSV (`csv` NULL: does not). *same: no figure differs; keys and how it was
 * computed do not count. */
weft_status compare_results(FILE *out, const char *csv, const struct yaml *first,
                            const struct yaml *second, bool *same);

/*
 * ---- validation.c: the verdicts on the papers' claims ----
 *
 *   claims/MACHINE.yaml       every claim of a paper: id, kind, and what shows it if no study does
 *   claims/measured/NAME.yaml measured figures of a study's claims, by validation_record()
 *   claims/validation.md      the text around the tables, which replace the lines
 *                             "<!-- results MACHINE -->" and "<!-- others MACHINE -->"
 */

/* Whether the figures of a study can be kept, before it runs. */
weft_status validation_try(const struct study *study);

/* Records the figures of a study that was run in its paper's size. Sets `path` (4300 bytes) to the
 * file. */
weft_status validation_record(const struct study *study, char *path);

/* Prints the whole page from the studies with these names and their records. Fails if nothing shows
 * a claim, or a figure of a study is missing. */
weft_status validation_report(FILE *out, char *const *name, size_t names);

#endif
