/*
 * Text files that are read: whole, line by line in memory, or line by line in pieces.
 *
 * Readers name line and column in their complaints. Blanks separate numbers and words, '#' begins a
 * comment.
 *
 *   struct lines l = lines_of(name, text, size, "write one line per node, ...");
 *   status = lines_each(&l, read_line, ctx);     which calls lines_number(), lines_word(), ...
 *
 * A stream needs only the memory of a piece, however long the file is, plain or packed by gzip:
 *
 *   stream_open(&s, path, "traffic file", "write lines ...")
 *   while (stream_line(&s, &status))
 *       ... lines_word(&s.lines, ...) ...     or stream_text(&s, &size), the line as it is
 *   stream_close(&s)
 */
#ifndef WEFT_BASE_FILE_INPUT_H
#define WEFT_BASE_FILE_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

/* ---- whole files ---- */

/*
 * Reads a file of at most 64 MiB, or one packed by gzip that has at most 1 GiB unpacked; the caller
 * frees the text, which does not end with a NUL.
 * Complaints ask for a file of this `kind` ("graph file") or, if there is none at the path, for
 * what could be meant instead (`other`: "a graph as kautz:DEGREE:DIAMETER").
 */
weft_status input_read(const char *path, const char *kind, const char *other, char **text,
                       size_t *size);

/* The same without complaints: returns what is wrong with the file; NULL: nothing. */
const char *input_whole(const char *path, char **text, size_t *size);

/* Refuses a folder, which opens as a file does and cannot be read. */
weft_status input_no_folder(const char *path, const char *kind);

/* Whether it is a plain file, which opens at once: a pipe waits for its writer. */
bool input_is_plain(const char *path);

/* Refuses a folder, and a path that gives its text only once, as a pipe does, for a `kind` of file
 * that is read again and again. */
weft_status input_lasts(const char *path, const char *kind);

/* A hash of a file's bytes, or of the name of what is no file, such as a pipe; 0: there is none. */
uint64_t input_hash(const char *path);

/* ---- lines ---- */

struct lines {
    const char *name, *at, *end;
    const char *start; /* of the line */
    uint32_t line;
    const char *form; /* what to write: the remedy of what is none of it */
};

struct lines lines_of(const char *name, const char *text, size_t size, const char *form);

/* Where a complaint points to. */
#define LINES_REFUSE(LINES, LINE, COLUMN, WHAT, REMEDY)                                            \
    BAD_PLACE(("%s:%u:%u", (LINES)->name, LINE, COLUMN), WHAT, REMEDY)

static inline uint32_t lines_column(const struct lines *l, const char *at)
{
    return (uint32_t)(at - l->start) + 1;
}

static inline bool lines_left(const struct lines *l)
{
    return l->at < l->end;
}

static inline bool lines_is_digit(const struct lines *l, const char *at)
{
    return at < l->end && *at >= '0' && *at <= '9';
}

/* Skips blanks; whether nothing but a comment is left of the line. */
bool lines_end(struct lines *l);

/* Skips the rest of the line. */
weft_status lines_next(struct lines *l);

/* Calls read() at every line that has more than a comment, up to the first complaint. */
weft_status lines_each(struct lines *l, weft_status (*read)(void *ctx, struct lines *l), void *ctx);

/* A whole number; one that does not fit is UINT64_MAX. Complains of what is no `what`. */
weft_status lines_number(struct lines *l, const char *what, uint64_t *value);

/* A word of at most `size` - 1 characters, up to a blank or the end. Complains of what is no
 * `what`. */
weft_status lines_word(struct lines *l, const char *what, char *word, size_t size);

/* Refuses the byte that comes, which is no `what`; the complaint stays one line of text. */
weft_status lines_refuse(const struct lines *l, const char *what);

/* ---- streams ---- */

struct stream {
    const char *path;
    void *file; /* zlib's */
    char *text;
    size_t room;
    bool ended;         /* there is no more in the file */
    bool within;        /* a line, whose rest is to be skipped */
    struct lines lines; /* of the piece */
};

weft_status stream_open(struct stream *s, const char *path, const char *kind, const char *form);
void stream_close(struct stream *s);

/* Goes to the beginning of the next line that is more than a comment; false: there is none, or the
 * file cannot be read, as the status says. Lines may be read with s->lines up to their ends. */
bool stream_line(struct stream *s, weft_status *status);

/* The line that stream_line() has gone to, from its first column on and without its end, which is a
 * NUL now; it may be changed, and is valid until the next one. */
char *stream_text(struct stream *s, size_t *size);

#endif
