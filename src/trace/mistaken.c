/* By the end of its name, and its first bytes. */
#include "trace/mistaken.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/text/text.h"
#include "trace/goal/open.h"
#include "trace/otf2/otf2.h"

enum { FIRST = 8 };

/* Its first bytes, as many as there are. */
static size_t look_at(const char *path, unsigned char first[FIRST])
{
    FILE *f = fopen(path, "rb");
    size_t got = f ? fread(first, 1, FIRST, f) : 0;
    if (f)
        fclose(f);
    return got;
}

/* Text has no control characters but blanks; gzip's first byte is one. */
static bool is_binary(const unsigned char *first, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (first[i] < ' ' && !strchr("\t\r\n", first[i] ? first[i] : 1))
            return !(size > 1 && first[0] == 0x1f && first[1] == 0x8b);
    return false;
}

weft_status trace_mistaken(const char *path)
{
    static const unsigned char dumpi[FIRST] = {0xff, 0xaa, 0xdd, 0x44, 'U', 'M', 'P', 'I'};
    unsigned char first[FIRST];
    size_t size = look_at(path, first);
    bool binary = is_binary(first, size);
    if (text_ends(path, ".meta") && !size)
        return BAD_PLACE(("%s", path), ("it is empty"), ("give the .meta file of a DUMPI trace"));
    if (goal_is_binary(path))
        return BAD_PLACE(("%s", path), ("it is a trace in GOAL"), ("replay it by -w goal"));
    if ((size == FIRST && memcmp(first, dumpi, FIRST) == 0) || (binary && text_ends(path, ".bin")))
        return BAD_PLACE(("%s", path), ("it is a binary file, as DUMPI has one of each rank"),
                         ("give the .meta file of a DUMPI trace"));
    if (binary && (text_ends(path, ".def") || text_ends(path, ".evt")))
        return BAD_PLACE(("%s", path), ("it is one of several files of an OTF2 trace"),
                         ("give the .otf2 file of an OTF2 trace"));
    if (!text_ends(path, ".otf2") && otf2_is_trace(path))
        return BAD_PLACE(("%s", path), ("it is an OTF2 trace under another name"),
                         ("give it a name that ends in .otf2, beside its other files"));
    return WEFT_OK;
}
