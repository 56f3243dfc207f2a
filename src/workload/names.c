/* Names of nodes, and lists of them. */
#include "workload/names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file/input.h"
#include "base/memory.h"
#include "base/text/number.h"

uint32_t site_find_endpoint(const struct site *site, uint32_t node)
{
    if (node >= site->nodes || !site->endpoints || (site->dead && site->dead[node]))
        return NOBODY;
    uint32_t endpoint = site_endpoint(site, node);
    return endpoint < site->endpoints && site_node(site, endpoint) == node ? endpoint : NOBODY;
}

/* A number of at most nine digits. */
static bool is_number(const char *name, uint32_t *number)
{
    size_t digits = strspn(name, "0123456789");
    *number = 0;
    for (size_t i = 0; i < digits && digits < 10; i++)
        *number = 10 * *number + (uint32_t)(name[i] - '0');
    return digits && digits < 10 && !name[digits];
}

static bool is_coordinates(const struct site *site, const char *name, uint32_t *node)
{
    const char *at = name;
    return site->torus && strchr(name, '/') &&
           torus_parse_node(site->torus, site->torus->dims, &at, node) && !*at;
}

const char *site_names(const struct site *site, char text[NODE_WRONG])
{
    static const char last[] = "1/2/3/0/1/0";
    if (!site->torus)
        snprintf(text, NODE_WRONG, "a number below %u", site->nodes);
    else
        snprintf(text, NODE_WRONG, "a number below %u, or coordinates as %.*s", site->nodes,
                 (int)(2 * site->torus->dims - 1), last);
    return text;
}

bool site_node_named(const struct site *site, const char *name, uint32_t *node,
                     char wrong[NODE_WRONG])
{
    if ((!is_number(name, node) || *node >= site->nodes) && !is_coordinates(site, name, node)) {
        snprintf(wrong, NODE_WRONG, "'%.60s' is not a node", name);
        *node = NOBODY;
        return false;
    }
    if (site_find_endpoint(site, *node) != NOBODY)
        return true;
    snprintf(wrong, NODE_WRONG, "node %.60s is %s", name,
             site->dead && site->dead[*node] ? "dead" : "not one that computes");
    return false;
}

weft_status lines_node(struct lines *l, const struct site *site, uint32_t *node)
{
    char name[NODE_NAME], wrong[NODE_WRONG], names[NODE_WRONG];
    uint32_t column = lines_column(l, l->at);
    weft_status status = lines_word(l, "node", name, sizeof(name));
    if (status != WEFT_OK || site_node_named(site, name, node, wrong))
        return status;
    if (*node < site->nodes) /* there is such a node, but not for this */
        return LINES_REFUSE(l, l->line, column, ("%s", wrong), ("leave it out"));
    return LINES_REFUSE(l, l->line, column, ("%s", wrong), ("use %s", site_names(site, names)));
}

/* ---- lists ---- */

#define FORM "write nodes, separated by blanks or lines"

static void list_begin(struct number_list *l)
{
    l->number = memory_alloc(l->most, sizeof(*l->number));
    l->named = memory_alloc(l->most, sizeof(*l->named));
}

static weft_status list_end(struct number_list *l, weft_status status)
{
    free(l->named);
    l->named = NULL;
    return status;
}

/* Whether it has not been named before. */
static bool list_add(struct number_list *l, uint32_t number)
{
    if (l->named[number])
        return false;
    l->named[number] = true;
    l->number[l->count++] = number;
    return true;
}

/* ---- lists as texts ---- */

static weft_status refuse_list(const struct number_list *l, const char *text)
{
    return BAD_INPUT(NULL, ("'%.60s' is not a list of %ss", text, l->what),
                     ("use numbers and ranges, as 0-63,70 or 0-62:2"));
}

/* "7", "0-63" or "0-62:2" */
static bool split_range(const char *item, int64_t *from, int64_t *to, int64_t *step)
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
    if (!split_range(item, &from, &to, &step))
        return refuse_list(l, item);
    if (from < 0 || to >= l->most)
        return BAD_INPUT(
            NULL, ("%s %lld: there are %u", l->what, (long long)(from < 0 ? from : to), l->most),
            ("use 0 to %u", l->most - 1));
    for (int64_t i = from; i <= to; i += step < l->most ? step : l->most)
        if (!list_add(l, (uint32_t)i))
            return BAD_INPUT(NULL, ("it has %s %lld twice", l->what, (long long)i),
                             ("name each once"));
    return WEFT_OK;
}

weft_status number_list_read(struct number_list *l, const char *text)
{
    weft_status status = *text ? WEFT_OK : refuse_list(l, text);
    char item[32];
    list_begin(l);
    for (const char *rest = text; rest && status == WEFT_OK;) {
        rest = key_list_item(rest, item);
        status = add_range(l, item);
    }
    return list_end(l, status);
}

/* ---- lists in files ---- */

struct node_reader {
    struct number_list *list;
    const struct site *site;
};

static weft_status read_nodes(void *ctx, struct lines *lines)
{
    const struct node_reader *r = ctx;
    while (!lines_end(lines)) {
        uint32_t node, column = lines_column(lines, lines->at);
        TRY(lines_node(lines, r->site, &node));
        if (!list_add(r->list, node))
            return LINES_REFUSE(lines, lines->line, column, ("node %u is named twice", node),
                                ("name each once"));
    }
    return WEFT_OK;
}

weft_status number_list_lines(struct number_list *l, const struct site *site, const char *name,
                              const char *text, size_t size)
{
    struct lines lines = lines_of(name, text, size, FORM);
    struct node_reader reader = {l, site};
    list_begin(l);
    weft_status status = lines_each(&lines, read_nodes, &reader);
    if (status == WEFT_OK && !l->count)
        status = BAD_PLACE(("%s", name), ("it names no node"), (FORM));
    return list_end(l, status);
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
