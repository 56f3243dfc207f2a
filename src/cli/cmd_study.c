/* weft study: the papers' results, rerun and compared. */
#include "cli/cli.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/plot.h"
#include "report/summary.h"

/* Names of all studies; the caller frees each and the list. */
static int list_names(char ***names)
{
    char folder[4200];
    struct dirent **entry;
    snprintf(folder, sizeof(folder), "%s/studies", config_data_folder());
    int count = scandir(folder, &entry, NULL, alphasort), kept = 0;
    *names = calloc(count > 0 ? (size_t)count : 1, sizeof(**names));
    for (int i = 0; i < count; i++) {
        char *dot = strrchr(entry[i]->d_name, '.');
        if (dot && strcmp(dot, ".yaml") == 0 && dot != entry[i]->d_name && *names) {
            *dot = '\0';
            (*names)[kept++] = strdup(entry[i]->d_name);
        }
        free(entry[i]);
    }
    if (count >= 0)
        free(entry);
    return kept;
}

static weft_status execute_run(struct study *s, size_t index, const struct cli_options *o)
{
    struct config config;
    struct run_result result;
    weft_status status = study_config(s, index, o->machine, &config);
    for (unsigned i = 0; i < o->sets && status == WEFT_OK; i++)
        status = config_override(&config, o->set[i]);
    if (status == WEFT_OK)
        status = config_finish(&config);
    if (status == WEFT_OK) {
        struct run_options options = cli_run_options(o, s->run[index].name);
        status = run_config(&config, &options, &result);
        cli_progress_end();
        bool filled = status == WEFT_OK || result.deadlock;
        if (status == WEFT_OK)
            status = study_metric(&result, s->metric, &s->run[index].measured);
        s->run[index].done = status == WEFT_OK;
        if (filled)
            run_result_fini(&result);
    }
    config_fini(&config);
    return status;
}

static weft_status execute_study(const char *name, const struct cli_options *o, bool picture,
                                 bool *missed)
{
    struct study s;
    char plot[128];
    weft_status status = study_load(name, &s);
    if (status != WEFT_OK)
        return status;
    status = study_check(&s, o->machine);
    if (status != WEFT_OK) {
        study_fini(&s);
        return status;
    }
    printf("%s\n\n", s.title[0] ? s.title : s.name);
    summary_study_head(stdout, &s);
    for (size_t i = 0; i < s.runs && status == WEFT_OK; i++) {
        status = execute_run(&s, i, o);
        if (status != WEFT_OK)
            break;
        summary_study_row(stdout, &s, &s.run[i]);
        fflush(stdout);
        *missed |= strcmp(study_verdict(&s.run[i]), "MISSED") == 0;
    }
    if (status == WEFT_OK && picture && (status = plot_study(&s, plot)) == WEFT_OK) {
        if (plot[0])
            printf("\nplot: %s, data: weft-%s.csv\n", plot, s.name);
        else
            printf("\ndata: weft-%s.csv (no plot: gnuplot is missing or failed)\n", s.name);
    }
    study_fini(&s);
    return status;
}

static weft_status list_studies(void)
{
    char **names;
    int count = list_names(&names);
    weft_status status = WEFT_OK;
    for (int i = 0; i < count; i++) {
        struct study s;
        weft_status loaded = study_load(names[i], &s);
        if (loaded == WEFT_OK) {
            printf("%-20s %s\n", names[i], s.title);
            study_fini(&s);
        } else {
            status = loaded;
        }
        free(names[i]);
    }
    free(names);
    return status;
}

int cmd_study(int argc, char **argv)
{
    struct cli_options o;
    bool missed = false;
    weft_status status = cli_parse(argc, argv, &o);
    const char *verb = status == WEFT_OK && o.names ? o.name[0] : "";
    if (status == WEFT_OK && o.output)
        status = weft_fail(WEFT_BAD_INPUT, "-o is for `weft run`; a study writes weft-NAME.csv");
    else if (status == WEFT_OK && strcmp(verb, "list") == 0 && o.names == 1)
        status = list_studies();
    else if (status == WEFT_OK && strcmp(verb, "check") == 0 && o.names == 1) {
        char **names;
        int count = list_names(&names);
        for (int i = 0; i < count; i++) {
            if (status == WEFT_OK)
                status = execute_study(names[i], &o, false, &missed);
            free(names[i]);
        }
        free(names);
    } else if (status == WEFT_OK && o.names > 1 &&
               (strcmp(verb, "run") == 0 || strcmp(verb, "check") == 0)) {
        for (unsigned i = 1; i < o.names && status == WEFT_OK; i++)
            status = execute_study(o.name[i], &o, verb[0] == 'r', &missed);
    } else if (status == WEFT_OK) {
        status = weft_fail(WEFT_BAD_INPUT, "use weft study list, run NAME... or check [NAME...]");
    }
    if (status != WEFT_OK)
        return cli_fail(status);
    return missed && verb[0] == 'c' ? 1 : 0;
}
