/* Columns are found by looking at all runs; each has a name, and a way to its value. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "base/file/output.h"
#include "base/statistics/interval.h"
#include "base/text/text.h"
#include "report/result/values.h"
#include "report/text/tables.h"

enum column_kind { COLUMN_FIGURE, COLUMN_KEY };

struct column {
    enum column_kind kind;
    const char *name; /* of the figure, or of the key; lives in a result, a key table or here */
};

struct tidy {
    struct sweep *sweep;
    struct column *column;
    size_t columns, room, leading; /* all, and those that come before the figures asked for */
    const char *const *metric;
    unsigned metrics;
    double *half; /* [metric * items + item]: half of its 95 % interval; NAN: unknown */
};

/* ---- columns ---- */

static bool has_column(const struct tidy *t, enum column_kind kind, const char *name)
{
    for (size_t i = 0; i < t->columns; i++)
        if (t->column[i].kind == kind && strcmp(t->column[i].name, name) == 0)
            return true;
    return false;
}

static void add_column(struct tidy *t, enum column_kind kind, const char *name)
{
    if (!has_column(t, kind, name))
        *LIST_ADD(t->column, t->columns, t->room) = (struct column){kind, name};
}

static void add_figures(struct tidy *t)
{
    static const char fixed[] = "steady digest seed"; /* figures with a column of their own */
    for (size_t i = 0; i < t->sweep->items; i++) {
        const struct study_result *r = &t->sweep->study.result[i];
        for (size_t k = 0; r->there && k < r->yaml.entries; k++) {
            const char *name = r->yaml.entry[k].path;
            bool asked = false;
            for (unsigned m = 0; m < t->metrics; m++)
                asked |= strcmp(t->metric[m], name) == 0;
            if (scalar_kind(name) == SCALAR_RESULT && !asked && !text_has_word(fixed, name))
                add_column(t, COLUMN_FIGURE, name);
        }
    }
}

/* ---- rows ---- */

static void put_figure(FILE *f, const struct study_result *r, const char *name)
{
    const char *text = r->there ? yaml_get(&r->yaml, name) : NULL;
    fputc(',', f);
    scalar_csv(f, text ? text : "");
}

static void put_real(FILE *f, double value)
{
    fputc(',', f);
    if (!isnan(value))
        fprintf(f, "%.6g", value);
}

static void put_columns(FILE *f, const struct tidy *t, size_t item, size_t from, size_t to)
{
    const struct config *c = &t->sweep->item[item].config;
    char text[CONFIG_TEXT];
    for (size_t i = from; i < to; i++)
        if (t->column[i].kind == COLUMN_KEY) {
            size_t entry = config_find(c, t->column[i].name);
            fputc(',', f);
            scalar_csv(f, entry < c->entries ? config_text(c, entry, text) : "");
        } else {
            put_figure(f, &t->sweep->study.result[item], t->column[i].name);
        }
}

static void put_row(FILE *f, const struct tidy *t, size_t i)
{
    const struct sweep *s = t->sweep;
    const struct batch_item *item = &s->item[i];
    scalar_csv(f, s->study.curve[s->curve[i]].name);
    put_columns(f, t, i, 0, t->leading);
    fprintf(f, ",%s,", item->failed ? "failed" : "done");
    scalar_csv(f, item->failed ? item->why : "");
    for (unsigned m = 0; m < t->metrics; m++) {
        put_figure(f, &s->study.result[i], t->metric[m]);
        put_real(f, t->half[m * s->items + i]);
    }
    put_figure(f, &s->study.result[i], "steady");
    put_real(f, s->study.saturation[s->curve[i]]);
    put_figure(f, &s->study.result[i], "digest");
    fputc(',', f);
    scalar_csv(f, item->done ? item->path : "");
    put_columns(f, t, i, t->leading, t->columns);
    fputc('\n', f);
}

static void put_head(FILE *f, const struct tidy *t)
{
    fprintf(f, "curve");
    for (size_t i = 0; i < t->leading; i++)
        fprintf(f, ",%s", t->column[i].name);
    fprintf(f, ",status,reason");
    for (unsigned m = 0; m < t->metrics; m++)
        fprintf(f, ",%s,%s.interval", t->metric[m], t->metric[m]);
    fprintf(f, ",steady,saturation,digest,file");
    for (size_t i = t->leading; i < t->columns; i++) {
        const struct column *c = &t->column[i];
        bool shared = c->kind == COLUMN_KEY && has_column(t, COLUMN_FIGURE, c->name);
        fprintf(f, ",%s%s", shared ? "config." : "", c->name);
    }
    fputc('\n', f);
}

/* ---- intervals ---- */

/* Of the runs that were added for one curve and x, which come one after the other. */
static double added_half(const struct tidy *t, size_t item, const char *metric)
{
    size_t seeds = t->sweep->study.seeds, runs = study_runs(&t->sweep->study);
    size_t first = item - (item - runs) % seeds;
    struct interval values = {0};
    for (size_t i = first; i < first + seeds && i < t->sweep->items; i++) {
        const struct study_result *r = &t->sweep->study.result[i];
        double value;
        if (r->there && study_result_figure(&r->yaml, metric, &value) == WEFT_OK)
            interval_add(&values, value);
    }
    return values.count > 1 ? interval_half_width(&values) : NAN;
}

/* Over the seeds; with a single one, the run's own. */
static void find_intervals(struct tidy *t, unsigned m)
{
    struct study *s = &t->sweep->study;
    double *half = t->half + m * t->sweep->items;
    study_choose(s, t->metric[m]);
    for (size_t i = 0; i < t->sweep->items; i++) {
        struct study_run run = study_run_at(s, i); /* of those of the sweep itself */
        if (s->seeds < 2)
            half[i] = study_result_half_width(&s->result[i].yaml, t->metric[m]);
        else if (i >= study_runs(s))
            half[i] = added_half(t, i, t->metric[m]);
        else if (study_figure(s, run.curve, run.point).runs > 1)
            half[i] = study_figure(s, run.curve, run.point).half_width * (s->per > 0 ? s->per : 1);
        else
            half[i] = NAN;
    }
}

static void print_table(FILE *f, const void *tidy)
{
    const struct tidy *t = tidy;
    put_head(f, t);
    for (size_t i = 0; i < t->sweep->items; i++)
        put_row(f, t, i);
}

weft_status tidy_write(const char *path, struct sweep *sweep, const char *const *metric,
                       unsigned metrics)
{
    struct tidy t = {.sweep = sweep, .metric = metric, .metrics = metrics};
    t.half = memory_alloc(metrics * sweep->items, sizeof(*t.half));
    for (unsigned m = 0; m < metrics; m++)
        find_intervals(&t, m);
    if (sweep->study.over[0]) /* what was swept comes first */
        add_column(&t, COLUMN_KEY, sweep->study.over);
    for (unsigned a = 0; a < sweep->axes; a++)
        add_column(&t, COLUMN_KEY, sweep->axis[a].key);
    add_column(&t, COLUMN_KEY, "run.seed");
    t.leading = t.columns;
    add_figures(&t);
    for (size_t i = 0; i < sweep->items; i++)
        for (size_t k = 0; k < sweep->item[i].config.entries; k++)
            add_column(&t, COLUMN_KEY, sweep->item[i].config.entry[k].key->name);
    weft_status status = output_whole(path, print_table, &t);
    free(t.half);
    free(t.column);
    return status;
}
