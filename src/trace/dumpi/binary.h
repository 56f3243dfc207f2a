/* Calls of a rank from DUMPI's binary form (file.h). Memory holds one call. */
#ifndef WEFT_TRACE_DUMPI_BINARY_H
#define WEFT_TRACE_DUMPI_BINARY_H

#include "trace/dumpi/call.h"

struct dumpi_binary;

/* WEFT_BAD_INPUT: it is no file of DUMPI's, or not whole. The path must stay. */
weft_status dumpi_binary_open(const char *path, struct dumpi_binary **binary);
void dumpi_binary_close(struct dumpi_binary *binary);

/* Sizes of the rank's datatypes, by their numbers; valid until it is closed. */
const int32_t *dumpi_binary_sizes(const struct dumpi_binary *binary, uint32_t *count);

/* The next call, valid until the one after; at the end its function is DUMPI_END. */
weft_status dumpi_binary_next(struct dumpi_binary *binary, const struct dumpi_call **call);

#endif
