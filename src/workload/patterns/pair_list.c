/* Lists and files of pairs. */
#include "workload/patterns/pair_list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file/input.h"
#include "base/memory.h"
#include "base/text/number.h"
#include "workload/names.h"

#define FORM "write lines of a sender and a receiver"

void pair_list_add(struct pair_list *l, uint32_t from, uint32_t to)
{
    if ((l->count & (l->count - 1)) == 0) /* full: it grows by powers of two */
        l->pair = memory_grow(l->pair, l->count ? 2 * l->count : 1, sizeof(*l->pair));
    l->pair[l->count][0] = from;
    l->pair[l->count++][1] = to;
}

void pair_list_fini(struct pair_list *l)
{
    free(l->pair);
    *l = (struct pair_list){NULL, 0};
}

/* A process by its number, or the place of a node by its name. */
static bool find(const struct workload *w, const char *name, uint32_t *who, char wrong[NODE_WRONG])
{
    int64_t number;
    uint32_t node;
    if (w->as == LAYER_PACKETS) {
        bool found = site_node_named(w->site, name, &node, wrong);
        *who = found ? site_place(w->site, node) : NOBODY;
        return found;
    }
    if (!number_integer(name, &number) || number < 0 || number >= w->processes) {
        snprintf(wrong, NODE_WRONG, "'%.60s' is not a process", name);
        return false;
    }
    *who = (uint32_t)number;
    return true;
}

static const char *names(const struct workload *w, char text[NODE_WRONG])
{
    if (w->as == LAYER_PACKETS)
        return site_names(w->site, text);
    snprintf(text, NODE_WRONG, "a number below %u", w->processes);
    return text;
}

/* ---- a list ---- */

static weft_status refuse_list(const struct workload *w, const char *wrong)
{
    char what[NODE_WRONG];
    return BAD_INPUT("workload.list", ("workload.list: %s", wrong),
                     ("name pairs as 0-5,3-7, each of them by %s", names(w, what)));
}

/* "3-7" */
static weft_status read_item(const struct workload *w, const char *item, size_t length,
                             struct pair_list *list)
{
    char text[2 * NODE_NAME], wrong[NODE_WRONG], *dash;
    uint32_t from, to;
    snprintf(text, sizeof(text), "%.*s", (int)(length < sizeof(text) ? length : 0), item);
    dash = strchr(text, '-');
    if (!dash) {
        snprintf(wrong, sizeof(wrong), "'%.*s' is not a pair", (int)(length < 60 ? length : 60),
                 item);
        return refuse_list(w, wrong);
    }
    *dash = '\0';
    if (!find(w, text, &from, wrong) || !find(w, dash + 1, &to, wrong))
        return refuse_list(w, wrong);
    if (from == to)
        return refuse_list(w, "nobody is a pair with itself");
    pair_list_add(list, from, to);
    return WEFT_OK;
}

static weft_status read_list(const struct workload *w, const char *text, struct pair_list *list)
{
    weft_status status = WEFT_OK;
    for (const char *at = text; *at && status == WEFT_OK;) {
        size_t length = strcspn(at, ",");
        status = read_item(w, at, length, list);
        at += length;
        if (*at == ',' && !*++at && status == WEFT_OK)
            status = refuse_list(w, "it ends with a comma");
    }
    return status;
}

/* ---- a file ---- */

static weft_status read_end(const struct workload *w, struct lines *l, uint32_t *who)
{
    char name[NODE_NAME], wrong[NODE_WRONG], what[NODE_WRONG];
    uint32_t column = lines_column(l, l->at);
    weft_status status =
        lines_word(l, w->as == LAYER_PACKETS ? "node" : "process", name, sizeof(name));
    if (status != WEFT_OK || find(w, name, who, wrong))
        return status;
    return LINES_REFUSE(l, l->line, column, ("%s", wrong), ("use %s", names(w, what)));
}

static weft_status read_line(const struct workload *w, struct lines *l, struct pair_list *list)
{
    uint32_t from = 0, to = 0;
    TRY(read_end(w, l, &from));
    TRY(read_end(w, l, &to));
    if (!lines_end(l))
        return LINES_REFUSE(l, l->line, lines_column(l, l->at), ("more than a pair"), (FORM));
    if (from == to)
        return LINES_REFUSE(l, l->line, 1, ("nobody is a pair with itself"), (FORM));
    pair_list_add(list, from, to);
    return WEFT_OK;
}

weft_status pair_list_read_text(const struct workload *w, const char *name, const char *text,
                                size_t size, struct pair_list *list)
{
    struct lines l = lines_of(name, text, size, FORM);
    weft_status status = WEFT_OK;
    while (lines_left(&l) && status == WEFT_OK) {
        if (!lines_end(&l))
            status = read_line(w, &l, list);
        if (status == WEFT_OK)
            status = lines_next(&l);
    }
    return status == WEFT_OK && !list->count ? BAD_PLACE(("%s", name), ("it has no pair"), (FORM))
                                             : status;
}

static weft_status read_file(const struct workload *w, struct pair_list *list)
{
    char *text;
    size_t size;
    weft_status status = input_read(w->params.file, "file of pairs",
                                    "write them as workload.list = 0-5,3-7", &text, &size);
    if (status != WEFT_OK) {
        error_keys("workload.file");
        return status;
    }
    status = pair_list_read_text(w, w->params.file, text, size, list);
    free(text);
    return status;
}

weft_status pair_list_read(const struct workload *w, const struct pairs_params *p,
                           struct pair_list *list)
{
    bool has_file = w->params.file[0];
    if (p->list[0] && has_file)
        return BAD_INPUT("workload.list workload.file",
                         ("pairs are in workload.list and in workload.file"), ("use one of them"));
    if (pair_list_given(w, p) && (p->pairs || p->pairing != PAIRING_RANDOM))
        return BAD_INPUT("workload.pairs workload.pairing workload.list workload.file",
                         ("pairs that are named are not chosen"),
                         ("leave out workload.pairs and workload.pairing"));
    return p->list[0] ? read_list(w, p->list, list) : has_file ? read_file(w, list) : WEFT_OK;
}
