/* The record of measured claims, and the page made from it. */
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "base/file/output.h"
#include "base/text/number.h"
#include "base/text/text.h"
#include "config/data.h"
#include "report/text/tables.h"

/* A row of the table of results. */
struct row {
    const char *study; /* its name */
    struct study_claim claim;
};

struct table {
    struct row *row;
    size_t rows, room;
};

/* ---- recording ---- */

static void print_text(FILE *f, const char *text)
{
    fputc('\'', f);
    for (; *text; text++)
        fputs(*text == '\'' ? "''" : (char[]){*text, '\0'}, f);
    fputc('\'', f);
}

/* One digest of all runs, in order, and their CPU time. */
static uint64_t fold_results(const struct study *s, double *cpu_seconds)
{
    uint64_t digest = 0;
    *cpu_seconds = 0;
    for (size_t i = 0; i < study_runs(s); i++) {
        const char *text = yaml_get(&s->result[i].yaml, "digest");
        const char *seconds = yaml_get(&s->result[i].yaml, "engine.cpu_seconds");
        digest = (digest << 1 | digest >> 63) ^ (text ? strtoull(text, NULL, 16) : 0);
        double cpu = 0;
        if (seconds && number_real(seconds, &cpu))
            *cpu_seconds += cpu;
    }
    return digest;
}

static void print_measured(FILE *f, const struct study_claim *c)
{
    fprintf(f, "  - {of: ");
    print_text(f, c->of);
    fprintf(f, ", value: %.6g", c->measured);
    if (c->interval > 0)
        fprintf(f, ", interval: %.3g", c->interval);
    if (c->unsteady[0]) {
        fprintf(f, ", unsteady: ");
        print_text(f, c->unsteady);
    }
    fprintf(f, "}\n");
}

static void record_path(const char *study, char *path, size_t size)
{
    snprintf(path, size, "%s/claims/measured/%s.yaml", data_folder(), study);
}

weft_status validation_try(const struct study *s)
{
    char path[4300];
    record_path(s->name, path, sizeof(path));
    return output_try(path);
}

struct record {
    const struct study *study;
    uint64_t settings;
};

static void print_record(FILE *f, const void *record)
{
    const struct record *r = record;
    const struct study *s = r->study;
    char word[900];
    double cpu_seconds;
    uint64_t digest = fold_results(s, &cpu_seconds);
    fprintf(f, "# Written by `weft study record %s`, read by `weft study report`.\n",
            text_quote(s->name, word, sizeof(word)));
    fprintf(f, "version: %s\n", WEFT_VERSION);
    fprintf(f, "settings: \"%016llx\"\n", (unsigned long long)r->settings);
    fprintf(f, "runs: %zu\ndigest: \"%016llx\"\n", study_runs(s), (unsigned long long)digest);
    fprintf(f, "cpu_seconds: %.0f\nmeasured:\n", cpu_seconds);
    for (size_t i = 0; i < s->claims; i++)
        if (s->claim[i].verdict != VERDICT_NONE)
            print_measured(f, &s->claim[i]);
}

weft_status validation_record(const struct study *s, char *path)
{
    struct record record = {.study = s};
    TRY(study_settings(s, &record.settings));
    record_path(s->name, path, 4300);
    return output_whole(path, print_record, &record);
}

/* ---- the results ---- */

/* A field of a list's item; "": it has none. */
static const char *field_of(const struct yaml *y, const char *list, size_t index, const char *field)
{
    char path[96];
    snprintf(path, sizeof(path), "%s.%zu.%s", list, index, field);
    const char *text = yaml_get(y, path);
    return text ? text : "";
}

