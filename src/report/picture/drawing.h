/* What the pictures of this folder are drawn with. */
#ifndef WEFT_REPORT_PICTURE_DRAWING_H
#define WEFT_REPORT_PICTURE_DRAWING_H

#include "base/file/output.h"
#include "jobs/jobs.h"
#include "study/study.h"

/* ---- script.c: the gnuplot script of a study: its metric over x, its timeline, or bars ---- */

/* Names of lines: a curve's, a series', or both. */
size_t script_lines(const struct study *study);
const char *script_line_name(const struct study *study, size_t line, char *name, size_t size);

/* The cycle of a row of the timelines, "" behind the last; a line's value in a row, "" if it has
 * none. A run's last row is left out: it is cut short. */
const char *script_cycle(const struct study *study, size_t row);
const char *script_value(const struct study *study, size_t line, size_t row);

/* Quotes text as gnuplot and CSV do: quotes are doubled, control characters dropped. */
void script_quote(FILE *f, const char *text, char quote);

/* terminal: gnuplot's, with its font; width: the picture's, in pixels. */
void script_print(FILE *script, const struct study *study, const char *picture,
                  const char *terminal, unsigned width);

/*
 * ---- svg.c: SVG in one style; the file is written atomically (base/file/output.h) ----
 *
 *   svg_open(&w, path, width, height)
 *   svg_text(w, ...), or writer_put(w, ...) of anything else
 *   svg_close(w)
 */

/* A part of a picture, in pixels from its top left corner. */
struct svg_box {
    double x, y, width, height;
};

weft_status svg_open(struct writer **writer, const char *path, unsigned width, unsigned height);
weft_status svg_close(struct writer *w);

/* Texts; the last runs upwards. What XML cannot hold is left out, and what is too long for a
 * picture ends in "...". `style`: words of the style sheet: "title", "note", "tick", "small" or
 * "axis", and "middle" or "end" if `x` is not where the text begins. */
void svg_text(struct writer *w, double x, double y, const char *style, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
void svg_text_up(struct writer *w, double x, double y, const char *style, const char *text);

/* A straight line. `style`: "frame", "grid" or "mark". */
void svg_line(struct writer *w, const char *style, double x0, double y0, double x1, double y1);
void svg_frame(struct writer *w, struct svg_box box);

/* A raster, stretched to fill a box; its rows begin at the top. */
void svg_image(struct writer *w, struct svg_box box, const unsigned char *rgb, uint32_t columns,
               uint32_t rows);

/* A raster as a file in PNG (RFC 2083): 8 bits each of red, green and blue, nothing else. Both
 * sizes are at least 1. The caller frees it. */
unsigned char *png_encode(const unsigned char *rgb, uint32_t width, uint32_t height, size_t *size);

/*
 * ---- occupancy.c: who is in each cell of the machine, at one time after another ----
 *
 *   occupancy_init(&o, result)
 *   occupancy_advance(&o, time)     times that do not decrease; o.run_in is then of that time
 *   occupancy_fini(&o)
 *
 * Where scattered jobs are is not recorded. If there are any, all jobs are stacked instead: the
 * first cells are those of the job that has run longest, then those of the next, and so on.
 */

#define NO_RUN UINT32_MAX

struct occupancy {
    const struct schedule_result *result;
    bool stacked;
    uint32_t *run_in; /* [cell]: the number of a run, or NO_RUN */
    uint32_t *order;  /* all runs, by start */
    uint32_t next;    /* of them, the first that is still to begin */
    uint32_t *active; /* runs, by start */
    uint32_t actives;
};

void occupancy_init(struct occupancy *o, const struct schedule_result *result);
void occupancy_advance(struct occupancy *o, int64_t time);
void occupancy_fini(struct occupancy *o);

/* Some seconds, cut into equal bins. */
struct load_window {
    int64_t from, to; /* from < to */
    uint32_t bins;
};

/* Means over each bin: the share of all cells that jobs hold, and the number of jobs that wait. */
void load_in_use(const struct schedule_result *result, struct load_window window, double *share);
void load_waiting(const struct schedule_result *result, struct load_window window, double *jobs);

/* ---- legend.c: axes of time, colours of jobs, captions ---- */

/* Ticks of an axis of time: seconds, minutes, hours or days since its start. */
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

struct colour {
    unsigned char red, green, blue;
};

/* The colour of a job: calm, and far from those of the jobs that follow it. `lost`: darker. */
struct colour colour_of_job(uint32_t job, bool lost);

/* Draws the lines above a picture of jobs, at these heights: the title, what became of the jobs,
 * and what a colour is. `stacked`: cells are not where jobs were; `lost`: what lost runs look like,
 * "hatched". */
void draw_captions(struct writer *w, double x, const double y[3], const char *title,
                   const struct schedule_result *result, bool stacked, const char *lost);

#endif
