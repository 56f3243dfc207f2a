/*
 * State on its way to a file or back: the same calls write it and read it, so that the two cannot
 * grow apart.
 *
 *   archive_to(&a, &file)              archive_from(&a, bytes, size)
 *   archive_bytes(&a, &x, sizeof(x))   ... in the same order ...
 *   archive_end(&a)                    archive_end(&a)
 *
 * Behind the state stands a checksum over all of it; archive_whole() looks at it before anything is
 * believed. What a reader finds too short or too large makes it `broken`; it then reads zeros. The
 * checksum keeps damage out, not malice: whoever reads an index, a count or a list looks at it
 * before it is used, and says what is wrong (archive_sound).
 */
#ifndef WEFT_BASE_ARCHIVE_H
#define WEFT_BASE_ARCHIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/output.h"

enum { ARCHIVE_BLOCK = 1 << 16 };

struct archive {
    struct output_file *file;      /* writing; NULL: reading */
    const unsigned char *at, *end; /* reading: what is left */
    bool broken;
    const char *flaw; /* what is wrong with what was read, if somebody said so */
    uint64_t sum;     /* of the blocks written so far */
    size_t filled;
    unsigned char block[ARCHIVE_BLOCK];
};

void archive_to(struct archive *a, struct output_file *file);

/* The checksum of bytes. */
uint64_t archive_sum(const void *bytes, size_t size);

/* Whether bytes end in the checksum of what stands before it. */
bool archive_whole(const void *bytes, size_t size);
void archive_from(struct archive *a, const void *bytes, size_t size);

void archive_bytes(struct archive *a, void *bytes, size_t size);

/* A number that a reader takes only up to `most`. */
uint64_t archive_count(struct archive *a, uint64_t count, uint64_t most);

/* A list that grows: how many, and the items of `size` bytes. */
void archive_list(struct archive *a, void **list, size_t size, uint32_t *count, uint32_t *capacity);

/* A number that must be what the reader has already. */
void archive_same(struct archive *a, uint64_t value);

/* Reading: what was read is right unless `flaw`, which says what is wrong, is not NULL. */
void archive_sound(struct archive *a, const char *flaw);

/* Reading, and whole so far: it may be looked at. */
bool archive_has_read(const struct archive *a);

/* How many items of a size may follow, at most. */
size_t archive_room(const struct archive *a, size_t size);

/* Writing: the checksum. Reading: nothing may be left. */
void archive_end(struct archive *a);

#endif
