/* Reading pairs and rates, and drawing by them. */
#include "workload/patterns/patterns.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file/input.h"
#include "base/list.h"
#include "base/memory.h"
#include "base/text/number.h"
#include "config/keys.h"
#include "workload/names.h"

enum { RATE_WORD = 64 };

#define FORM      "write lines of a sender, a receiver and a rate, or one row of rates per node"
#define PAIR_FORM "write lines of a sender and a receiver"

/* What has been read so far. */
struct reading {
    const struct site *site;
    enum rates_as as;
    struct pair_list list;
    bool begun, dense; /* rows of rates, as the first line shows */
    uint32_t rows;
};

void pair_list_add(struct pair_list *l, uint32_t from, uint32_t to, double rate)
{
    *LIST_ADD(l->pair, l->count, l->room) = (struct pair){from, to, rate};
}

/* ---- a file of rates ---- */

/* A number; of absolute rates MB/s, or with another unit. */
static bool is_rate(const char *word, enum rates_as as, double *rate)
{
    char number[UNIT_NUMBER];
    double factor = 1;
    if (as == RATES_ABSOLUTE && unit_split(word, "MB/s", number, &factor))
        word = number;
    if (!number_real(word, rate))
        return false;
    *rate *= factor;
    return *rate >= 0 && *rate <= 1e30;
}

static weft_status read_rate(const struct reading *r, struct lines *l, double *rate)
{
    char word[RATE_WORD];
    uint32_t column = lines_column(l, l->at);
    weft_status status = lines_word(l, "rate", word, sizeof(word));
    if (status != WEFT_OK || is_rate(word, r->as, rate))
        return status;
    if (r->as == RATES_ABSOLUTE)
        return LINES_REFUSE(l, l->line, column, ("'%s' is not a rate", word),
                            ("use numbers from 0 on, in MB/s or with a unit as 1.5GB/s"));
    return LINES_REFUSE(l, l->line, column, ("'%s' is not a rate", word),
                        ("use numbers from 0 to 1e30, which workload.load scales; units need "
                         "workload.rates=absolute"));
}

static weft_status refuse_own(const struct lines *l, uint32_t column)
{
    return LINES_REFUSE(l, l->line, column, ("a node does not send to itself"), ("use 0"));
}

/* "FROM TO RATE" */
static weft_status read_pair(struct reading *r, struct lines *l)
{
    uint32_t from, to, column = lines_column(l, l->at);
    double rate;
    TRY(lines_node(l, r->site, &from));
    TRY(lines_node(l, r->site, &to));
    TRY(read_rate(r, l, &rate));
    if (rate <= 0)
        return WEFT_OK;
    if (from == to)
        return refuse_own(l, column);
    pair_list_add(&r->list, site_find_endpoint(r->site, from), site_find_endpoint(r->site, to),
                  rate);
    return WEFT_OK;
}

/* The rates of one node to all. */
static weft_status read_row(struct reading *r, struct lines *l)
{
    uint32_t from = r->rows++, nodes = r->site->nodes, a = site_find_endpoint(r->site, from);
    if (from >= nodes)
        return LINES_REFUSE(l, l->line, 1, ("there are more rows than nodes"),
                            ("write %u rows of %u rates", nodes, nodes));
    for (uint32_t to = 0; to < nodes; to++) {
        uint32_t column = lines_column(l, l->at), b = site_find_endpoint(r->site, to);
        double rate;
        TRY(read_rate(r, l, &rate));
        if (rate <= 0)
            continue;
        if (from == to)
            return refuse_own(l, column);
        if (a == NOBODY || b == NOBODY)
            return LINES_REFUSE(l, l->line, column,
                                ("node %u is dead, or does not compute", a == NOBODY ? from : to),
                                ("use 0"));
        pair_list_add(&r->list, a, b, rate);
    }
    return WEFT_OK;
}

/* Words of the line, up to one more than asked. */
static uint32_t count_words(struct lines l, uint32_t most)
{
    uint32_t words = 0;
    char word[RATE_WORD];
    while (words <= most && !lines_end(&l) && lines_word(&l, "rate", word, sizeof(word)) == WEFT_OK)
        words++;
    return words;
}

/* The first line says whether there are pairs or rows. */
static weft_status read_rates(void *ctx, struct lines *l)
{
    enum { PAIR_WORDS = 3 };
    struct reading *r = ctx;
    uint32_t nodes = r->site->nodes;
    if (!r->begun)
        r->dense = nodes != PAIR_WORDS && count_words(*l, nodes) == nodes;
    r->begun = true;
    TRY(r->dense ? read_row(r, l) : read_pair(r, l));
    if (!lines_end(l))
        return LINES_REFUSE(l, l->line, lines_column(l, l->at),
                            ("more than %s", r->dense ? "one rate per node" : "a pair"), (FORM));
    return WEFT_OK;
}

