/*
 * A frame is the machine seen from the front and above. Layers of x and y are pulled apart along z,
 * so that none hides another:
 *
 *        ______
 *       /_____/   z = 1
 *        ______        y
 *       /_____/   z = 0  /__ x
 *
 * Rectangles of cells of one job are one path.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "report/picture/drawing.h"
#include "report/picture/picture.h"

enum { FRAMES = 12, ACROSS = 4 };
enum { WIDTH = 1200, MARGIN = 30, HEAD = 116, GAP = 36, CAPTION = 70 };
enum { MOST_CELL = 36, TALLEST = 380 }; /* a cell along x; all layers */

/* Pixels. */
struct projection {
    double x;             /* per cell along x */
    double y_right, y_up; /* per cell along y */
    double z_up;          /* from one layer to the next */
    double width, height; /* of a frame's layers */
};

struct frames {
    struct writer *w;
    const struct schedule_result *result;
    struct projection p;
    unsigned count, across;
    struct occupancy occupancy;
    bool *done; /* [cell of a layer]: it is part of a path */
};

/* ---- projection ---- */

static struct projection project(const uint32_t size[SPACE_AXES], double width)
{
    const double right = 0.4, up = 0.5, slack = 1.3; /* of a cell's x; between layers */
    struct projection p = {.x = fmin(MOST_CELL, width / (size[0] + right * size[1]))};
    p.y_right = right * p.x;
    p.y_up = fmin(up * p.x, TALLEST / (slack * size[1] * size[2]));
    p.z_up = slack * p.y_up * size[1];
    p.width = p.x * size[0] + p.y_right * size[1];
    p.height = p.z_up * (size[2] - 1) + p.y_up * size[1];
    return p;
}

/* ---- a frame, whose origin is the corner of its lowest layer ---- */

/* Cells from (x, y) on. */
static void put_rectangle(const struct frames *f, uint32_t x, uint32_t y, uint32_t columns,
                          uint32_t rows)
{
    const struct projection *p = &f->p;
    double width = columns * p->x, right = rows * p->y_right, up = rows * p->y_up;
    writer_put(f->w, "M%.2f %.2fh%.2fl%.2f %.2fh%.2fz", x * p->x + y * p->y_right, -(y * p->y_up),
               width, right, -up, -width);
}

/* The outlines of free cells: once for all layers, which refer to it. */
static void define_layer(const struct frames *f)
{
    const uint32_t *size = f->result->space.size;
    const struct projection *p = &f->p;
    writer_put(f->w, "<defs><g id=\"layer\" fill=\"none\"><path stroke=\"#ececec\" "
                     "stroke-width=\"0.5\" d=\"");
    for (uint32_t x = 1; x < size[0]; x++)
        writer_put(f->w, "M%.2f 0l%.2f %.2f", x * p->x, size[1] * p->y_right, -(size[1] * p->y_up));
    for (uint32_t y = 1; y < size[1]; y++)
        writer_put(f->w, "M%.2f %.2fh%.2f", y * p->y_right, -(y * p->y_up), size[0] * p->x);
    writer_put(f->w, "\"/><path stroke=\"#bbb\" stroke-width=\"0.7\" d=\"");
    put_rectangle(f, 0, 0, size[0], size[1]);
    writer_put(f->w, "\"/></g></defs>\n");
}

/* Whether cells of a row are all of one run, and in no path yet. */
static bool is_alike(const struct frames *f, const uint32_t *layer, uint32_t first,
                     uint32_t columns, uint32_t run)
{
    for (uint32_t i = first; i < first + columns; i++)
        if (f->done[i] || layer[i] != run)
            return false;
    return true;
}

/* The largest rectangle of one run from a cell on, first along x, then along y. */
static void draw_rectangle(struct frames *f, const uint32_t *layer, uint32_t x, uint32_t y)
{
    const uint32_t *size = f->result->space.size;
    uint32_t first = y * size[0] + x, run = layer[first], columns = 1, rows = 1;
    while (x + columns < size[0] && is_alike(f, layer, first + columns, 1, run))
        columns++;
    while (y + rows < size[1] && is_alike(f, layer, first + rows * size[0], columns, run))
        rows++;
    for (uint32_t i = 0; i < rows * columns; i++)
        f->done[first + i / columns * size[0] + i % columns] = true;
    const struct job_run *j = &f->result->run[run];
    struct colour c = colour_of_job(j->job, j->lost);
    writer_put(f->w, "<path fill=\"#%02x%02x%02x\" d=\"", c.red, c.green, c.blue);
    put_rectangle(f, x, y, columns, rows);
    writer_put(f->w, "\"/>\n");
}

