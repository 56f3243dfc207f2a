/* What is given in place of a trace by mistake: another of its files, or one with another name. */
#ifndef WEFT_TRACE_MISTAKEN_H
#define WEFT_TRACE_MISTAKEN_H

#include "base/status.h"

/* Refuses such a file, and says which one to give. */
weft_status trace_mistaken(const char *path);

#endif
