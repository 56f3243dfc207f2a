/* Two results side by side: the rows of a comparison, and how they are printed. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file/output.h"
#include "base/list.h"
#include "base/text/number.h"
#include "base/text/text.h"
#include "report/result/values.h"
#include "report/text/tables.h"
#include "workload/work.h"

/* Whether a change is larger than what chance gives, by the 95 % intervals of both. */
enum certainty { CERTAINTY_UNKNOWN, CERTAINTY_REAL, CERTAINTY_CHANCE };

struct compare_row {
    enum scalar_kind kind;
    const char *name;        /* lives in one of the results */
    const char *value[2];    /* as the results have them; NULL: this one has none */
    bool differs, numbers;   /* both are numbers: */
    double change, relative; /* second - first, and as a share of the first; NAN: that is 0 */
    bool unsteady[2];        /* it means little: it grows with the length of the run */
    enum certainty certainty;
};

struct comparison {
    const struct yaml *result[2];
    struct compare_row *row; /* keys, then figures, then the engine's */
    size_t rows, room;
    bool same; /* no figure differs; keys and the engine do not count */
};

/* ---- rows ---- */

/* Whether the run was steady, or of several workloads the one that has this figure: "true" or
 * "false"; NULL: nobody knows. */
static const char *steady_of(const struct yaml *y, const char *name)
{
    char path[64] = "steady";
    unsigned workload_part;
    if (sscanf(name, "parts.part_%4u.", &workload_part) == 1)
        snprintf(path, sizeof(path), "parts.part_%u.steady", workload_part);
    return yaml_get(y, path);
}

static void measure(const struct comparison *c, struct compare_row *r)
{
    double a, b;
    r->numbers =
        r->value[0] && r->value[1] && number_real(r->value[0], &a) && number_real(r->value[1], &b);
    if (!r->numbers)
        return;
    r->change = b - a;
    r->relative = a != 0 ? (b - a) / fabs(a) : NAN;
    double chance = hypot(study_result_half_width(c->result[0], r->name),
                          study_result_half_width(c->result[1], r->name));
    if (!isnan(chance))
        r->certainty = fabs(r->change) > chance ? CERTAINTY_REAL : CERTAINTY_CHANCE;
}

static void add(struct comparison *c, enum scalar_kind kind, const char *path)
{
    struct compare_row *r = LIST_ADD(c->row, c->rows, c->room);
    *r = (struct compare_row){.kind = kind,
                              .name = kind == SCALAR_CONFIG ? path + strlen("config.") : path};
    for (int i = 0; i < 2; i++) {
        r->value[i] = yaml_get(c->result[i], path);
        const char *steady = steady_of(c->result[i], path);
        r->unsteady[i] = kind == SCALAR_RESULT && metric_needs_steady(path) && steady &&
                         strcmp(steady, "false") == 0;
    }
    r->differs = !r->value[0] || !r->value[1] || strcmp(r->value[0], r->value[1]) != 0;
    measure(c, r);
    if (kind == SCALAR_RESULT && r->differs)
        c->same = false;
}

/* The seed is a key, too; the version says nothing of the run; the work is said above the rows. */
static enum scalar_kind kind_of(const char *path)
{
    return text_has_word("seed version", path) || text_behind(path, "work.") ? SCALAR_NONE
                                                                             : scalar_kind(path);
}

static void compare(struct comparison *c, const struct yaml *first, const struct yaml *second)
{
    static const enum scalar_kind order[] = {SCALAR_CONFIG, SCALAR_RESULT, SCALAR_ENGINE};
    *c = (struct comparison){.result = {first, second}, .same = true};
    for (size_t k = 0; k < sizeof(order) / sizeof(order[0]); k++) {
        for (size_t i = 0; i < first->entries; i++)
            if (kind_of(first->entry[i].path) == order[k])
                add(c, order[k], first->entry[i].path);
        for (size_t i = 0; i < second->entries; i++)
            if (kind_of(second->entry[i].path) == order[k] &&
                !yaml_find(first, second->entry[i].path))
                add(c, order[k], second->entry[i].path);
    }
}

