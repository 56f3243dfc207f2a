/* Reading studies and judging their runs. */
#define _GNU_SOURCE
#include "study/study.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"

/* The rest of a path behind "runs.N."; NULL if it is no such path. */
static const char *run_path(const char *path, size_t *index)
{
    char *end;
    if (strncmp(path, "runs.", 5) != 0)
        return NULL;
    unsigned long value = strtoul(path + 5, &end, 10);
    if (end == path + 5 || *end != '.')
        return NULL;
    *index = value;
    return end + 1;
}

static weft_status read_number(const struct study *s, const struct yaml_entry *e, double *value)
{
    char *end;
    *value = strtod(e->value, &end);
    if (end == e->value || *end || !isfinite(*value))
        return yaml_fail(&s->yaml, e, "'%s' is no number; use one", e->value);
    return WEFT_OK;
}

static weft_status read_bool(const struct study *s, const struct yaml_entry *e, bool *value)
{
    if (strcmp(e->value, "true") != 0 && strcmp(e->value, "false") != 0)
        return yaml_fail(&s->yaml, e, "'%.60s' is neither true nor false; use one of them",
                         e->value);
    *value = e->value[0] == 't';
    return WEFT_OK;
}

static weft_status read_run_entry(struct study *s, const struct yaml_entry *e)
{
    size_t index;
    const char *key = run_path(e->path, &index);
    if (!key || index >= STUDY_RUNS_MAX)
        return yaml_fail(&s->yaml, e, "'%s' is no run; write a list of at most %d runs", e->path,
                         STUDY_RUNS_MAX);
    if (index >= s->runs) {
        s->run = weft_grow(s->run, index + 1, sizeof(*s->run));
        memset(s->run + s->runs, 0, (index + 1 - s->runs) * sizeof(*s->run));
        s->runs = index + 1;
    }
    struct study_run *r = &s->run[index];
    if (strncmp(key, "set.", 4) == 0)
        return WEFT_OK;
    if (strcmp(key, "x") == 0)
        return read_number(s, e, &r->x);
    if (strcmp(key, "paper.value") == 0) {
        r->has_paper = true;
        return read_number(s, e, &r->paper_value);
    }
    if (strcmp(key, "paper.tolerance") == 0)
        return read_number(s, e, &r->paper_tolerance);
    if (strcmp(key, "name") == 0)
        snprintf(r->name, sizeof(r->name), "%s", e->value);
    else if (strcmp(key, "paper.text") == 0)
        snprintf(r->paper_text, sizeof(r->paper_text), "%s", e->value);
    else if (strcmp(key, "paper.claim") == 0)
        snprintf(r->claim, sizeof(r->claim), "%s", e->value);
    else
        return yaml_fail(&s->yaml, e,
                         "unknown key '%s' of a run; use name, x, set and paper (text, value, "
                         "tolerance, claim)",
                         key);
    return WEFT_OK;
}

static weft_status read_plot_entry(struct study *s, const struct yaml_entry *e)
{
    const char *key = e->path + strlen("plot.");
    if (strcmp(key, "metric") == 0)
        snprintf(s->metric, sizeof(s->metric), "%s", e->value);
    else if (strcmp(key, "x") == 0)
        snprintf(s->x_label, sizeof(s->x_label), "%s", e->value);
    else if (strcmp(key, "y") == 0)
        snprintf(s->y_label, sizeof(s->y_label), "%s", e->value);
    else if (strcmp(key, "log_x") == 0)
        return read_bool(s, e, &s->log_x);
    else
        return yaml_fail(&s->yaml, e, "unknown key '%s'; use plot.metric, x, y or log_x", e->path);
    return WEFT_OK;
}

static weft_status read_entry(struct study *s, const struct yaml_entry *e)
{
    if (strncmp(e->path, "runs.", 5) == 0)
        return read_run_entry(s, e);
    if (strncmp(e->path, "plot.", 5) == 0)
        return read_plot_entry(s, e);
    if (strcmp(e->path, "runs") == 0)
        return yaml_fail(&s->yaml, e, "'runs' is no list; write '- name: ...' below it");
    if (strcmp(e->path, "title") == 0)
        snprintf(s->title, sizeof(s->title), "%s", e->value);
    return WEFT_OK;
}