/* ---- as tables ---- */

static int by_nodes(const void *a, const void *b)
{
    const struct pair *x = a, *y = b;
    return x->from != y->from ? (x->from > y->from) - (x->from < y->from)
                              : (x->to > y->to) - (x->to < y->to);
}

/* Pairs that are named twice have the sum of their rates. */
static void merge_pairs(struct pair_list *l)
{
    size_t kept = 0;
    qsort(l->pair, l->count, sizeof(*l->pair), by_nodes);
    for (size_t i = 1; i < l->count; i++)
        if (by_nodes(&l->pair[kept], &l->pair[i]) == 0)
            l->pair[kept].rate += l->pair[i].rate;
        else
            l->pair[++kept] = l->pair[i];
    l->count = kept + 1;
}

/* Shares of what an endpoint sends, added up; the last one is 1, whatever rounding says. */
static void add_up(struct rates *t, uint32_t endpoint, const struct pair *pair)
{
    double sum = 0;
    for (size_t i = t->first[endpoint]; i < t->first[endpoint + 1]; i++)
        t->up_to[i] = (sum += pair[i].rate);
    for (size_t i = t->first[endpoint]; i < t->first[endpoint + 1]; i++)
        t->up_to[i] = i + 1 < t->first[endpoint + 1] ? t->up_to[i] / sum : 1;
    t->of[endpoint] = sum;
    t->senders += sum > 0;
}

struct rates *rates_of_pairs(const struct site *site, struct pair_list *l)
{
    struct rates *t = memory_alloc(1, sizeof(*t));
    double all = 0;
    merge_pairs(l);
    t->endpoints = site->endpoints;
    t->first = memory_alloc((size_t)t->endpoints + 1, sizeof(*t->first));
    t->to = memory_alloc(l->count, sizeof(*t->to));
    t->up_to = memory_alloc(l->count, sizeof(*t->up_to));
    t->of = memory_alloc(t->endpoints, sizeof(*t->of));
    for (size_t i = 0; i < l->count; i++) {
        t->first[l->pair[i].from + 1] = i + 1;
        t->to[i] = l->pair[i].to;
    }
    for (uint32_t endpoint = 0; endpoint < t->endpoints; endpoint++)
        if (t->first[endpoint + 1] < t->first[endpoint])
            t->first[endpoint + 1] = t->first[endpoint];
    for (uint32_t endpoint = 0; endpoint < t->endpoints; endpoint++) {
        add_up(t, endpoint, l->pair);
        all += t->of[endpoint];
    }
    t->mean = t->senders ? all / t->senders : 0;
    for (uint32_t endpoint = 0; endpoint < t->endpoints; endpoint++) {
        t->of[endpoint] = t->of[endpoint] / all * t->senders;
        t->busiest = t->of[endpoint] > t->busiest ? t->of[endpoint] : t->busiest;
    }
    return t;
}

weft_status rates_read_text(const struct site *site, enum rates_as as, const char *name,
                            const char *text, size_t size, struct rates **rates)
{
    struct lines l = lines_of(name, text, size, FORM);
    struct reading r = {.site = site, .as = as};
    weft_status status = lines_each(&l, read_rates, &r);
    if (status == WEFT_OK && r.dense && r.rows < site->nodes)
        status =
            BAD_PLACE(("%s", name), ("it has %u rows for %u nodes", r.rows, site->nodes), (FORM));
    else if (status == WEFT_OK && !r.list.count)
        status = BAD_PLACE(("%s", name), ("no rate is above 0"), (FORM));
    if (status == WEFT_OK)
        *rates = rates_of_pairs(site, &r.list);
    free(r.list.pair);
    return status;
}

weft_status rates_read(const struct site *site, enum rates_as as, const char *path,
                       struct rates **rates)
{
    char *text;
    size_t size;
    weft_status status =
        input_read(path, "file of rates", "write one with lines FROM TO RATE", &text, &size);
    if (status != WEFT_OK) {
        error_keys("workload.file workload.pattern");
        return status;
    }
    status = rates_read_text(site, as, path, text, size, rates);
    free(text);
    return status;
}

void rates_free(struct rates *r)
{
    if (!r)
        return;
    free(r->first);
    free(r->to);
    free(r->up_to);
    free(r->of);
    free(r);
}

/* ---- drawing ---- */

uint32_t rates_draw(const struct rates *r, uint32_t endpoint, uint64_t draw)
{
    size_t low = r->first[endpoint], high = r->first[endpoint + 1];
    double share = (double)(draw >> 11) * 0x1p-53;
    if (low == high)
        return endpoint;
    while (low + 1 < high) { /* the first pair up to which there is more than the share */
        size_t middle = low + (high - low - 1) / 2;
        if (share < r->up_to[middle])
            high = middle + 1;
        else
            low = middle + 1;
    }
    return r->to[low];
}

