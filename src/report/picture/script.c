/*
 * What is drawn, from the bottom to the top:
 *
 *   - the time before and after what is measured, shaded (timelines)
 *   - lines: the first curve's is the widest, the last one's the narrowest, and dashes differ, so
 *     that none disappears below another
 *   - 95 % intervals
 *   - a mark per run, of a shape and a size per curve; hollow where a run was not steady
 *   - the paper's values; where curves saturate
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text/number.h"
#include "base/text/text.h"
#include "report/picture/drawing.h"
#include "study/study.h"

enum { COLOURS = 8, MARKS = 6, DASHES = 4 };

/* An interval with a bar at both ends. gnuplot's yerrorbars would paint their middle white. */
#define INTERVAL "with vectors heads size graph 0.006,90 lw 1.5"

/* How a curve is drawn. */
struct look {
    const char *colour, *dash;
    int full, hollow; /* gnuplot's numbers of marks */
    double line, mark;
};

static struct look look_of(size_t line, size_t lines)
{
    static const char *const colours[COLOURS] = {"#1f6fb4", "#d1495b", "#2e8b57", "#8e5ea2",
                                                 "#c77b0a", "#4d4d4d", "#17a2a2", "#a0522d"};
    static const char *const dashes[DASHES] = {"solid", "(12,5)", "(3,4)", "(12,4,3,4)"};
    static const int full[MARKS] = {7, 5, 9, 13, 11, 15}; /* the hollow one is before it */
    double down = lines > 1 ? (double)line / (double)(lines - 1) : 0.5;
    return (struct look){.colour = colours[line % COLOURS],
                         .dash = dashes[(line + line / COLOURS) % DASHES],
                         .full = full[line % MARKS],
                         .hollow = full[line % MARKS] - 1,
                         .line = 4.0 - 1.9 * down,
                         .mark = 1.4 - 0.55 * down};
}

void script_quote(FILE *f, const char *text, char quote)
{
    char *tame = memory_copy(text); /* an SVG with anything else is not well-formed */
    text_tame(tame, false);
    fputc(quote, f);
    for (const char *c = tame; *c; c++) {
        if (*c == quote)
            fputc(quote, f);
        fputc(*c, f);
    }
    fputc(quote, f);
    free(tame);
}

/* ---- lines ---- */

/* Several curves of one point are drawn as a bar each. */
static bool has_bars(const struct study *s)
{
    return !s->series && s->points == 1 && s->curves > 1;
}

size_t script_lines(const struct study *s)
{
    return s->curves * (s->series ? s->series : 1);
}

const char *script_line_name(const struct study *s, size_t line, char *name, size_t size)
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

/* A field of a result's timeline in a row; "" if the row lacks it. */
static const char *timeline_value(const struct study_result *r, size_t row, const char *series)
{
    char path[128];
    snprintf(path, sizeof(path), "timeline.%zu.%s", row, series);
    const char *text = r->there ? yaml_get(&r->yaml, path) : NULL;
    return text ? text : "";
}

/* The same, but "" for the run's last row too, which is cut short. */
static const char *whole_row_value(const struct study_result *r, size_t row, const char *series)
{
    return *timeline_value(r, row + 1, "cycle") ? timeline_value(r, row, series) : "";
}

const char *script_value(const struct study *s, size_t line, size_t row)
{
    return whole_row_value(&s->result[line / s->series * s->points], row,
                           s->timeline[line % s->series]);
}

const char *script_cycle(const struct study *s, size_t row)
{
    const char *cycle = "";
    for (size_t c = 0; c < s->curves && !*cycle; c++)
        cycle = whole_row_value(&s->result[c * s->points], row, "cycle");
    return cycle;
}

/* ---- data ---- */

/* What the axes must hold. */
struct plot_extent {
    double x_least, x_most, y_least, y_most;
    bool intervals, unsteady; /* some run has one, is it */
};

