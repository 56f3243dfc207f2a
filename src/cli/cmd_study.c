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
#include "report/summary.h"
#include "report/validation.h"

/* The configurations of all runs, before the first one starts. */
static weft_status configure(const struct study *s, const struct cli_options *o,
                             struct batch_item *item)
{
    enum study_size size = o->full ? STUDY_FULL : STUDY_SMALL;
    weft_status status = WEFT_OK;
    for (size_t c = 0; c < s->curves; c++)
        for (size_t p = 0; p < s->points; p++) {
            struct config *config = &item[c * s->points + p].config;
            snprintf(item[c * s->points + p].name, sizeof(item->name), "%s%s%s", s->curve[c].name,
                     *s->curve[c].name && *s->point[p].name ? ", " : "", s->point[p].name);
            if (status != WEFT_OK) {
                machine_init(config);
                continue;
            }
            status = study_config(s, size, c, p, o->machine, config);
            if (status == WEFT_OK)
                status = cli_apply(o, config);
            if (status == WEFT_OK)
                status = machine_finish(config);
        }
    return status;
}

/* Runs a study in a folder and judges it. */
static weft_status compute(struct study *s, const struct cli_options *o, const char *folder,
                           bool in_passing)
{
    size_t resumed;
    struct batch_item *item = memory_alloc(s->curves * s->points, sizeof(*item));
    weft_status status = cli_batch(s, item, configure(s, o, item), o, folder, in_passing, &resumed);
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
                                 bool *missed)
{
    struct study s;
    char folder[128];
    weft_status status = study_load(name, o->full ? STUDY_FULL : STUDY_SMALL, &s);
    if (status != WEFT_OK)
        return status;
    snprintf(folder, sizeof(folder), "weft-%s", s.name);
    status = picture ? compute(&s, o, folder, false) : compute_in_passing(&s, o);
    if (status == WEFT_OK) {
        summary_study(stdout, &s);
        *missed |= study_missed(&s);
    }
    if (status == WEFT_OK && picture)
        status = cli_plot(&s, o, folder);
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
            printf("%-20s %s%s%s%s\n", names[i], s.title, s.source[0] ? " (" : "", s.source,
                   s.source[0] ? ")" : "");
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
    weft_status status = study_load(name, STUDY_FULL, &s);
    if (status != WEFT_OK)
        return status;
    snprintf(folder, sizeof(folder), "weft-%s", s.name);
    if ((status = compute(&s, o, folder, false)) == WEFT_OK) {
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

int cmd_study(int argc, char **argv)
{
    struct cli_options o;
    bool missed = false;
    weft_status status = cli_parse(argc, argv, "study", &o);
    const char *verb = status == WEFT_OK && o.names ? o.name[0] : "";
    if (status == WEFT_OK && strcmp(verb, "list") == 0 && o.names == 1)
        status = list_studies();
    else if (status == WEFT_OK && strcmp(verb, "check") == 0 && o.names == 1) {
        char **names;
        size_t count = data_list("studies", &names);
        for (size_t i = 0; i < count; i++) {
            if (status == WEFT_OK)
                status = execute_study(names[i], &o, false, &missed);
            if (status == WEFT_OK && i + 1 < count)
                putchar('\n');
            free(names[i]);
        }
        free(names);
    } else if (status == WEFT_OK && o.names > 1 &&
               (strcmp(verb, "run") == 0 || strcmp(verb, "check") == 0)) {
        for (unsigned i = 1; i < o.names && status == WEFT_OK; i++)
            status = execute_study(o.name[i], &o, verb[0] == 'r', &missed);
    } else if (status == WEFT_OK && o.names > 1 && strcmp(verb, "record") == 0) {
        o.full = true;
        if (o.sets)
            status = BAD_INPUT(NULL, ("what is kept is the study as it is"), ("remove -s"));
        for (unsigned i = 1; i < o.names && status == WEFT_OK; i++)
            status = record_study(o.name[i], &o);
    } else if (status == WEFT_OK && strcmp(verb, "report") == 0 && o.names == 1) {
        status = report_studies();
    } else if (status == WEFT_OK) {
        status = BAD_INPUT(
            NULL, ("`weft study` has no such form"),
            ("use weft study list, run NAME..., check [NAME...], record NAME... or report"));
    }
    if (status != WEFT_OK)
        return cli_fail(status);
    return missed && verb[0] == 'c' ? 1 : 0;
}