/* ---- printing ---- */

enum { CELL = 128 };

/* Counts in full, others to six digits. */
static void number_text(double value, char text[CELL])
{
    bool whole = value == floor(value) && fabs(value) < 1e15;
    snprintf(text, CELL, whole ? "%.0f" : "%.6g", value);
}

static void value_text(const struct compare_row *r, int side, char text[CELL])
{
    double value;
    if (!r->value[side])
        snprintf(text, CELL, "-");
    else if (r->kind != SCALAR_CONFIG && number_real(r->value[side], &value))
        number_text(value, text);
    else
        snprintf(text, CELL, strlen(r->value[side]) < 44 ? "%s" : "%.40s...", r->value[side]);
    if (r->unsteady[side])
        text_append(text, CELL, strlen(text), "*");
}

/* Columns of a row: name, first, second, change, relative, certainty. */
enum { COLUMNS = 6 };

static void row_texts(const struct compare_row *r, char text[COLUMNS][CELL])
{
    static const char *const certainty[] = {"", "more than chance", "within chance"};
    char number[CELL];
    text[3][0] = text[4][0] = '\0';
    snprintf(text[0], CELL, "%s", r->name);
    value_text(r, 0, text[1]);
    value_text(r, 1, text[2]);
    if (r->numbers) {
        number_text(r->change, number);
        snprintf(text[3], CELL, "%s%.60s", r->change > 0 ? "+" : "", number);
    }
    if (r->numbers && !isnan(r->relative))
        snprintf(text[4], CELL, "%+.2f %%", 100 * r->relative);
    snprintf(text[5], CELL, "%s", certainty[r->certainty]);
}

static void measure_columns(const struct comparison *c, enum scalar_kind kind, int width[COLUMNS])
{
    static const int least[COLUMNS] = {4, 10, 10, 6, 8, 0};
    char text[COLUMNS][CELL];
    memcpy(width, least, sizeof(least));
    for (size_t i = 0; i < c->rows; i++) {
        if (c->row[i].kind != kind || !c->row[i].differs)
            continue;
        row_texts(&c->row[i], text);
        for (unsigned k = 0; k < COLUMNS; k++)
            width[k] = (int)strlen(text[k]) > width[k] ? (int)strlen(text[k]) : width[k];
    }
}

static void print_row(FILE *out, const struct compare_row *r, const int *width)
{
    char text[COLUMNS][CELL], line[640];
    row_texts(r, text);
    size_t length = text_append(line, sizeof(line), 0, "  %-*s", width[0], text[0]);
    for (unsigned k = 1; k < COLUMNS; k++)
        length = text_append(line, sizeof(line), length, "  %*s", k < 5 ? width[k] : 0, text[k]);
    while (length && line[length - 1] == ' ')
        length--;
    fprintf(out, "%.*s\n", (int)length, line);
}

/* The rows of a kind that differ; returns whether a star is among them. */
static bool print_rows(FILE *out, const struct comparison *c, enum scalar_kind kind,
                       const char *title, const char *none)
{
    int width[COLUMNS];
    size_t same = 0, differ = 0;
    bool star = false;
    measure_columns(c, kind, width);
    for (size_t i = 0; i < c->rows; i++) {
        const struct compare_row *r = &c->row[i];
        if (r->kind != kind)
            continue;
        same += !r->differs;
        if (!r->differs)
            continue;
        if (differ++ == 0)
            fprintf(out, "%-*s  %*s  %*s  %*s\n", width[0] + 2, title, width[1], "A", width[2], "B",
                    width[3], "change");
        print_row(out, r, width);
        star |= r->unsteady[0] || r->unsteady[1];
    }
    if (!differ)
        fprintf(out, "%s\n", none);
    else
        fprintf(out, "  and %zu %s the same\n", same, same == 1 ? "is" : "are");
    return star;
}

