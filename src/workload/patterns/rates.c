/* Reading rates, and drawing by them. */
#include "workload/patterns/rates.h"

#include <stdlib.h>
#include <string.h>

#include "base/file/input.h"
#include "base/list.h"
#include "base/memory.h"
#include "base/text/number.h"
#include "config/units.h"
#include "workload/names.h"

enum { RATE_WORD = 64 };

#define FORM "write lines of a sender, a receiver and a rate, or one row of rates per node"

struct pair {
    uint32_t from, to; /* places */
    double rate;
};

/* What has been read so far. */
struct reading {
    struct lines lines;
    const struct site *site;
    enum rates_as as;
    struct pair *pair;
    size_t pairs, room;
    bool dense;
    uint32_t rows;
};

static void add_pair(struct reading *r, uint32_t from, uint32_t to, double rate)
{
    if (rate <= 0)
        return;
    *LIST_ADD(r->pair, r->pairs, r->room) = (struct pair){from, to, rate};
}

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

static weft_status read_rate(struct reading *r, double *rate)
{
    struct lines *l = &r->lines;
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
static weft_status read_pair(struct reading *r)
{
    struct lines *l = &r->lines;
    uint32_t from, to = 0, column = lines_column(l, l->at);
    double rate = 0;
    weft_status status = lines_node(l, r->site, &from);
    if (status == WEFT_OK)
        status = lines_node(l, r->site, &to);
    if (status == WEFT_OK)
        status = read_rate(r, &rate);
    if (status == WEFT_OK && from == to && rate > 0)
        return refuse_own(l, column);
    if (status == WEFT_OK)
        add_pair(r, site_place(r->site, from), site_place(r->site, to), rate);
    return status;
}

/* The rates of one node to all. */
static weft_status read_row(struct reading *r)
{
    struct lines *l = &r->lines;
    uint32_t from = r->rows++, nodes = r->site->nodes;
    weft_status status = WEFT_OK;
    if (from >= nodes)
        return LINES_REFUSE(l, l->line, 1, ("there are more rows than nodes"),
                            ("write %u rows of %u rates", nodes, nodes));
    for (uint32_t to = 0; to < nodes && status == WEFT_OK; to++) {
        uint32_t column = lines_column(l, l->at);
        double rate = 0;
        status = read_rate(r, &rate);
        if (status != WEFT_OK || rate <= 0)
            continue;
        uint32_t a = site_place(r->site, from), b = site_place(r->site, to);
        if (from == to)
            status = refuse_own(l, column);
        else if (a == NOBODY || b == NOBODY)
            status = LINES_REFUSE(l, l->line, column,
                                  ("node %u is dead, or does not compute", a == NOBODY ? from : to),
                                  ("use 0"));
        else
            add_pair(r, a, b, rate);
    }
    return status;
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
static void choose_form(struct reading *r, bool *chosen)
{
    enum { PAIR_WORDS = 3 };
    uint32_t nodes = r->site->nodes;
    if (!*chosen)
        r->dense = nodes != PAIR_WORDS && count_words(r->lines, nodes) == nodes;
    *chosen = true;
}

static weft_status read_lines(struct reading *r)
{
    struct lines *l = &r->lines;
    weft_status status = WEFT_OK;
    bool chosen = false;
    while (lines_left(l) && status == WEFT_OK) {
        if (!lines_end(l)) {
            choose_form(r, &chosen);
            status = r->dense ? read_row(r) : read_pair(r);
            if (status == WEFT_OK && !lines_end(l))
                status = LINES_REFUSE(l, l->line, lines_column(l, l->at),
                                      ("more than %s", r->dense ? "one rate per node" : "a pair"),
                                      (FORM));
        }
        if (status == WEFT_OK)
            status = lines_next(l);
    }
    if (status == WEFT_OK && r->dense && r->rows < r->site->nodes)
        return BAD_PLACE(("%s", l->name), ("it has %u rows for %u nodes", r->rows, r->site->nodes),
                         (FORM));
    if (status == WEFT_OK && !r->pairs)
        return BAD_PLACE(("%s", l->name), ("no rate is above 0"), (FORM));
    return status;
}

/* ---- as tables ---- */

static int by_nodes(const void *a, const void *b)
{
    const struct pair *x = a, *y = b;
    return x->from != y->from ? (x->from > y->from) - (x->from < y->from)
                              : (x->to > y->to) - (x->to < y->to);
}

/* Pairs that are named twice have the sum of their rates. */
static void merge_pairs(struct reading *r)
{
    size_t kept = 0;
    qsort(r->pair, r->pairs, sizeof(*r->pair), by_nodes);
    for (size_t i = 1; i < r->pairs; i++)
        if (by_nodes(&r->pair[kept], &r->pair[i]) == 0)
            r->pair[kept].rate += r->pair[i].rate;
        else
            r->pair[++kept] = r->pair[i];
    r->pairs = kept + 1;
}

/* Shares of what a place sends, added up; the last one is 1, whatever rounding says. */
static void add_up(struct rates *t, uint32_t place, const struct pair *pair)
{
    double sum = 0;
    for (size_t i = t->first[place]; i < t->first[place + 1]; i++)
        t->up_to[i] = (sum += pair[i].rate);
    for (size_t i = t->first[place]; i < t->first[place + 1]; i++)
        t->up_to[i] = i + 1 < t->first[place + 1] ? t->up_to[i] / sum : 1;
    t->of[place] = sum;
    t->senders += sum > 0;
}

static struct rates *make_tables(const struct reading *r)
{
    struct rates *t = memory_alloc(1, sizeof(*t));
    double all = 0;
    t->places = r->site->places;
    t->first = memory_alloc((size_t)t->places + 1, sizeof(*t->first));
    t->to = memory_alloc(r->pairs, sizeof(*t->to));
    t->up_to = memory_alloc(r->pairs, sizeof(*t->up_to));
    t->of = memory_alloc(t->places, sizeof(*t->of));
    for (size_t i = 0; i < r->pairs; i++) {
        t->first[r->pair[i].from + 1] = i + 1;
        t->to[i] = r->pair[i].to;
    }
    for (uint32_t place = 0; place < t->places; place++)
        if (t->first[place + 1] < t->first[place])
            t->first[place + 1] = t->first[place];
    for (uint32_t place = 0; place < t->places; place++) {
        add_up(t, place, r->pair);
        all += t->of[place];
    }
    t->mean = t->senders ? all / t->senders : 0;
    for (uint32_t place = 0; place < t->places; place++) {
        t->of[place] = t->of[place] / all * t->senders;
        t->busiest = t->of[place] > t->busiest ? t->of[place] : t->busiest;
    }
    return t;
}

struct rates *rates_of_pairs(const struct site *site, const uint32_t (*pair)[2], size_t pairs)
{
    struct reading r = {.site = site};
    for (size_t i = 0; i < pairs; i++)
        add_pair(&r, pair[i][0], pair[i][1], 1);
    merge_pairs(&r);
    struct rates *rates = make_tables(&r);
    free(r.pair);
    return rates;
}

weft_status rates_read_text(const struct site *site, enum rates_as as, const char *name,
                            const char *text, size_t size, struct rates **rates)
{
    struct reading r = {.lines = lines_of(name, text, size, FORM), .site = site, .as = as};
    weft_status status = read_lines(&r);
    if (status == WEFT_OK) {
        merge_pairs(&r);
        *rates = make_tables(&r);
    }
    free(r.pair);
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

uint32_t rates_draw(const struct rates *r, uint32_t place, uint64_t draw)
{
    size_t low = r->first[place], high = r->first[place + 1];
    double share = (double)(draw >> 11) * 0x1p-53;
    if (low == high)
        return place;
    while (low + 1 < high) { /* the first pair up to which there is more than the share */
        size_t middle = low + (high - low - 1) / 2;
        if (share < r->up_to[middle])
            high = middle + 1;
        else
            low = middle + 1;
    }
    return r->to[low];
}
