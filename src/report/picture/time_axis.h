/* Ticks of an axis of time: seconds, minutes, hours or days since its start. */
#ifndef WEFT_REPORT_PICTURE_TIME_AXIS_H
#define WEFT_REPORT_PICTURE_TIME_AXIS_H

#include <stdint.h>

struct time_axis {
    int64_t from, to; /* seconds; from < to */
    int64_t step;     /* between ticks: whole hours, days, weeks or months of 30 days */
    int64_t unit;     /* of the numbers at ticks, in seconds */
    const char *name; /* of that unit: "days" */
};

/* `to` may be `from`: the axis is then one second long. `ticks`: the most that fit. */
struct time_axis time_axis_of(int64_t from, int64_t to, unsigned ticks);

/* Where a time is between both ends, from 0 to 1. */
double time_axis_share(const struct time_axis *axis, int64_t time);

#endif
