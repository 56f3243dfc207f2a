/* The formats of traces, one row each, and how a file's format is found. */
#include "trace/format.h"

#include <stdio.h>
#include <string.h>

#include "base/file/input.h"
#include "base/text/text.h"

extern const struct trace_format goal_format, dumpi_format, otf2_format, ti_format;

/* Time-independent traces are plain text that begins in no particular way: they come last. */
const struct trace_format *const trace_formats[] = {
    &goal_format, &dumpi_format, &otf2_format, &ti_format, NULL,
};

struct trace_file trace_file_at(const char *path)
{
    struct trace_file file = {.path = path};
    FILE *f = input_is_plain(path) ? fopen(path, "rb") : NULL;
    if (!f)
        return file;
    file.size = fread(file.first, 1, TRACE_FIRST_BYTES, f);
    /* Text has no control characters but blanks; gzip's first byte is one. */
    for (size_t i = 0; i < file.size; i++)
        if (file.first[i] < ' ' && !strchr("\t\r\n", file.first[i] ? file.first[i] : 1))
            file.binary = !(file.size > 1 && file.first[0] == 0x1f && file.first[1] == 0x8b);
    fclose(f);
    return file;
}

/* ---- reading ---- */

weft_status trace_read_as(const struct trace_format *format, const char *path,
                          struct recording **recording)
{
    struct recording *to;
    TRY(recording_create(&to));
    weft_status status = format->read(path, to);
    if (status == WEFT_OK && !to->ranks)
        status = BAD_PLACE(("%s", path), ("the trace has no ranks"), ("use one with calls of MPI"));
    if (status == WEFT_OK)
        status = recording_seal(to);
    if (status != WEFT_OK)
        recording_destroy(to);
    else
        *recording = to;
    return status;
}

weft_status trace_read(const char *path, struct recording **recording)
{
    struct trace_file file = trace_file_at(path);
    const struct trace_format *const *row = trace_formats;
    for (;; row++) {
        if ((*row)->refuse_file)
            TRY((*row)->refuse_file(&file));
        if ((*row)->matches(&file))
            break;
    }
    if (!(*row)->read)
        return BAD_PLACE(("%s", path), ("it is a trace in %s", (*row)->name),
                         ("replay it by -w %s", (*row)->pattern));
    return trace_read_as(*row, path, recording);
}

/* ---- hashes ---- */

uint64_t trace_hash(const char *path)
{
    struct trace_file file = trace_file_at(path);
    const struct trace_format *const *row = trace_formats;
    if (!input_is_plain(path))
        return input_hash(path);
    while (!(*row)->matches(&file))
        row++;
    return (*row)->hash(path);
}

uint64_t trace_hash_add(uint64_t hash, const char *path)
{
    uint64_t more = input_hash(path);
    return text_hash(hash, &more, sizeof(more));
}