weft_status study_load(const char *name, struct study *s)
{
    char path[4200];
    config_find("studies", name, path, sizeof(path));
    if (access(path, F_OK) != 0 && !strchr(name, '/'))
        return weft_fail(WEFT_BAD_INPUT,
                         "study '%s' is not known; `weft study list` lists those there are", name);
    *s = (struct study){.metric = "fraction_of_peak"};
    weft_status status = yaml_load(path, &s->yaml);
    if (status != WEFT_OK)
        return status;
    const char *base = strrchr(path, '/');
    snprintf(s->name, sizeof(s->name), "%.*s", (int)strcspn(base ? base + 1 : path, "."),
             base ? base + 1 : path);
    for (size_t i = 0; i < s->yaml.entries && status == WEFT_OK; i++)
        status = read_entry(s, &s->yaml.entry[i]);
    if (status != WEFT_OK)
        study_fini(s);
    return status;
}

weft_status study_check(const struct study *s, const char *machine)
{
    struct run_result none = {.cycles = 0};
    double value;
    if (s->runs == 0)
        return weft_fail(WEFT_BAD_INPUT, "%s:1:1: the study has no runs; list them under 'runs:'",
                         s->yaml.file);
    weft_status status = study_metric(&none, s->metric, &value);
    for (size_t i = 0; i < s->runs && status == WEFT_OK; i++) {
        struct config config;
        status = study_config(s, i, machine, &config);
        config_fini(&config);
    }
    return status;
}

void study_fini(struct study *s)
{
    free(s->run);
    yaml_fini(&s->yaml);
    s->run = NULL;
}

weft_status study_config(const struct study *s, size_t index, const char *machine,
                         struct config *config)
{
    config_init(config);
    weft_status status = config_study(config, &s->yaml, machine);
    for (size_t i = 0; i < s->yaml.entries && status == WEFT_OK; i++) {
        const char *path = s->yaml.entry[i].path;
        size_t run;
        const char *key = run_path(path, &run);
        if (key && run == index && strncmp(key, "set.", 4) == 0)
            status = config_entry(config, &s->yaml, &i, (size_t)(key + 4 - path));
    }
    return status;
}

weft_status study_metric(const struct run_result *r, const char *name, double *value)
{
    const struct {
        const char *name;
        double value;
    } metrics[] = {
        {"fraction_of_peak", r->fraction_of_peak},
        {"link_utilisation", r->link_utilisation},
        {"payload_utilisation", r->payload_utilisation},
        {"hot_link_utilisation", r->hot_link_utilisation},
        {"response_mean", r->response_mean},
        {"one_way_cycles", r->one_way_cycles},
        {"unblocking_probability", r->unblocking_probability},
        {"payload_bytes_per_node_second", r->throughput},
        {"cycles", (double)r->cycles},
    };
    for (size_t i = 0; i < sizeof(metrics) / sizeof(metrics[0]); i++)
        if (strcmp(metrics[i].name, name) == 0) {
            *value = metrics[i].value;
            return *value >= 0
                       ? WEFT_OK
                       : weft_fail(WEFT_BAD_INPUT,
                                   "this workload has no %s; choose another plot.metric", name);
        }
    return weft_fail(WEFT_BAD_INPUT,
                     "metric '%.60s' is not known; use fraction_of_peak, link_utilisation, "
                     "payload_utilisation, hot_link_utilisation, response_mean, one_way_cycles, "
                     "unblocking_probability, payload_bytes_per_node_second or cycles",
                     name);
}

const char *study_verdict(const struct study_run *r)
{
    if (!r->has_paper || !r->done)
        return "";
    return fabs(r->measured - r->paper_value) <= r->paper_tolerance ? "ok" : "MISSED";
}
