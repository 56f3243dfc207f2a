/*
 * The machine is a raster, because a year of jobs has more boxes than a drawing can hold: a pixel
 * is who holds the cell at its centre, at the time at its centre. Cells are in the order z, y, x
 * from the bottom. Everything else is drawn:
 *
 *   title, what became of the jobs
 *   machine    nodes on the left, layers of z on the right
 *   in use     share of all cells
 *   waiting    jobs
 *   time
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text/text.h"
#include "report/picture/drawing.h"
#include "report/picture/picture.h"

enum { WIDTH = 1200, HEIGHT = 730, LEFT = 84, RIGHT = 56, MOST_TICKS = 14 };
enum { SHARPNESS = 2 }; /* raster points per pixel and axis, at most */
enum { PLOT = WIDTH - LEFT - RIGHT };

static const struct svg_box machine_box = {LEFT, 88, PLOT, 400};
static const struct svg_box in_use_box = {LEFT, 504, PLOT, 74};
static const struct svg_box waiting_box = {LEFT, 594, PLOT, 74};

struct gantt {
    struct writer *w;
    const struct schedule_result *result;
    struct time_axis axis;
    bool stacked;
};

/* ---- the raster ---- */

struct raster {
    unsigned char *rgb;
    uint32_t columns, rows;
};

/* Rows of whole cells where there are more cells than rows, else cells of whole rows: all alike. */
static uint32_t rows_for(uint32_t cells)
{
    uint32_t most = SHARPNESS * (uint32_t)machine_box.height;
    if (cells <= most)
        return cells * (most / cells);
    uint32_t cells_per_row = (cells + most - 1) / most;
    return (cells + cells_per_row - 1) / cells_per_row;
}

static void paint_column(struct raster *r, uint32_t column, const struct occupancy *o,
                         const struct colour *colour)
{
    uint32_t cells = o->result->space.cells;
    for (uint32_t row = 0; row < r->rows; row++) {
        uint64_t above_zero = 2 * (uint64_t)(r->rows - 1 - row) + 1; /* in half rows */
        uint32_t run = o->run_in[above_zero * cells / (2 * (uint64_t)r->rows)];
        if (run == NO_RUN)
            continue;
        const struct job_run *j = &o->result->run[run];
        bool dark = j->lost && (column + row) % 8 < 3; /* hatched */
        struct colour c = dark ? colour_of_job(j->job, true) : colour[j->job];
        memcpy(r->rgb + sizeof(c) * ((size_t)row * r->columns + column), &c, sizeof(c));
    }
}

static struct raster paint_machine(struct gantt *g)
{
    struct raster r = {.columns = SHARPNESS * (uint32_t)machine_box.width,
                       .rows = rows_for(g->result->space.cells)};
    struct occupancy o;
    struct colour *colour = memory_alloc(g->result->jobs, sizeof(*colour));
    for (uint32_t i = 0; i < g->result->jobs; i++)
        colour[i] = colour_of_job(i, false);
    r.rgb = memory_alloc((size_t)r.columns * r.rows, 3);
    memset(r.rgb, 0xff, (size_t)r.columns * r.rows * 3);
    occupancy_init(&o, g->result);
    double seconds = (double)(g->axis.to - g->axis.from) / r.columns;
    for (uint32_t column = 0; column < r.columns; column++) {
        occupancy_advance(&o, g->axis.from + (int64_t)((column + 0.5) * seconds));
        paint_column(&r, column, &o, colour);
    }
    g->stacked = o.stacked;
    occupancy_fini(&o);
    free(colour);
    return r;
}

/* ---- axes ---- */

static double x_of(const struct gantt *g, int64_t time)
{
    return LEFT + PLOT * time_axis_share(&g->axis, time);
}

/* 1, 2 or 5 times a power of ten: at most `ticks` of them up to `most`. */
static double step_for(double most, double ticks)
{
    double ten = pow(10, floor(log10(most / ticks)));
    for (unsigned i = 0; i < 3; i++) {
        double step = ten * (const double[]){1, 2, 5}[i];
        if (step * ticks >= most)
            return fmax(step, 1);
    }
    return fmax(10 * ten, 1);
}

static void draw_node_axis(const struct gantt *g)
{
    double nodes = (double)g->result->space.cells * g->result->cell_nodes;
    double step = step_for(nodes, 6);
    char text[32];
    for (double node = 0; node <= nodes; node += step) {
        double y = machine_box.y + machine_box.height * (1 - node / nodes);
        svg_line(g->w, "frame", LEFT - 5, y, LEFT, y);
        svg_text(g->w, LEFT - 8, y + 4, "tick end", "%s", text_count((uint64_t)node, text));
    }
    svg_text_up(g->w, 20, machine_box.y + machine_box.height / 2, "axis middle",
                g->stacked ? "nodes in use" : "nodes, by z, y, x");
}

/* Which layer is where, by the machine's coordinate; all have a number where there is room. */
static void draw_layer_axis(const struct gantt *g)
{
    uint32_t layers = g->result->space.size[2];
    double height = machine_box.height / layers, right = LEFT + PLOT;
    uint32_t every = (uint32_t)ceil(14 / height);
    for (uint32_t z = 0; z < layers; z += every) {
        double y = machine_box.y + machine_box.height - z * height;
        svg_line(g->w, "frame", right, y, right + 5, y);
        svg_text(g->w, right + 8, y - height / 2 + 4, "tick", "%u", g->result->space.first[2] + z);
    }
    svg_text_up(g->w, WIDTH - 14, machine_box.y + machine_box.height / 2, "axis middle",
                "layer (z)");
}

