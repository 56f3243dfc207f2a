/*
 * A file of words in lines, plain or packed by gzip, read line by line: memory holds one line.
 * Blanks separate words; lines that begin with '#' are comments, and those without words are
 * skipped.
 */
#ifndef WEFT_TRACE_WORDS_H
#define WEFT_TRACE_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

struct trace_words {
    const char *path;
    uint64_t line;    /* number of the current one */
    char **word;      /* its words, each ended by a NUL, */
    uint32_t *column; /* and where each begins */
    uint32_t count;
    struct words_file *file;
};

/* WEFT_BAD_INPUT: it cannot be opened; `kind`, as in "name a trace", says what it should be. */
weft_status words_open(struct trace_words *w, const char *path, const char *kind);
void words_close(struct trace_words *w);

/* The next line that has words; none: count is 0. WEFT_BAD_INPUT: it is no text, too long, or
 * cannot be read. */
weft_status words_next(struct trace_words *w);

/* A complaint about a word of the line; the one behind the last is its end. */
#define WORDS_REFUSE(WORDS, INDEX, WHAT, REMEDY)                                                   \
    BAD_PLACE(                                                                                     \
        ("%s:%llu:%u", (WORDS)->path, (unsigned long long)(WORDS)->line, (WORDS)->column[INDEX]),  \
        WHAT, REMEDY)

#endif
