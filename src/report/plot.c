/* A study's curve as CSV and SVG. */
#define _GNU_SOURCE
#include "report/plot.h"

#include <stdio.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/output.h"

/* Quotes text as gnuplot and CSV do: quotes are doubled, control characters dropped. */
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

/* A series of a result's timeline in a row; "" if the row lacks it. */
static const char *timeline_value(const struct study_result *r, size_t row, const char *series)
{
    char path[128];
    snprintf(path, sizeof(path), "timeline.%zu.%s", row, series);
    const char *text = yaml_get(&r->yaml, path);
    return text ? text : "";
}

/* The cycle of a row, unless it is the last of every curve: a run's last row is cut short. */
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
        for (size_t line = 0; line < s->curves * s->series; line++)
            fprintf(f, ",%s",
                    timeline_value(&s->result[line / s->series * s->points], row,
                                   s->timeline[line % s->series]));
        fputc('\n', f);
    }
}

static void print_points(FILE *f, const struct study *s)
{
    for (size_t p = 0; p < s->points; p++) {
        double paper;
        fprintf(f, "%.15g", s->point[p].x);
        for (size_t c = 0; c < s->curves; c++)
            fprintf(f, ",%.15g", study_measured(s, c, p));
        for (size_t c = 0; c < s->curves; c++)
            if (study_paper_value(s, c, p, &paper))
                fprintf(f, ",%.15g", paper);
            else
                fputc(',', f);
        fputc(',', f);
        print_quoted(f, s->point[p].name, '"');
        fputc('\n', f);
    }
}

/* The name of a line: its curve's, its series', or both. */
static const char *line_name(const struct study *s, size_t line, char *name, size_t size)
{
    size_t series = s->series ? s->series : 1;
    const char *curve = s->curve[line / series].name;
    if (series == 1)
        snprintf(name, size, "%s", curve);
    else if (s->curves == 1)
        snprintf(name, size, "%s", s->timeline[line]);
    else
        snprintf(name, size, "%s: %s", curve, s->timeline[line % series]);
    return name;
}

