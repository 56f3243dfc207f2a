/* Lines of a summary on a narrow terminal. */
#ifndef WEFT_REPORT_TEXT_LINES_H
#define WEFT_REPORT_TEXT_LINES_H

#include <stdio.h>

/* Prints a text, and breaks those of its lines that have a label and are wider than this: between
 * two figures, or else between two words; what is behind goes on under the text beside the label.
 * Rows of tables stay whole. */
void lines_print(FILE *out, const char *text, unsigned width);

#endif
