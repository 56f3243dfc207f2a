/* Texts, arrays and single values of result files. */
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/memory.h"
#include "base/status.h"
#include "base/text/text.h"
#include "report/result/values.h"

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "packed arrays are little-endian, as they lie in memory"
#endif

json_t *utf8_json(const char *text)
{
    char *copy = memory_copy(text);
    for (unsigned at = 0, bytes; copy[at]; at += bytes ? bytes : 1) {
        bytes = text_character(copy + at);
        if (!bytes)
            copy[at] = '?';
    }
    json_t *json = json_string(copy);
    free(copy);
    return json;
}

/* ---- arrays ---- */

json_t *packed_json(const void *array, size_t bytes)
{
    uLongf size = compressBound(bytes);
    unsigned char *packed = memory_alloc(size, 1);
    int status = compress2(packed, &size, array, bytes, 6);
    WEFT_CHECK(status == Z_OK, "zlib cannot pack %zu bytes (%d)", bytes, status);
    size_t letters = base64_letters(size);
    char *text = memory_alloc(letters + 1, 1);
    base64_encode(packed, size, text);
    json_t *string = json_stringn_nocheck(text, letters);
    free(packed);
    free(text);
    return string;
}

json_t *packed_numbers(size_t count, unsigned bytes,
                       uint64_t (*number)(const void *ctx, size_t index), const void *ctx)
{
    unsigned char *array = memory_alloc(count + 1, bytes);
    for (size_t i = 0; i < count; i++) {
        uint64_t value = number(ctx, i);
        memcpy(array + i * bytes, &value, bytes);
    }
    json_t *json = packed_json(array, count * bytes);
    free(array);
    return json;
}

void *packed_read(const char *text, size_t length, size_t bytes)
{
    unsigned char *packed = memory_alloc(length + 1, 1), *array = NULL;
    size_t size = base64_decode(text, length, packed);
    if (size != SIZE_MAX && bytes <= 1032 * size + 64) { /* zlib makes no more of it */
        uLongf got = bytes + 1;                          /* one more, to see that there is not */
        array = memory_alloc(bytes + 1, 1);
        if (uncompress(array, &got, packed, size) != Z_OK || got != bytes) {
            free(array);
            array = NULL;
        }
    }
    free(packed);
    return array;
}

/* ---- single values ---- */

/* Whether a name of a path is the number of an item. */
static bool in_list(const char *path)
{
    for (const char *name = path; name; name = strchr(name, '.')) {
        name += *name == '.';
        size_t digits = strspn(name, "0123456789");
        if (digits && (name[digits] == '.' || !name[digits]))
            return true;
    }
    return false;
}

/* Whether a section of packed arrays has it. */
static bool in_packed(const char *path)
{
    static const char *const sections[] = {"each_link.", "each_node.", "jobs.runs.",
                                           "part_of_node."};
    for (size_t i = 0; i < sizeof(sections) / sizeof(sections[0]); i++)
        if (text_behind(path, sections[i]))
            return true;
    return false;
}

enum scalar_kind scalar_kind(const char *path)
{
    if (in_list(path) || in_packed(path))
        return SCALAR_NONE;
    if (text_behind(path, "config."))
        return SCALAR_CONFIG;
    return text_behind(path, "engine.") ? SCALAR_ENGINE : SCALAR_RESULT;
}

void scalar_csv(FILE *f, const char *value)
{
    if (!strpbrk(value, ",\"\r\n")) {
        fputs(value, f);
        return;
    }
    fputc('"', f);
    for (; *value; value++) {
        if (*value == '"')
            fputc('"', f);
        fputc(*value, f);
    }
    fputc('"', f);
}
