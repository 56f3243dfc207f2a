/* The head of a run's summary. */
#ifndef WEFT_REPORT_TEXT_HEADER_H
#define WEFT_REPORT_TEXT_HEADER_H

#include <stdio.h>

#include "machine/machine.h"

/* The machine and the workload, and what of the machine is not as its file has it: a figure of a
 * mesh, or of another routing, is not taken for one of the machine. */
void header_print(FILE *out, const struct config *c);

#endif
