/* Rows by their names, and values by rows. */
#include "machine/figures.h"

#include <string.h>

const struct run_kind_text run_kind_texts[] = {
    {RUNS_ALL, "", ""},
    {RUNS_TRAFFIC, "runs of traffic", "name another by --metric, as `weft run` prints them"},
    {RUNS_DETAIL, "runs with run.detail", "add -s run.detail=true"},
    {RUNS_MESSAGES, "runs of messages", "use a figure of packets, such as response_cycles.mean"},
    {RUNS_PARTS, "runs of several workloads", "use a figure of the whole run"},
    {RUNS_JOBS, "runs of jobs and views", "use a figure of traffic, such as link_utilisation"},
    {RUNS_SURVEY, "surveys (-w survey)", "use a figure of traffic, such as link_utilisation"},
};
const size_t run_kind_count = sizeof(run_kind_texts) / sizeof(run_kind_texts[0]);

static bool matches(const struct result_figure *f, const char *name)
{
    size_t length = strlen(f->name);
    if (f->name[length - 1] != '*')
        return strcmp(f->name, name) == 0;
    return strncmp(f->name, name, length - 1) == 0 && name[length - 1];
}

const struct result_figure *figure_find(const char *name)
{
    for (size_t i = 0; i < figure_count; i++)
        if (matches(&figures[i], name))
            return &figures[i];
    return NULL;
}

uint64_t figure_counted(const struct result_figure *f, const struct run_result *r)
{
    const char *at = (const char *)r + f->at;
    switch (f->form) {
    case FIGURE_U32:
        return *(const uint32_t *)at;
    case FIGURE_U64:
        return *(const uint64_t *)at;
    default:
        return histogram_quantile((const struct histogram *)at,
                                  f->form == FIGURE_MEDIAN ? 0.5 : 0.99);
    }
}

bool figure_value(const struct result_figure *f, const struct run_result *r, double *value)
{
    if (f->present && !f->present(r))
        return false;
    if (f->form == FIGURE_ADDED)
        *value = run_result_figure(r, f->name);
    else if (f->form == FIGURE_REAL)
        *value = *(const double *)((const char *)r + f->at);
    else
        *value = (double)figure_counted(f, r);
    return *value >= 0;
}

const char *figure_help(const struct result_figure *f)
{
    while (!f->help)
        f--;
    return f->help;
}

const struct run_kind_text *figure_runs(const struct result_figure *f)
{
    const struct run_kind_text *text = run_kind_texts;
    while (f->runs && !(text->kind & f->runs))
        text++;
    return text;
}