/* Takes over the recorded figure of a claim. */
static weft_status recorded(const struct yaml *record, struct study_claim *c)
{
    static const char list[] = "measured", remedy[] = "run `weft study record` on the study";
    size_t i = 0;
    while (*field_of(record, list, i, "of") && strcmp(field_of(record, list, i, "of"), c->of) != 0)
        i++;
    if (!*field_of(record, list, i, "of"))
        return BAD_PLACE(("%s:1:1", record->file), ("has no figure for '%.200s'", c->of),
                         ("%s", remedy));
    const char *interval = field_of(record, list, i, "interval");
    snprintf(c->unsteady, sizeof(c->unsteady), "%s", field_of(record, list, i, "unsteady"));
    if ((*interval && !number_real(interval, &c->interval)) ||
        !number_real(field_of(record, list, i, "value"), &c->measured))
        return BAD_PLACE(("%s:1:1", record->file),
                         ("the figure for '%.200s' is not a number", c->of), ("%s", remedy));
    return WEFT_OK;
}

/* Checks that the record was made with what study and machine say now. */
static weft_status check_settings(const struct study *s, const struct yaml *record)
{
    char now[32], word[900];
    const char *then = yaml_get(record, "settings");
    uint64_t settings;
    TRY(study_settings(s, &settings));
    snprintf(now, sizeof(now), "%016llx", (unsigned long long)settings);
    if (then && strcmp(then, now) == 0)
        return WEFT_OK;
    return BAD_PLACE(("%s:1:1", record->file),
                     ("was recorded with other settings of study or machine (now %s)", now),
                     ("run `weft study record %s`", text_quote(s->name, word, sizeof(word))));
}

static weft_status add_study(struct table *t, const char *name)
{
    struct study s;
    struct yaml record = {.entries = 0};
    char path[4300];
    TRY(study_load(name, STUDY_FULL, &s));
    weft_status status = WEFT_OK;
    record_path(name, path, sizeof(path));
    if (s.claims && (status = yaml_load(path, &record)) == WEFT_OK)
        status = check_settings(&s, &record);
    for (size_t i = 0; i < s.claims && status == WEFT_OK; i++) {
        struct study_claim *claim = &s.claim[i];
        if (!claim->judged_in[STUDY_FULL] || (status = recorded(&record, claim)) != WEFT_OK)
            continue;
        study_judge_claim(claim, STUDY_FULL);
        *LIST_ADD(t->row, t->rows, t->room) = (struct row){name, *claim};
    }
    yaml_fini(&record);
    study_fini(&s);
    return status;
}

/* ---- the page ---- */

/* Text in a cell, with Markdown's special characters escaped. */
static void print_cell(FILE *out, const char *text)
{
    for (; *text; text++) {
        if (strchr("|*_<", *text))
            fputc('\\', out);
        fputc(*text == '\n' ? ' ' : *text, out);
    }
}

static const char *claim_field(const struct yaml *claims, size_t index, const char *field)
{
    return field_of(claims, "claims", index, field);
}

/* A row of a table, which ends with the cell NULL. */
static void print_cells(FILE *out, const char *const *cell)
{
    for (; *cell; cell++) {
        fprintf(out, "| ");
        print_cell(out, *cell);
        fputc(' ', out);
    }
    fprintf(out, "|");
}

static void print_claim(FILE *out, const struct row *r)
{
    const struct study_claim *c = &r->claim;
    const char *note = c->unsteady[0] ? c->unsteady : c->note;
    char paper[48], measured[48];
    summary_claim_range(c, paper);
    summary_claim_figure(c, measured);
    bool missed = c->verdict == VERDICT_KNOWN || c->verdict == VERDICT_MISSED;
    print_cells(out, (const char *const[]){c->id, c->says, paper, measured, NULL});
    fprintf(out, " %s%s", missed ? "**missed**" : verdict_names[c->verdict], note[0] ? ": " : "");
    print_cell(out, note);
    fprintf(out, " | %s |\n", r->study);
}

