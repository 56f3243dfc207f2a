/* A study's curve as CSV and SVG. */
#define _GNU_SOURCE
#include "report/plot.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/output.h"

/* Text as gnuplot and CSV quote it: the quote is doubled, control characters go. */
static void print_quoted(FILE *f, const char *text, char quote)
{
    fputc(quote, f);
    for (; *text; text++) {
        if (*text == quote)
            fputc(quote, f);
        if ((unsigned char)*text >= ' ')
            fputc(*text, f);
    }
    fputc(quote, f);
}

/* A series of a result's timeline; rows that lack it are empty. */
static const char *timeline_value(const struct study_result *r, size_t row, const char *series)
{
    char path[128];
    snprintf(path, sizeof(path), "timeline.%zu.%s", row, series);
    const char *text = yaml_get(&r->yaml, path);
    return text ? text : "";
}

/* The cycle of a row, if any curve has one behind it: a run's last row is cut short. */
static const char *timeline_cycle(const struct study *s, size_t row)
{
    const char *cycle = "";
    for (size_t c = 0; c < s->curves && !*cycle; c++)
        if (*timeline_value(&s->result[c * s->points], row + 1, "cycle"))
            cycle = timeline_value(&s->result[c * s->points], row, "cycle");
    return cycle;
}

static void print_timeline(FILE *f, const struct study *s)
{
    for (size_t row = 0;; row++) {
        const char *cycle = timeline_cycle(s, row);
        if (!*cycle)
            return;
        fprintf(f, "%s", cycle);
        for (size_t c = 0; c < s->curves; c++)
            fprintf(f, ",%s", timeline_value(&s->result[c * s->points], row, s->timeline));
        fputc('\n', f);
    }
}

static void print_points(FILE *f, const struct study *s)
{
    for (size_t p = 0; p < s->points; p++) {
        fprintf(f, "%.15g", s->point[p].x);
        for (size_t c = 0; c < s->curves; c++)
            fprintf(f, ",%.15g", s->result[c * s->points + p].measured);
        fputc(',', f);
        if (s->point[p].has_paper)
            fprintf(f, "%.15g", s->point[p].paper_value);
        fputc(',', f);
        print_quoted(f, s->point[p].name, '"');
        fputc('\n', f);
    }
}

/* x, a column for every curve, and with points the paper's value and their names. */
static weft_status write_csv(const struct study *s, const char *path)
{
    struct output_file file;
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    if (!f)
        return weft_fail(WEFT_FAILED, "no memory for %s", path);
    fprintf(f, s->timeline[0] ? "cycle" : "x");
    for (size_t c = 0; c < s->curves; c++) {
        fputc(',', f);
        print_quoted(f, s->curve[c].name, '"');
    }
    fprintf(f, s->timeline[0] ? "\n" : ",paper,run\n");
    if (s->timeline[0])
        print_timeline(f, s);
    else
        print_points(f, s);
    fclose(f);
    weft_status status = output_open(&file, path);
    if (status == WEFT_OK)
        status = output_commit_text(&file, text);
    free(text);
    return status;
}

static void label(FILE *g, const char *what, const char *text)
{
    fprintf(g, "set %s ", what);
    print_quoted(g, text, '\'');
    fprintf(g, " noenhanced\n");
}

static bool has_paper(const struct study *s)
{
    for (size_t p = 0; p < s->points; p++)
        if (s->point[p].has_paper)
            return true;
    return false;
}

static void print_script(FILE *g, const struct study *s, const char *csv, const char *picture,
                         const char *terminal)
{
    static const char *const colours[] = {"#1f6fb4", "#d1495b", "#2e8b57", "#8e5ea2",
                                          "#c77b0a", "#4d4d4d", "#17a2a2", "#a0522d"};
    fprintf(g, "set terminal %s\nset output ", terminal);
    print_quoted(g, picture, '\'');
    fprintf(g, "\nset datafile separator ','\nset grid lc rgb '#dddddd'\n");
    fprintf(g, "set key %s noenhanced\n", s->curves > 4 ? "outside right" : "bottom right");
    label(g, "title", s->title);
    label(g, "xlabel", s->x_label);
    label(g, "ylabel", s->y_label);
    if (s->log_x)
        fprintf(g, "set logscale x\n");
    if (strcmp(s->metric, "fraction_of_peak") == 0)
        fprintf(g, "set yrange [*:1.02]\n");
    fprintf(g, "plot ");
    for (size_t c = 0; c < s->curves; c++) {
        print_quoted(g, c ? "" : csv, '\'');
        fprintf(g, " skip 1 using 1:%zu with %s lw 2 lc rgb '%s' title ", c + 2,
                s->timeline[0] ? "lines" : "linespoints pt 7 ps 0.6", colours[c % 8]);
        print_quoted(g, s->curve[c].name, '\'');
        fprintf(g, c + 1 < s->curves ? ", " : "");
    }
    if (!s->timeline[0] && has_paper(s))
        fprintf(g,
                ", '' skip 1 using 1:%zu with points pt 4 ps 1.4 lw 2 lc rgb '#d1495b' title "
                "'paper'",
                s->curves + 2);
    fprintf(g, "\n");
}

static bool run_gnuplot(const struct study *s, const char *csv, const char *picture,
                        const char *terminal)
{
    FILE *g = popen("gnuplot >/dev/null 2>&1", "w");
    if (!g)
        return false;
    print_script(g, s, csv, picture, terminal);
    return pclose(g) == 0;
}

weft_status plot_study(const struct study *s, char *picture)
{
    char csv[128], png[128];
    snprintf(csv, sizeof(csv), "weft-%s.csv", s->name);
    snprintf(picture, 128, "weft-%s.svg", s->name);
    snprintf(png, sizeof(png), "weft-%s.png", s->name);
    weft_status status = write_csv(s, csv);
    if (status == WEFT_OK &&
        !run_gnuplot(s, csv, picture, "svg size 720,440 font 'sans,13' background 'white'"))
        picture[0] = '\0';
    if (status == WEFT_OK && picture[0])
        run_gnuplot(s, csv, png, "pngcairo size 1080,660 font 'sans,13'");
    return status;
}
