/* weft study: the papers' results, rerun and compared. */
#include "cli/cli.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "config/data.h"
#include "base/memory.h"
#include "base/text/suggest.h"
#include "base/text/text.h"
#include "report/picture/picture.h"
#include "report/text/tables.h"

static weft_status refuse(const void *study, const char *option, const char *key)
{
    return study_refuse(study, option, key);
}

/* Its runs, once nothing is wrong with any of them. */
static weft_status prepare(const struct study *s, const struct cli_options *o,
                           struct batch_item **item)
{
    *item = memory_alloc(study_runs(s), sizeof(**item));
    TRY(cli_refuse_settings(o, refuse, s));
    for (size_t i = 0; i < study_runs(s); i++) {
        struct batch_item *t = &(*item)[i];
        struct study_run run = study_run_at(s, i);
        const char *curve = s->curve[run.curve].name, *point = s->point[run.point].name;
        size_t at = text_append(t->name, sizeof(t->name), 0, "%s%s%s", curve,
                                *curve && *point ? ", " : "", point);
        if (s->seeds)
            text_append(t->name, sizeof(t->name), at, ", seed %zu", run.seed + 1);
        TRY(study_config(s, run, o->machine, &t->config));
        TRY(cli_apply(o, &t->config));
        const struct run_params *params = config_section(&t->config, &run_section);
        if (s->seeds && params->seed != run.seed + 1)
            return BAD_INPUT("run.seed", ("the study has seeds of its own"), ("remove --seed"));
        TRY(machine_finish(&t->config));
    }
    return study_check(s, *item);
}

static void release(const struct study *s, struct batch_item *item)
{
    for (size_t i = 0; i < study_runs(s); i++)
        config_fini(&item[i].config);
    free(item);
}

static weft_status try_study(struct study *s, struct cli_options *o)
{
    struct batch_item *item;
    weft_status status = prepare(s, o, &item);
    release(s, item);
    return status;
}

/* Runs a study in a folder and judges it. */
static weft_status compute(struct study *s, const struct cli_options *o, const char *folder,
                           bool in_passing)
{
    size_t resumed;
    struct batch_item *item;
    struct batch_options batch = {.folder = folder, .in_passing = in_passing};
    weft_status status = prepare(s, o, &item);
    if (status == WEFT_OK)
        status = cli_batch(o, s->name, batch, item, study_runs(s), &resumed);
    for (size_t i = 0; i < study_runs(s) && status == WEFT_OK; i++)
        status = study_take(s, i, item[i].path);
    release(s, item);
    return status == WEFT_OK ? study_judge(s) : status;
}

static void remove_folder(const char *folder)
{
    char path[4300];
    DIR *d = opendir(folder);
    for (struct dirent *e; d && (e = readdir(d));) {
        snprintf(path, sizeof(path), "%s/%s", folder, e->d_name);
        unlink(path);
    }
    if (d)
        closedir(d);
    rmdir(folder);
}

/* A check computes all anew, in a folder that goes. */
static weft_status compute_in_passing(struct study *s, const struct cli_options *o)
{
    const char *given = getenv("TMPDIR"), *parent = given && *given ? given : "/tmp";
    char folder[4000];
    errno = ENAMETOOLONG; /* of the first reason */
    if (snprintf(folder, sizeof(folder), "%s/weft-check-XXXXXX", parent) >= (int)sizeof(folder) ||
        !mkdtemp(folder))
        return BAD_PLACE(("%.900s", parent), ("%s", strerror(errno)),
                         ("make room there, or set TMPDIR to another folder"));
    weft_status status = compute(s, o, folder, true);
    remove_folder(folder);
    return status;
}

static void free_names(char **names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(names[i]);
    free(names);
}

/* ---- run, check, record ---- */

static weft_status run_study(struct study *s, struct cli_options *o)
{
    struct plot plot;
    char folder[128];
    snprintf(folder, sizeof(folder), "weft-%s", s->name);
    TRY(plot_try_csv(s->name));
    TRY(plot_try_picture(s->name));
    TRY(compute(s, o, folder, false));
    summary_study(stdout, s);
    TRY(plot_study(s, &plot));
    if (!o->quiet)
        cli_say_files(&plot, 1, plot.csv, folder);
    return WEFT_OK;
}

/* How many claims have each verdict, of all studies that were checked. */
static size_t verdicts[VERDICTS];

static weft_status check_study(struct study *s, struct cli_options *o)
{
    TRY(compute_in_passing(s, o));
    summary_study(stdout, s);
    for (size_t i = 0; i < s->claims; i++)
        verdicts[s->claim[i].verdict]++;
    return WEFT_OK;
}

