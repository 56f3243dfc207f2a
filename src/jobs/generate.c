/* Drawing jobs. */
#include "jobs/log.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>

#include "base/memory.h"
#include "base/random.h"

/* ---- numbers ---- */

/* Draws of a job, one after the other. */
struct draws {
    uint64_t key;
    uint32_t count;
};

/* Between 0 and 1, neither of them. */
static double uniform(struct draws *d)
{
    return ((double)(random_draw(d->key, d->count++) >> 11) + 0.5) * 0x1p-53;
}

/* Polar method (Marsaglia, Bray 1964); the second number of a pair is not used. */
static double normal(struct draws *d)
{
    double u, s;
    do {
        u = 2 * uniform(d) - 1;
        double v = 2 * uniform(d) - 1;
        s = u * u + v * v;
    } while (s >= 1 || s == 0);
    return u * sqrt(-2 * log(s) / s);
}

/* Marsaglia, Tsang 2000: the cube of a shifted normal number, now and then refused. */
static double draw_gamma(struct draws *d, struct gamma_shape shape)
{
    double boost = shape.alpha < 1 ? pow(uniform(d), 1 / shape.alpha) : 1;
    double least = (shape.alpha < 1 ? shape.alpha + 1 : shape.alpha) - 1.0 / 3;
    double scale = 1 / sqrt(9 * least);
    for (;;) {
        double x = normal(d), v = 1 + scale * x;
        if (v <= 0)
            continue;
        v = v * v * v;
        if (log(uniform(d)) < 0.5 * x * x + least - least * v + least * log(v))
            return least * v * boost * shape.beta;
    }
}

double gamma_below(double x, struct gamma_shape shape)
{
    enum { MOST_TERMS = 10000 };
    double a = shape.alpha, z = x / shape.beta, term, sum;
    if (z <= 0)
        return 0;
    if (z > a + 40 * sqrt(a + 1) + 40) /* the series would overflow; less than 1e-17 is missing */
        return 1;
    /* The series of the lower incomplete gamma function, whose terms all have one sign. */
    sum = term = 1 / a;
    for (unsigned k = 1; k < MOST_TERMS && term > 1e-17 * sum; k++)
        sum += term *= z / (a + k);
    double below = sum * exp(a * log(z) - z - lgamma(a));
    return below < 1 ? below : 1;
}

void generate_weights(struct gamma_shape day, double weight[HALF_HOURS])
{
    enum { FIRST = 11 };
    double mean = 0;
    for (unsigned i = FIRST; i < FIRST + HALF_HOURS; i++) {
        double *w = &weight[(i - 1) % HALF_HOURS];
        *w = gamma_below(i + 0.5, day) - gamma_below(i - 0.5, day);
        mean += *w / HALF_HOURS;
    }
    for (unsigned i = 0; i < HALF_HOURS; i++)
        weight[i] /= mean;
}

/* ---- jobs ---- */

static int64_t draw_processors(const struct generate_params *p, struct draws *d)
{
    double kind = uniform(d), high = log2(p->processors), middle = high - p->middle_below;
    if (kind <= p->serial_share)
        return 1;
    bool first = uniform(d) <= p->first;
    double from = first ? p->low : middle, to = first ? middle : high;
    double size = from + uniform(d) * (to - from);
    if (kind <= p->serial_share + p->power_share)
        size = floor(size + 0.5);
    double processors = floor(exp2(size) + 0.5);
    return processors < 1 ? 1 : processors > p->processors ? p->processors : (int64_t)processors;
}

/* ln(seconds) of the longest times that are not drawn again: two days, and five. */
enum { LONGEST_RUN = 12, LONGEST_GAP = 13 };

static int64_t draw_run(const struct generate_params *p, struct draws *d, int64_t processors)
{
    double share = p->brief_slope * (double)processors + p->brief_share, seconds;
    do
        seconds = draw_gamma(d, uniform(d) <= share ? p->brief : p->lasting);
    while (seconds > LONGEST_RUN);
    return exp(seconds) < 1 ? 1 : (int64_t)exp(seconds);
}

/* The time of day: weights are what a half hour costs of an interval. */
struct clock {
    double weight[HALF_HOURS];
    double day_seconds, seconds; /* at the start of this day, and since then */
};

static double next_arrival(const struct generate_params *p, struct clock *c, struct draws *d)
{
    enum { HALF_HOUR = 1800, DAY = HALF_HOURS * HALF_HOUR };
    double left;
    do
        left = draw_gamma(d, p->apart);
    while (left > LONGEST_GAP);
    for (left = exp(left);;) {
        unsigned slot = (unsigned)(c->seconds / HALF_HOUR);
        double end = (slot + 1.0) * HALF_HOUR, cost = (end - c->seconds) * c->weight[slot];
        if (cost >= left)
            break;
        left -= cost;
        c->seconds = end < DAY ? end : 0;
        c->day_seconds += end < DAY ? 0 : DAY;
    }
    c->seconds += left / c->weight[(unsigned)(c->seconds / HALF_HOUR)];
    return c->day_seconds + c->seconds;
}

/* A time is drawn until it is short enough: refuses a distribution in which hardly any is. */
static weft_status check_times(const char *name, struct gamma_shape shape, int longest)
{
    const double least = 1e-3;
    char keys[96];
    if (gamma_below(longest, shape) >= least)
        return WEFT_OK;
    snprintf(keys, sizeof(keys), "jobs.model.%s_alpha jobs.model.%s_beta", name, name);
    return BAD_INPUT(keys,
                     ("jobs.model.%s_alpha x jobs.model.%s_beta = %g, and nearly every time is "
                      "longer than e^%d s",
                      name, name, shape.alpha * shape.beta, longest),
                     ("use a product, the mean of ln(seconds), below %d", longest));
}

static weft_status check_distributions(const struct generate_params *p)
{
    double day = gamma_below(HALF_HOURS + 10.5, p->day) - gamma_below(10.5, p->day);
    TRY(check_times("brief", p->brief, LONGEST_RUN));
    TRY(check_times("lasting", p->lasting, LONGEST_RUN));
    TRY(check_times("apart", p->apart, LONGEST_GAP));
    if (day < 1e-9)
        return BAD_INPUT("jobs.model.day_alpha jobs.model.day_beta",
                         ("jobs.model.day_alpha x jobs.model.day_beta = %g, and no half hour of "
                          "the day has submissions",
                          p->day.alpha * p->day.beta),
                         ("use a product between 11 and 58, the mean half hour"));
    return WEFT_OK;
}

weft_status generate_log(const struct generate_params *p, uint64_t seed, struct swf_log *log)
{
    struct clock clock = {.seconds = 0};
    TRY(check_distributions(p));
    generate_weights(p->day, clock.weight);
    *log = (struct swf_log){.job = memory_alloc(p->jobs, sizeof(*log->job)),
                            .jobs = p->jobs,
                            .lines = p->jobs,
                            .processors = p->processors};
    for (uint32_t i = 0; i < p->jobs; i++) {
        struct draws d = {random_key(seed, i, RANDOM_JOB), 0};
        struct job *job = &log->job[i];
        job->number = i + 1;
        job->submit = (int64_t)next_arrival(p, &clock, &d);
        job->processors = draw_processors(p, &d);
        job->run = draw_run(p, &d, job->processors);
        job->estimate = (int64_t)((double)job->run * (1 + uniform(&d) * (p->overestimate - 1)));
    }
    return WEFT_OK;
}
