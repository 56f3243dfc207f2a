/* A study's curve as CSV and SVG. */
#define _GNU_SOURCE
#include "report/plot.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/result.h"

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

static weft_status write_csv(const struct study *s, const char *path)
{
    struct output_file file;
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    if (!f)
        return weft_fail(WEFT_FAILED, "no memory for %s", path);
    fprintf(f, "x,%s,paper,run\n", s->metric);
    for (size_t i = 0; i < s->runs; i++) {
        const struct study_run *r = &s->run[i];
        fprintf(f, "%.15g,%.15g,", r->x, r->measured);
        if (r->has_paper)
            fprintf(f, "%.15g", r->paper_value);
        fputc(',', f);
        print_quoted(f, r->name, '"');
        fputc('\n', f);
    }
    fclose(f);
    weft_status status = output_open(&file, path);
    if (status == WEFT_OK)
        status = output_commit(&file, text);
    free(text);
    return status;
}

static bool run_gnuplot(const struct study *s, const char *csv, const char *picture)
{
    FILE *g = popen("gnuplot >/dev/null 2>&1", "w");
    if (!g)
        return false;
    fprintf(g, "set terminal svg size 720,440 font 'sans,13' background 'white'\n");
    fprintf(g, "set output ");
    print_quoted(g, picture, '\'');
    fprintf(g, "\nset datafile separator ','\nset key bottom right\nset grid lc rgb '#dddddd'\n");
    fprintf(g, "set title ");
    print_quoted(g, s->title, '\'');
    fprintf(g, " noenhanced\nset xlabel ");
    print_quoted(g, s->x_label, '\'');
    fprintf(g, " noenhanced\nset ylabel ");
    print_quoted(g, s->y_label, '\'');
    fprintf(g, " noenhanced\n");
    if (s->log_x)
        fprintf(g, "set logscale x\n");
    if (strcmp(s->metric, "fraction_of_peak") == 0)
        fprintf(g, "set yrange [*:1.02]\n");
    fprintf(g, "plot ");
    print_quoted(g, csv, '\'');
    fprintf(g, " skip 1 using 1:2 with linespoints lw 2 pt 7 ps 0.6 lc rgb '#1f6fb4' title "
               "'Weft', '' skip 1 using 1:3 with points pt 4 ps 1.4 lw 2 lc rgb '#d1495b' title "
               "'paper'\n");
    return pclose(g) == 0;
}

weft_status plot_study(const struct study *s, char *picture)
{
    char csv[128];
    snprintf(csv, sizeof(csv), "weft-%s.csv", s->name);
    snprintf(picture, 128, "weft-%s.svg", s->name);
    weft_status status = write_csv(s, csv);
    if (status == WEFT_OK && !run_gnuplot(s, csv, picture))
        picture[0] = '\0';
    return status;
}
