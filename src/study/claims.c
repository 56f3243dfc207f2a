/* What a paper says of a study: claims, checked before anything runs, worked out and judged after.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "base/statistics/interval.h"
#include "base/text/number.h"
#include "base/text/text.h"
#include "study/expression.h"
#include "study/study.h"

/* What claims are worked out of. */
struct outlook {
    const struct study *study;
    const struct batch_item *item; /* its runs, before there are results; else NULL */
    unsigned kinds;                /* of its runs */
    size_t seed;                   /* of the results */
    char unsteady[200];            /* why they cannot be judged */
};

/* The result of a curve at a point. */
static const struct study_result *result_at(const struct outlook *o, size_t curve, size_t point)
{
    return study_result_at(o->study, (struct study_run){o->seed, curve, point});
}

/*
 * Notes a run whose response times have no meaning, since more was offered than arrived. How long
 * would be long enough: if the network takes up no more than it has, what it lacks of the load
 * becomes small in a longer run; if it is saturated, none is.
 */
static void require_steady(struct outlook *o, const char *curve, size_t point,
                           const struct study_result *r)
{
    double offered = 0, carried = 0, cycles = 0;
    if (study_result_steady(r) != STEADY_NOT || o->unsteady[0])
        return;
    if (study_result_figure(&r->yaml, "offered_load", &offered) != WEFT_OK ||
        study_result_figure(&r->yaml, "fraction_of_peak", &carried) != WEFT_OK ||
        study_result_figure(&r->yaml, "config.workload.cycles", &cycles) != WEFT_OK)
        return;
    size_t size = sizeof(o->unsteady);
    size_t at =
        text_append(o->unsteady, size, 0, "%.60s at %.30s is not steady: %.3g of %.3g arrive; ",
                    curve, o->study->point[point].name, carried, offered);
    text_append(o->unsteady, size, at,
                offered >= 1 ? "it is saturated" : "saturated, or too short: take %.0f cycles",
                cycles * (1 - carried / offered) / 0.03 + cycles);
}

static weft_status find_curve(const struct study *s, const char *name, size_t *curve)
{
    for (*curve = 0; *curve < s->curves; ++*curve)
        if (strcmp(s->curve[*curve].name, name) == 0)
            return WEFT_OK;
    return BAD_INPUT(NULL, ("no curve is named '%.60s'", name), ("use one of the study's"));
}

/* The points of a study between which x lies: one, if it is there. */
static weft_status find_points(const struct study *s, double x, size_t *low, size_t *high)
{
    *low = *high = SIZE_MAX;
    for (size_t p = 0; p < s->points; p++) {
        if (s->point[p].x <= x && (*low == SIZE_MAX || s->point[p].x > s->point[*low].x))
            *low = p;
        if (s->point[p].x >= x && (*high == SIZE_MAX || s->point[p].x < s->point[*high].x))
            *high = p;
    }
    if (*low == SIZE_MAX || *high == SIZE_MAX)
        return BAD_INPUT(NULL, ("the study has no run at %g", x), ("use a value between its own"));
    return WEFT_OK;
}

/* Whether a curve's runs will have a timeline. */
static weft_status need_rows(const struct outlook *o, size_t curve)
{
    const struct config *c = &o->item[curve * o->study->points].config;
    const struct run_params *run = config_section(c, &run_section);
    return run->interval_cycles ? WEFT_OK
                                : BAD_INPUT("run.interval_cycles",
                                            ("a timeline needs run.interval_cycles, which is 0"),
                                            ("set it, as in run: {interval_cycles: 1000}"));
}

static weft_status figure_at(void *ctx, const char *name, const char *figure, double x,
                             double *value)
{
    struct outlook *o = ctx;
    const struct study *s = o->study;
    size_t curve, low, high;
    TRY(find_curve(s, name, &curve));
    TRY(find_points(s, x, &low, &high));
    *value = 1;
    if (o->item) {
        weft_status status =
            text_behind(figure, "config.") ? WEFT_OK : metric_check(figure, o->kinds);
        if (status != WEFT_OK)
            error_prefix("'%.60s': ", figure);
        return status;
    }
    double a = 0, b = 0, span = s->point[high].x - s->point[low].x;
    if (text_behind(figure, "response_cycles.")) {
        require_steady(o, name, low, result_at(o, curve, low));
        require_steady(o, name, high, result_at(o, curve, high));
    }
    TRY(study_result_figure(&result_at(o, curve, low)->yaml, figure, &a));
    TRY(study_result_figure(&result_at(o, curve, high)->yaml, figure, &b));
    *value = span > 0 ? a + (b - a) * (x - s->point[low].x) / span : a;
    return WEFT_OK;
}

