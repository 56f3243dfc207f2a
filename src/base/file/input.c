/* Reading whole files. */
#include "base/file/input.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <zlib.h>

#include "base/protected_call.h"
#include "base/memory.h"
#include "base/text/text.h"

enum { MAX_FILE = 64 << 20, MAX_UNPACKED = 1 << 30 };

/* Up to the end, or until there is too much; false: it cannot be read. */
static bool read_all(FILE *f, char **text, size_t *size)
{
    size_t got = 1, piece = 1 << 16;
    for (; got > 0 && *size <= MAX_FILE; *size += got, piece = *size) {
        *text = memory_grow(*text, *size + piece, 1);
        got = fread(*text + *size, 1, piece, f);
    }
    return !ferror(f);
}

/* ---- gzip ---- */

static bool is_packed(const char *text, size_t size)
{
    return size > 2 && text[0] == '\x1f' && text[1] == '\x8b';
}

/* All members of a packed text, one after the other; false: it is damaged, or too large. */
static bool unpack_all(z_stream *z, char **text, size_t *size)
{
    size_t room = 0;
    int code = Z_OK;
    while (code == Z_OK || (code == Z_STREAM_END && z->avail_in)) {
        if (code == Z_STREAM_END && inflateReset(z) != Z_OK)
            return false;
        if (*size == room) {
            room = room ? 2 * room : 1 << 16;
            *text = memory_grow(*text, room, 1);
        }
        z->next_out = (Bytef *)*text + *size;
        z->avail_out = (uInt)(room - *size);
        code = inflate(z, Z_NO_FLUSH);
        *size = room - z->avail_out;
        if (*size > MAX_UNPACKED || (code == Z_OK && !z->avail_in && z->avail_out))
            return false;
    }
    return code == Z_STREAM_END;
}

/* Replaces a packed text by what it holds. */
static bool unpack(char **text, size_t *size)
{
    enum { GZIP_HEADER = 16 };
    z_stream z = {.next_in = (Bytef *)*text, .avail_in = (uInt)*size};
    char *plain = NULL;
    size_t bytes = 0;
    if (inflateInit2(&z, GZIP_HEADER + MAX_WBITS) != Z_OK)
        return false;
    bool whole = unpack_all(&z, &plain, &bytes);
    inflateEnd(&z);
    free(*text);
    *text = plain;
    *size = bytes;
    return whole;
}

/* ---- files ---- */

weft_status input_no_folder(const char *path, const char *kind)
{
    struct stat s;
    if (stat(path, &s) != 0 || !S_ISDIR(s.st_mode))
        return WEFT_OK;
    return BAD_INPUT(NULL, ("%s: %s", path, strerror(EISDIR)), ("name a %s", kind));
}

weft_status input_read(const char *path, const char *kind, const char *other, char **text,
                       size_t *size)
{
    TRY(input_no_folder(path, kind));
    FILE *f = fopen(path, "rb");
    if (!f)
        return BAD_INPUT(NULL, ("%s: %s", path, strerror(errno)),
                         ("name a %s, or %s", kind, other));
    char *all = NULL;
    size_t bytes = 0;
    bool readable = read_all(f, &all, &bytes);
    fclose(f);
    const char *wrong = !readable ? "cannot be read" : bytes > MAX_FILE ? "is over 64 MiB" : NULL;
    if (!wrong && is_packed(all, bytes) && !unpack(&all, &bytes))
        wrong = "is a damaged gzip file, or over 1 GiB unpacked";
    if (!wrong) {
        *text = all;
        *size = bytes;
        return WEFT_OK;
    }
    free(all);
    return BAD_INPUT(NULL, ("%s: %s", path, wrong), ("name a %s", kind));
}

weft_status input_lasts(const char *path, const char *kind)
{
    struct stat s;
    weft_status status = input_no_folder(path, kind);
    if (status != WEFT_OK || stat(path, &s) != 0 || S_ISREG(s.st_mode))
        return status; /* if there is nothing, whoever opens it complains */
    return BAD_INPUT(
        NULL,
        ("%s: is not a file but a pipe or a device, and a %s is read several times", path, kind),
        ("write it to a file first"));
}

uint64_t input_hash(const char *path)
{
    char piece[1 << 14];
    uint64_t hash = TEXT_HASH;
    struct stat s;
    if (stat(path, &s) != 0)
        return 0;
    if (!S_ISREG(s.st_mode))
        return text_hash(hash, path, strlen(path));
    FILE *f = fopen(path, "rb");
    if (!f)
        return 0;
    for (size_t got; (got = fread(piece, 1, sizeof(piece), f)) > 0;) {
        hash = text_hash(hash, piece, got);
        protected_call_poll();
    }
    fclose(f);
    return hash;
}
