/* A study's curves as CSV, SVG and PNG. */
#define _GNU_SOURCE
#include "report/picture/plot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/file/output.h"
#include "report/picture/script.h"

/* ---- CSV ---- */

static void print_timeline(FILE *f, const struct study *s)
{
    for (size_t row = 0; *script_cycle(s, row); row++) {
        fprintf(f, "%s", script_cycle(s, row));
        for (size_t line = 0; line < script_lines(s); line++)
            fprintf(f, ",%s", script_value(s, line, row));
        fputc('\n', f);
    }
}

/* Which columns there are besides x, the curves and the paper's values. */
struct columns {
    bool intervals, steady;
};

static struct columns columns_of(const struct study *s)
{
    struct columns c = {.intervals = s->seeds > 1};
    for (size_t i = 0; i < study_runs(s); i++)
        c.steady |= study_result_steady(&s->result[i]) != STEADY_UNKNOWN;
    return c;
}

static void print_point(FILE *f, const struct study *s, size_t p, struct columns columns)
{
    static const char *const steady[] = {"", "true", "false"};
    double paper;
    fprintf(f, "%.15g", s->point[p].x);
    for (size_t c = 0; c < s->curves; c++)
        fprintf(f, ",%.15g", study_figure(s, c, p).mean);
    for (size_t c = 0; c < s->curves && columns.intervals; c++)
        fprintf(f, ",%.6g", study_figure(s, c, p).half_width);
    for (size_t c = 0; c < s->curves; c++)
        if (study_paper_value(s, c, p, &paper))
            fprintf(f, ",%.15g", paper);
        else
            fputc(',', f);
    for (size_t c = 0; c < s->curves && columns.steady; c++)
        fprintf(f, ",%s", steady[study_figure(s, c, p).steady]);
    fputc(',', f);
    script_quote(f, s->point[p].name, '"');
    fputc('\n', f);
}

/* Names of columns, one per curve: "paper", or "paper: CURVE" of several. */
static void print_heads(FILE *f, const struct study *s, const char *what)
{
    char name[160];
    for (size_t c = 0; c < s->curves; c++) {
        if (s->curves == 1)
            snprintf(name, sizeof(name), "%s", what);
        else
            snprintf(name, sizeof(name), "%s: %s", what, s->curve[c].name);
        fputc(',', f);
        script_quote(f, name, '"');
    }
}

/* Columns: x, one per line and, for points, intervals over the seeds, the paper's values, whether
 * runs were steady, and their names. */
static void print_csv(FILE *f, const void *study)
{
    const struct study *s = study;
    struct columns columns = columns_of(s);
    char name[160];
    fprintf(f, s->series ? "cycle" : "x");
    for (size_t line = 0; line < script_lines(s); line++) {
        fputc(',', f);
        script_quote(f, script_line_name(s, line, name, sizeof(name)), '"');
    }
    if (s->series) {
        fputc('\n', f);
        print_timeline(f, s);
        return;
    }
    if (columns.intervals)
        print_heads(f, s, "interval");
    print_heads(f, s, "paper");
    if (columns.steady)
        print_heads(f, s, "steady");
    fprintf(f, ",run\n");
    for (size_t p = 0; p < s->points; p++)
        print_point(f, s, p, columns);
}

/* ---- pictures ---- */

/* Draws one picture; if that fails, sets `why` and leaves no partial file. */
static bool draw(const struct study *s, const char *picture, const char *terminal, unsigned width,
                 char *why)
{
    FILE *script = gnuplot_begin();
    if (script)
        script_print(script, s, picture, terminal, width);
    bool drawn = gnuplot_end(script, why);
    if (!drawn)
        unlink(picture);
    return drawn;
}

static weft_status try_file(const char *name, const char *end)
{
    char path[200];
    snprintf(path, sizeof(path), "weft-%.180s.%s", name, end);
    weft_status status = output_try(path);
    if (status != WEFT_OK)
        error_remedy("move it away, or start elsewhere");
    return status;
}

weft_status plot_try_csv(const char *name)
{
    return try_file(name, "csv");
}

weft_status plot_try_picture(const char *name)
{
    TRY(try_file(name, "svg"));
    return try_file(name, "png");
}

static bool has_results(const struct study *s)
{
    for (size_t i = 0; i < study_runs(s); i++)
        if (s->result[i].there)
            return true;
    return false;
}

void plot_picture(const struct study *s, const char *name, struct plot *plot)
{
    snprintf(plot->svg, sizeof(plot->svg), "weft-%s.svg", name);
    snprintf(plot->png, sizeof(plot->png), "weft-%s.png", name);
    plot->why[0] = '\0';
    if (!has_results(s)) {
        unlink(plot->svg); /* those of an earlier sweep show something else */
        unlink(plot->png);
        plot->svg[0] = plot->png[0] = '\0';
        snprintf(plot->why, sizeof(plot->why), "no run succeeded");
    } else if (!draw(s, plot->svg, "svg font 'sans,13' background 'white'", 720, plot->why))
        plot->svg[0] = plot->png[0] = '\0';
    else if (!draw(s, plot->png, "pngcairo font 'sans,13'", 1080, plot->why))
        plot->png[0] = '\0';
}

weft_status plot_study(const struct study *s, struct plot *plot)
{
    *plot = (struct plot){.why = ""};
    snprintf(plot->csv, sizeof(plot->csv), "weft-%s.csv", s->name);
    weft_status status = output_whole(plot->csv, print_csv, s);
    if (status == WEFT_OK)
        plot_picture(s, s->name, plot);
    return status;
}
