/* Bytes as text: base64 (RFC 4648), three bytes as four letters, filled up by '='. */
#ifndef WEFT_BASE_TEXT_BASE64_H
#define WEFT_BASE_TEXT_BASE64_H

#include <stddef.h>

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

#endif