static void print_csv(FILE *out, const void *comparison)
{
    const struct comparison *c = comparison;
    static const char *const kinds[] = {"", "result", "config", "engine"};
    static const char *const certain[] = {"", "true", "false"};
    fprintf(out, "kind,name,a,b,differs,change,relative_change,significant,a_steady,b_steady\n");
    for (size_t i = 0; i < c->rows; i++) {
        const struct compare_row *r = &c->row[i];
        fprintf(out, "%s,", kinds[r->kind]);
        scalar_csv(out, r->name);
        for (int side = 0; side < 2; side++) {
            fputc(',', out);
            scalar_csv(out, r->value[side] ? r->value[side] : "");
        }
        fprintf(out, ",%s,", r->differs ? "true" : "false");
        if (r->numbers)
            fprintf(out, "%.15g", r->change);
        fputc(',', out);
        if (r->numbers && !isnan(r->relative))
            fprintf(out, "%.15g", r->relative);
        fprintf(out, ",%s", certain[r->certainty]);
        for (int side = 0; side < 2; side++) {
            const char *steady = steady_of(c->result[side], r->name);
            fprintf(out, ",%s", steady ? steady : "");
        }
        fputc('\n', out);
    }
}

/* ---- the work of both ---- */

static const char *word_of(const struct yaml *y, const char *path)
{
    const char *word = yaml_get(y, path);
    return word ? word : "";
}

static void read_work(const struct yaml *y, struct work *w)
{
    *w = (struct work){.as = strcmp(word_of(y, "work.unit"), "messages") == 0 ? LAYER_MESSAGES
                                                                              : LAYER_PACKETS,
                       .participants = (uint32_t)strtoul(word_of(y, "work.participants"), NULL, 10),
                       .count = strtoull(word_of(y, "work.count"), NULL, 10)};
    snprintf(w->pattern, sizeof(w->pattern), "%s", word_of(y, "work.pattern"));
    snprintf(w->bytes, sizeof(w->bytes), "%s", word_of(y, "work.bytes"));
    snprintf(w->text, sizeof(w->text), "%s", word_of(y, "work.text"));
    snprintf(w->definition, sizeof(w->definition), "%s", word_of(y, "work.definition"));
}

/* Two machines are compared by the same work; of older results it is not known. */
static weft_status check_work(const struct yaml *first, const struct yaml *second)
{
    static const char name[] = "config.machine.name";
    struct work a, b;
    read_work(first, &a);
    read_work(second, &b);
    if (!a.definition[0] || !b.definition[0] ||
        strcmp(word_of(first, name), word_of(second, name)) == 0)
        return WEFT_OK;
    return work_check_same(first->file, &a, second->file, &b);
}

/* Of one machine, the work may differ; then both are said. */
static void print_work(FILE *out, const struct yaml *first, const struct yaml *second)
{
    const char *a = word_of(first, "work.text"), *b = word_of(second, "work.text");
    if (*a && *b && strcmp(a, b) != 0)
        fprintf(out, "A: %s\nB: %s\n", a, b);
}

weft_status compare_results(FILE *out, const char *csv, const struct yaml *first,
                            const struct yaml *second, bool *same)
{
    struct comparison c;
    TRY(check_work(first, second));
    compare(&c, first, second);
    if (out)
        print_work(out, first, second);
    if (out)
        print_rows(out, &c, SCALAR_CONFIG, "configuration", "the configurations are the same");
    if (out && print_rows(out, &c, SCALAR_RESULT, "results", "the results are the same"))
        fprintf(out, "* not steady: less arrives than is offered, and this grows with the length "
                     "of the run\n");
    weft_status status = csv ? output_whole(csv, print_csv, &c) : WEFT_OK;
    *same = c.same;
    free(c.row);
    return status;
}
