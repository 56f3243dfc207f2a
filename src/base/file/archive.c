/* Writing, reading and checksumming state. */
#include "base/file/archive.h"

#include <string.h>

#include "base/memory.h"

/* Words are mixed one by one, each step invertible: no change of a single word goes unnoticed. */
static uint64_t add_up(uint64_t sum, const unsigned char *bytes, size_t size)
{
    for (size_t i = 0; i < size; i += 8) {
        uint64_t word = 0;
        memcpy(&word, bytes + i, size - i < 8 ? size - i : 8);
        sum = (sum ^ word) * 0x9e3779b97f4a7c15ull;
        sum ^= sum >> 29;
    }
    return (sum ^ size) * 0xbf58476d1ce4e5b9ull;
}

uint64_t archive_sum(const void *bytes, size_t size)
{
    const unsigned char *at = bytes;
    uint64_t sum = 0;
    for (; size > ARCHIVE_BLOCK; at += ARCHIVE_BLOCK, size -= ARCHIVE_BLOCK)
        sum = add_up(sum, at, ARCHIVE_BLOCK);
    return add_up(sum, at, size);
}

void archive_to(struct archive *a, struct output_file *file)
{
    a->file = file;
    a->at = a->end = NULL;
    a->broken = false;
    a->flaw = NULL;
    a->sum = 0;
    a->filled = 0;
}

bool archive_whole(const void *bytes, size_t size)
{
    uint64_t sum;
    if (size < sizeof(sum))
        return false;
    memcpy(&sum, (const char *)bytes + size - sizeof(sum), sizeof(sum));
    return sum == archive_sum(bytes, size - sizeof(sum));
}

void archive_from(struct archive *a, const void *bytes, size_t size)
{
    a->file = NULL;
    a->at = bytes;
    a->broken = size < sizeof(uint64_t);
    a->end = a->broken ? a->at : a->at + size - sizeof(uint64_t);
    a->flaw = NULL;
}

static void flush(struct archive *a)
{
    a->sum = add_up(a->sum, a->block, a->filled);
    output_write(a->file, a->block, a->filled);
    a->filled = 0;
}

static void write_bytes(struct archive *a, const unsigned char *bytes, size_t size)
{
    while (size) {
        if (a->filled == ARCHIVE_BLOCK)
            flush(a);
        size_t room = ARCHIVE_BLOCK - a->filled, piece = size < room ? size : room;
        memcpy(a->block + a->filled, bytes, piece);
        a->filled += piece;
        bytes += piece;
        size -= piece;
    }
}

void archive_bytes(struct archive *a, void *bytes, size_t size)
{
    if (!size)
        return;
    if (a->file) {
        write_bytes(a, bytes, size);
        return;
    }
    a->broken |= size > (size_t)(a->end - a->at);
    if (a->broken) {
        memset(bytes, 0, size);
        return;
    }
    memcpy(bytes, a->at, size);
    a->at += size;
}

uint64_t archive_count(struct archive *a, uint64_t count, uint64_t most)
{
    archive_bytes(a, &count, sizeof(count));
    a->broken |= count > most;
    return a->broken ? 0 : count;
}

void archive_list(struct archive *a, void **list, size_t size, uint32_t *count, uint32_t *capacity)
{
    size_t room = archive_room(a, size);
    *count = (uint32_t)archive_count(a, *count, room < UINT32_MAX ? room : UINT32_MAX - 1);
    if (*count > *capacity) {
        *list = memory_grow(*list, *count, size);
        *capacity = *count;
    }
    archive_bytes(a, *list, *count * size);
}

void archive_same(struct archive *a, uint64_t value)
{
    uint64_t there = value;
    archive_bytes(a, &there, sizeof(there));
    a->broken |= there != value;
}

void archive_sound(struct archive *a, const char *flaw)
{
    if (!flaw || a->broken)
        return;
    a->broken = true;
    a->flaw = flaw;
}

bool archive_has_read(const struct archive *a)
{
    return !a->file && !a->broken;
}

size_t archive_room(const struct archive *a, size_t size)
{
    return a->file ? SIZE_MAX : (size_t)(a->end - a->at) / size;
}

void archive_end(struct archive *a)
{
    if (!a->file) {
        a->broken |= a->at != a->end;
        return;
    }
    flush(a);
    output_write(a->file, &a->sum, sizeof(a->sum));
}
