/*
 * The verdicts on the papers' claims: measured once in the papers' sizes, recorded, and reported.
 *
 *   claims/MACHINE.yaml       every claim of a paper: id, kind, and what shows it if no study does
 *   claims/measured/NAME.yaml measured figures of a study's claims, by validation_record()
 *   claims/validation.md      the text around the tables, which replace the lines
 *                             "<!-- results MACHINE -->" and "<!-- others MACHINE -->"
 */
#ifndef WEFT_REPORT_TEXT_VALIDATION_H
#define WEFT_REPORT_TEXT_VALIDATION_H

#include <stdio.h>

#include "study/study.h"

/* Whether the figures of a study can be kept, before it runs. */
weft_status validation_try(const struct study *study);

/* Records the figures of a study that was run in its paper's size. Sets `path` (4300 bytes) to the
 * file. */
weft_status validation_record(const struct study *study, char *path);

/* Prints the whole page from the studies with these names and their records. Fails if nothing shows
 * a claim, or a figure of a study is missing. */
weft_status validation_report(FILE *out, char *const *name, size_t names);

#endif
