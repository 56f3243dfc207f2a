/*
 * Arrays of numbers in a result file: base64 (RFC 4648) of a zlib stream (RFC 1950) of the
 * little-endian numbers. Python unpacks one by zlib.decompress(base64.b64decode(text)), a browser
 * by DecompressionStream("deflate").
 */
#ifndef WEFT_REPORT_RESULT_PACKED_H
#define WEFT_REPORT_RESULT_PACKED_H

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>

/* An array as a JSON string. */
json_t *packed_json(const void *array, size_t bytes);

/* Numbers that a function of their index gives, in so many bytes each. */
json_t *packed_numbers(size_t count, unsigned bytes,
                       uint64_t (*number)(const void *ctx, size_t index), const void *ctx);

/* A share as 16 bits, of which 65535 is 1; the bits of a number as a float of 32. */
uint64_t packed_share(double share);
uint64_t packed_float(double value);

/* The array in a text, which must have exactly so many bytes; NULL: it has not, or is damaged. The
 * caller frees it. */
void *packed_read(const char *text, size_t length, size_t bytes);

#endif
