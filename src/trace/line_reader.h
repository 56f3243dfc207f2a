/*
 * A text file, plain or packed by gzip, read line by line: memory holds some lines. Blanks separate
 * the fields of a line; lines that begin with '#' are comments, and those without fields are
 * skipped.
 */
#ifndef WEFT_TRACE_LINE_READER_H
#define WEFT_TRACE_LINE_READER_H

#include "base/file/input.h"

struct line_reader {
    uint32_t line;            /* number of the current one */
    char **field;             /* its fields, each ended by a NUL, */
    uint32_t *column;         /* and where each begins */
    uint32_t count;           /* how many there are */
    uint32_t fields, columns; /* room for them */
    struct stream stream;
};

/* WEFT_BAD_INPUT: it cannot be opened; `kind`, as "trace", says what it should be. */
weft_status line_reader_open(struct line_reader *r, const char *path, const char *kind);
void line_reader_close(struct line_reader *r);

/* The next line that has fields; none: count is 0. WEFT_BAD_INPUT: it is no text, too long, or
 * cannot be read. */
weft_status line_reader_next(struct line_reader *r);

/* A complaint about a field of the line; the one behind the last is its end. */
#define LINE_REFUSE(READER, FIELD, WHAT, REMEDY)                                                   \
    LINES_REFUSE(&(READER)->stream.lines, (READER)->line, (READER)->column[FIELD], WHAT, REMEDY)

#endif
