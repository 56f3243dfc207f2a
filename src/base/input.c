/* Reading whole files. */
#include "base/input.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"

enum { MAX_FILE = 64 << 20 };

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

weft_status input_read(const char *path, const char *kind, const char *other, char **text,
                       size_t *size)
{
    FILE *f = fopen(path, "rb");
    if (!f)
        return BAD_INPUT(NULL, ("%s: %s", path, strerror(errno)),
                         ("name a %s, or %s", kind, other));
    char *all = NULL;
    size_t bytes = 0;
    bool readable = read_all(f, &all, &bytes);
    fclose(f);
    if (readable && bytes <= MAX_FILE) {
        *text = all;
        *size = bytes;
        return WEFT_OK;
    }
    free(all);
    return BAD_INPUT(NULL, ("%s: %s", path, readable ? "is over 64 MiB" : "cannot be read"),
                     ("name a %s", kind));
}

uint64_t input_hash(const char *path)
{
    char piece[1 << 14];
    uint64_t hash = TEXT_HASH;
    FILE *f = fopen(path, "rb");
    if (!f)
        return 0;
    for (size_t got; (got = fread(piece, 1, sizeof(piece), f)) > 0;)
        hash = text_hash(hash, piece, got);
    fclose(f);
    return hash;
}
