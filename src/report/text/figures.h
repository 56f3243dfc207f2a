/* The table of figures, as the guide has it. */
#ifndef WEFT_REPORT_TEXT_FIGURES_H
#define WEFT_REPORT_TEXT_FIGURES_H

#include <stdio.h>

/* Markdown: a table for each kind of runs. */
void figures_markdown(FILE *out);

#endif