/* Columns: x, one per line and, for points, the paper's values and the names of the runs. */
static weft_status write_csv(const struct study *s, const char *path)
{
    struct output_file file;
    char *text = NULL, name[160];
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    if (!f)
        return RUN_FAILED(("not enough memory for %s", path), NO_REMEDY);
    fprintf(f, s->series ? "cycle" : "x");
    for (size_t line = 0; line < s->curves * (s->series ? s->series : 1); line++) {
        fputc(',', f);
        print_quoted(f, line_name(s, line, name, sizeof(name)), '"');
    }
    for (size_t c = 0; !s->series && c < s->curves; c++) {
        snprintf(name, sizeof(name), s->curves == 1 ? "paper" : "paper: %s", s->curve[c].name);
        fputc(',', f);
        print_quoted(f, name, '"');
    }
    fprintf(f, s->series ? "\n" : ",run\n");
    if (s->series)
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

/* The paper's values as the data block $paper: place, value. A bar's place is its curve's. */
static bool print_paper(FILE *g, const struct study *s, bool bars)
{
    bool any = false;
    double value;
    fprintf(g, "$paper << EOD\n");
    for (size_t c = 0; c < s->curves && !s->series; c++)
        for (size_t p = 0; p < s->points; p++)
            if (study_paper_value(s, c, p, &value)) {
                fprintf(g, "%.15g,%.15g\n", bars ? (double)c : s->point[p].x, value);
                any = true;
            }
    fprintf(g, "EOD\n");
    return any;
}

/* One point and several curves: one bar per curve. */
static void print_bars(FILE *g, const struct study *s)
{
    fprintf(g, "$bars << EOD\n");
    for (size_t c = 0; c < s->curves; c++) {
        fprintf(g, "%zu,%.15g,%.3g,", c, study_measured(s, c, 0), study_measured(s, c, 0));
        print_quoted(g, s->curve[c].name, '"');
        fputc('\n', g);
    }
    fprintf(
        g,
        "EOD\nset style fill solid 0.8\nset boxwidth 0.5\nset xtics noenhanced\nset yrange [0:*]\n"
        "set offsets 0.5, 0.5, 0.1, 0\n"
        "plot $bars using 1:2:xtic(4) with boxes lc rgb '#1f6fb4' title 'Weft', "
        "'' using 1:2:3 with labels offset 0,0.8 notitle");
}

static void print_lines(FILE *g, const struct study *s, const char *csv)
{
    static const char *const colours[] = {"#1f6fb4", "#d1495b", "#2e8b57", "#8e5ea2",
                                          "#c77b0a", "#4d4d4d", "#17a2a2", "#a0522d"};
    static const int marks[] = {7, 5, 9, 13, 11, 15, 6, 4};
    char name[160];
    size_t lines = s->curves * (s->series ? s->series : 1);
    fprintf(g, "plot ");
    for (size_t line = 0; line < lines; line++) {
        print_quoted(g, line ? "" : csv, '\'');
        fprintf(g, " skip 1 using 1:%zu with ", line + 2);
        if (s->series)
            fprintf(g, "lines");
        else
            fprintf(g, "%s pt %d ps %g", s->words ? "points" : "linespoints", marks[line % 8],
                    s->words ? 1.2 : 0.8);
        fprintf(g, " lw 2 dt %zu lc rgb '%s' title ", line / 8 + 1, colours[line % 8]);
        print_quoted(g, line_name(s, line, name, sizeof(name)), '\'');
        fprintf(g, line + 1 < lines ? ", " : "");
    }
}

/* 65536 as 64K. */
static void short_number(double x, char text[32])
{
    bool mega = x >= 1 << 20 && fmod(x, 1 << 20) == 0, kilo = x >= 1024 && fmod(x, 1024) == 0;
    snprintf(text, 32,
             mega   ? "%gM"
             : kilo ? "%gK"
                    : "%.6g",
             x / (mega   ? 1 << 20
                  : kilo ? 1024
                         : 1));
}

/* Marks on the x axis at the runs themselves: their names, or their x where there is room. */
static void print_places(FILE *g, const struct study *s)
{
    double first = s->point[0].x, last = s->point[s->points - 1].x, before = 0;
    fprintf(g, "set xtics noenhanced (");
    for (size_t p = 0; p < s->points; p++) {
        char number[32];
        double x = s->point[p].x;
        short_number(x, number);
        bool crowded = p && s->log_x && first > 0 && log(x / before) < 0.03 * log(last / first);
        if (!crowded)
            before = x;
        else
            number[0] = '\0';
        print_quoted(g, s->x_label[0] && !s->words ? number : s->point[p].name, '\'');
        fprintf(g, " %.15g%s", x, p + 1 < s->points ? ", " : ")\n");
    }
}

/* Slightly wider than the runs: points on the frame would be clipped. */
static void print_log_axis(FILE *g, const struct study *s)
{
    double least = INFINITY, most = 0;
    for (size_t p = 0; p < s->points; p++) {
        least = fmin(least, s->point[p].x);
        most = fmax(most, s->point[p].x);
    }
    fprintf(g, "set logscale x\n");
    if (least > 0 && most > least)
        fprintf(g, "set xrange [%.15g:%.15g]\n", least / pow(most / least, 0.02),
                most * pow(most / least, 0.02));
}

/* The legend below the plot: its columns and rows. */
struct legend {
    unsigned columns, rows;
};

static struct legend lay_out_legend(const struct study *s)
{
    enum { LETTERS = 90 }; /* per row */
    char name[160];
    size_t longest = strlen("paper"), lines = s->curves * (s->series ? s->series : 1);
    for (size_t line = 0; line < lines; line++) {
        size_t length = strlen(line_name(s, line, name, sizeof(name)));
        longest = length > longest ? length : longest;
    }
    unsigned columns = (unsigned)(LETTERS / (longest + 8));
    columns = columns ? columns : 1;
    return (struct legend){columns, (unsigned)((lines + columns) / columns)}; /* and the paper's */
}

/* width: the picture's, in pixels. */
static void print_script(FILE *g, const struct study *s, const char *csv, const char *picture,
                         const char *terminal, unsigned width)
{
    bool bars = !s->series && s->points == 1 && s->curves > 1;
    struct legend legend = lay_out_legend(s);
    unsigned height = width * (58 + 3 * legend.rows) / 100;
    fprintf(g, "set terminal %s size %u,%u\nset output ", terminal, width, height);
    print_quoted(g, picture, '\'');
    fprintf(g,
            "\nset datafile separator ','\nset grid lt 1 lw 0.5 lc rgb '#cccccc'\n"
            "set key below reverse Left samplen 2 width 2 noenhanced maxcols %u\n"
            "set bmargin %u\n",
            legend.columns, 5 + legend.rows);
    label(g, "title", s->title);
    label(g, "xlabel", s->x_label);
    label(g, "ylabel", s->y_label);
    if (s->log_x)
        print_log_axis(g, s);
    else if (!bars) /* points on the frame would be clipped */
        fprintf(g, s->words ? "set offsets graph 0.2, graph 0.2, graph 0.05, graph 0.05\n"
                            : "set autoscale xfix\nset offsets graph 0.02, graph 0.02, 0, 0\n");
    if (!bars && !s->series && (s->log_x || s->words || !s->x_label[0]))
        print_places(g, s);
    if (s->series)
        fprintf(g, "set format x '%%.0f'\n"); /* cycles, as integers */
    if (!s->per && strstr(s->series ? s->timeline[0] : s->metric, "bytes_per_"))
        fprintf(g, "set format y '%%.1s %%c'\n"); /* 450.0 G, for a label that ends in B/s */
    if (s->series && strstr(s->timeline[0], "utilisation"))
        fprintf(g, "set yrange [0:1.02]\n"); /* a steady share looks steady */
    if (strcmp(s->metric, "fraction_of_peak") == 0)
        fprintf(g, "set yrange [*:1.02]\n");
    bool paper = print_paper(g, s, bars);
    if (bars)
        print_bars(g, s);
    else
        print_lines(g, s, csv);
    if (paper)
        fprintf(g, ", $paper using 1:2 with points pt 4 ps 1.6 lw 2 lc rgb '#111111' title "
                   "'paper'");
    fprintf(g, "\n");
}

/* Draws one picture; if that fails, sets `why` and leaves no partial file. */
static bool draw(const struct study *s, const char *csv, const char *picture, const char *terminal,
                 unsigned width, char *why)
{
    FILE *script = gnuplot_begin();
    if (script)
        print_script(script, s, csv, picture, terminal, width);
    bool drawn = gnuplot_end(script, why);
    if (!drawn)
        unlink(picture);
    return drawn;
}

weft_status plot_study(const struct study *s, struct plot *plot)
{
    *plot = (struct plot){.why = ""};
    snprintf(plot->csv, sizeof(plot->csv), "weft-%s.csv", s->name);
    snprintf(plot->svg, sizeof(plot->svg), "weft-%s.svg", s->name);
    snprintf(plot->png, sizeof(plot->png), "weft-%s.png", s->name);
    weft_status status = write_csv(s, plot->csv);
    if (status != WEFT_OK)
        return status;
    if (!draw(s, plot->csv, plot->svg, "svg font 'sans,13' background 'white'", 720, plot->why))
        plot->svg[0] = plot->png[0] = '\0';
    else if (!draw(s, plot->csv, plot->png, "pngcairo font 'sans,13'", 1080, plot->why))
        plot->png[0] = '\0';
    return WEFT_OK;
}
