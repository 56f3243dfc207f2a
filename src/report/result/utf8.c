/* Copies a text, character by character. */
#include "report/result/utf8.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/text/text.h"

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
