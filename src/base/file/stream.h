/*
 * Text files of any length, plain or packed by gzip, read line by line in pieces: as much memory as
 * a piece is needed, and no more.
 *
 *   stream_open(&s, path, "traffic file", "write lines ...")
 *   while (stream_line(&s, &status))
 *       ... lines_word(&s.lines, ...) ...
 *   stream_close(&s)
 */
#ifndef WEFT_BASE_FILE_STREAM_H
#define WEFT_BASE_FILE_STREAM_H

#include "base/file/lines.h"

struct stream {
    const char *path;
    void *file; /* zlib's */
    char *text;
    bool ended;         /* there is no more in the file */
    bool within;        /* a line, whose rest is to be skipped */
    struct lines lines; /* of the piece */
};

weft_status stream_open(struct stream *s, const char *path, const char *kind, const char *form);
void stream_close(struct stream *s);

/* Goes to the beginning of the next line that is more than a comment; false: there is none, or the
 * file cannot be read, as the status says. Lines may be read with s->lines up to their ends. */
bool stream_line(struct stream *s, weft_status *status);

#endif
