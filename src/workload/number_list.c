/* Reading lists of numbers. */
#include "workload/number_list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file/input.h"
#include "base/memory.h"
#include "base/text/number.h"
#include "workload/names.h"

#define FORM "write nodes, separated by blanks or lines"

static void begin(struct number_list *l)
{
    l->number = memory_alloc(l->most, sizeof(*l->number));
    l->named = memory_alloc(l->most, sizeof(*l->named));
}

static weft_status end(struct number_list *l, weft_status status)
{
    free(l->named);
    l->named = NULL;
    return status;
}

/* Whether it has not been named before. */
static bool add(struct number_list *l, uint32_t number)
{
    if (l->named[number])
        return false;
    l->named[number] = true;
    l->number[l->count++] = number;
    return true;
}

/* ---- texts ---- */

static weft_status refuse(const struct number_list *l, const char *text)
{
    return BAD_INPUT(NULL, ("'%.60s' is not a list of %ss", text, l->what),
                     ("use numbers and ranges, as 0-63,70 or 0-62:2"));
}

/* "7", "0-63" or "0-62:2" */
static bool split(const char *item, int64_t *from, int64_t *to, int64_t *step)
{
    char word[3][32] = {"", "", "1"};
    const char *dash = strchr(item, '-'), *colon = strchr(item, ':');
    if (colon && (!dash || colon < dash))
        return false;
    size_t length = strcspn(item, "-");
    snprintf(word[0], 32, "%.*s", (int)length, item);
    if (dash)
        snprintf(word[1], 32, "%.*s", (int)strcspn(dash + 1, ":"), dash + 1);
    if (colon)
        snprintf(word[2], 32, "%s", colon + 1);
    return number_integer(word[0], from) && number_integer(dash ? word[1] : word[0], to) &&
           number_integer(word[2], step) && *from <= *to && *step >= 1;
}

static weft_status add_range(struct number_list *l, const char *item)
{
    int64_t from, to, step;
    if (!split(item, &from, &to, &step))
        return refuse(l, item);
    if (from < 0 || to >= l->most)
        return BAD_INPUT(
            NULL, ("%s %lld: there are %u", l->what, (long long)(from < 0 ? from : to), l->most),
            ("use 0 to %u", l->most - 1));
    for (int64_t i = from; i <= to; i += step < l->most ? step : l->most)
        if (!add(l, (uint32_t)i))
            return BAD_INPUT(NULL, ("it has %s %lld twice", l->what, (long long)i),
                             ("name each once"));
    return WEFT_OK;
}

weft_status number_list_read(struct number_list *l, const char *text)
{
    weft_status status = *text ? WEFT_OK : refuse(l, text);
    char item[32];
    begin(l);
    for (const char *rest = text; rest && status == WEFT_OK;) {
        rest = key_list_item(rest, item);
        status = add_range(l, item);
    }
    return end(l, status);
}

/* ---- files ---- */

static weft_status add_named(struct number_list *l, const struct site *site, struct lines *lines)
{
    uint32_t node = 0, column = lines_column(lines, lines->at);
    weft_status status = lines_node(lines, site, &node);
    if (status == WEFT_OK && !add(l, node))
        return LINES_REFUSE(lines, lines->line, column, ("node %u is named twice", node),
                            ("name each once"));
    return status;
}

weft_status number_list_lines(struct number_list *l, const struct site *site, const char *name,
                              const char *text, size_t size)
{
    struct lines lines = lines_of(name, text, size, FORM);
    weft_status status = WEFT_OK;
    begin(l);
    while (lines_left(&lines) && status == WEFT_OK) {
        while (status == WEFT_OK && !lines_end(&lines))
            status = add_named(l, site, &lines);
        if (status == WEFT_OK)
            status = lines_next(&lines);
    }
    if (status == WEFT_OK && !l->count)
        status = BAD_PLACE(("%s", name), ("it names no node"), (FORM));
    return end(l, status);
}

weft_status number_list_file(struct number_list *l, const struct site *site, const char *path)
{
    char *text;
    size_t size;
    if (!*path)
        return BAD_INPUT(NULL, ("file: names no file"), ("name one, as file:nodes.txt"));
    TRY(input_read(path, "file of nodes", FORM, &text, &size));
    weft_status status = number_list_lines(l, site, path, text, size);
    free(text);
    return status;
}

void number_list_fini(struct number_list *l)
{
    free(l->number);
    l->number = NULL;
}
