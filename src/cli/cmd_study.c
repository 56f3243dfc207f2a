/* weft study: the papers' results, rerun and compared. */
#define _GNU_SOURCE
#include "cli/cli.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "config/data.h"
#include "base/memory.h"
#include "base/text/suggest.h"
#include "report/picture/picture.h"
#include "report/text/tables.h"

static weft_status refuse(const void *study, const char *option, const char *key)
{
    return study_refuse(study, option, key);
}

/* The configurations of all runs, before the first one starts. */
static weft_status configure(const struct study *s, const struct cli_options *o,
                             struct batch_item *item)
{
    weft_status status = WEFT_OK;
    for (size_t i = 0; i < study_runs(s); i++) {
        struct study_run run = study_run_at(s, i);
        const char *curve = s->curve[run.curve].name, *point = s->point[run.point].name;
        int at = snprintf(item[i].name, sizeof(item->name), "%s%s%s", curve,
                          *curve && *point ? ", " : "", point);
        if (s->seeds)
            snprintf(item[i].name + at, sizeof(item->name) - (size_t)at, ", seed %zu",
                     run.seed + 1);
        if (status != WEFT_OK) {
            machine_init(&item[i].config);
            continue;
        }
        status = study_config(s, run, o->machine, &item[i].config);
        if (status == WEFT_OK)
            status = cli_apply(o, &item[i].config);
        const struct run_params *params = config_section(&item[i].config, &run_section);
        if (status == WEFT_OK && s->seeds && params->seed != run.seed + 1)
            status = BAD_INPUT("run.seed", ("the study has seeds of its own"), ("remove --seed"));
        if (status == WEFT_OK)
            status = machine_finish(&item[i].config);
    }
    return status == WEFT_OK ? study_check(s, item) : status;
}

/* Its runs, once nothing is wrong with any of them. */
static weft_status prepare(const struct study *s, const struct cli_options *o,
                           struct batch_item **item)
{
    *item = memory_alloc(study_runs(s), sizeof(**item));
    TRY(cli_refuse_settings(o, refuse, s));
    return configure(s, o, *item);
}

static void release(const struct study *s, struct batch_item *item)
{
    for (size_t i = 0; i < study_runs(s); i++)
        config_fini(&item[i].config);
    free(item);
}

/* Of several studies, the first runs once nothing is wrong with the last. */
static weft_status check_named(const struct cli_options *o)
{
    struct study s;
    struct batch_item *item;
    weft_status status = WEFT_OK;
    for (unsigned i = 1; i < o->names && o->names > 2 && status == WEFT_OK; i++) {
        status = study_load(o->name[i], o->full ? STUDY_FULL : STUDY_SMALL, &s);
        if (status != WEFT_OK)
            break;
        status = prepare(&s, o, &item);
        release(&s, item);
        study_fini(&s);
    }
    return status;
}

/* Runs a study in a folder and judges it. */
static weft_status compute(struct study *s, const struct cli_options *o, const char *folder,
                           bool in_passing)
{
    size_t resumed;
    struct batch_item *item;
    struct cli_batch batch = {o, s->name, folder, .in_passing = in_passing};
    weft_status status = prepare(s, o, &item);
    if (status == WEFT_OK)
        status = cli_batch(&batch, item, study_runs(s), &resumed);
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
    const char *given = getenv("TMPDIR"), *place = given && *given ? given : "/tmp";
    char folder[4000];
    errno = ENAMETOOLONG; /* of the first reason */
    if (snprintf(folder, sizeof(folder), "%s/weft-check-XXXXXX", place) >= (int)sizeof(folder) ||
        !mkdtemp(folder))
        return BAD_PLACE(("%.900s", place), ("%s", strerror(errno)),
                         ("make room there, or set TMPDIR to another folder"));
    weft_status status = compute(s, o, folder, true);
    remove_folder(folder);
    return status;
}

static weft_status execute_study(const char *name, const struct cli_options *o, bool picture,
                                 size_t verdicts[VERDICTS])
{
    struct study s;
    struct plot plot;
    char folder[128];
    TRY(study_load(name, o->full ? STUDY_FULL : STUDY_SMALL, &s));
    weft_status status = WEFT_OK;
    snprintf(folder, sizeof(folder), "weft-%s", s.name);
    if (picture)
        status = plot_try_csv(s.name);
    if (status == WEFT_OK && picture)
        status = plot_try_picture(s.name);
    if (status == WEFT_OK)
        status = picture ? compute(&s, o, folder, false) : compute_in_passing(&s, o);
    if (status == WEFT_OK) {
        summary_study(stdout, &s);
        study_count(&s, verdicts);
    }
    if (status == WEFT_OK && picture)
        status = plot_study(&s, &plot);
    if (status == WEFT_OK && picture && !o->quiet)
        cli_say_files(&plot, 1, plot.csv, folder);
    study_fini(&s);
    return status;
}

