/* Two results side by side: what was set differently, and what came out. */
#ifndef WEFT_REPORT_TEXT_COMPARE_H
#define WEFT_REPORT_TEXT_COMPARE_H

#include <stddef.h>
#include <stdio.h>

#include "config/yaml.h"
#include "report/result/scalars.h"

/* Whether a change is larger than what chance gives, by the 95 % intervals of both. */
enum compare_certainty { CERTAINTY_UNKNOWN, CERTAINTY_REAL, CERTAINTY_CHANCE };

struct compare_row {
    enum scalar_kind kind;
    const char *name;        /* lives in one of the results */
    const char *value[2];    /* as the results have them; NULL: this one has none */
    bool differs, numbers;   /* both are numbers: */
    double change, relative; /* second - first, and as a share of the first; NAN: that is 0 */
    bool unsteady[2];        /* it means little: it grows with the length of the run */
    enum compare_certainty certainty;
};

struct comparison {
    const struct yaml *result[2];
    struct compare_row *row; /* keys, then figures, then the engine's */
    size_t rows;
    bool same; /* no figure differs; keys and the engine do not count */
};

/* The results must live as long. */
void compare_init(struct comparison *c, const struct yaml *first, const struct yaml *second);
void compare_fini(struct comparison *c);

/* What differs, for people; everything, as CSV. */
void compare_print(FILE *out, const struct comparison *c);
void compare_csv(FILE *out, const struct comparison *c);

#endif