static weft_status series_of(void *ctx, const char *name, const char *series, double **values,
                             size_t *count)
{
    enum { ROWS = 1000 }; /* before there are results: however many there will be */
    const struct outlook *o = ctx;
    size_t curve, room = 0;
    *values = NULL;
    *count = 0;
    TRY(find_curve(o->study, name, &curve));
    if (o->item) {
        TRY(study_check_series(series));
        TRY(need_rows(o, curve));
        *count = ROWS;
        *values = memory_alloc(ROWS, sizeof(**values));
        return WEFT_OK;
    }
    const struct yaml *y = &result_at(o, curve, 0)->yaml;
    for (size_t i = 0; i < y->entries; i++) {
        const char *rest = text_behind(y->entry[i].path, "timeline."); /* "timeline.12.SERIES" */
        rest = rest ? rest + strspn(rest, "0123456789") : "";
        if (*rest != '.' || strcmp(rest + 1, series) != 0)
            continue;
        if (!number_real(y->entry[i].value, LIST_ADD(*values, *count, room)))
            return YAML_BAD(y, &y->entry[i], ("'%.60s' is not a number", y->entry[i].value),
                            ("run the study again"));
    }
    if (!*count)
        return BAD_INPUT("run.interval_cycles", ("'%.60s' has no series '%.60s'", name, series),
                         ("set run.interval_cycles and use a field of its timeline"));
    return WEFT_OK;
}

static weft_status at_claim(const struct study *s, const struct study_claim *c)
{
    error_place("%s:%u:%u", s->yaml.file, c->line, c->column);
    return error_status();
}

weft_status study_check(const struct study *s, const struct batch_item *item)
{
    struct outlook o = {.study = s, .item = item, .kinds = batch_kinds(item, study_runs(s))};
    struct expression_source source = {&o, true, figure_at, series_of};
    double value;
    for (size_t c = 0; c < s->curves && s->series; c++)
        if (need_rows(&o, c) != WEFT_OK)
            return yaml_place(&s->yaml, yaml_find(&s->yaml, "plot.timeline"));
    TRY(study_check_metric(s, o.kinds));
    for (size_t i = 0; i < s->claims; i++)
        if (s->claim[i].judged_in[s->size] &&
            expression_value(s->claim[i].of, &source, &value) != WEFT_OK)
            return at_claim(s, &s->claim[i]);
    return WEFT_OK;
}

/* ---- judging ---- */

const char *const verdict_names[VERDICTS] = {"",         "ok",        "calibrated", "formula",
                                             "in words", "uncertain", "both shown", "known missed",
                                             "MISSED",   "not judged"};

/* Whether a figure is what the paper says. */
static bool as_paper(const struct study_claim *c, double figure)
{
    return (isnan(c->value) || fabs(figure - c->value) <= c->tolerance) &&
           (isnan(c->above) || figure > c->above) && (isnan(c->below) || figure < c->below);
}

void study_judge_claim(struct study_claim *c, enum study_size size)
{
    static const enum verdict right[] = {VERDICT_OK, VERDICT_CALIBRATED, VERDICT_FORMULA,
                                         VERDICT_WORDS, VERDICT_BOTH};
    bool both = c->kind == CLAIM_BOTH;
    bool ok = both ? fabs(c->measured - c->weft) <= 0.01 * fabs(c->weft) : as_paper(c, c->measured);
    bool certain =
        both || (as_paper(c, c->measured - c->interval) && as_paper(c, c->measured + c->interval));
    if (c->unsteady[0])
        c->verdict = VERDICT_UNSTEADY;
    else if (ok)
        c->verdict = certain ? right[c->kind] : VERDICT_UNCERTAIN;
    else
        c->verdict = c->known_in[size] ? VERDICT_KNOWN : VERDICT_MISSED;
}

/* Works out a claim for every seed. */
static weft_status measure_claim(const struct study *s, struct study_claim *c)
{
    struct outlook o = {.study = s};
    struct expression_source source = {.ctx = &o, .figure = figure_at, .series = series_of};
    struct interval values = {0};
    double value = 0;
    weft_status status = WEFT_OK;
    for (; o.seed < study_seeds(s) && status == WEFT_OK; o.seed++) {
        status = expression_value(c->of, &source, &value);
        interval_add(&values, value);
    }
    c->measured = interval_mean(&values);
    c->interval = interval_half_width(&values);
    memcpy(c->unsteady, o.unsteady, sizeof(c->unsteady));
    return status;
}

weft_status study_judge(struct study *s)
{
    for (size_t i = 0; i < s->claims; i++) {
        struct study_claim *c = &s->claim[i];
        if (!c->judged_in[s->size])
            continue;
        if (measure_claim(s, c) != WEFT_OK)
            return at_claim(s, c);
        study_judge_claim(c, s->size);
    }
    return WEFT_OK;
}

/* Whether two expressions are the same except for blanks and quotes. */
static bool same_expression(const char *a, const char *b)
{
    for (;; a++, b++) {
        a += strspn(a, " \"'");
        b += strspn(b, " \"'");
        if (*a != *b || !*a)
            return *a == *b;
    }
}

bool study_paper_value(const struct study *s, size_t curve, size_t point, double *value)
{
    char of[256];
    snprintf(of, sizeof(of), "at(%s, %s, %.15g)%s%s", s->curve[curve].name, s->metric,
             s->point[point].x, s->per > 0 ? " / " : "", s->per_text);
    for (size_t i = 0; i < s->claims; i++)
        if (!isnan(s->claim[i].value) && s->claim[i].judged_in[s->size] &&
            same_expression(s->claim[i].of, of)) {
            *value = s->claim[i].value;
            return true;
        }
    return false;
}
