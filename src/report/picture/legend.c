/* What pictures of jobs share: axes of time, colours, captions. */
#include <math.h>

#include "base/text/text.h"
#include "report/picture/drawing.h"
#include "report/sections.h"

/* ---- axes of time: the shortest step that leaves few enough ticks ---- */

enum { MINUTE = 60, HOUR = 60 * MINUTE, DAY = 24 * HOUR, WEEK = 7 * DAY, MONTH = 30 * DAY };

static const int64_t steps[] = {
    1,           2,           5,        10,       30,        MINUTE,    2 * MINUTE, 5 * MINUTE,
    10 * MINUTE, 30 * MINUTE, HOUR,     2 * HOUR, 3 * HOUR,  6 * HOUR,  12 * HOUR,  DAY,
    2 * DAY,     WEEK,        2 * WEEK, MONTH,    2 * MONTH, 3 * MONTH, 6 * MONTH,
};

static int64_t step_of(int64_t span, unsigned ticks)
{
    enum { STEPS = sizeof(steps) / sizeof(steps[0]) };
    for (unsigned i = 0; i < STEPS; i++)
        if (span / steps[i] < ticks)
            return steps[i];
    int64_t step = steps[STEPS - 1];
    while (span / step >= ticks)
        step *= 2;
    return step;
}

static void name_unit(struct time_axis *axis)
{
    static const struct {
        int64_t seconds;
        const char *name;
    } unit[] = {{DAY, "days"}, {HOUR, "hours"}, {MINUTE, "minutes"}, {1, "seconds"}};
    unsigned i = 0;
    while (unit[i].seconds > 1 && axis->step % unit[i].seconds)
        i++;
    axis->unit = unit[i].seconds;
    axis->name = unit[i].name;
}

struct time_axis time_axis_of(int64_t from, int64_t to, unsigned ticks)
{
    struct time_axis axis = {.from = from, .to = to > from ? to : from + 1};
    axis.step = step_of(axis.to - axis.from, ticks);
    name_unit(&axis);
    return axis;
}

double time_axis_share(const struct time_axis *axis, int64_t time)
{
    return (double)(time - axis->from) / (double)(axis->to - axis->from);
}

/*
 * ---- colours ----
 *
 * Hues a golden angle apart: any few neighbours in the list are spread over the circle. Lightness
 * and chroma are those of Oklab (Ottosson 2020), in which equal steps look equal, so that no hue
 * shouts.
 */

#define GOLDEN_ANGLE 2.399963229728653 /* radians */

static unsigned char encode_colour(double linear)
{
    double share = linear <= 0.0031308 ? 12.92 * linear : 1.055 * pow(linear, 1 / 2.4) - 0.055;
    return (unsigned char)lround(255 * fmin(fmax(share, 0), 1));
}

static struct colour from_oklab(double light, double a, double b)
{
    double l = pow(light + 0.3963377774 * a + 0.2158037573 * b, 3);
    double m = pow(light - 0.1055613458 * a - 0.0638541728 * b, 3);
    double s = pow(light - 0.0894841775 * a - 1.2914855480 * b, 3);
    return (struct colour){encode_colour(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
                           encode_colour(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
                           encode_colour(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s)};
}

struct colour colour_of_job(uint32_t job, bool lost)
{
    static const double light[] = {0.70, 0.80, 0.62}, chroma[] = {0.105, 0.085, 0.095};
    double hue = fmod(job * GOLDEN_ANGLE, 2 * M_PI), c = chroma[job % 3];
    return from_oklab(light[job % 3] - (lost ? 0.3 : 0), c * cos(hue), c * sin(hue));
}

/* ---- captions ---- */

/* Where the machine's time went; what would read 0.0 is left out. */
static void put_shares(const struct schedule_result *r, char *text, size_t size, size_t at)
{
    const struct {
        const char *name;
        double share;
    } rest[] = {
        {"internal fragmentation", r->share[SHARE_INTERNAL]},
        {"free while jobs wait", r->share[SHARE_EXTERNAL] + r->share[SHARE_STARVED]},
        {"idle", r->share[SHARE_IDLE]},
        {"closed for repair", r->share[SHARE_CLOSED]},
    };
    at = text_append(text, size, at, "; utilisation %.1f %%", 100 * r->share[SHARE_USED]);
    for (unsigned i = 0; i < sizeof(rest) / sizeof(rest[0]); i++)
        if (rest[i].share >= 0.0005)
            at = text_append(text, size, at, ", %s %.1f %%", rest[i].name, 100 * rest[i].share);
}

static const char *describe_jobs(const struct schedule_result *r, char *text, size_t size)
{
    char jobs[32], ended[32];
    size_t at = text_append(text, size, 0, "%s job%s, %s finished", text_count(r->jobs, jobs),
                            r->jobs == 1 ? "" : "s", text_count(r->count[JOB_FINISHED], ended));
    if (r->count[JOB_FAILED])
        at = text_append(text, size, at, ", %s failed", text_count(r->count[JOB_FAILED], ended));
    if (r->to > r->from)
        put_shares(r, text, size, at);
    return text;
}

static const char *describe_colours(const struct schedule_result *r, bool stacked, const char *look,
                                    char *text, size_t size)
{
    char count[32];
    uint32_t lost = lost_runs(r);
    size_t at =
        text_append(text, size, 0, "each job has its own colour; free and closed cells have none");
    if (lost)
        at = text_append(text, size, at, "; %s: %s run%s lost to a node that died", look,
                         text_count(lost, count), lost == 1 ? "" : "s");
    if (stacked)
        text_append(text, size, at,
                    "; jobs are scattered: stacked by their starts, not where they ran");
    return text;
}

void draw_captions(struct writer *w, double x, const double y[3], const char *title,
                   const struct schedule_result *r, bool stacked, const char *lost)
{
    char text[256];
    svg_text(w, x, y[0], "title", "%s", title);
    svg_text(w, x, y[1], "note", "%s", describe_jobs(r, text, sizeof(text)));
    svg_text(w, x, y[2], "note", "%s", describe_colours(r, stacked, lost, text, sizeof(text)));
}
