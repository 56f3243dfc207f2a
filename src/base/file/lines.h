/*
 * Text in lines of numbers and words, whose readers name line and column in their complaints.
 * Blanks separate, '#' begins a comment.
 *
 *   struct lines l = lines_of(name, text, size, "write one line per node, ...");
 *   while (lines_left(&l)) {
 *       if (!lines_end(&l))
 *           ... lines_number(&l, "node number", &value) ...
 *       status = lines_next(&l);
 *   }
 */
#ifndef WEFT_BASE_FILE_LINES_H
#define WEFT_BASE_FILE_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

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

/* A whole number; one that does not fit is UINT64_MAX. Complains of what is no `what`. */
weft_status lines_number(struct lines *l, const char *what, uint64_t *value);

/* A word of at most `size` - 1 characters, up to a blank or the end. Complains of what is no
 * `what`. */
weft_status lines_word(struct lines *l, const char *what, char *word, size_t size);

/* Refuses the byte that comes, which is no `what`; the complaint stays one line of text. */
weft_status lines_refuse(const struct lines *l, const char *what);

#endif
