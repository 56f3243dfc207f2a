/* What the runs of a study gave. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/statistics/interval.h"
#include "base/text/number.h"
#include "study/study.h"

weft_status study_result_figure(const struct yaml *result, const char *figure, double *value)
{
    const char *text = yaml_get(result, figure);
    if (!text)
        return BAD_INPUT(
            NULL, ("the runs have no '%.60s'", figure),
            ("use a figure of a result file, such as link_utilisation or response_cycles.mean"));
    if (!number_real(text, value))
        return BAD_INPUT(NULL, ("'%.60s' is '%.60s' in a result, not a number", figure, text),
                         ("use another figure"));
    return WEFT_OK;
}

weft_status study_check_metric(const struct study *s, unsigned kinds)
{
    const struct yaml_entry *e = yaml_find(&s->yaml, "plot.metric");
    weft_status status = e ? metric_check(e->value, kinds) : WEFT_OK;
    return status == WEFT_OK ? status : yaml_place(&s->yaml, e);
}

/* The study's metric of a result, in the study's unit. */
static weft_status measure(const struct study *s, struct study_result *r)
{
    weft_status status = study_result_figure(&r->yaml, s->metric, &r->measured);
    if (status == WEFT_OK)
        r->measured /= s->per > 0 ? s->per : 1;
    else
        r->measured = NAN;
    return status;
}

weft_status study_result_read(const char *path, struct study_result *r)
{
    r->measured = NAN;
    TRY(yaml_load(path, &r->yaml));
    r->there = true;
    return WEFT_OK;
}

weft_status study_take(struct study *s, size_t run, const char *path)
{
    TRY(study_result_read(path, &s->result[run]));
    return s->metric[0] ? measure(s, &s->result[run]) : WEFT_OK;
}

weft_status study_choose(struct study *s, const char *metric)
{
    bool any = false, there = false;
    weft_status status = WEFT_OK;
    snprintf(s->metric, sizeof(s->metric), "%s", metric);
    for (size_t i = 0; i < study_runs(s); i++) {
        s->result[i].measured = NAN;
        there |= s->result[i].there;
        if (s->result[i].there && measure(s, &s->result[i]) == WEFT_OK)
            any = true;
        else if (s->result[i].there)
            status = WEFT_BAD_INPUT;
    }
    return any || !there ? WEFT_OK : status;
}

enum steady study_result_steady(const struct study_result *r)
{
    const char *text = r->there ? yaml_get(&r->yaml, "steady") : NULL;
    return !text ? STEADY_UNKNOWN : strcmp(text, "false") == 0 ? STEADY_NOT : STEADY;
}

double study_result_half_width(const struct yaml *result, const char *figure)
{
    const char *name = metric_interval(figure), *text = name ? yaml_get(result, name) : NULL;
    double value;
    return text && number_real(text, &value) ? value : NAN;
}

struct study_figure study_figure(const struct study *s, size_t curve, size_t point)
{
    struct study_figure f = {.steady = STEADY_UNKNOWN};
    struct interval values = {0};
    double own = NAN;
    for (size_t seed = 0; seed < study_seeds(s); seed++) {
        const struct study_result *r = study_result_at(s, (struct study_run){seed, curve, point});
        enum steady steady = study_result_steady(r);
        if (!r->there || isnan(r->measured))
            continue;
        interval_add(&values, r->measured);
        own = study_result_half_width(&r->yaml, s->metric);
        f.steady = steady > f.steady ? steady : f.steady;
    }
    f.runs = values.count;
    f.mean = interval_mean(&values);
    if (values.count > 1)
        f.half_width = interval_half_width(&values);
    else if (!isnan(own))
        f.half_width = own / (s->per > 0 ? s->per : 1);
    return f;
}

bool study_failed(const struct study *s, size_t curve, size_t point)
{
    for (size_t seed = 0; seed < study_seeds(s); seed++)
        if (!study_result_at(s, (struct study_run){seed, curve, point})->there)
            return true;
    return false;
}