static void hold(struct plot_extent *e, double x, double least, double most)
{
    e->x_least = fmin(e->x_least, x);
    e->x_most = fmax(e->x_most, x);
    e->y_least = fmin(e->y_least, least);
    e->y_most = fmax(e->y_most, most);
}

/* Side by side where x is a word: points at one x would hide each other. */
static double x_of(const struct study *s, size_t curve, size_t point)
{
    double aside = ((double)curve - (double)(s->curves - 1) / 2) / (double)s->curves;
    return s->point[point].x + (s->categorical && s->curves > 1 ? 0.5 * aside : 0);
}

/* Data block $c0 of the first curve: x, metric, half the interval, whether it is not steady. */
static void print_curve(FILE *g, const struct study *s, size_t curve, struct plot_extent *e)
{
    fprintf(g, "$c%zu << EOD\n", curve);
    for (size_t p = 0; p < s->points; p++) {
        struct study_figure f = study_figure(s, curve, p);
        double x = x_of(s, curve, p);
        if (!f.runs) {
            fprintf(g, "%.15g,NaN,0,0\n", x);
            continue;
        }
        fprintf(g, "%.15g,%.15g,%.15g,%d\n", x, f.mean, f.half_width, f.steady == STEADY_NOT);
        hold(e, x, f.mean - f.half_width, f.mean + f.half_width);
        e->intervals |= f.half_width > 0;
        e->unsteady |= f.steady == STEADY_NOT;
    }
    fprintf(g, "EOD\n");
}

/* The same of a line of a timeline; what a row tells is at its middle. */
static void print_series(FILE *g, const struct study *s, size_t line, struct plot_extent *e)
{
    double row_cycles = 0;
    for (size_t c = 0; c < s->curves; c++)
        if (number_real(timeline_value(&s->result[c * s->points], 1, "cycle"), &row_cycles))
            break;
    fprintf(g, "$c%zu << EOD\n", line);
    for (size_t row = 0; *script_cycle(s, row); row++) {
        double x = 0, y = 0;
        const char *text = script_value(s, line, row);
        if (!number_real(script_cycle(s, row), &x) || !number_real(text, &y))
            continue;
        fprintf(g, "%.15g,%.15g,0,0\n", x + row_cycles / 2, y);
        hold(e, x, y, y); /* the axis has whole rows */
        hold(e, x + row_cycles, y, y);
    }
    fprintf(g, "EOD\n");
}

/* The paper's values as the data block $paper: x, value. The x of a bar is its curve. */
static bool print_paper(FILE *g, const struct study *s, struct plot_extent *e)
{
    bool any = false;
    double value;
    fprintf(g, "$paper << EOD\n");
    for (size_t c = 0; c < s->curves && !s->series; c++)
        for (size_t p = 0; p < s->points; p++)
            if (study_paper_value(s, c, p, &value)) {
                double x = has_bars(s) ? (double)c : x_of(s, c, p);
                fprintf(g, "%.15g,%.15g\n", x, value);
                hold(e, x, value, value);
                any = true;
            }
    fprintf(g, "EOD\n");
    return any;
}

/* ---- axes ---- */

static void label(FILE *g, const char *what, const char *text)
{
    fprintf(g, "set %s ", what);
    script_quote(g, text, '\'');
    fprintf(g, " noenhanced\n");
}

/* Whether names, not numbers, are on the x axis: of bars, or of the runs. */
static bool has_names(const struct study *s)
{
    return !s->series && (has_bars(s) || s->categorical || !s->x_label[0]);
}

/* Lines of text that slanted names take on the x axis; 0: they have room side by side. */
static unsigned slanted_lines(const struct study *s)
{
    enum { LETTERS = 90, PER_LINE = 5 }; /* of all names; of one, at 25 degrees */
    size_t count = has_bars(s) ? s->curves : s->points, letters = 0, longest = 0;
    for (size_t i = 0; i < count && has_names(s); i++) {
        size_t length = strlen(has_bars(s) ? s->curve[i].name : s->point[i].name);
        letters += length + 3;
        longest = length > longest ? length : longest;
    }
    return letters > LETTERS ? (unsigned)(longest / PER_LINE) : 0;
}

