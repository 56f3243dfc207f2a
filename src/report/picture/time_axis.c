/* The shortest step that leaves few enough ticks. */
#include "report/picture/time_axis.h"

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