/* ---- the ends of a pair ---- */

/* A process by its number, or the endpoint of a node by its name. */
static bool find_end(const struct workload *w, const char *name, uint32_t *who,
                     char wrong[NODE_WRONG])
{
    int64_t number;
    uint32_t node;
    if (w->as == LAYER_PACKETS) {
        bool found = site_node_named(w->site, name, &node, wrong);
        *who = found ? site_find_endpoint(w->site, node) : NOBODY;
        return found;
    }
    if (!number_integer(name, &number) || number < 0 || number >= w->processes) {
        snprintf(wrong, NODE_WRONG, "'%.60s' is not a process", name);
        return false;
    }
    *who = (uint32_t)number;
    return true;
}

static const char *names_of_ends(const struct workload *w, char text[NODE_WRONG])
{
    if (w->as == LAYER_PACKETS)
        return site_names(w->site, text);
    snprintf(text, NODE_WRONG, "a number below %u", w->processes);
    return text;
}

/* ---- a list of pairs ---- */

static weft_status refuse_pairs(const struct workload *w, const char *wrong)
{
    char what[NODE_WRONG];
    return BAD_INPUT("workload.list", ("workload.list: %s", wrong),
                     ("name pairs as 0-5,3-7, each of them by %s", names_of_ends(w, what)));
}

/* "3-7" */
static weft_status read_list_item(const struct workload *w, const char *item, size_t length,
                                  struct pair_list *list)
{
    char text[2 * NODE_NAME], wrong[NODE_WRONG], *dash;
    uint32_t from, to;
    snprintf(text, sizeof(text), "%.*s", (int)(length < sizeof(text) ? length : 0), item);
    dash = strchr(text, '-');
    if (!dash) {
        snprintf(wrong, sizeof(wrong), "'%.*s' is not a pair", (int)(length < 60 ? length : 60),
                 item);
        return refuse_pairs(w, wrong);
    }
    *dash = '\0';
    if (!find_end(w, text, &from, wrong) || !find_end(w, dash + 1, &to, wrong))
        return refuse_pairs(w, wrong);
    if (from == to)
        return refuse_pairs(w, "nobody is a pair with itself");
    pair_list_add(list, from, to, 1);
    return WEFT_OK;
}

static weft_status read_list(const struct workload *w, const char *text, struct pair_list *list)
{
    for (const char *at = text; *at;) {
        size_t length = strcspn(at, ",");
        TRY(read_list_item(w, at, length, list));
        at += length;
        if (*at == ',' && !*++at)
            return refuse_pairs(w, "it ends with a comma");
    }
    return WEFT_OK;
}

/* ---- a file of pairs ---- */

static weft_status read_end(const struct workload *w, struct lines *l, uint32_t *who)
{
    char name[NODE_NAME], wrong[NODE_WRONG], what[NODE_WRONG];
    uint32_t column = lines_column(l, l->at);
    weft_status status =
        lines_word(l, w->as == LAYER_PACKETS ? "node" : "process", name, sizeof(name));
    if (status != WEFT_OK || find_end(w, name, who, wrong))
        return status;
    return LINES_REFUSE(l, l->line, column, ("%s", wrong), ("use %s", names_of_ends(w, what)));
}

struct pair_reader {
    const struct workload *workload;
    struct pair_list *list;
};

static weft_status read_pair_line(void *ctx, struct lines *l)
{
    const struct pair_reader *r = ctx;
    uint32_t from, to;
    TRY(read_end(r->workload, l, &from));
    TRY(read_end(r->workload, l, &to));
    if (!lines_end(l))
        return LINES_REFUSE(l, l->line, lines_column(l, l->at), ("more than a pair"), (PAIR_FORM));
    if (from == to)
        return LINES_REFUSE(l, l->line, 1, ("nobody is a pair with itself"), (PAIR_FORM));
    pair_list_add(r->list, from, to, 1);
    return WEFT_OK;
}

weft_status pair_list_read_text(const struct workload *w, const char *name, const char *text,
                                size_t size, struct pair_list *list)
{
    struct lines l = lines_of(name, text, size, PAIR_FORM);
    struct pair_reader r = {w, list};
    TRY(lines_each(&l, read_pair_line, &r));
    if (!list->count)
        return BAD_PLACE(("%s", name), ("it has no pair"), (PAIR_FORM));
    return WEFT_OK;
}

static weft_status read_pair_file(const struct workload *w, struct pair_list *list)
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
    return p->list[0] ? read_list(w, p->list, list) : has_file ? read_pair_file(w, list) : WEFT_OK;
}