static void draw_layer(struct frames *f, uint32_t z)
{
    const uint32_t *size = f->result->space.size;
    const uint32_t *layer = f->occupancy.run_in + z * size[0] * size[1];
    writer_put(f->w, "<g transform=\"translate(0 %.2f)\"><use xlink:href=\"#layer\"/>\n",
               -(z * f->p.z_up));
    for (uint32_t i = 0; i < size[0] * size[1]; i++)
        f->done[i] = layer[i] == NO_RUN;
    for (uint32_t i = 0; i < size[0] * size[1]; i++)
        if (!f->done[i])
            draw_rectangle(f, layer, i % size[0], i / size[0]);
    writer_put(f->w, "</g>\n");
}

/* The lowest and the highest, beside the corner at the front, by the machine's coordinate. */
static void label_layers(const struct frames *f)
{
    const uint32_t *size = f->result->space.size;
    double x = size[0] * f->p.x + size[1] * f->p.y_right * 0.6 + 6;
    for (uint32_t i = 0; i < 2 && i < size[2]; i++) {
        uint32_t z = i ? size[2] - 1 : 0;
        svg_text(f->w, x, -(z * f->p.z_up) + 2, "small", "z = %u", f->result->space.first[2] + z);
    }
}

/* When, how full, and how many wait. */
static void caption_frame(const struct frames *f, int64_t time)
{
    struct load_window now = {time, time + 1, 1};
    struct time_axis axis = time_axis_of(f->result->from, f->result->to, FRAMES);
    double in_use, waiting;
    load_in_use(f->result, now, &in_use);
    load_waiting(f->result, now, &waiting);
    double at = (double)(time - axis.from) / (double)axis.unit;
    svg_text(f->w, f->p.width / 2, 20, "middle", "%.*f %s", axis.unit > 1, at, axis.name);
    svg_text(f->w, f->p.width / 2, 36, "tick middle", "%.0f %% in use, %u running, %.0f waiting",
             100 * in_use, f->occupancy.actives, waiting);
}

static void draw_frame(struct frames *f, unsigned frame, int64_t time)
{
    double column = (double)(WIDTH - 2 * MARGIN) / f->across;
    double x = MARGIN + column * (frame % f->across) + (column - f->p.width) / 2;
    double y = HEAD + (f->p.height + CAPTION) * (frame / f->across) + f->p.height;
    occupancy_advance(&f->occupancy, time);
    writer_put(f->w, "<g transform=\"translate(%.1f %.1f)\">\n", x, y);
    for (uint32_t z = 0; z < f->result->space.size[2]; z++)
        draw_layer(f, z);
    label_layers(f);
    caption_frame(f, time);
    writer_put(f->w, "</g>\n");
}

/* ---- the whole ---- */

static void draw_head(const struct frames *f, const char *title)
{
    const struct schedule_result *r = f->result;
    const uint32_t *size = r->space.size;
    draw_captions(f->w, MARGIN, (const double[]){30, 52, 70}, title, r, f->occupancy.stacked,
                  "dark");
    svg_text(f->w, MARGIN, 88, "note",
             "%u x %u x %u cells of %u nodes; layers are pulled apart along z", size[0], size[1],
             size[2], r->cell_nodes);
}

/* Which way x, y and z go. */
static void draw_axes(struct writer *w, double x, double y)
{
    svg_line(w, "frame", x, y, x + 34, y);
    svg_line(w, "frame", x, y, x + 20, y - 14);
    svg_line(w, "frame", x, y, x, y - 34);
    svg_text(w, x + 38, y + 4, "tick", "x");
    svg_text(w, x + 24, y - 14, "tick", "y");
    svg_text(w, x, y - 39, "tick middle", "z");
}

weft_status frames_write(const char *path, const struct jobs_report *report, const char *title)
{
    const struct schedule_result *r = &report->schedule;
    int64_t seconds = r->to - r->from; /* there are as many frames, at least one */
    struct frames f = {.result = r,
                       .count = seconds >= FRAMES ? FRAMES
                                : seconds > 1     ? (unsigned)seconds
                                                  : 1};
    f.across = f.count < ACROSS ? f.count : ACROSS;
    f.p = project(r->space.size, (double)(WIDTH - 2 * MARGIN) / ACROSS - GAP);
    double height = HEAD + (f.count + f.across - 1) / f.across * (f.p.height + CAPTION);
    TRY(svg_open(&f.w, path, WIDTH, (unsigned)height));
    f.done = memory_alloc((size_t)r->space.size[0] * r->space.size[1], sizeof(*f.done));
    occupancy_init(&f.occupancy, r);
    define_layer(&f);
    draw_head(&f, title);
    draw_axes(f.w, WIDTH - MARGIN - 60, 88);
    for (unsigned i = 0; i < f.count; i++)
        draw_frame(&f, i, r->from + (int64_t)((double)(r->to - r->from) * (i + 0.5) / f.count));
    occupancy_fini(&f.occupancy);
    free(f.done);
    return svg_close(f.w);
}
