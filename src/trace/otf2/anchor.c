/*
 * The anchor file of an OTF2 trace, checked before libotf2 reads it: 3.0.2 believes its numbers. By
 * that of properties it writes behind an array whose size has overflowed, by sizes of chunks it
 * takes memory, and a file without its end counts as read, with none of its values.
 *
 * Layout, after a byte of what it is and one of the byte order (OTF2_AnchorFile.c of libotf2):
 *
 *   "OTF2", NUL     1 format of this file     1 format of the trace     3 version of the writer
 *   8 bytes in a chunk of events              8 bytes in a chunk of definitions
 *   1 substrate     1 compression             8 locations               8 definitions
 *   3 strings       format 2: 4 properties, a name and a value of each; 8 identity
 *                   format 3: 4 snapshots, 4 thumbnails, an end
 *
 * Later formats append more.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file/input.h"
#include "trace/otf2/otf2.h"

enum { PATH = 4096 };
enum { HEADER = 3, LITTLE = 0x42, BIG = 0x23, END = 2, KNOWN_FORMAT = 3 };
enum { COMPRESSED = 2, DEFLATE_MOST = 1032 }; /* bytes that deflate makes of one */
enum { CHUNK_LEAST = 256 << 10, CHUNK_MOST = 16 << 20 };
enum { DEFINITION_LEAST = 2 }; /* bytes of a definition: its sort, and a length */

struct anchor {
    const char *path;
    const unsigned char *bytes;
    size_t size, at, number; /* of the file; where it is; where the last number began */
    bool big, cut;           /* byte order; it ends too early */
};

#define ANCHOR_REFUSE(ANCHOR, WHAT)                                                                \
    BAD_PLACE(("%s:byte %zu", (ANCHOR)->path, (ANCHOR)->number), WHAT,                             \
              ("use a trace that is not damaged"))

static uint64_t take(struct anchor *a, unsigned width)
{
    uint64_t value = 0;
    a->cut = a->cut || a->size - a->at < width;
    a->number = a->at;
    for (unsigned i = 0; i < width && !a->cut; i++)
        value |= (uint64_t)a->bytes[a->at + i] << 8 * (a->big ? width - 1 - i : i);
    a->at += a->cut ? 0 : width;
    return value;
}

static void skip_text(struct anchor *a)
{
    const unsigned char *end = memchr(a->bytes + a->at, 0, a->size - a->at);
    a->cut = a->cut || !end;
    a->at = a->cut ? a->at : (size_t)(end - a->bytes) + 1;
}

/* Bytes of the file of definitions, unpacked at the most; none: libotf2 says so. */
static uint64_t definition_bytes(const char *path, bool compressed)
{
    char name[PATH];
    struct stat s;
    int length = snprintf(name, PATH, "%.*s.def", (int)strlen(path) - 5, path);
    if (length >= PATH || stat(name, &s) != 0)
        return UINT64_MAX;
    return (uint64_t)s.st_size * (compressed ? DEFLATE_MOST : 1);
}

static weft_status check_chunk(struct anchor *a, const char *what)
{
    uint64_t bytes = take(a, 8);
    if (!a->cut && (bytes < CHUNK_LEAST || bytes > CHUNK_MOST))
        return ANCHOR_REFUSE(a, ("chunks of %s of %llu bytes, which OTF2 does not allow", what,
                                 (unsigned long long)bytes));
    return WEFT_OK;
}

/* Each of them is a definition, or more. */
static weft_status check_count(struct anchor *a, const char *what, uint64_t bytes)
{
    uint64_t count = take(a, 8);
    if (!a->cut && count > bytes / DEFINITION_LEAST)
        return ANCHOR_REFUSE(a, ("%llu %s, for which its file of definitions is too short",
                                 (unsigned long long)count, what));
    return WEFT_OK;
}

static weft_status check_properties(struct anchor *a)
{
    uint64_t count = take(a, 4);
    if (!a->cut && count > (a->size - a->at) / 2)
        return ANCHOR_REFUSE(
            a, ("%llu properties, for which the file is too short", (unsigned long long)count));
    for (uint64_t i = 0; i < 2 * count && !a->cut; i++)
        skip_text(a);
    take(a, 8);
    return WEFT_OK;
}

/* Numbers and strings behind the format. */
static weft_status check_values(struct anchor *a, uint64_t format)
{
    take(a, 4);
    TRY(check_chunk(a, "events"));
    TRY(check_chunk(a, "definitions"));
    take(a, 1);
    uint64_t bytes = definition_bytes(a->path, take(a, 1) == COMPRESSED);
    TRY(check_count(a, "locations", bytes));
    TRY(check_count(a, "definitions", bytes));
    for (unsigned i = 0; i < 3; i++)
        skip_text(a);
    if (format > 1)
        TRY(check_properties(a));
    if (format > 2)
        take(a, 8);
    if (format == KNOWN_FORMAT && take(a, 1) != END && !a->cut)
        return ANCHOR_REFUSE(a, ("the anchor file does not end here as it should"));
    return a->cut ? ANCHOR_REFUSE(a, ("the anchor file ends too early")) : WEFT_OK;
}

static weft_status check(struct anchor *a)
{
    static const char magic[] = "OTF2";
    bool begins = a->size > 2 + sizeof(magic) && a->bytes[0] == HEADER &&
                  (a->bytes[1] == LITTLE || a->bytes[1] == BIG) &&
                  memcmp(a->bytes + 2, magic, sizeof(magic)) == 0;
    if (!begins)
        return ANCHOR_REFUSE(a, ("an anchor file of OTF2 does not begin so"));
    a->big = a->bytes[1] == BIG;
    a->at = 2 + sizeof(magic);
    uint64_t format = take(a, 1);
    return format ? check_values(a, format)
                  : ANCHOR_REFUSE(a, ("format 0 of an anchor file, which there is not"));
}

weft_status otf2_anchor_check(const char *path)
{
    struct anchor a = {.path = path};
    char *text;
    const char *wrong = input_whole(path, &text, &a.size);
    if (wrong)
        return BAD_PLACE(("%s", path), ("%s", wrong), ("name a trace"));
    a.bytes = (unsigned char *)text;
    weft_status status = check(&a);
    free(text);
    return status;
}