static void draw_time_axis(const struct gantt *g)
{
    double bottom = waiting_box.y + waiting_box.height;
    for (int64_t at = g->axis.from; at <= g->axis.to; at += g->axis.step) {
        double x = x_of(g, at);
        svg_line(g->w, "frame", x, bottom, x, bottom + 5);
        svg_line(g->w, "frame", x, machine_box.y + machine_box.height, x,
                 machine_box.y + machine_box.height + 5);
        svg_text(g->w, x, bottom + 19, "tick middle", "%lld",
                 (long long)((at - g->axis.from) / g->axis.unit));
    }
    svg_text(g->w, LEFT + PLOT / 2.0, bottom + 40, "axis middle", "%s since the first submission",
             g->axis.name);
}

/* Where jobs cease to come, and the machine drains. */
static void draw_last_submission(const struct gantt *g)
{
    double x = x_of(g, g->result->to);
    if (g->result->to <= g->axis.from || x > LEFT + PLOT - 4)
        return;
    svg_line(g->w, "mark", x, machine_box.y - 6, x, waiting_box.y + waiting_box.height);
    bool left = x < LEFT + 100; /* no room before it */
    svg_text(g->w, x, machine_box.y - 9, left ? "tick" : "tick end", "last submission");
}

/* ---- curves ---- */

/* A curve's look, and its axis. */
struct strip {
    struct svg_box box;
    const char *name, *colour, *fill, *unit;
    double top; /* value at the upper edge */
};

static void draw_strip_axis(const struct gantt *g, const struct strip *s)
{
    for (unsigned half = 0; half <= 2; half++) {
        double y = s->box.y + s->box.height * (1 - half / 2.0);
        if (half == 1)
            svg_line(g->w, "grid", LEFT, y, LEFT + PLOT, y);
        svg_line(g->w, "frame", LEFT - 5, y, LEFT, y);
        svg_text(g->w, LEFT - 8, y + 4, "tick end", "%.0f%s", s->top * half / 2, s->unit);
    }
    for (int64_t at = g->axis.from + g->axis.step; at < g->axis.to; at += g->axis.step)
        svg_line(g->w, "grid", x_of(g, at), s->box.y, x_of(g, at), s->box.y + s->box.height);
    svg_text_up(g->w, 20, s->box.y + s->box.height / 2, "axis middle", s->name);
}

static void put_points(const struct gantt *g, const struct strip *s, const double *value)
{
    for (uint32_t i = 0; i < PLOT; i++)
        writer_put(g->w, "%s%.1f %.1f", i ? "L" : "", LEFT + i + 0.5,
                   s->box.y + s->box.height * (1 - fmin(value[i] / s->top, 1)));
}

static void draw_strip(const struct gantt *g, const struct strip *s, const double *value)
{
    double bottom = s->box.y + s->box.height;
    draw_strip_axis(g, s);
    writer_put(g->w, "<path fill=\"%s\" fill-opacity=\"0.35\" d=\"M%.1f %.1fL", s->fill, LEFT + 0.5,
               bottom);
    put_points(g, s, value);
    writer_put(g->w, "V%.1fZ\"/>\n<path fill=\"none\" stroke=\"%s\" d=\"M", bottom, s->colour);
    put_points(g, s, value);
    writer_put(g->w, "\"/>\n");
    svg_frame(g->w, s->box);
}

/* An even number, so that its half is whole. */
static double top_for(const double *value)
{
    static const double even[] = {2, 4, 6, 8, 10, 12, 16};
    double most = 0;
    for (uint32_t i = 0; i < PLOT; i++)
        most = fmax(most, value[i]);
    for (double ten = 1;; ten *= 10)
        for (unsigned i = 0; i < sizeof(even) / sizeof(even[0]); i++)
            if (ten * even[i] >= most)
                return ten * even[i];
}

static void draw_strips(const struct gantt *g)
{
    double *value = memory_alloc(PLOT, sizeof(*value));
    struct load_window window = {g->axis.from, g->axis.to, PLOT};
    load_in_use(g->result, window, value);
    for (uint32_t i = 0; i < PLOT; i++)
        value[i] *= 100;
    draw_strip(g, &(struct strip){in_use_box, "in use", "#3d6b99", "#8fb3d9", " %", 100}, value);
    load_waiting(g->result, window, value);
    struct strip waiting = {waiting_box, "waiting jobs", "#a8572f", "#dba581", "", top_for(value)};
    draw_strip(g, &waiting, value);
    free(value);
}

/* ---- the whole ---- */

weft_status gantt_write(const char *path, const struct jobs_report *report, const char *title)
{
    const struct schedule_result *r = &report->schedule;
    struct gantt g = {.result = r,
                      .axis = time_axis_of(r->from, r->last > r->to ? r->last : r->to, MOST_TICKS)};
    TRY(svg_open(&g.w, path, WIDTH, HEIGHT));
    struct raster raster = paint_machine(&g);
    svg_image(g.w, machine_box, raster.rgb, raster.columns, raster.rows);
    free(raster.rgb);
    svg_frame(g.w, machine_box);
    draw_node_axis(&g);
    if (!g.stacked && r->space.size[2] > 1)
        draw_layer_axis(&g);
    draw_captions(g.w, LEFT, (const double[]){26, 46, 63}, title, r, g.stacked, "hatched");
    draw_strips(&g);
    draw_last_submission(&g);
    draw_time_axis(&g);
    return svg_close(g.w);
}
