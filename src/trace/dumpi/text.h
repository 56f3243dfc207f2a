/* Calls of a rank from DUMPI's text form, as dumpi2ascii writes it. Memory holds one call. */
#ifndef WEFT_TRACE_DUMPI_TEXT_H
#define WEFT_TRACE_DUMPI_TEXT_H

#include "trace/dumpi/call.h"

struct dumpi_text;

/* WEFT_BAD_INPUT: it cannot be opened. The path must stay. */
weft_status dumpi_text_open(const char *path, struct dumpi_text **text);
void dumpi_text_close(struct dumpi_text *text);

/* The next call, valid until the one after; at the end its function is DUMPI_END. */
weft_status dumpi_text_next(struct dumpi_text *text, const struct dumpi_call **call);

#endif
