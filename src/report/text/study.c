/* Tables of studies. */
#include <math.h>
#include <string.h>

#include "base/text/text.h"
#include "report/text/tables.h"

static int wider(int width, const char *text)
{
    int columns = (int)text_columns(text);
    return columns > width ? columns : width;
}

/* For printf(), which counts bytes: a width of so many columns. */
static int bytes_for(int columns, const char *text)
{
    return columns + (int)(strlen(text) - text_columns(text));
}

/* "412.3 +- 5.1*": the mean, its interval over the seeds, and a star where runs were not steady. */
static void figure_text(const struct study *s, size_t curve, size_t point, char text[64])
{
    struct study_figure f = study_figure(s, curve, point);
    double size = fabs(f.mean);
    bool plain = size < 1e5 && (size >= 0.01 || size == 0); /* readable in plain digits */
    int digits = size < 100 ? 4 : 1;
    size_t at = plain ? text_append(text, 64, 0, "%.*f", digits, f.mean)
                      : text_append(text, 64, 0, "%.5g", f.mean);
    if (s->seeds > 1 && plain)
        at = text_append(text, 64, at, " +- %.*f", digits, f.half_width);
    else if (s->seeds > 1)
        at = text_append(text, 64, at, " +- %.2g", f.half_width);
    if (f.steady == STEADY_NOT)
        text_append(text, 64, at, "*");
    if (!f.runs)
        snprintf(text, 64, "%s", study_failed(s, curve, point) ? "failed" : "-");
}

/* How wide a table of points is. */
struct points_table {
    int name, column; /* letters of the points' names, and of each curve */
    bool stars;
};

/* The rows of some curves. */
static void print_block(FILE *out, const struct study *s, struct points_table t, size_t from,
                        size_t to)
{
    char text[64];
    fprintf(out, "%-*s", t.name, s->over);
    for (size_t c = from; c < to; c++)
        fprintf(out, " %*s%s", bytes_for(t.column, s->curve[c].name), s->curve[c].name,
                t.stars && c + 1 < to ? " " : "");
    fputc('\n', out);
    for (size_t p = 0; p < s->points; p++) {
        fprintf(out, "%-*s", bytes_for(t.name, s->point[p].name), s->point[p].name);
        for (size_t c = from; c < to; c++) {
            figure_text(s, c, p, text);
            size_t length = strlen(text);
            bool star = text[length - 1] == '*'; /* stars have a column of their own */
            fprintf(out, " %*.*s%s", t.column, (int)(length - star), text,
                    star                    ? "*"
                    : t.stars && c + 1 < to ? " "
                                            : "");
        }
        fputc('\n', out);
    }
}

/* One row per point, one column per curve; as many curves side by side as a terminal has room for.
 */
static void print_points(FILE *out, const struct study *s)
{
    enum { ROOM = 80 };
    int name = wider(4, s->over), column = 10;
    char text[64];
    bool stars = false;
    for (size_t p = 0; p < s->points; p++)
        name = wider(name, s->point[p].name);
    for (size_t c = 0; c < s->curves; c++) {
        column = wider(column, s->curve[c].name);
        for (size_t p = 0; p < s->points; p++) {
            figure_text(s, c, p, text);
            column = wider(column, text);
            stars |= strchr(text, '*') != NULL;
        }
    }
    int fit = (ROOM - name) / (column + 1 + stars);
    size_t block = fit > 1 ? (size_t)fit : 1;
    for (size_t c = 0; c < s->curves; c += block) {
        if (c)
            fputc('\n', out);
        print_block(out, s, (struct points_table){name, column, stars}, c,
                    c + block < s->curves ? c + block : s->curves);
    }
    if (stars)
        fprintf(out, "* not steady: less arrives than is offered%s\n",
                metric_needs_steady(s->metric) ? ", and this grows with the length of the run"
                                               : "");
}

void summary_claim_range(const struct study_claim *c, char text[48])
{
    if (!isnan(c->value))
        snprintf(text, 48, "%g +- %g", c->value, c->tolerance);
    else if (!isnan(c->above) && !isnan(c->below))
        snprintf(text, 48, "%g to %g", c->above, c->below);
    else
        snprintf(text, 48, isnan(c->above) ? "< %g" : "> %g",
                 isnan(c->above) ? c->below : c->above);
}

void summary_claim_figure(const struct study_claim *c, char text[48])
{
    if (c->interval > 0)
        snprintf(text, 48, "%.4g +- %.2g", c->measured, c->interval);
    else
        snprintf(text, 48, "%.4g", c->measured);
}

static void print_claims(FILE *out, const struct study *s)
{
    char text[48], figure[48];
    int width = 5, measured = 10, id = 6;
    for (size_t i = 0; i < s->claims; i++) {
        summary_claim_range(&s->claim[i], text);
        summary_claim_figure(&s->claim[i], figure);
        width = wider(width, text);
        measured = wider(measured, figure);
        id = wider(id, s->claim[i].id);
    }
    fprintf(out, "%-*s %-*s %*s   %-12s %s\n", id, "claim", width, "paper", measured, "Weft",
            "verdict", "what");
    for (size_t i = 0; i < s->claims; i++) {
        const struct study_claim *c = &s->claim[i];
        if (c->verdict == VERDICT_NONE)
            continue; /* it belongs to the other size */
        summary_claim_range(c, text);
        summary_claim_figure(c, figure);
        fprintf(out, "%-*s %-*s %*s   %-*s%s%s\n", bytes_for(id, c->id), c->id, width, text,
                measured, figure, c->says[0] ? 12 : 0, verdict_names[c->verdict],
                c->says[0] ? " " : "", c->says);
        if (c->unsteady[0])
            fprintf(out, "%-*s %s\n", id, "", c->unsteady);
    }
}

void summary_study(FILE *out, const struct study *s)
{
    fprintf(out, "%s", s->title[0] ? s->title : s->name);
    fprintf(out, s->source[0] ? " (%s)\n" : "\n", s->source);
    if (s->has_sizes && s->size == STUDY_SMALL)
        fprintf(out, "in the small size; --full runs the full one\n");
    fputc('\n', out);
    if (s->metric[0]) {
        struct metric_text text;
        metric_describe(s->metric, &text);
        fprintf(out, "%s\n", s->y_label[0] ? s->y_label : text.label);
        print_points(out, s);
    }
    bool judged = false;
    size_t left = 0;
    for (size_t i = 0; i < s->claims; i++) {
        bool here = s->claim[i].verdict != VERDICT_NONE;
        judged |= here;
        left += !here && s->claim[i].judged_in[STUDY_FULL];
    }
    if (s->metric[0] && judged)
        fputc('\n', out);
    if (judged)
        print_claims(out, s);
    if (judged && left && s->size == STUDY_SMALL)
        fprintf(out, "%zu more claim%s judged in the paper's size: --full\n", left,
                left == 1 ? " is" : "s are");
    else if (!judged && s->claims)
        fprintf(out, "%sthe claims are judged in the paper's size: --full\n",
                s->metric[0] ? "\n" : "");
}

void summary_verdicts(FILE *out, const size_t count[VERDICTS])
{
    const char *joint = "verdicts: ";
    for (unsigned v = VERDICT_OK; v < VERDICTS; v++) {
        bool always = v == VERDICT_OK || v == VERDICT_MISSED;
        if (!count[v] && !always)
            continue;
        fprintf(out, "%s%zu %s", joint, count[v],
                v == VERDICT_MISSED ? "missed" : verdict_names[v]);
        joint = ", ";
    }
    fputc('\n', out);
}
