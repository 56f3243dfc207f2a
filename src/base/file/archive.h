/*
 * State on its way to a file or back: the same calls write it and read it, so that the two cannot
 * diverge.
 *
 *   archive_to(&a, &file)              archive_from(&a, bytes, size)
 *   archive_bytes(&a, &x, sizeof(x))   ... in the same order ...
 *   archive_end(&a)                    archive_end(&a)
 *
 * The state is followed by a checksum over all of it; call archive_whole() to check it before
 * trusting anything. A reader that finds a value too large, or too few bytes, becomes `broken`; it
 * then reads zeros. The checksum catches damage, not malice: code that reads an index, a count or a
 * list must check it before using it, and say what is wrong (archive_sound).
 */
#ifndef WEFT_BASE_FILE_ARCHIVE_H
#define WEFT_BASE_FILE_ARCHIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/file/output.h"

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

/* Whether bytes end in the checksum of what precedes it. */
bool archive_whole(const void *bytes, size_t size);
void archive_from(struct archive *a, const void *bytes, size_t size);

void archive_bytes(struct archive *a, void *bytes, size_t size);

/* A number that a reader accepts only up to `most`. */
uint64_t archive_count(struct archive *a, uint64_t count, uint64_t most);

/* A growing list: the number of items, and the items of `size` bytes. */
void archive_list(struct archive *a, void **list, size_t size, uint32_t *count, uint32_t *capacity);

/* A number that must equal the reader's own. */
void archive_same(struct archive *a, uint64_t value);

/* Reading: reports that what was read is wrong, as `flaw` says; NULL: it is right. */
void archive_sound(struct archive *a, const char *flaw);

/* Whether this is a reader, not broken so far, so that what it read may be checked. */
bool archive_has_read(const struct archive *a);

/* How many items of `size` bytes can follow, at most. */
size_t archive_room(const struct archive *a, size_t size);

/* Writing: adds the checksum. Reading: nothing may be left. */
void archive_end(struct archive *a);

#endif
