/* How texts, arrays of numbers and single values are written in result files. */
#ifndef WEFT_REPORT_RESULT_VALUES_H
#define WEFT_REPORT_RESULT_VALUES_H

#include <jansson.h>
#include <stdint.h>
#include <stdio.h>

/* A text that users chose, such as the name of a file. Bytes that are not UTF-8, which JSON cannot
 * hold, become '?'. */
json_t *utf8_json(const char *text);

/*
 * Arrays of numbers: base64 (RFC 4648) of a zlib stream (RFC 1950) of the little-endian numbers.
 * Python unpacks one by zlib.decompress(base64.b64decode(text)), a browser by
 * DecompressionStream("deflate").
 */

/* An array as a JSON string. */
json_t *packed_json(const void *array, size_t bytes);

/* Numbers that a function of their index gives, in so many bytes each. */
json_t *packed_numbers(size_t count, unsigned bytes,
                       uint64_t (*number)(const void *ctx, size_t index), const void *ctx);

/* The array in a text, which must have exactly so many bytes; NULL: it has not, or is damaged. The
 * caller frees it. */
void *packed_read(const char *text, size_t length, size_t bytes);

/* The single values of a result file are what a table can hold. Lists, such as timelines, are
 * none. */
enum scalar_kind {
    SCALAR_NONE,   /* part of a list, or of a section of packed arrays */
    SCALAR_RESULT, /* what was simulated */
    SCALAR_CONFIG, /* what was asked for: "config." precedes the key */
    SCALAR_ENGINE, /* how it was computed: times of this computer, which no two runs share */
};
enum scalar_kind scalar_kind(const char *path);

/* Writes a value as CSV has it: in quotes if it has commas or quotes. */
void scalar_csv(FILE *f, const char *value);

#endif
