/* Packing and unpacking. */
#include "report/result/packed.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/text/base64.h"
#include "base/memory.h"
#include "base/status.h"

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "packed arrays are little-endian, as they lie in memory"
#endif

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

uint64_t packed_share(double share)
{
    return (uint64_t)(65535 * fmin(fmax(share, 0), 1) + 0.5);
}

uint64_t packed_float(double value)
{
    float narrow = (float)value;
    uint32_t bits;
    memcpy(&bits, &narrow, sizeof(bits));
    return bits;
}

/* What zlib can make of some bytes at most. */
static size_t most_unpacked(size_t packed)
{
    return 1032 * packed + 64;
}

void *packed_read(const char *text, size_t length, size_t bytes)
{
    unsigned char *packed = memory_alloc(length + 1, 1), *array = NULL;
    size_t size = base64_decode(text, length, packed);
    if (size != SIZE_MAX && bytes <= most_unpacked(size)) {
        uLongf got = bytes + 1; /* one more, to see that there is not */
        array = memory_alloc(bytes + 1, 1);
        if (uncompress(array, &got, packed, size) != Z_OK || got != bytes) {
            free(array);
            array = NULL;
        }
    }
    free(packed);
    return array;
}
