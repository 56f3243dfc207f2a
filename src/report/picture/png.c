/* A PNG is a signature and three chunks: what the picture is, its rows compressed, and the end. */
#include "report/picture/png.h"

#include <stdlib.h>
#include <string.h>

#include <zlib.h>

#include "base/memory.h"
#include "base/status.h"

static const unsigned char signature[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};

enum { HEAD = 13, FRAME = 12, RGB = 3 }; /* bytes: of the head; around each chunk; of a pixel */

static unsigned char *put_word(unsigned char *at, uint32_t word)
{
    for (unsigned i = 0; i < 4; i++)
        at[i] = (unsigned char)(word >> (24 - 8 * i));
    return at + 4;
}

/* Frames what already lies behind the place of a chunk's length and name. */
static unsigned char *close_chunk(unsigned char *chunk, const char *name, size_t size)
{
    put_word(chunk, (uint32_t)size);
    memcpy(chunk + 4, name, 4);
    return put_word(chunk + 8 + size, (uint32_t)crc32(0, chunk + 4, (uInt)size + 4));
}

static unsigned char *put_head(unsigned char *at, uint32_t width, uint32_t height)
{
    static const unsigned char kind[5] = {8, 2}; /* bits, RGB; the only compression and filters */
    memcpy(put_word(put_word(at + 8, width), height), kind, sizeof(kind));
    return close_chunk(at, "IHDR", HEAD);
}

/* Each row with the number of its filter before it: 0, none. Flat colours gain nothing from the
 * others. */
static unsigned char *filter(const unsigned char *rgb, size_t row_bytes, uint32_t height)
{
    unsigned char *rows = memory_alloc(height, row_bytes + 1);
    for (uint32_t y = 0; y < height; y++)
        memcpy(rows + y * (row_bytes + 1) + 1, rgb + y * row_bytes, row_bytes);
    return rows;
}

unsigned char *png_encode(const unsigned char *rgb, uint32_t width, uint32_t height, size_t *size)
{
    size_t row_bytes = RGB * (size_t)width, raw = height * (row_bytes + 1);
    unsigned char *rows = filter(rgb, row_bytes, height);
    uLongf packed = compressBound(raw);
    unsigned char *file = memory_alloc(1, sizeof(signature) + 3 * FRAME + HEAD + packed);
    memcpy(file, signature, sizeof(signature));
    unsigned char *at = put_head(file + sizeof(signature), width, height);
    int status = compress2(at + 8, &packed, rows, raw, Z_DEFAULT_COMPRESSION);
    free(rows);
    WEFT_CHECK(status == Z_OK && packed <= INT32_MAX, "a picture of %u x %u pixels", width, height);
    at = close_chunk(at, "IDAT", packed);
    at = close_chunk(at, "IEND", 0);
    *size = (size_t)(at - file);
    return file;
}