/* Begins the names of the x axis. */
static void begin_ticks(FILE *g, const struct study *s)
{
    fprintf(g, "set xtics noenhanced%s", slanted_lines(s) ? " rotate by 25 right" : "");
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
static void print_run_ticks(FILE *g, const struct study *s, const struct plot_extent *e)
{
    bool names = has_names(s);
    double before = -INFINITY;
    begin_ticks(g, s);
    fprintf(g, " (");
    for (size_t p = 0; p < s->points; p++) {
        char number[32];
        double x = s->point[p].x;
        double share = s->log_x ? log(x / e->x_least) / log(e->x_most / e->x_least)
                                : (x - e->x_least) / (e->x_most - e->x_least);
        short_number(x, number);
        /* In order of x; what would touch the one before it has a mark, but no number. */
        double room = 0.013 * (double)(strlen(number) + 1);
        if (!names && share - before < room && e->x_most > e->x_least)
            number[0] = '\0';
        else
            before = share;
        script_quote(g, names ? s->point[p].name : number, '\'');
        fprintf(g, " %.15g%s", x, p + 1 < s->points ? ", " : ")\n");
    }
}

/* Round numbers, few enough that they do not touch. */
static void print_round_ticks(FILE *g, const struct plot_extent *e)
{
    enum { MOST = 9 };
    double span = e->x_most - e->x_least, step = pow(10, floor(log10(span / MOST)));
    static const double factors[] = {1, 2, 5, 10};
    size_t i = 0;
    while (i + 1 < 4 && span / (factors[i] * step) > MOST)
        i++;
    step *= factors[i];
    bool thousands = step >= 1000 && e->x_most >= 10000; /* 15k, not 15000 */
    const char *before = "set xtics (";
    for (double x = ceil(e->x_least / step) * step; x <= e->x_most + step * 1e-6; x += step) {
        double shown = fabs(x) < step * 1e-6 ? 0 : x;
        fprintf(g, "%s'%.6g%s' %.15g", before, thousands ? shown / 1000 : shown,
                thousands && shown != 0 ? "k" : "", x);
        before = ", ";
    }
    fprintf(g, ")\n");
}

/* Slightly wider than the runs: points on the frame would be clipped. */
static void print_x_axis(FILE *g, const struct study *s, const struct plot_extent *e)
{
    double least = e->x_least, most = e->x_most;
    if (!(most >= least))
        return;
    if (s->log_x && least > 0) {
        double wider = most > least ? pow(most / least, 0.03) : 2;
        fprintf(g, "set logscale x\nset xrange [%.15g:%.15g]\n", least / wider, most * wider);
        print_run_ticks(g, s, e);
        return;
    }
    double wider = s->categorical ? 0.6 : s->series ? 0 : most > least ? 0.03 * (most - least) : 1;
    fprintf(g, "set xrange [%.15g:%.15g]\n", least - wider,
            s->series && !(most > least) ? least + 1 : most + wider);
    if (has_names(s) || (!s->series && s->points <= 12))
        print_run_ticks(g, s, e);
    else if (most > least)
        print_round_ticks(g, e);
}

/* With numbers at 1, 2 and 5 of each decade where there are few, and at more of a single one. */
static void print_log_y(FILE *g, double least, double most)
{
    static const int digits[] = {1, 2, 5, 3, 4, 7};
    size_t count = most < 10 * least ? 6 : 3;
    fprintf(g, "set logscale y\n");
    if (!(least > 0) || !(most >= least))
        return;
    fprintf(g, "set yrange [%.15g:%.15g]\n", least / 1.2, most * 1.2);
    if (most / least > 1000)
        return;
    const char *before = "set ytics (";
    for (double decade = pow(10, floor(log10(least / 1.2))); decade <= most * 1.2; decade *= 10)
        for (size_t i = 0; i < count; i++, before = ", ")
            fprintf(g, "%s'%g' %.15g", before, digits[i] * decade, digits[i] * decade);
    fprintf(g, ")\n");
}

/* From 0 where that leaves something to see; with room above the highest point. */
static void print_y_axis(FILE *g, const struct study *s, const struct plot_extent *e)
{
    bool bars = has_bars(s);
    const char *what = s->series ? s->timeline[0] : s->metric;
    double least = e->y_least, most = e->y_most;
    if (!s->per && strstr(what, "bytes_per_"))
        fprintf(g, "set format y '%%.1s %%c'\n"); /* 450.0 G, for a label that ends in B/s */
    if (s->log_y)
        print_log_y(g, least, most);
    if (!(most >= least) || s->log_y)
        return;
    double wider = most > least ? 0.05 * (most - least) : fabs(most) > 0 ? 0.05 * fabs(most) : 1;
    bool share = strcmp(what, "fraction_of_peak") == 0 || strstr(what, "utilisation") != NULL;
    bool whole = share && (s->series != 0); /* a steady share looks steady */
    double low = bars || whole || (least >= 0 && least < 0.4 * most) ? 0 : least - wider;
    double high = (whole || (share && most + wider > 1)) && most <= 1 ? 1.03 : most + wider;
    fprintf(g, "set yrange [%.15g:%.15g]\n", low, high + (bars ? wider : 0));
}

/* ---- what is measured, in timelines ---- */

/* A figure that all results have alike; false: they differ, or have none. */
static bool common_figure(const struct study *s, const char *name, double *value)
{
    bool any = false;
    for (size_t c = 0; c < s->curves; c++) {
        const struct study_result *r = &s->result[c * s->points];
        double own;
        if (!r->there || !yaml_get(&r->yaml, "steady") ||
            study_result_figure(&r->yaml, name, &own) != WEFT_OK || (any && own != *value))
            return false;
        *value = own;
        any = true;
    }
    return any;
}

static void print_shade(FILE *g, double from, double to, const char *name)
{
    if (!(to > from))
        return;
    fprintf(g,
            "set object rectangle from first %.15g, graph 0 to first %.15g, graph 1 behind "
            "fillcolor rgb '#e9e9e9' fillstyle solid noborder\n"
            "set label '%s' at first %.15g, graph 0.03 rotate by 90 left offset character 1,0 "
            "textcolor rgb '#777777' front\n",
            from, to, name, from);
}

/* Open loops: packets of the warm-up are not measured, and while it drains none are born. */
static void print_phases(FILE *g, const struct study *s, const struct plot_extent *e)
{
    double warmup, cycles;
    bool found =
        common_figure(s, "warmup_cycles", &warmup) && common_figure(s, "measured_cycles", &cycles);
    if (!found && !(common_figure(s, "config.workload.warmup_cycles", &warmup) && /* older files */
                    common_figure(s, "config.workload.cycles", &cycles)))
        return;
    print_shade(g, e->x_least, fmin(warmup, e->x_most), "warm-up");
    print_shade(g, fmin(warmup + cycles, e->x_most), e->x_most, "drain");
}

/* ---- the plot ---- */

static void print_bars(FILE *g, const struct study *s, struct plot_extent *e)
{
    fprintf(g, "$bars << EOD\n");
    for (size_t c = 0; c < s->curves; c++) {
        struct study_figure f = study_figure(s, c, 0);
        if (!f.runs)
            continue;
        fprintf(g, "%zu,%.15g,%.15g,'%.3g%s',", c, f.mean, f.half_width, f.mean,
                f.steady == STEADY_NOT ? "*" : "");
        script_quote(g, s->curve[c].name, '"');
        fputc('\n', g);
        hold(e, (double)c, s->log_y ? f.mean : 0, f.mean + f.half_width);
        e->intervals |= f.half_width > 0;
        e->unsteady |= f.steady == STEADY_NOT;
    }
    fprintf(g, "EOD\nset style fill solid 0.8\nset boxwidth 0.5\n");
    begin_ticks(g, s);
    fprintf(g, "\nset xrange [-0.6:%.15g]\n", (double)s->curves - 0.4);
}

static void plot_bars(FILE *g, const struct plot_extent *e, bool paper)
{
    fprintf(g,
            "plot $bars using 1:2:xtic(5) with boxes lc rgb '#1f6fb4' %s, "
            "'' using 1:($2+$3):(strcol(4)[2:strlen(strcol(4))-1]) with labels noenhanced "
            "offset 0,0.8 notitle",
            paper ? "title 'Weft'" : "notitle");
    if (e->intervals)
        fprintf(g, ", $bars using 1:($2-$3):(0):(2*$3) " INTERVAL " lc rgb '#111111' notitle");
    if (e->unsteady)
        fprintf(g, ", NaN with points pt -1 title '* not steady'");
}

/* The line, the intervals and the marks of each curve; the last is on top. */
static void plot_lines(FILE *g, const struct study *s, const struct plot_extent *e)
{
    size_t lines = script_lines(s);
    const char *joint = "plot ";
    for (size_t i = 0; i < lines && !s->categorical; i++, joint = ", ") {
        struct look k = look_of(i, lines);
        fprintf(g, "%s$c%zu using 1:2 with lines lw %.2f dt %s lc rgb '%s' notitle", joint, i,
                k.line, k.dash, k.colour);
    }
    for (size_t i = 0; i < lines && !s->series; i++, joint = ", ") {
        struct look k = look_of(i, lines);
        if (e->intervals)
            fprintf(g,
                    "%s$c%zu using 1:($3>0?$2-$3:1/0):(0):(2*$3) " INTERVAL " lc rgb '%s' notitle",
                    joint, i, k.colour);
        fprintf(g, "%s$c%zu using 1:($4>0?1/0:$2) with points pt %d ps %.2f lc rgb '%s' notitle",
                e->intervals ? ", " : joint, i, k.full, k.mark, k.colour);
        if (e->unsteady) /* white inside: the line does not show through */
            fprintf(g,
                    ", $c%zu using 1:($4>0?$2:1/0) with points pt %d ps %.2f lc rgb 'white' "
                    "notitle, $c%zu using 1:($4>0?$2:1/0) with points pt %d ps %.2f lw 1.3 "
                    "lc rgb '%s' notitle",
                    i, k.full, 1.25 * k.mark, i, k.hollow, 1.25 * k.mark, k.colour);
    }
}

/* "jsq", or "jsq (saturates at 0.84)". */
static void title_of(const struct study *s, size_t line, char *title, size_t size)
{
    char name[160];
    script_line_name(s, line, name, sizeof(name));
    snprintf(title, size, "%s", name);
    if (s->has_saturation && !isnan(s->saturation[line]))
        snprintf(title, size, "%s (saturates at %.3g)", name, s->saturation[line]);
}

/* A curve that is alone needs no name. */
static void plot_legend(FILE *g, const struct study *s, const struct plot_extent *e, bool paper)
{
    char title[200];
    size_t lines = script_lines(s);
    bool alone =
        lines == 1 && strcmp(s->curve[0].name, "Weft") == 0 && !paper && !s->has_saturation;
    for (size_t i = 0; i < lines && !alone; i++) {
        struct look k = look_of(i, lines);
        title_of(s, i, title, sizeof(title));
        fprintf(g, ", NaN with %s lw %.2f dt %s",
                s->series        ? "lines"
                : s->categorical ? "points"
                                 : "linespoints",
                k.line, k.dash);
        if (!s->series)
            fprintf(g, " pt %d ps %.2f", k.full, k.mark);
        fprintf(g, " lc rgb '%s' title ", k.colour);
        script_quote(g, title, '\'');
    }
    if (e->unsteady)
        fprintf(g, ", NaN with points pt 6 ps 1 lw 1.6 lc rgb '#555555' title "
                   "'hollow: not steady'");
}

static void print_saturation(FILE *g, const struct study *s)
{
    size_t lines = script_lines(s);
    for (size_t c = 0; c < s->curves && s->has_saturation && !has_bars(s); c++)
        if (!isnan(s->saturation[c]))
            fprintf(g,
                    "set arrow from first %.15g, graph 0 to first %.15g, graph 1 nohead lw %.2f "
                    "dt (4,6) lc rgb '%s' back\n",
                    s->saturation[c], s->saturation[c], look_of(c, lines).line / 2,
                    look_of(c, lines).colour);
}

/* ---- the picture ---- */

/* The legend below the plot: its columns and rows. */
struct legend {
    unsigned columns, rows;
};

static struct legend lay_out_legend(const struct study *s)
{
    enum { LETTERS = 90 }; /* per row */
    char title[200];
    size_t longest = strlen("hollow: not steady"), lines = script_lines(s);
    if (has_bars(s)) /* they have names of their own */
        return (struct legend){3, 1};
    for (size_t line = 0; line < lines; line++) {
        title_of(s, line, title, sizeof(title));
        longest = strlen(title) > longest ? strlen(title) : longest;
    }
    unsigned columns = (unsigned)(LETTERS / (longest + 8));
    columns = columns ? columns : 1;
    /* And the paper's values, and what hollow marks are. */
    return (struct legend){columns, (unsigned)((lines + 1 + columns) / columns)};
}

void script_print(FILE *g, const struct study *s, const char *picture, const char *terminal,
                  unsigned width)
{
    bool bars = has_bars(s);
    struct legend legend = lay_out_legend(s);
    struct plot_extent e = {INFINITY, -INFINITY, INFINITY, -INFINITY, false, false};
    unsigned below = legend.rows + slanted_lines(s);
    struct metric_text usual = {.label = ""};
    /* The value that all bars share is not on their axis. */
    char shared[sizeof(s->x_label) + sizeof(s->point[0].name) + 2];
    const char *x_label = s->series && !s->x_label[0] ? "cycles" : s->x_label;
    fprintf(g, "set terminal %s size %u,%u\nset output ", terminal, width,
            width * (58 + 3 * below) / 100);
    script_quote(g, picture, '\'');
    fprintf(g,
            "\nset datafile separator ','\nset grid lt 1 lw 0.5 lc rgb '#cccccc'\n"
            "set key below reverse Left samplen 3 width 2 noenhanced maxcols %u\n"
            "set bmargin %u\nset tics nomirror\n",
            legend.columns, 5 + below);
    label(g, "title", s->title);
    if (s->series)
        metric_describe(s->timeline[0], &usual);
    snprintf(shared, sizeof(shared), "%s: %s", x_label, s->point[0].name);
    label(g, "xlabel", bars && s->over[0] ? shared : x_label);
    label(g, "ylabel", s->series && !s->y_label[0] ? usual.label : s->y_label);
    if (bars)
        print_bars(g, s, &e);
    for (size_t i = 0; i < script_lines(s) && !bars; i++)
        if (s->series)
            print_series(g, s, i, &e);
        else
            print_curve(g, s, i, &e);
    bool paper = print_paper(g, s, &e);
    if (!bars)
        print_x_axis(g, s, &e);
    print_y_axis(g, s, &e);
    if (s->series)
        print_phases(g, s, &e);
    print_saturation(g, s);
    if (bars)
        plot_bars(g, &e, paper);
    else
        plot_lines(g, s, &e);
    if (!bars)
        plot_legend(g, s, &e, paper);
    if (paper)
        fprintf(g, ", $paper using 1:2 with points pt 4 ps 1.6 lw 2 lc rgb '#111111' title "
                   "'paper'");
    fprintf(g, "\n");
}