static void print_results(FILE *out, const struct yaml *claims, const struct table *t)
{
    fprintf(out,
            "| claim | what | paper | Weft | verdict | repeat with `weft study run ... --full` |\n"
            "|---|---|---|---|---|---|\n");
    for (size_t i = 0; *claim_field(claims, i, "id"); i++) {
        const char *id = claim_field(claims, i, "id"), *shown = claim_field(claims, i, "shown");
        bool result = strcmp(claim_field(claims, i, "kind"), "result") == 0;
        for (size_t k = 0; k < t->rows; k++)
            if (strcmp(t->row[k].claim.id, id) == 0)
                print_claim(out, &t->row[k]);
        if (result && *shown) {
            print_cells(out, (const char *const[]){id, claim_field(claims, i, "says"),
                                                   claim_field(claims, i, "paper"), shown,
                                                   claim_field(claims, i, "verdict"), NULL});
            fprintf(out, " |\n");
        }
    }
}

static void print_others(FILE *out, const struct yaml *claims)
{
    fprintf(out, "| claim | what | paper | in Weft |\n|---|---|---|---|\n");
    for (size_t i = 0; *claim_field(claims, i, "id"); i++) {
        if (strcmp(claim_field(claims, i, "kind"), "result") == 0)
            continue;
        print_cells(out, (const char *const[]){claim_field(claims, i, "id"),
                                               claim_field(claims, i, "says"),
                                               claim_field(claims, i, "paper"),
                                               claim_field(claims, i, "shown"), NULL});
        fputc('\n', out);
    }
}

/* Every claim must be shown by a study, or say what else shows it. */
static weft_status require_all_shown(const struct yaml *claims, const struct table *t)
{
    for (size_t i = 0; *claim_field(claims, i, "id"); i++) {
        const char *id = claim_field(claims, i, "id");
        bool shown = *claim_field(claims, i, "shown");
        for (size_t k = 0; k < t->rows; k++)
            shown |= strcmp(t->row[k].claim.id, id) == 0;
        if (!shown)
            return BAD_PLACE(("%s", claims->file), ("nothing shows %s", id),
                             ("add a study or say what shows it"));
    }
    return WEFT_OK;
}

/* Prints a line of the template, or what it stands for: `<!-- results MACHINE -->`, `<!-- others
 * MACHINE -->`, or the number of verdicts, `<!-- verdicts -->`. */
static weft_status print_line(FILE *out, const char *line, const struct table *t)
{
    char what[32], machine[64], path[4300];
    struct yaml claims;
    if (strcmp(line, "<!-- verdicts -->\n") == 0) {
        size_t count[VERDICTS] = {0};
        for (size_t i = 0; i < t->rows; i++)
            count[t->row[i].claim.verdict]++;
        summary_verdicts(out, count);
        return WEFT_OK;
    }
    if (sscanf(line, "<!-- %31s %63s -->", what, machine) != 2 ||
        (strcmp(what, "results") != 0 && strcmp(what, "others") != 0)) {
        fputs(line, out);
        return WEFT_OK;
    }
    snprintf(path, sizeof(path), "%s/claims/%s.yaml", data_folder(), machine);
    TRY(yaml_load(path, &claims));
    weft_status status = require_all_shown(&claims, t);
    if (status == WEFT_OK && what[0] == 'r')
        print_results(out, &claims, t);
    else if (status == WEFT_OK)
        print_others(out, &claims);
    yaml_fini(&claims);
    return status;
}

static weft_status print_page(FILE *out, const struct table *t)
{
    char path[4300], line[4096];
    weft_status status = WEFT_OK;
    snprintf(path, sizeof(path), "%s/claims/validation.md", data_folder());
    FILE *f = fopen(path, "r");
    if (!f)
        return BAD_INPUT(NULL, ("%s cannot be read", path), ("run from the project's folder"));
    while (status == WEFT_OK && fgets(line, sizeof(line), f))
        status = print_line(out, line, t);
    fclose(f);
    return status;
}

weft_status validation_report(FILE *out, char *const *name, size_t names)
{
    struct table table = {.rows = 0};
    weft_status status = WEFT_OK;
    for (size_t i = 0; i < names && status == WEFT_OK; i++)
        status = add_study(&table, name[i]);
    if (status == WEFT_OK)
        status = print_page(out, &table);
    free(table.row);
    return status;
}
