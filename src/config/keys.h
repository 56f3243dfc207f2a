/*
 * Keys: what can be set, by a dotted name. Every part of Weft owns a table with one row per key; it
 * drives reading, -s overrides, error messages, `weft show`, `weft keys` and the result's `config`.
 * A table fills the fields of one struct, its section; several tables may share a section.
 *
 *   static const struct key rows[] = {
 *       {"machine.router.vcs", KEY_U32, offsetof(struct params, vcs), "", NULL, 1, 8,
 *        .help = "..."},
 *   };
 *   const struct key_section section = {sizeof(struct params)};
 *   const struct key_table keys = {rows, sizeof(rows) / sizeof(rows[0]), &section};
 */
#ifndef WEFT_CONFIG_KEYS_H
#define WEFT_CONFIG_KEYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

enum {
    CONFIG_TEXT = 4096, /* bytes of a value, including the final NUL */
    KEY_LIST_MOST = 8,  /* items of a KEY_BYTES value */
};

#define KEY_AUTO      UINT32_MAX
#define KEY_AUTO_LONG UINT64_MAX

/* Ranges that several tables use. */
#define KEY_U32_TOP   4294967295.0
#define KEY_U64_TOP   1e15
#define KEY_CYCLE_TOP 7e13 /* births are kept with 16 bits of fraction */

enum key_type {
    KEY_U32,
    KEY_AUTO_U32, /* or "auto", which KEY_AUTO stands for; its owner finds the number */
    KEY_U64,
    KEY_AUTO_U64, /* the same, with KEY_AUTO_LONG */
    KEY_I32,
    KEY_REAL,
    KEY_BOOL,
    KEY_CHOICE, /* a word of `choices` or `rows`; stored as its number (uint32_t or enum) */
    KEY_TEXT,   /* char[CONFIG_TEXT] */
    KEY_BYTES,  /* struct byte_list: sizes joined by commas; "auto": none */
    KEY_OTHER,  /* as `format` says */
    KEY_MORE,   /* no key, but the last row of a table: `more` has further tables */
};

struct byte_list {
    uint32_t count, value[KEY_LIST_MOST];
};

struct key;
struct key_table;

/* How values of a special type are read and printed. */
struct key_format {
    weft_status (*parse)(const struct key *key, const char *text, void *field);
    void (*print)(const struct key *key, const void *field, char text[CONFIG_TEXT]);
};

/* A choice that a row of a table explains: its first member. The last row has no name. */
struct key_choice {
    const char *name, *help; /* "": the name says it */
};

struct key {
    const char *name;
    enum key_type type;
    size_t offset;             /* of its field in the section */
    const char *unit;          /* "": none */
    const char *default_value; /* NULL: the machine file must give it */
    double min, max;
    const char *const *choices;    /* words; ends with NULL */
    const struct key_choice *rows; /* or rows of a table, */
    size_t row_size;               /* each so long */
    const char *help;              /* "": that of its rows */
    const struct key_format *format;
    /* Of KEY_MORE: further tables, each with a section of its own, whose keys are listed with those
     * of this one. False: there are not that many; *table NULL, or one that there was already:
     * nothing. */
    bool (*more)(const struct key *key, size_t index, const struct key_table **table);
    const char *before; /* of a further table: the key that it is listed before; NULL: at the end */
};

struct key_section {
    size_t size; /* of the struct */
};

struct key_table {
    const struct key *key;
    size_t keys;
    const struct key_section *section;
};

/* A word of a KEY_CHOICE; NULL: there are not so many. */
const char *key_choice(const struct key *key, size_t choice);

/* What a key means. */
const char *key_help(const struct key *key, char text[CONFIG_TEXT]);

/* All keys of a table and its further ones, as they are listed; the caller frees the list. */
struct listed_key {
    const struct key *key;
    const struct key_section *section;
};
struct listed_key *key_table_list(const struct key_table *table, size_t *count);

/* Reads a text into the key's field; WEFT_BAD_INPUT: it does not fit, and the error says why. */
weft_status key_parse(const struct key *key, const char *text, void *section);

/* The value of a field, as text that key_parse() reads back. */
const char *key_text(const struct key *key, const void *section, char text[CONFIG_TEXT]);

/* The name of a key that was once called `name`; NULL: none was. */
const char *key_renamed(const char *name);

/* Copies the next item of a comma-separated list; returns the rest of the list, NULL at its end. */
const char *key_list_item(const char *text, char item[32]);

/*
 * ---- units ----
 *
 * Units: a value may be given in any unit of its kind, and becomes a number of the key's own.
 *
 *   2 KB, 2KiB       of a key in B          1 KB is 1000 B, 1 KiB is 1024 B
 *   1 GB/s, 8 Gb/s   of a key in MB/s
 *   1.4 GHz          of a key in MHz
 *   90 ns, 1.5us     of a key in ns, s or h; and of a key in cycles, once a cycle's length is known
 */
enum { UNIT_NUMBER = 64 };

/* Whether a text is a number and a unit of the same kind as `unit`; copies the number, and sets how
 * many `unit`s that unit is. */
bool unit_split(const char *text, const char *unit, char number[UNIT_NUMBER], double *factor);

/* Whether a text is a time, with its unit. */
bool unit_seconds(const char *text, double *seconds);

#endif
