/* Any bytes as the file of the one rank of a DUMPI trace in its binary form; or, if they do not
 * begin as one, as a version and then calls, to which the rest of a file is added. */
#include "fuzz_dumpi.h"

enum {
    HEADER = 3 + 8 + 2 + 2 + 4 + 4,
    FOOTER = 8 + 4 * 2 * 291,
    TYPES = 40,
    SIZES = 4 + 4 * TYPES
};

static void put(uint8_t *to, uint64_t value, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++)
        to[i] = (uint8_t)(value >> 8 * (bytes - 1 - i));
}

static const uint64_t magic = 0xffaadd44554d5049;

/* 13.0.0, or 0.6.0 to 0.6.9, in which the form changed. */
static uint64_t version_of(uint8_t byte)
{
    return byte % 2 ? 0x0d0000 : 0x000600 + byte / 2 % 10;
}

/* Calls with their end; header, footer, sizes of some datatypes, and index. */
static uint8_t *complete(uint64_t version, const uint8_t *calls, size_t size, size_t *whole)
{
    size_t header = 8 + 8 + size + 2, footer = header + HEADER, sizes = footer + FOOTER;
    const uint64_t index[] = {magic, sizes, 0, 0, header, 8, footer, 0};
    *whole = sizes + SIZES + sizeof(index);
    uint8_t *file = calloc(*whole, 1);
    put(file, magic, 8);
    if (size)
        memcpy(file + 16, calls, size);
    put(file + 16 + size, 293, 2);
    put(file + header, version, 3);
    put(file + footer, 0xf007fee7, 8);
    put(file + sizes, TYPES, 4);
    for (unsigned i = 28; i < TYPES; i++)
        put(file + sizes + 4 + 4 * i, 1U << i % 8, 4);
    for (unsigned i = 0; i < 8; i++)
        put(file + sizes + SIZES + 8 * i, index[i], 8);
    return file;
}

int fuzz_dumpi_binary(const uint8_t *data, size_t size)
{
    uint8_t first[8];
    size_t whole;
    put(first, magic, 8);
    if (!size || (size >= 8 && memcmp(data, first, 8) == 0)) {
        read_rank(data, size, "bin");
        return 0;
    }
    uint8_t *file = complete(version_of(data[0]), data + 1, size - 1, &whole);
    read_rank(file, whole, "bin");
    free(file);
    return 0;
}
