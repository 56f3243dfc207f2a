/*
 * A file of DUMPI's binary form, PREFIX-0003.bin, as libdumpi writes one for each rank: its bytes
 * one after the other, through a buffer, and what its index and its other records say of them.
 *
 *   | magic | biases of the clocks | calls ... | end | header | footer | keys and values |
 *   | names of counters | sizes of datatypes | names of functions | index |
 *
 * The index is the last 40 to 64 bytes: magic, and where each record is; it is found by its magic.
 * Numbers are big-endian. What fails is reported once, as "FILE:byte N: ..."; from then on there
 * are only zeros.
 */
#ifndef WEFT_TRACE_DUMPI_FILE_H
#define WEFT_TRACE_DUMPI_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/status.h"

enum { DUMPI_BUFFER = 1 << 16 };

struct dumpi_file {
    const char *path;
    FILE *stream;
    uint64_t size, limit; /* bytes of it, and those before the end of what may be read now */
    uint64_t base;        /* of the buffer's first byte */
    size_t at, end;       /* in the buffer */
    weft_status status;
    unsigned version;      /* 10000 * major + 100 * minor + patch */
    int32_t cpu_s, wall_s; /* what seconds count from */
    int32_t *type_size;    /* [type_sizes], of datatypes by their numbers */
    uint32_t type_sizes;
    unsigned char buffer[DUMPI_BUFFER];
};

/* Opens a file at the first call. WEFT_BAD_INPUT: it is none, or not whole. The path must stay. */
weft_status dumpi_file_open(struct dumpi_file *f, const char *path);
void dumpi_file_close(struct dumpi_file *f);

/* Where the next byte is. */
static inline uint64_t dumpi_file_at(const struct dumpi_file *f)
{
    return f->base + f->at;
}

static inline uint64_t dumpi_file_left(const struct dumpi_file *f)
{
    return f->limit - dumpi_file_at(f);
}

/* The next bytes, at most 8; zeros if there are not so many. */
const unsigned char *dumpi_file_more(struct dumpi_file *f, size_t bytes);
static inline const unsigned char *dumpi_file_take(struct dumpi_file *f, size_t bytes)
{
    if (__builtin_expect(f->end - f->at < bytes, 0))
        return dumpi_file_more(f, bytes);
    const unsigned char *from = f->buffer + f->at;
    f->at += bytes;
    return from;
}

static inline uint8_t dumpi_file_u8(struct dumpi_file *f)
{
    return *dumpi_file_take(f, 1);
}

static inline uint16_t dumpi_file_u16(struct dumpi_file *f)
{
    const unsigned char *b = dumpi_file_take(f, 2);
    return (uint16_t)(b[0] << 8 | b[1]);
}

static inline uint32_t dumpi_file_u32(struct dumpi_file *f)
{
    const unsigned char *b = dumpi_file_take(f, 4);
    return (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
}

static inline uint64_t dumpi_file_u64(struct dumpi_file *f)
{
    uint64_t high = dumpi_file_u32(f);
    return high << 32 | dumpi_file_u32(f);
}

/* Steps over bytes; they must be there. */
void dumpi_file_skip(struct dumpi_file *f, uint64_t bytes);

/* A complaint about a byte, unless there was one before: from then on, the file is over. */
void dumpi_file_refuse(struct dumpi_file *f, uint64_t byte, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
