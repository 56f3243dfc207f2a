/* Bisection, all curves at a time. */
#include "study/sweep.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Whether runs and one more are steady: unknown if it is of any. */
static enum steady both_steady(enum steady all, const struct study_result *more)
{
    enum steady one = study_result_steady(more);
    bool unknown = all == STEADY_UNKNOWN || one == STEADY_UNKNOWN;
    return unknown ? STEADY_UNKNOWN : one > all ? one : all;
}

/* Of a point of the sweep, over its seeds. Figures do not matter here, only steadiness. */
static enum steady steady_at(const struct sweep *s, size_t curve, size_t point)
{
    const struct study *t = &s->study;
    enum steady all = STEADY;
    for (size_t seed = 0; seed < study_seeds(t); seed++)
        all = both_steady(all, study_result_at(t, (struct study_run){seed, curve, point}));
    return all;
}

/* The smallest x that is not steady, and the largest below it that is. */
static void bracket(const struct sweep *s, size_t curve, struct saturation_curve *c)
{
    const struct study *t = &s->study;
    c->steady = -INFINITY;
    c->unsteady = INFINITY;
    for (size_t p = 0; p < t->points; p++)
        if (steady_at(s, curve, p) == STEADY_NOT)
            c->unsteady = fmin(c->unsteady, t->point[p].x);
    for (size_t p = 0; p < t->points; p++)
        if (steady_at(s, curve, p) == STEADY && t->point[p].x < c->unsteady)
            c->steady = fmax(c->steady, t->point[p].x);
    c->state = isfinite(c->steady) && isfinite(c->unsteady) ? SATURATION_OPEN
               : isfinite(c->steady)                        ? SATURATION_ABOVE
               : isfinite(c->unsteady)                      ? SATURATION_BELOW
                                                            : SATURATION_LOST;
    c->asked = c->steady; /* nothing is being run */
}

void saturation_init(struct saturation *f, struct sweep *sweep, double precision)
{
    *f = (struct saturation){.sweep = sweep, .precision = precision, .first = sweep->items};
    for (size_t c = 0; c < sweep->study.curves; c++)
        bracket(sweep, c, &f->curve[c]);
}

/* Takes in what the runs of a curve have shown. */
static void learn(struct saturation *f, size_t curve)
{
    struct saturation_curve *c = &f->curve[curve];
    enum steady all = STEADY;
    for (size_t i = f->first; i < f->sweep->items; i++)
        if (f->sweep->curve[i] == curve)
            all = both_steady(all, &f->sweep->study.result[i]);
    if (all == STEADY_UNKNOWN)
        c->state = SATURATION_LOST;
    else if (all == STEADY)
        c->steady = c->asked;
    else if (all == STEADY_NOT)
        c->unsteady = c->asked;
}

/* The middle in a few digits; false: it is near enough already. */
static bool ask(struct saturation *f, size_t curve)
{
    struct saturation_curve *c = &f->curve[curve];
    const struct study *t = &f->sweep->study;
    char x[32];
    snprintf(x, sizeof(x), "%.4g", (c->steady + c->unsteady) / 2);
    c->asked = atof(x);
    if (c->unsteady - c->steady <= f->precision * c->unsteady || !(c->asked > c->steady) ||
        !(c->asked < c->unsteady)) {
        c->state = SATURATION_FOUND;
        return false;
    }
    for (size_t seed = 0; seed < study_seeds(t); seed++)
        sweep_add(f->sweep, seed, curve, x);
    return true;
}

bool saturation_next(struct saturation *f)
{
    struct study *t = &f->sweep->study;
    size_t before = f->sweep->items;
    bool more = false;
    for (size_t c = 0; c < t->curves; c++)
        if (f->curve[c].state == SATURATION_OPEN)
            learn(f, c);
    f->first = before;
    for (size_t c = 0; c < t->curves; c++)
        if (f->curve[c].state == SATURATION_OPEN)
            more |= ask(f, c);
    for (size_t c = 0; c < t->curves; c++)
        t->saturation[c] = f->curve[c].state == SATURATION_FOUND ? f->curve[c].steady : NAN;
    t->has_saturation = true;
    return more;
}
