/* Any bytes as a result for `weft view`. One that is taken must keep its word: what the page is
 * given is JSON, and packed arrays are as long as they say. A damaged array is also made from the
 * input itself, so that base64 and zlib are reached at once. */
#include "fuzz.h"

#include "report/result/values.h"
#include "report/page/page.h"

static void use(const char *text, size_t size)
{
    struct page_result result;
    if (page_parse("fuzz", text, size, true, &result) != WEFT_OK) {
        if (!weft_last_error()[0])
            abort();
        return;
    }
    char *page = json_dumps(result.json, JSON_COMPACT);
    if (!page)
        abort();
    free(page);
    json_decref(result.json);
}

int fuzz_view(const uint8_t *data, size_t size)
{
    use((const char *)data, size);
    free(packed_read((const char *)data, size, size / 3));
    /* What was packed is read again. */
    json_t *packed = packed_json(data, size);
    const char *text = json_string_value(packed);
    unsigned char *again = packed_read(text, json_string_length(packed), size);
    if (!again || (size && memcmp(again, data, size) != 0))
        abort();
    free(again);
    if (packed_read(text, json_string_length(packed), size + 1))
        abort();
    json_decref(packed);
    return 0;
}
