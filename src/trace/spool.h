/*
 * Streams of bytes, one for each rank, in a temporary file: what a trace says is read and checked
 * once, whatever order its lines are in, and each rank then takes its own stream from the beginning
 * to the end. Memory holds one block per stream, however long they are.
 *
 *   file: | block | block | ...        block: | number of the stream's next one (8) | bytes ... |
 *
 * Writing is one thread's; then streams are sealed, and each may be read by a thread of its own.
 */
#ifndef WEFT_TRACE_SPOOL_H
#define WEFT_TRACE_SPOOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

struct spool;

/* WEFT_FAILED: there is no place for the file. */
weft_status spool_create(struct spool **spool);
void spool_destroy(struct spool *spool);

/* Appends to a stream; streams exist once something is in them. A file that cannot be written is
 * noticed by spool_seal(). */
void spool_put(struct spool *spool, uint32_t stream, const void *bytes, size_t size);

/* Nothing more will come. WEFT_FAILED: not all of it could be written. */
weft_status spool_seal(struct spool *spool);

/* A place in a stream. */
struct spool_reader {
    const struct spool *spool;
    unsigned char *block; /* NULL: the stream is empty, or over */
    uint32_t stream;
    uint32_t at, end;
    uint64_t left; /* bytes of the stream behind this block */
};

void spool_open(struct spool_reader *r, const struct spool *spool, uint32_t stream);
void spool_close(struct spool_reader *r);

/* The next byte; -1: there is none. */
int spool_next_block(struct spool_reader *r);
static inline int spool_byte(struct spool_reader *r)
{
    if (__builtin_expect(r->at < r->end, 1))
        return r->block[r->at++];
    return spool_next_block(r);
}

#endif
