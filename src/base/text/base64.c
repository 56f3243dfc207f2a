/* Three bytes as four letters. */
#include "base/text/base64.h"

#include <stdint.h>
#include <string.h>

static const char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

void base64_encode(const unsigned char *bytes, size_t size, char *text)
{
    for (size_t at = 0; at < size; at += 3) {
        size_t left = size - at;
        unsigned b = left > 1 ? bytes[at + 1] : 0, c = left > 2 ? bytes[at + 2] : 0;
        unsigned word = (unsigned)bytes[at] << 16 | b << 8 | c;
        *text++ = digit[word >> 18];
        *text++ = digit[word >> 12 & 63];
        *text++ = left > 1 ? digit[word >> 6 & 63] : '=';
        *text++ = left > 2 ? digit[word & 63] : '=';
    }
}

/* The value of each letter; 64: it is none. */
static void values(unsigned char value[256])
{
    memset(value, 64, 256);
    for (unsigned i = 0; i < 64; i++)
        value[(unsigned char)digit[i]] = (unsigned char)i;
}

size_t base64_decode(const char *text, size_t length, unsigned char *bytes)
{
    unsigned char value[256];
    size_t missing = 0, size = 0;
    values(value);
    if (length % 4)
        return SIZE_MAX;
    for (; missing < 2 && length > 0 && text[length - 1] == '='; length--)
        missing++;
    for (size_t at = 0; at < length; at += 4) {
        unsigned word = 0;
        size_t letters = length - at < 4 ? length - at : 4;
        for (size_t i = 0; i < 4; i++) {
            unsigned v = i < letters ? value[(unsigned char)text[at + i]] : 0;
            if (v > 63)
                return SIZE_MAX;
            word = word << 6 | v;
        }
        for (size_t i = 0; i + 1 < letters; i++)
            bytes[size++] = (unsigned char)(word >> (16 - 8 * i));
    }
    return size;
}
