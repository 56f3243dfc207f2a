/* Finding where a measurement begins and ends. */
#include "machine/window.h"

#include <math.h>

#include "base/statistics/interval.h"
#include "base/statistics/series.h"

/* The first look, a multiple of MEASURE_BINS; the first that can tell an overload from a network
 * that still fills up; least cycles from a look to what it decides. */
enum { FIRST_LOOK = 160 * MEASURE_BINS, FULL_LOOK = 4 * FIRST_LOOK, MARGIN = 1024 };

struct window window_of(const struct workload *w)
{
    const struct workload_params *p = &w->params;
    struct window window = {.to = CYCLE_NEVER, .look = CYCLE_NEVER};
    if (!w->open)
        return window;
    bool packets = w->as == LAYER_PACKETS && w->pattern->kind == PATTERN_OPEN;
    window.from = workload_warmup(p);
    window.to = window.from + p->cycles;
    if (!packets || p->warmup_cycles != KEY_AUTO_LONG)
        return window;
    return (struct window){.phase = WINDOW_WARM_UP,
                           .is_found = true,
                           .from = FIRST_LOOK + MARGIN,
                           .to = FIRST_LOOK + MARGIN + p->cycles,
                           .look = FIRST_LOOK,
                           .width = FIRST_LOOK / MEASURE_BINS,
                           .least = p->cycles,
                           .most = p->most_cycles,
                           .precision = p->precision};
}

struct measure_plan window_plan(const struct window *w)
{
    bool later = w->phase == WINDOW_WARM_UP;
    return (struct measure_plan){.from = later ? CYCLE_NEVER : w->from,
                                 .to = later ? CYCLE_NEVER : w->to,
                                 .bin_width = later ? w->width : 0};
}

cycle_t window_births_end(const struct window *w)
{
    return w->phase == WINDOW_WARM_UP ? w->from : w->to;
}

/* ---- what is seen ---- */

/* How much a number of packets varies, as a share: as births do, as bursts of several do, or as
 * sums with a long tail do, however many there are. */
static double variation(const struct workload_params *p, double packets)
{
    double bursts = p->burst == BURST_NONE ? packets : packets / (2 * p->burst_packets);
    double shape = p->burst == BURST_PARETO && p->burst_shape < 2 ? p->burst_shape : 2;
    return 3 * pow(bursts, 1 / shape - 1);
}

bool window_is_carried(const struct workload_params *p, double packets, double offered,
                       double carried)
{
    double missing = 1 - (offered > 0 ? carried / offered : 0); /* overload: above 0 */
    return carried < 0 || offered <= 0 || packets < 1 || missing < 0.03 + variation(p, packets);
}

/* Bins that have passed, of which the last half shows whether as much arrives as is offered. */
struct sight {
    struct measure_bin bin[MEASURE_BINS];
    double y[MEASURE_BINS]; /* mean response, or arrivals, of those that count */
    size_t count;
    bool overloaded;
};

static bool is_overloaded(const struct workload *w, const struct sight *s, size_t passed,
                          cycle_t width)
{
    uint64_t packets = 0, withheld = 0;
    double peak = w->senders * w->rate_peak * (double)width * (double)(passed - passed / 2);
    for (size_t i = passed / 2; i < passed; i++) {
        packets += s->bin[i].count;
        withheld += s->bin[i].withheld;
    }
    return peak > 0 && !window_is_carried(&w->params, (double)packets, w->params.load,
                                          (double)(packets + withheld) / peak);
}

/* Looks at the bins of `together` each that have passed. */
static void see(const struct network *n, const struct workload *w, size_t passed, cycle_t width,
                size_t together, struct sight *s)
{
    network_bins(n, s->bin);
    s->overloaded = is_overloaded(w, s, passed, width);
    s->count = 0;
    for (size_t i = 0; i + together <= passed; i += together) {
        uint64_t count = 0, sum = 0;
        for (size_t k = i; k < i + together; k++) {
            count += s->bin[k].count;
            sum += s->bin[k].sum;
        }
        if (s->overloaded)
            s->y[s->count++] = (double)count;
        else if (count)
            s->y[s->count++] = (double)sum / (double)count;
    }
}

