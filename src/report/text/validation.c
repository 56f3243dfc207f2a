/* The record of measured claims, and the page made from it. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/file/output.h"
#include "base/text/number.h"
#include "base/text/text.h"
#include "config/data.h"
#include "report/text/tables.h"

/* A row of the table of results. */
struct row {
    char id[32];
    char study[64];
    char says[200], paper[48], weft[48];
    enum verdict verdict;
    char note[600];
};

struct table {
    struct row *row;
    size_t rows;
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

weft_status validation_record(const struct study *s, char *path)
{
    struct output_file file;
    char *text = NULL, word[900];
    size_t size = 0;
    double cpu_seconds;
    uint64_t digest = fold_results(s, &cpu_seconds), settings;
    TRY(study_settings(s, &settings));
    FILE *f = open_memstream(&text, &size);
    if (!f)
        return RUN_FAILED(("not enough memory for the record of %s", s->name), NO_REMEDY);
    fprintf(f, "# Written by `weft study record %s`, read by `weft study report`.\n",
            text_quote(s->name, word, sizeof(word)));
    fprintf(f, "version: %s\n", WEFT_VERSION);
    fprintf(f, "settings: \"%016llx\"\n", (unsigned long long)settings);
    fprintf(f, "runs: %zu\ndigest: \"%016llx\"\n", study_runs(s), (unsigned long long)digest);
    fprintf(f, "cpu_seconds: %.0f\nmeasured:\n", cpu_seconds);
    for (size_t i = 0; i < s->claims; i++)
        if (s->claim[i].verdict != VERDICT_NONE)
            print_measured(f, &s->claim[i]);
    fclose(f);
    record_path(s->name, path, 4300);
    weft_status status = output_open(&file, path);
    if (status == WEFT_OK)
        status = output_commit_text(&file, text);
    free(text);
    return status;
}

/* ---- the results ---- */

/* Takes over the recorded figure of a claim. */
static weft_status recorded(const struct yaml *record, struct study_claim *c)
{
    char path[64];
    const char *text;
    for (size_t i = 0;; i++) {
        snprintf(path, sizeof(path), "measured.%zu.of", i);
        if (!(text = yaml_get(record, path)))
            return BAD_PLACE(("%s:1:1", record->file), ("has no figure for '%.200s'", c->of),
                             ("run `weft study record` on the study"));
        if (strcmp(text, c->of) != 0)
            continue;
        snprintf(path, sizeof(path), "measured.%zu.unsteady", i);
        text = yaml_get(record, path);
        snprintf(c->unsteady, sizeof(c->unsteady), "%s", text ? text : "");
        snprintf(path, sizeof(path), "measured.%zu.interval", i);
        text = yaml_get(record, path);
        bool right = !text || number_real(text, &c->interval);
        snprintf(path, sizeof(path), "measured.%zu.value", i);
        text = yaml_get(record, path);
        if (!right || !text || !number_real(text, &c->measured))
            return BAD_PLACE(("%s:1:1", record->file),
                             ("the figure for '%.200s' is not a number", c->of),
                             ("run `weft study record` on the study"));
        return WEFT_OK;
    }
}

static struct row *add_row(struct table *t, const char *id, const char *study)
{
    t->row = memory_grow(t->row, t->rows + 1, sizeof(*t->row));
    struct row *r = &t->row[t->rows++];
    memset(r, 0, sizeof(*r));
    snprintf(r->id, sizeof(r->id), "%s", id);
    snprintf(r->study, sizeof(r->study), "%s", study);
    return r;
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
        struct row *r = add_row(t, claim->id, name);
        summary_claim_figure(claim, r->weft);
        snprintf(r->says, sizeof(r->says), "%s", claim->says);
        snprintf(r->note, sizeof(r->note), "%s", claim->note);
        summary_claim_range(claim, r->paper);
        r->verdict = claim->verdict;
        if (claim->unsteady[0])
            snprintf(r->note, sizeof(r->note), "%s", claim->unsteady);
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
    char path[96];
    snprintf(path, sizeof(path), "claims.%zu.%s", index, field);
    const char *text = yaml_get(claims, path);
    return text ? text : "";
}

static const char *page_verdict(enum verdict verdict)
{
    return verdict == VERDICT_KNOWN || verdict == VERDICT_MISSED ? "**missed**"
                                                                 : verdict_names[verdict];
}

static void print_results(FILE *out, const struct yaml *claims, const struct table *t)
{
    fprintf(out,
            "| claim | what | paper | Weft | verdict | repeat with `weft study run ... --full` |\n"
            "|---|---|---|---|---|---|\n");
    for (size_t i = 0; *claim_field(claims, i, "id"); i++) {
        const char *id = claim_field(claims, i, "id"), *shown = claim_field(claims, i, "shown");
        bool result = strcmp(claim_field(claims, i, "kind"), "result") == 0;
        for (size_t k = 0; k < t->rows; k++) {
            const struct row *r = &t->row[k];
            if (strcmp(r->id, id) != 0)
                continue;
            fprintf(out, "| %s | ", id);
            print_cell(out, r->says);
            fprintf(out, " | ");
            print_cell(out, r->paper);
            fprintf(out, " | %s | %s", r->weft, page_verdict(r->verdict));
            fprintf(out, r->note[0] ? ": " : "");
            print_cell(out, r->note);
            fprintf(out, " | %s |\n", r->study);
        }
        if (result && *shown) {
            fprintf(out, "| %s | ", id);
            print_cell(out, claim_field(claims, i, "says"));
            fprintf(out, " | ");
            print_cell(out, claim_field(claims, i, "paper"));
            fprintf(out, " | ");
            print_cell(out, shown);
            fprintf(out, " | ");
            print_cell(out, claim_field(claims, i, "verdict"));
            fprintf(out, " | |\n");
        }
    }
}

static void print_others(FILE *out, const struct yaml *claims)
{
    fprintf(out, "| claim | what | paper | in Weft |\n|---|---|---|---|\n");
    for (size_t i = 0; *claim_field(claims, i, "id"); i++) {
        if (strcmp(claim_field(claims, i, "kind"), "result") == 0)
            continue;
        for (const char *const *field = (const char *const[]){"id", "says", "paper", "shown", NULL};
             *field; field++) {
            fprintf(out, "| ");
            print_cell(out, claim_field(claims, i, *field));
            fputc(' ', out);
        }
        fprintf(out, "|\n");
    }
}

/* Every claim must be shown by a study, or say what else shows it. */
static weft_status require_all_shown(const struct yaml *claims, const struct table *t)
{
    for (size_t i = 0; *claim_field(claims, i, "id"); i++) {
        const char *id = claim_field(claims, i, "id");
        bool shown = *claim_field(claims, i, "shown");
        for (size_t k = 0; k < t->rows; k++)
            shown |= strcmp(t->row[k].id, id) == 0;
        if (!shown)
            return BAD_PLACE(("%s", claims->file), ("nothing shows %s", id),
                             ("add a study or say what shows it"));
    }
    return WEFT_OK;
}

/* The claims of a machine, from claims/MACHINE.yaml. */
static weft_status load_claims(const char *machine, struct yaml *claims)
{
    char path[4300];
    snprintf(path, sizeof(path), "%s/claims/%s.yaml", data_folder(), machine);
    return yaml_load(path, claims);
}

static void print_counts(FILE *out, const struct table *t)
{
    size_t count[VERDICTS] = {0};
    for (size_t i = 0; i < t->rows; i++)
        count[t->row[i].verdict]++;
    summary_verdicts(out, count);
}

/* Prints a line of the template, or what it stands for: `<!-- results MACHINE -->`, `<!-- others
 * MACHINE -->`, or the number of verdicts, `<!-- verdicts -->`. */
static weft_status print_line(FILE *out, const char *line, const struct table *t)
{
    char what[32], machine[64];
    struct yaml claims;
    if (strcmp(line, "<!-- verdicts -->\n") == 0) {
        print_counts(out, t);
        return WEFT_OK;
    }
    if (sscanf(line, "<!-- %31s %63s -->", what, machine) != 2 ||
        (strcmp(what, "results") != 0 && strcmp(what, "others") != 0)) {
        fputs(line, out);
        return WEFT_OK;
    }
    TRY(load_claims(machine, &claims));
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
