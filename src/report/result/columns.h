/*
 * Columns of what each link and node did. A row of a table says what a column is; the section of
 * the result, the CSV table and the check of pages follow it. The result says it too, in `columns`,
 * so that those who read results need no list of their own.
 */
#ifndef WEFT_REPORT_RESULT_COLUMNS_H
#define WEFT_REPORT_RESULT_COLUMNS_H

#include <jansson.h>

#include "machine/machine.h"
#include "machine/result.h"

enum column_type {
    COLUMN_COUNT,        /* 32 bits */
    COLUMN_VERTEX,       /* 32 bits; in tables its coordinates */
    COLUMN_WORD,         /* 8 bits: an index of a list of the section */
    COLUMN_TRUTH,        /* 8 bits: 0 or 1 */
    COLUMN_SHARE,        /* 16 bits: 65535 is 1 */
    COLUMN_COARSE_SHARE, /* 8 bits: 255 is 1 */
    COLUMN_REAL,         /* 32 bits, floating point */
};

/* What values are computed from. */
struct column_source {
    const struct run_result *result;
    double per_second; /* what a byte within the window adds to a rate */
};

struct column {
    const char *name;    /* in the result; NULL: it is only in the CSV table */
    const char *heading; /* in the CSV table; NULL: it is only in the result */
    enum column_type type;
    const char *per;  /* what has a value, the slowest first: "row link vc" */
    const char *unit; /* "": none */
    const char *list; /* COLUMN_WORD: its name in the section */
    bool needed;      /* pages need it */
    double (*value)(const struct column_source *source, const struct column *column,
                    size_t index); /* NAN: there is none */
    bool (*present)(const struct run_result *result,
                    const struct column *column); /* NULL: always */
    /* For value(): where the numbers are, bytes of each, and where packets are counted. */
    size_t member, bytes, packets;
};

struct column_table {
    const struct column *column;
    size_t columns;
};
extern const struct column_table link_columns, node_columns;

/* How many there are of what columns are per. */
struct column_sizes {
    uint64_t items; /* links or nodes */
    uint64_t vcs, rows, hosts;
};

uint64_t column_count(const struct column *column, const struct column_sizes *sizes);
unsigned column_bytes(const struct column *column);

/* What a reader has to know of a column. */
json_t *column_json(const struct column *column);

/* Puts `columns`, and each of them, into a section. */
void columns_put(json_t *section, const struct column_table *table,
                 const struct column_source *source, const struct column_sizes *sizes);

/* The CSV table: a row for each index of those columns that have the most values. `several`: how
 * many of these rows are of one item. */
weft_status columns_write_csv(const char *path, const struct column_table *table,
                              const struct column_source *source, size_t rows, size_t several);

/* ---- detail.c: the sections ---- */

/* `each_link`; NULL: there are no links, or so many that they are only written with run.detail. */
json_t *links_json(const struct config *config, const struct run_result *result);

/* `each_node`; NULL: there is none without run.detail. */
json_t *nodes_json(const struct config *config, const struct run_result *result);

#endif
