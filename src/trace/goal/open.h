/* Opens traces in GOAL, of either form (goal.h). */
#ifndef WEFT_TRACE_GOAL_OPEN_H
#define WEFT_TRACE_GOAL_OPEN_H

#include "base/status.h"
#include "trace/goal/goal.h"

/* Opens a trace of either form; text may be packed by gzip. WEFT_BAD_INPUT with the line and column
 * of text, or the byte of a binary file. */
weft_status goal_open(const char *path, struct goal *goal);

/* Whether a file begins as a binary trace does. */
bool goal_is_binary(const char *path);

/* The same for text in memory; `name` stands for the file in complaints. */
weft_status goal_open_text(const char *name, const void *text, size_t size, struct goal *goal);

/* Checks a binary form in memory, which it keeps using. */
weft_status goal_open_bytes(const char *name, const void *bytes, size_t size, struct goal *goal);

#endif
