/* Reading and evaluating claims. */
#define _GNU_SOURCE
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

static struct series read_series(struct reader *r, const char *curve, const char *name)
{
    struct series s = {NULL, 0, 0, 0};
    if (r->status == WEFT_OK)
        r->status = r->source->series(r->source->ctx, curve, name, &s.value, &s.count);
    s.to = s.count;
    return s;
}

static void read_range(struct reader *r, struct series *s)
{
    expect(r, ",");
    double from = compare(r);
    expect(r, ",");
    double to = compare(r);
    if (r->status != WEFT_OK)
        return;
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

static double call_at(struct reader *r)
{
    char curve[NAME_MAX_LENGTH], figure[NAME_MAX_LENGTH];
    double value = 0;
    read_name(r, curve);
    expect(r, ",");
    read_name(r, figure);
    expect(r, ",");
    double x = compare(r);
    if (r->status == WEFT_OK)
        r->status = r->source->figure(r->source->ctx, curve, figure, x, &value);
    return value;
}

/* Replaces each row by its change to the next; there is one row less. */
static void take_changes(struct series *s)
{
    for (size_t i = s->from; i + 1 < s->to; i++)
        s->value[i] = s->value[i + 1] - s->value[i];
    s->to--;
}

static double call_follows(struct reader *r, bool changes)
{
    char curve[NAME_MAX_LENGTH], name[2][NAME_MAX_LENGTH];
    read_name(r, curve);
    expect(r, ",");
    read_name(r, name[0]);
    expect(r, ",");
    read_name(r, name[1]);
    struct series a = read_series(r, curve, name[0]), b = read_series(r, curve, name[1]);
    double value = 0;
    read_range(r, &a);
    if (r->status == WEFT_OK && a.count != b.count)
        COMPLAIN(r, ("the two series have different lengths"), NO_REMEDY);
    if (r->status == WEFT_OK) {
        b.from = a.from;
        b.to = a.to;
        if (changes) {
            take_changes(&a);
            take_changes(&b);
        }
        value = correlation(&a, &b);
    }
    free(a.value);
    free(b.value);
    return value;
}

static double call_falls(struct reader *r)
{
    char curve[NAME_MAX_LENGTH], name[NAME_MAX_LENGTH];
    read_name(r, curve);
    expect(r, ",");
    read_name(r, name);
    expect(r, ",");
    double share = compare(r);
    struct series s = read_series(r, curve, name);
    double value = r->status == WEFT_OK ? first_fall(&s, share) : 0;
    free(s.value);
    return value;
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

static double call_moment(struct reader *r, char which)
{
    char curve[NAME_MAX_LENGTH], name[NAME_MAX_LENGTH];
    read_name(r, curve);
    expect(r, ",");
    read_name(r, name);
    struct series s = read_series(r, curve, name);
    struct moments m = {0, 0, 0};
    read_range(r, &s);
    if (r->status == WEFT_OK)
        m = moments(&s);
    double turns = which == 't' ? count_turns(&s, 0.25 * m.mean) : 0;
    free(s.value);
    switch (which) {
    case 't':
        return turns;
    case 'm':
        return m.mean;
    case 'h':
        return m.max;
    case 'l':
        return m.min;
    default:
        return m.mean > 0 ? (m.max - m.min) / m.mean : 0;
    }
}

static double call(struct reader *r, const char *function)
{
    static const struct {
        const char *name;
        char which;
    } calls[] = {{"mean", 'm'}, {"max", 'h'}, {"min", 'l'}, {"swing", 's'}, {"turns", 't'}};
    double value = 0;
    expect(r, "(");
    if (strcmp(function, "at") == 0) {
        value = call_at(r);
    } else if (strcmp(function, "follows") == 0) {
        value = call_follows(r, false);
    } else if (strcmp(function, "moves") == 0) {
        value = call_follows(r, true);
    } else if (strcmp(function, "falls") == 0) {
        value = call_falls(r);
    } else if (strcmp(function, "abs") == 0) {
        value = fabs(compare(r));
    } else {
        size_t i = 0, count = sizeof(calls) / sizeof(calls[0]);
        while (i < count && strcmp(function, calls[i].name) != 0)
            i++;
        if (i == count)
            return COMPLAIN(r, ("no such function"),
                            ("use at, mean, max, min, swing, turns, follows, moves, falls or abs"));
        value = call_moment(r, calls[i].which);
    }
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
    if (isdigit((unsigned char)*r->at) || *r->at == '.') {
        return number(r);
    }
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
