/* Texts one after the other, each with its final NUL: machine, name, fabric; then key, value and
 * place of each setting. */
#define _GNU_SOURCE
#include "config/pack.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static void put(FILE *f, const char *text)
{
    fwrite(text, 1, strlen(text) + 1, f);
}

char *config_pack(const struct config *c, size_t *size)
{
    char *bytes = NULL, text[CONFIG_TEXT];
    FILE *f = open_memstream(&bytes, size);
    WEFT_CHECK(f, "no memory for a configuration");
    put(f, c->machine);
    put(f, c->name);
    put(f, c->schema->fabric);
    put(f, c->schema->nic);
    for (size_t i = 0; i < c->entries; i++) {
        if (!c->entry[i].given)
            continue;
        put(f, c->entry[i].key->name);
        put(f, config_text(c, i, text));
        put(f, c->entry[i].place);
    }
    fclose(f);
    return bytes;
}

/* The next text; "" behind the last. */
static const char *next(const char **at, const char *end)
{
    const char *text = *at < end ? *at : "";
    *at += *at < end ? strlen(text) + 1 : 0;
    return text;
}

weft_status config_unpack(struct config *c, const char *bytes, size_t size)
{
    const char *at = bytes, *end = bytes + size;
    WEFT_CHECK(size && !end[-1], "%zu bytes are no configuration", size);
    snprintf(c->machine, sizeof(c->machine), "%s", next(&at, end));
    snprintf(c->name, sizeof(c->name), "%s", next(&at, end));
    const char *fabric = next(&at, end);
    weft_status status = config_choose(c, fabric, next(&at, end));
    while (at < end && status == WEFT_OK) {
        const char *key = next(&at, end), *value = next(&at, end);
        status = config_set(c, key, value, next(&at, end));
    }
    return status;
}
