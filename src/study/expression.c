/* Reading and evaluating claims. */
#include "study/expression.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/number.h"

enum { NAME_MAX_LENGTH = 96, DEPTH_MAX = 32 };

struct reader {
    const char *text, *at;
    const struct expression_source *source;
    weft_status status;
    unsigned depth;
};

static double compare(struct reader *r);

/* Only the first error counts. */
static double keep_first(struct reader *r, weft_status status)
{
    error_prefix("'%.200s', character %zu: ", r->text, (size_t)(r->at - r->text) + 1);
    r->status = status;
    return 0;
}

#define COMPLAIN(READER, WHAT, REMEDY)                                                             \
    ((READER)->status == WEFT_OK ? keep_first(READER, BAD_INPUT(0, WHAT, REMEDY)) : 0)

static void skip_space(struct reader *r)
{
    while (isspace((unsigned char)*r->at))
        r->at++;
}

static bool take(struct reader *r, const char *token)
{
    skip_space(r);
    size_t length = strlen(token);
    if (strncmp(r->at, token, length) != 0)
        return false;
    r->at += length;
    return true;
}

static void expect(struct reader *r, const char *token)
{
    if (!take(r, token))
        COMPLAIN(r, ("'%s' is missing", token), ("add it"));
}

/* A curve or figure: letters, digits and - _ . + or anything in quotes. */
static void read_name(struct reader *r, char name[NAME_MAX_LENGTH])
{
    size_t length = 0;
    skip_space(r);
    bool quoted = *r->at == '"';
    r->at += quoted;
    while (*r->at &&
           (quoted ? *r->at != '"' : isalnum((unsigned char)*r->at) || strchr("-_.+", *r->at))) {
        if (length + 1 < NAME_MAX_LENGTH)
            name[length++] = *r->at;
        r->at++;
    }
    name[length] = '\0';
    if (quoted)
        expect(r, "\"");
    if (!length)
        COMPLAIN(r, ("a name is missing"), ("give a curve's or a figure's"));
}

/* ---- timelines ---- */

struct series {
    double *value;
    size_t count, from, to;
};

/* The shares of a run between which its rows count. */
static void limit_series(struct reader *r, struct series *s, double from, double to)
{
    if (!(from >= 0 && from < to && to <= 1)) {
        COMPLAIN(r, ("this is not a range"), ("use shares of the run from 0 to 1"));
        return;
    }
    s->from = (size_t)(from * (double)s->count);
    s->to = (size_t)(to * (double)s->count + 0.5);
    if (s->to <= s->from)
        COMPLAIN(r, ("the range is empty"), ("use a wider one or a shorter run.interval_cycles"));
}

struct moments {
    double mean, min, max;
};

static struct moments moments(const struct series *s)
{
    struct moments m = {0, INFINITY, -INFINITY};
    for (size_t i = s->from; i < s->to; i++) {
        m.mean += s->value[i] / (double)(s->to - s->from);
        m.min = fmin(m.min, s->value[i]);
        m.max = fmax(m.max, s->value[i]);
    }
    return m;
}

static double correlation(const struct series *a, const struct series *b)
{
    double ab = 0, aa = 0, bb = 0, ma = moments(a).mean, mb = moments(b).mean;
    for (size_t i = a->from; i < a->to; i++) {
        double x = a->value[i] - ma, y = b->value[i] - mb;
        ab += x * y;
        aa += x * x;
        bb += y * y;
    }
    /* A series that is constant except for rounding correlates with nothing. */
    double n = 1e-24 * (double)(a->to - a->from);
    return aa > n * ma * ma && bb > n * mb * mb ? ab / sqrt(aa * bb) : 0;
}

/* The first row after the highest one with less than a share of its value. */
static double first_fall(const struct series *s, double share)
{
    double highest = moments(s).max;
    size_t at = 0;
    while (at < s->count && s->value[at] < highest)
        at++;
    while (at < s->count && s->value[at] >= share * highest)
        at++;
    return s->count ? (double)at / (double)s->count : 1;
}

/* ---- functions ---- */

enum function { AT, MEAN, MAX, MIN, SWING, TURNS, FALLS, FOLLOWS, MOVES, ABS, FUNCTIONS };

/* What a function takes: a curve and a figure, or a curve and some of its series; then numbers, of
 * which two are a range. */
static const struct {
    const char *name;
    unsigned names, series, numbers;
} functions[FUNCTIONS] = {
    [AT] = {"at", 2, 0, 1},       [MEAN] = {"mean", 2, 1, 2},       [MAX] = {"max", 2, 1, 2},
    [MIN] = {"min", 2, 1, 2},     [SWING] = {"swing", 2, 1, 2},     [TURNS] = {"turns", 2, 1, 2},
    [FALLS] = {"falls", 2, 1, 1}, [FOLLOWS] = {"follows", 3, 2, 2}, [MOVES] = {"moves", 3, 2, 2},
    [ABS] = {"abs", 0, 0, 1},
};

struct arguments {
    char name[3][NAME_MAX_LENGTH];
    struct series series[2];
    double number[2];
};

/* Replaces each row by its change to the next; there is one row less. */
static void take_changes(struct series *s)
{
    for (size_t i = s->from; i + 1 < s->to; i++)
        s->value[i] = s->value[i + 1] - s->value[i];
    s->to--;
}

static double follows(struct reader *r, struct series *a, struct series *b, bool changes)
{
    if (a->count != b->count)
        return COMPLAIN(r, ("the two series have different lengths"), NO_REMEDY);
    b->from = a->from;
    b->to = a->to;
    if (changes) {
        take_changes(a);
        take_changes(b);
    }
    return correlation(a, b);
}

