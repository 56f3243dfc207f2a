/* Sizes and rings of a torus as key values. */
#include <stdio.h>
#include <string.h>

#include "topology/torus/torus.h"

static weft_status parse_dims(const struct key *key, const char *text, void *field)
{
    struct torus *torus = field, parsed = {.dims = 0};
    if (strcmp(text, "auto") != 0 || !key->default_value) {
        weft_status status = torus_parse(text, &parsed);
        if (status != WEFT_OK) {
            error_prefix("%s = ", key->name);
            return status;
        }
    }
    memcpy(parsed.wrap, torus->wrap, sizeof(parsed.wrap)); /* set by its own key */
    parsed.wraps = torus->wraps;
    *torus = parsed;
    return WEFT_OK;
}

static void print_dims(const struct key *key, const void *field, char text[CONFIG_TEXT])
{
    const struct torus *torus = field;
    (void)key;
    if (torus->dims)
        torus_text(torus, text);
    else
        strcpy(text, "auto");
}

static weft_status parse_wrap(const struct key *key, const char *text, void *field)
{
    struct torus *torus = field;
    bool wrap[TORUS_MAX_DIMS] = {false};
    unsigned count = 0;
    while (text) {
        char item[32];
        if (count == TORUS_MAX_DIMS)
            return BAD_INPUT(NULL, ("%s has more values than dimensions", key->name),
                             ("use one for each"));
        text = key_list_item(text, item);
        if (strcmp(item, "true") != 0 && strcmp(item, "false") != 0)
            return BAD_INPUT(NULL, ("%s = '%.60s' is neither true nor false", key->name, item),
                             ("use one of them"));
        wrap[count++] = item[0] == 't';
    }
    for (unsigned d = count; d < TORUS_MAX_DIMS; d++)
        wrap[d] = wrap[count - 1];
    memcpy(torus->wrap, wrap, sizeof(wrap));
    torus->wraps = count;
    return WEFT_OK;
}

static void print_wrap(const struct key *key, const void *field, char text[CONFIG_TEXT])
{
    const struct torus *torus = field;
    (void)key;
    for (unsigned d = 0; d < torus->dims; d++)
        sprintf(text + strlen(text), d ? ",%s" : "%s", torus->wrap[d] ? "true" : "false");
}

const struct key_format torus_dims_format = {parse_dims, print_dims};
const struct key_format torus_wrap_format = {parse_wrap, print_wrap};