/* Keeps the figures for the report. */
static weft_status record_study(struct study *s, struct cli_options *o)
{
    char folder[128], path[4300];
    snprintf(folder, sizeof(folder), "weft-%s", s->name);
    TRY(validation_try(s));
    TRY(compute(s, o, folder, false));
    summary_study(stdout, s);
    TRY(validation_record(s, path));
    printf("\nkept in %s\n", path);
    return WEFT_OK;
}

typedef weft_status study_work(struct study *s, struct cli_options *o);

static weft_status load_and(study_work *work, const char *name, struct cli_options *o)
{
    struct study s;
    TRY(study_load(name, o->full ? STUDY_FULL : STUDY_SMALL, &s));
    weft_status status = work(&s, o);
    study_fini(&s);
    return status;
}

/* Of several studies, the first runs once nothing is wrong with the last. */
static weft_status each_named(study_work *work, struct cli_options *o)
{
    for (unsigned i = 1; i < o->names && o->names > 2; i++)
        TRY(load_and(try_study, o->name[i], o));
    for (unsigned i = 1; i < o->names; i++)
        TRY(load_and(work, o->name[i], o));
    return WEFT_OK;
}

/* Checks some studies, or all. Ends with the number of claims by verdict, and fails if one is worse
 * than its study says. */
static weft_status check_studies(struct cli_options *o)
{
    char **names = NULL;
    size_t count = o->names > 1 ? 0 : data_list("studies", &names);
    weft_status status = each_named(check_study, o);
    for (size_t i = 0; i < count && status == WEFT_OK; i++) {
        if (i)
            putchar('\n');
        status = load_and(check_study, names[i], o);
    }
    free_names(names, count);
    if (status != WEFT_OK)
        return status;
    putchar('\n');
    summary_verdicts(stdout, verdicts);
    o->exit_code = verdicts[VERDICT_MISSED] || verdicts[VERDICT_UNSTEADY];
    return WEFT_OK;
}

/* Studies are recorded in their papers' sizes. */
static weft_status record_studies(struct cli_options *o)
{
    o->full = true;
    if (o->sets)
        return BAD_INPUT(NULL, ("what is kept is the study as it is"), ("remove -s"));
    return each_named(record_study, o);
}

/* ---- list, report ---- */

static weft_status list_studies(void)
{
    char **names, text[300];
    size_t count = data_list("studies", &names);
    weft_status status = WEFT_OK;
    for (size_t i = 0; i < count; i++) {
        struct study s;
        weft_status loaded = study_load(names[i], STUDY_SMALL, &s);
        if (loaded != WEFT_OK) { /* of the others there is something to list */
            status = loaded;
            continue;
        }
        snprintf(text, sizeof(text), s.source[0] ? "%s (%s)" : "%s", s.title, s.source);
        cli_list(names[i], text);
        study_fini(&s);
    }
    free_names(names, count);
    return status;
}

static weft_status report_studies(void)
{
    char **names;
    size_t count = data_list("studies", &names);
    weft_status status = validation_report(stdout, names, count);
    free_names(names, count);
    return status;
}

/* A verb that is none, or without the names that it needs, or with names that it has no use for. */
static weft_status refuse_form(const char *verb, bool named)
{
    struct suggestion suggestion = suggestion_for(verb);
    for (const char *const *known = cli_study_verbs; *known; known++) {
        suggestion_offer(&suggestion, *known);
        if (strcmp(verb, *known) == 0)
            return named
                       ? BAD_INPUT(NULL, ("`weft study %s` takes no names", verb), ("use it alone"))
                       : BAD_INPUT(NULL, ("`weft study %s` needs the name of a study", verb),
                                   ("`weft study list` lists them"));
    }
    return suggestion_remedy(
        &suggestion,
        BAD_INPUT(NULL,
                  ("`weft study` %s%.60s%s", *verb ? "has no '" : "alone does nothing", verb,
                   *verb ? "'" : ""),
                  ("use weft study list, run NAME..., check [NAME...], record NAME... or report")));
}

weft_status cmd_study(struct cli_options *o)
{
    const char *verb = o->names ? o->name[0] : "";
    bool named = o->names > 1;
    if (strcmp(verb, "check") == 0)
        return check_studies(o);
    if (strcmp(verb, "run") == 0 && named)
        return each_named(run_study, o);
    if (strcmp(verb, "record") == 0 && named)
        return record_studies(o);
    if (strcmp(verb, "list") == 0 && !named)
        return list_studies();
    return strcmp(verb, "report") == 0 && !named ? report_studies() : refuse_form(verb, named);
}
