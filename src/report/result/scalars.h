/* The single values of a result file: what a table can hold. Lists, such as timelines, are none. */
#ifndef WEFT_REPORT_RESULT_SCALARS_H
#define WEFT_REPORT_RESULT_SCALARS_H

#include <stdbool.h>
#include <stdio.h>

#include "config/yaml.h"

enum scalar_kind {
    SCALAR_NONE,   /* part of a list, or of a section of packed arrays */
    SCALAR_RESULT, /* what was simulated */
    SCALAR_CONFIG, /* what was asked for: "config." precedes the key */
    SCALAR_ENGINE, /* how it was computed: times of this computer, which no two runs share */
};
enum scalar_kind scalar_kind(const char *path);

/* Writes a value as CSV has it: in quotes if it has commas or quotes. */
void scalar_csv(FILE *f, const char *value);

#endif
