/* Packing and unpacking. */
#include "report/packed.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/memory.h"

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "packed arrays are little-endian, as they lie in memory"
#endif

/* ---- base64 ---- */

static const char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/* Three bytes as four letters; '=' stands for bytes that are missing. */
static void encode(const unsigned char *bytes, size_t size, char *text)
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

/* Returns how many bytes; SIZE_MAX: the text is no base64. `bytes` has room for 3/4 of it. */
static size_t decode(const char *text, size_t length, unsigned char *bytes)
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

/* ---- arrays ---- */

json_t *packed_json(const void *array, size_t bytes)
{
    uLongf size = compressBound(bytes);
    unsigned char *packed = memory_alloc(size, 1);
    compress2(packed, &size, array, bytes, 6);
    size_t letters = (size + 2) / 3 * 4;
    char *text = memory_alloc(letters + 1, 1);
    encode(packed, size, text);
    json_t *string = json_stringn_nocheck(text, letters);
    free(packed);
    free(text);
    return string;
}

json_t *packed_numbers(size_t count, unsigned bytes,
                       uint64_t (*number)(const void *ctx, size_t index), const void *ctx)
{
    unsigned char *array = memory_alloc(count + 1, bytes);
    for (size_t i = 0; i < count; i++) {
        uint64_t value = number(ctx, i);
        memcpy(array + i * bytes, &value, bytes);
    }
    json_t *json = packed_json(array, count * bytes);
    free(array);
    return json;
}

uint64_t packed_share(double share)
{
    return (uint64_t)(65535 * fmin(fmax(share, 0), 1) + 0.5);
}

uint64_t packed_float(double value)
{
    float narrow = (float)value;
    uint32_t bits;
    memcpy(&bits, &narrow, sizeof(bits));
    return bits;
}

/* What zlib can make of some bytes at most. */
static size_t most_unpacked(size_t packed)
{
    return 1032 * packed + 64;
}

void *packed_read(const char *text, size_t length, size_t bytes)
{
    unsigned char *packed = memory_alloc(length + 1, 1), *array = NULL;
    size_t size = decode(text, length, packed);
    if (size != SIZE_MAX && bytes <= most_unpacked(size)) {
        uLongf got = bytes + 1; /* one more, to see that there is not */
        array = memory_alloc(bytes + 1, 1);
        if (uncompress(array, &got, packed, size) != Z_OK || got != bytes) {
            free(array);
            array = NULL;
        }
    }
    free(packed);
    return array;
}