static weft_status list_studies(void)
{
    char **names;
    size_t count = data_list("studies", &names);
    weft_status status = WEFT_OK;
    for (size_t i = 0; i < count; i++) {
        struct study s;
        weft_status loaded = study_load(names[i], STUDY_SMALL, &s);
        if (loaded == WEFT_OK) {
            char text[300];
            snprintf(text, sizeof(text), "%s%s%s%s", s.title, s.source[0] ? " (" : "", s.source,
                     s.source[0] ? ")" : "");
            cli_list(names[i], text);
            study_fini(&s);
        } else {
            status = loaded;
        }
        free(names[i]);
    }
    free(names);
    return status;
}

/* Runs studies in their papers' sizes and keeps their figures for the report. */
static weft_status record_study(const char *name, const struct cli_options *o)
{
    struct study s;
    char folder[128], path[4300];
    TRY(study_load(name, STUDY_FULL, &s));
    snprintf(folder, sizeof(folder), "weft-%s", s.name);
    weft_status status = validation_try(&s);
    if (status == WEFT_OK)
        status = compute(&s, o, folder, false);
    if (status == WEFT_OK) {
        summary_study(stdout, &s);
        if ((status = validation_record(&s, path)) == WEFT_OK)
            printf("\nkept in %s\n", path);
    }
    study_fini(&s);
    return status;
}

static weft_status report_studies(void)
{
    char **names;
    size_t count = data_list("studies", &names);
    weft_status status = validation_report(stdout, names, count);
    for (size_t i = 0; i < count; i++)
        free(names[i]);
    free(names);
    return status;
}

/* Runs or checks the studies that are named; `weft study check` alone: all of them. */
static weft_status execute_studies(const struct cli_options *o, bool picture,
                                   size_t verdicts[VERDICTS])
{
    weft_status status = check_named(o);
    char **names = NULL;
    size_t count = o->names > 1 ? o->names - 1 : data_list("studies", &names);
    for (size_t i = 0; i < count; i++) {
        if (status == WEFT_OK)
            status = execute_study(names ? names[i] : o->name[i + 1], o, picture, verdicts);
        if (status == WEFT_OK && names && i + 1 < count)
            putchar('\n');
        if (names)
            free(names[i]);
    }
    free(names);
    return status;
}

static weft_status record_studies(struct cli_options *o)
{
    o->full = true;
    if (o->sets)
        return BAD_INPUT(NULL, ("what is kept is the study as it is"), ("remove -s"));
    weft_status status = check_named(o);
    for (unsigned i = 1; i < o->names && status == WEFT_OK; i++)
        status = record_study(o->name[i], o);
    return status;
}

/* A check ends with the number of claims by verdict, and fails if one is worse than its study says.
 */
static bool conclude_check(const size_t verdicts[VERDICTS])
{
    putchar('\n');
    summary_verdicts(stdout, verdicts);
    return !verdicts[VERDICT_MISSED] && !verdicts[VERDICT_UNSTEADY];
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

int cmd_study(int argc, char **argv)
{
    struct cli_options o;
    size_t verdicts[VERDICTS] = {0};
    bool good = true;
    weft_status status = cli_parse(argc, argv, "study", &o);
    if (status != WEFT_OK)
        return cli_fail(status);
    const char *verb = o.names ? o.name[0] : "";
    bool check = strcmp(verb, "check") == 0, named = o.names > 1;
    if (strcmp(verb, "list") == 0 && !named)
        status = list_studies();
    else if (check || (strcmp(verb, "run") == 0 && named))
        status = execute_studies(&o, !check, verdicts);
    else if (strcmp(verb, "record") == 0 && named)
        status = record_studies(&o);
    else if (strcmp(verb, "report") == 0 && !named)
        status = report_studies();
    else
        status = refuse_form(verb, named);
    if (status != WEFT_OK)
        return cli_fail(status);
    if (check)
        good = conclude_check(verdicts);
    return good ? 0 : 1;
}
