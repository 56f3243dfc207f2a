/*
 * What came of the papers' claims: measured once in the papers' sizes, kept, and told.
 *
 *   claims/bluegene-l.yaml    every claim of a paper: id, kind, and what shows it if no study does
 *   claims/measured/NAME.yaml what a study's claims came to, written by validation_record()
 *   claims/validation.md     the text around the tables, which stand at "<!-- results -->" and
 *                            "<!-- parameters and mechanisms -->"
 */
#ifndef WEFT_REPORT_VALIDATION_H
#define WEFT_REPORT_VALIDATION_H

#include <stdio.h>

#include "study/study.h"

/* Keeps the figures of a study that was run in its paper's size. `path` (4300 bytes): the file. */
weft_status validation_record(const struct study *study, char *path);

/* The whole page, from the studies of these names and what is kept of them. Fails if a claim is
 * shown by nothing, or a figure of a study is not there. */
weft_status validation_report(FILE *out, char *const *name, size_t names);

#endif
