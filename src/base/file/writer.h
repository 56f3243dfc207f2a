/*
 * Text on its way to a file, which appears whole or not at all (output.h).
 *
 *   writer_open(&w, path)
 *   writer_put(w, "%u,%u\n", x, y)     as often as needed; a failure is kept for the end
 *   writer_close(w)                    also ends `w`
 */
#ifndef WEFT_BASE_FILE_WRITER_H
#define WEFT_BASE_FILE_WRITER_H

#include "base/status.h"

enum { WRITER_PIECE = 1024 }; /* the longest text that is put at once, with its end */

struct writer;

weft_status writer_open(struct writer **writer, const char *path);
void writer_put(struct writer *w, const char *format, ...) __attribute__((format(printf, 2, 3)));
weft_status writer_close(struct writer *w);

#endif
