/* A buffer before a file. */
#define _GNU_SOURCE
#include "base/file/writer.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/file/output.h"

struct writer {
    struct output_file file;
    size_t used;
    char text[1 << 16];
};

weft_status writer_open(struct writer **writer, const char *path)
{
    struct writer *w = memory_alloc(1, sizeof(*w));
    weft_status status = output_open(&w->file, path);
    if (status != WEFT_OK) {
        free(w);
        return status;
    }
    *writer = w;
    return WEFT_OK;
}

static void flush(struct writer *w)
{
    output_write(&w->file, w->text, w->used);
    w->used = 0;
}

void writer_put(struct writer *w, const char *format, ...)
{
    va_list args;
    if (w->used + WRITER_PIECE > sizeof(w->text))
        flush(w);
    va_start(args, format);
    int length = vsnprintf(w->text + w->used, WRITER_PIECE, format, args);
    va_end(args);
    WEFT_CHECK(length >= 0 && length < WRITER_PIECE, "a piece of %d bytes", length);
    w->used += (size_t)length;
}

weft_status writer_close(struct writer *w)
{
    flush(w);
    weft_status status = output_commit(&w->file);
    free(w);
    return status;
}