/* How often a series rises or falls by `least` or more from one turning point to the next. */
static double count_turns(const struct series *s, double least)
{
    double low = INFINITY, high = -INFINITY;
    int direction = 0, turns = 0;
    for (size_t i = s->from; i < s->to; i++) {
        low = fmin(low, s->value[i]);
        high = fmax(high, s->value[i]);
        bool rises = direction <= 0 && s->value[i] - low >= least;
        bool falls = direction >= 0 && high - s->value[i] >= least;
        if (rises || falls) {
            direction = rises ? 1 : -1;
            turns++;
            low = high = s->value[i];
        }
    }
    return turns;
}

static double value_of(struct reader *r, enum function function, struct arguments *a)
{
    struct moments m = moments(&a->series[0]);
    double value = 0;
    switch (function) {
    case AT:
        r->status = r->source->figure(r->source->ctx, a->name[0], a->name[1], a->number[0], &value);
        return value;
    case MEAN:
        return m.mean;
    case MAX:
        return m.max;
    case MIN:
        return m.min;
    case SWING:
        return m.mean > 0 ? (m.max - m.min) / m.mean : 0;
    case TURNS:
        return count_turns(&a->series[0], 0.25 * m.mean);
    case FALLS:
        return first_fall(&a->series[0], a->number[0]);
    case ABS:
        return fabs(a->number[0]);
    default:
        return follows(r, &a->series[0], &a->series[1], function == MOVES);
    }
}

static void read_arguments(struct reader *r, enum function function, struct arguments *a)
{
    for (unsigned i = 0; i < functions[function].names; i++) {
        if (i)
            expect(r, ",");
        read_name(r, a->name[i]);
    }
    for (unsigned i = 0; i < functions[function].series && r->status == WEFT_OK; i++) {
        struct series *s = &a->series[i];
        r->status =
            r->source->series(r->source->ctx, a->name[0], a->name[i + 1], &s->value, &s->count);
        s->to = s->count;
    }
    for (unsigned i = 0; i < functions[function].numbers; i++) {
        if (i || functions[function].names)
            expect(r, ",");
        a->number[i] = compare(r);
    }
    if (functions[function].numbers == 2 && r->status == WEFT_OK)
        limit_series(r, &a->series[0], a->number[0], a->number[1]);
}

static double call(struct reader *r, const char *name)
{
    struct arguments a = {.number = {0}};
    enum function function = AT;
    double value = 0;
    expect(r, "(");
    while (function < FUNCTIONS && strcmp(functions[function].name, name) != 0)
        function++;
    if (function == FUNCTIONS)
        return COMPLAIN(r, ("no such function"),
                        ("use at, mean, max, min, swing, turns, follows, moves, falls or abs"));
    read_arguments(r, function, &a);
    if (r->status == WEFT_OK)
        value = value_of(r, function, &a);
    free(a.series[0].value);
    free(a.series[1].value);
    expect(r, ")");
    return value;
}

/* ---- arithmetic ---- */

/* A number up to the first letter that cannot be part of one. */
static double number(struct reader *r)
{
    char text[64];
    size_t length = strspn(r->at, "0123456789.");
    if (r->at[length] == 'e' || r->at[length] == 'E') {
        length += 1 + (r->at[length + 1] == '-' || r->at[length + 1] == '+');
        length += strspn(r->at + length, "0123456789");
    }
    double value = 0;
    snprintf(text, sizeof(text), "%.*s", (int)(length < 63 ? length : 63), r->at);
    if (length > 63 || !number_real(text, &value))
        return COMPLAIN(r, ("'%s' is not a number", text), ("use one such as 0.5 or 1e-3"));
    r->at += length;
    return value;
}

static double atom(struct reader *r)
{
    char name[NAME_MAX_LENGTH];
    if (r->status != WEFT_OK)
        return 0;
    if (take(r, "-"))
        return -atom(r);
    if (take(r, "(")) {
        if (++r->depth > DEPTH_MAX)
            return COMPLAIN(r, ("too many parentheses"), ("use fewer"));
        double value = compare(r);
        r->depth--;
        expect(r, ")");
        return value;
    }
    skip_space(r);
    if (isdigit((unsigned char)*r->at) || *r->at == '.')
        return number(r);
    if (!isalpha((unsigned char)*r->at))
        return COMPLAIN(r, ("a number, a function or '(' is missing"), ("add one"));
    read_name(r, name);
    return call(r, name);
}

static double product(struct reader *r)
{
    double value = atom(r);
    while (r->status == WEFT_OK) {
        if (take(r, "*")) {
            value *= atom(r);
        } else if (take(r, "/")) {
            double by = atom(r);
            if (by == 0 && !r->source->in_advance)
                COMPLAIN(r, ("divided by zero"), NO_REMEDY);
            value = by != 0 ? value / by : 0;
        } else {
            break;
        }
    }
    return value;
}

static double sum(struct reader *r)
{
    double value = product(r);
    while (r->status == WEFT_OK) {
        if (take(r, "+"))
            value += product(r);
        else if (take(r, "-"))
            value -= product(r);
        else
            break;
    }
    return value;
}

static double compare(struct reader *r)
{
    if (++r->depth > DEPTH_MAX)
        return COMPLAIN(r, ("nested too deeply"), ("use fewer parentheses"));
    double value = sum(r);
    if (take(r, "<"))
        value = value < sum(r);
    else if (take(r, ">"))
        value = value > sum(r);
    r->depth--;
    return value;
}

weft_status expression_value(const char *text, const struct expression_source *source,
                             double *value)
{
    struct reader r = {.text = text, .at = text, .source = source, .status = WEFT_OK};
    *value = compare(&r);
    skip_space(&r);
    if (r.status == WEFT_OK && *r.at)
        COMPLAIN(&r, ("this does not belong here"), ("remove it"));
    return r.status;
}
