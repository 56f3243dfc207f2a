/* Human-readable texts. */
#ifndef WEFT_BASE_TEXT_TEXT_H
#define WEFT_BASE_TEXT_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/*
 * A path as one word of a POSIX shell, for commands that messages suggest: 'it'\''s here' for
 * it's here, ./-x for -x, and unchanged if it needs no quotes. Returns `out`, which holds "..." if
 * the word does not fit: half a command would be useless.
 */
const char *text_quote(const char *path, char *out, size_t size);

/* The name of a file without folders and its last suffix: "mine" for "/home/me/mine.yaml".
 * Truncated if it does not fit. Returns `out`. */
const char *text_stem(const char *path, char *out, size_t size);

/* 1234567 as "1 234 567". */
const char *text_count(uint64_t value, char text[32]);

/* "12.500 us", in the unit that suits it; returns `text`. */
const char *text_time(double seconds, char text[32]);

/* "640 bytes", "1.5 MB", in the unit that suits it; returns `text`. */
const char *text_bytes(double bytes, char text[32]);

/* How many columns a text in UTF-8 takes on a terminal: one for each character. */
size_t text_columns(const char *text);

/* Bytes of the UTF-8 character that a text begins with; 0: what it begins with is none. */
unsigned text_character(const char *text);

/* Whether a text begins with a control character, of ASCII or (U+0080 to U+009F) of Unicode. */
bool text_is_control(const char *text);

/* Puts question marks where a text has control characters, other than ends of lines if these are
 * wanted, or what is no UTF-8: for texts of others that go to a terminal. */
void text_tame(char *text, bool lines);

/* Whether a list of words, separated by single spaces, has this one. */
bool text_has_word(const char *list, const char *word);

/* Whether a text ends so, and has something before. */
bool text_ends(const char *text, const char *end);

/* What follows a prefix; NULL: the text does not begin with it. */
const char *text_behind(const char *text, const char *prefix);

/* What is between words. */
#define TEXT_BLANKS " \t\r\n"

/* Copies the word at an offset, up to a blank or the end, with quotes and backslashes as a shell
 * has them; `to` has room for the rest of the text. Returns the offset behind it. */
size_t text_word(const char *text, size_t at, char *to);

/* FNV-1a: continues a hash, which begins with TEXT_HASH. */
#define TEXT_HASH 0xcbf29ce484222325u
uint64_t text_hash(uint64_t hash, const void *bytes, size_t size);

/* A space at which text_wrap() does not break the line. */
#define TEXT_HARD_SPACE '\1'

/* Prints words and ends the line. Lines have at most `width` columns, unless one word is longer. On
 * the first line, `column` columns have been printed already; the others are indented. */
void text_wrap(FILE *out, const char *text, unsigned column, unsigned indent, unsigned width);

/* Appends to `text` at offset `at`; returns the length that it needs. */
size_t text_append(char *text, size_t size, size_t at, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* ---- base64 (RFC 4648): three bytes as four letters, filled up by '=' ---- */

/* Letters that some bytes take. */
static inline size_t base64_letters(size_t bytes)
{
    return (bytes + 2) / 3 * 4;
}

/* Writes that many, without a NUL behind them. */
void base64_encode(const unsigned char *bytes, size_t size, char *text);

/* Returns how many bytes there are; SIZE_MAX: the text is no base64. `bytes` has room for 3/4 of
 * the text's length. */
size_t base64_decode(const char *text, size_t length, unsigned char *bytes);

/* ---- terminals ---- */

/* Columns of the terminal that standard output is, from 60 to 120: longer lines are hard to read;
 * 80 if it is a pipe or a file. */
unsigned terminal_columns(void);

/* The same, but 0 if it is a pipe or a file: for lines that are left whole there, since programs
 * read them. */
unsigned terminal_width(void);

#endif