/* ---- what follows ---- */

static void set(struct window *w, bool unsettled)
{
    w->phase = WINDOW_SET;
    w->look = CYCLE_NEVER;
    w->unsettled = unsettled;
}

static void begin(struct window *w, struct network *n)
{
    cycle_t latest = network_latest(n), ahead = latest > w->look ? latest - w->look : 0;
    w->from = w->look + (ahead > MARGIN ? ahead : MARGIN);
    w->to = w->from + w->least;
    w->width = (w->least + MEASURE_BINS - 1) / MEASURE_BINS;
    w->margin = ahead > MARGIN / 2 ? 2 * ahead : MARGIN;
    w->look = w->to - w->margin;
    w->phase = WINDOW_MEASURES;
    network_open_window(n, w->from, w->to);
    network_follow(n, w->from, w->width);
}

static void look_at_warmup(struct window *w, struct network *n, const struct workload *workload)
{
    struct sight s;
    see(n, workload, MEASURE_BINS, w->width, 1, &s);
    bool warm =
        series_truncation(s.y, s.count) <= s.count / 2 && !(s.overloaded && w->look < FULL_LOOK);
    bool more = 2 * w->look + MARGIN + w->least <= w->most;
    if (!warm && more) {
        network_widen_bins(n);
        w->width *= 2;
        w->look *= 2;
        w->from = w->look + MARGIN;
        w->to = w->from + w->least;
        return;
    }
    begin(w, n);
    if (!warm || w->least < 4 * w->margin)
        set(w, !warm);
}

static bool is_known(const struct window *w, const struct sight *s)
{
    struct interval mean = {.count = 0};
    for (size_t i = 0; i < s->count; i++)
        interval_add(&mean, s->y[i]);
    return !s->count || (s->count >= MEASURE_BINS / 4 &&
                         series_half_width(s->y, s->count) <= w->precision * interval_mean(&mean));
}

static void look_at_window(struct window *w, struct network *n, const struct workload *workload)
{
    struct sight s;
    cycle_t length = w->to - w->from;
    see(n, workload, (w->look - w->from) / w->width, w->width, 2, &s);
    if (s.overloaded || is_known(w, &s)) {
        set(w, false);
        return;
    }
    if (w->to + length > w->most || network_latest(n) > w->to) {
        set(w, true);
        return;
    }
    network_double_window(n);
    network_widen_bins(n);
    w->width *= 2;
    w->to += length;
    w->look = w->to - w->margin;
}

void window_look(struct window *w, struct network *n, const struct workload *workload)
{
    if (w->phase == WINDOW_WARM_UP)
        look_at_warmup(w, n, workload);
    else
        look_at_window(w, n, workload);
}

/* ---- archives ---- */

static const char *flaw(const struct window *w)
{
    cycle_t most = 2 * (w->most + w->least + FIRST_LOOK);
    bool is_set = w->phase == WINDOW_SET;
    bool right = w->phase <= WINDOW_MEASURES && w->unsettled <= 1 && w->from < w->to &&
                 w->to <= most && w->to - w->from >= w->least && w->width &&
                 (is_set ? w->look == CYCLE_NEVER : w->look > 0 && w->look < w->to);
    return right ? NULL : "the window of measurement is impossible";
}

void window_archive(struct window *w, struct archive *a)
{
    archive_same(a, w->is_found);
    if (!w->is_found)
        return;
    archive_same(a, w->look); /* also in the checkpoint's head */
    archive_bytes(a, &w->phase, sizeof(w->phase));
    archive_bytes(a, &w->unsettled, sizeof(w->unsettled));
    archive_bytes(a, &w->from, sizeof(w->from));
    archive_bytes(a, &w->to, sizeof(w->to));
    archive_bytes(a, &w->width, sizeof(w->width));
    archive_bytes(a, &w->margin, sizeof(w->margin));
    if (archive_has_read(a))
        archive_sound(a, flaw(w));
}
