/*
 * Arrays of numbers in a result file: base64 (RFC 4648) of a zlib stream (RFC 1950) of the
 * little-endian numbers. Python unpacks one by zlib.decompress(base64.b64decode(text)), a browser
 * by DecompressionStream("deflate").
 */
#ifndef WEFT_REPORT_PACKED_H
#define WEFT_REPORT_PACKED_H

#include <jansson.h>
#include <stddef.h>

/* An array as a JSON string. */
json_t *packed_json(const void *array, size_t bytes);

/* The array in a text, which must have exactly so many bytes; NULL: it has not, or is damaged. The
 * caller frees it. */
void *packed_read(const char *text, size_t length, size_t bytes);

#endif
