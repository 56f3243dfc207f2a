/* Names of figures, as the table has them (machine/figures.h). */
#include "study/study.h"

#include <stdio.h>
#include <string.h>

#include "base/text/suggest.h"
#include "base/text/text.h"
#include "machine/figures.h"

/* Keys whose last word says too little. */
static const struct {
    const char *name, *phrase, *unit;
} key_rows[] = {
    {"workload.load", "offered load", "share of the bound"},
    {"workload.packet_bytes", "packet size", "bytes"},
    {"workload.message_bytes", "message size", "bytes"},
    {"machine.dims", "machine size", ""},
    {"machine.nodes", "nodes", ""},
    {"machine.graph", "graph", ""},
    {"run.seed", "seed", ""},
    {"jobs.load", "load", "share of the machine"},
    {"machine.link.bit_error_rate", "bit error rate", "errors per bit"},
};
enum { KEY_ROWS = sizeof(key_rows) / sizeof(key_rows[0]) };

const char *metric_name(size_t *at)
{
    while (*at < figure_count) {
        const struct result_figure *f = &figures[(*at)++];
        if (figure_is_number(f) && f->runs != RUNS_PARTS && !strchr(f->name, '*'))
            return f->name;
    }
    return NULL;
}

/* A figure of one of several workloads, "parts.part_1.response_cycles.mean": what it is of that
 * part, and its number; of others, the name itself, and 0. */
static const char *of_workload_part(const char *name, unsigned *number)
{
    int length = 0;
    *number = 0;
    if (sscanf(name, "parts.part_%4u.%n", number, &length) == 1 && length > 0)
        return name + length;
    *number = 0;
    return name;
}

/* The row of a figure, and of which part it is, as above; NULL: no result has it. */
static const struct result_figure *find(const char *name, unsigned *workload_part)
{
    const struct result_figure *f = figure_find(of_workload_part(name, workload_part));
    return f && figure_is_number(f) && (*workload_part || f->runs != RUNS_PARTS) ? f : NULL;
}

bool metric_is_known(const char *name)
{
    unsigned workload_part;
    return find(name, &workload_part) != NULL;
}

/* The first figures of a group, "response_cycles.mean, response_cycles.p50"; 0: it is none. */
static size_t list_members(const char *group, char *list, size_t size)
{
    enum { SHOWN = 3 };
    size_t members = 0, length = 0;
    const char *known, *rest;
    for (size_t at = 0; (known = metric_name(&at)) && members < SHOWN;)
        if ((rest = text_behind(known, group)) && *rest == '.')
            length = text_append(list, size, length, "%s%s", members++ ? ", " : "", known);
    return members;
}

static weft_status refuse_unknown(const char *name, unsigned kinds)
{
    struct suggestion suggestion = suggestion_for(name);
    const char *known;
    char members[200];
    if (list_members(name, members, sizeof(members)))
        return BAD_PLACE(("--metric %.60s", name), ("it has several figures"),
                         ("use one of %s", members));
    for (size_t at = 0; (known = metric_name(&at));)
        if (!figures[at - 1].runs || (figures[at - 1].runs & kinds))
            suggestion_offer(&suggestion, known);
    if ((kinds & RUNS_PROGRAM) && !suggestion.best[0])
        return WEFT_OK;
    return suggestion_remedy(&suggestion,
                             BAD_PLACE(("--metric %.60s", name), ("results have no such number"),
                                       ("use one in the result file, such as link_utilisation or "
                                        "response_cycles.mean")));
}

weft_status metric_check(const char *name, unsigned kinds)
{
    static const struct result_figure of_workload_parts = {.runs = RUNS_PARTS};
    unsigned workload_part;
    const struct result_figure *f = find(name, &workload_part);
    if (!f)
        return refuse_unknown(name, kinds);
    f = workload_part ? &of_workload_parts : f;
    if (!f->runs || (f->runs & kinds))
        return WEFT_OK;
    const struct run_kind_text *text = figure_runs(f);
    return BAD_PLACE(("--metric %.60s", name), ("only %s have this figure", text->runs),
                     ("%s", text->remedy));
}

/* ---- labels ---- */

/* Endings of names that say a unit; `whole`: they are part of what it is called, too. */
static const struct ending {
    const char *end, *unit;
    bool whole;
} endings[] = {
    {"_bytes_per_second", "B/s", false},
    {"_cycles", "cycles", false},
    {"_seconds", "s", false},
    {"_bytes", "bytes", false},
    {"_share", "share", true},
    {"_utilisation", "share of time", true},
};

/* The unit that a name ends in; NULL: none. *letters: how long the name is without it. */
static const char *unit_of(const char *name, size_t *letters)
{
    *letters = strlen(name);
    for (size_t i = 0; i < sizeof(endings) / sizeof(endings[0]); i++)
        if (text_ends(name, endings[i].end)) {
            *letters -= endings[i].whole ? 0 : strlen(endings[i].end);
            return endings[i].unit;
        }
    return NULL;
}

/* A name as words. */
static void spell(const char *name, size_t letters, struct metric_text *text)
{
    snprintf(text->phrase, METRIC_LABEL, "%.*s", (int)letters, name);
    for (char *c = text->phrase; *c; c++)
        *c = *c == '_' ? ' ' : *c;
}

static void add_unit(const char *unit, struct metric_text *text)
{
    if (unit && unit[0])
        snprintf(text->label, METRIC_LABEL, "%.60s (%.30s)", text->phrase, unit);
    else
        snprintf(text->label, METRIC_LABEL, "%.90s", text->phrase);
}

void metric_describe(const char *name, struct metric_text *text)
{
    unsigned workload_part;
    const struct result_figure *f = find(name, &workload_part);
    const char *figure = of_workload_part(name, &workload_part);
    size_t letters;
    const char *unit = unit_of(figure, &letters);
    if (f && f->unit) {
        unit = f->unit;
        letters = strlen(figure);
    }
    spell(figure, letters, text);
    if (f && f->words)
        snprintf(text->phrase, METRIC_LABEL, "%s", f->words);
    if (workload_part)
        text_append(text->phrase, METRIC_LABEL, strlen(text->phrase), " of part %u", workload_part);
    add_unit(unit, text);
}

void metric_describe_key(const char *key, const char *unit, struct metric_text *text)
{
    const char *dot = strrchr(key, '.'), *last = dot ? dot + 1 : key;
    size_t row = 0, letters;
    unit_of(last, &letters);
    spell(last, letters, text);
    while (row < KEY_ROWS && strcmp(key_rows[row].name, key) != 0)
        row++;
    if (row < KEY_ROWS)
        snprintf(text->phrase, METRIC_LABEL, "%s", key_rows[row].phrase);
    add_unit(row < KEY_ROWS ? key_rows[row].unit : unit, text);
}

/* ---- what goes with a figure ---- */

const char *metric_interval(const char *name)
{
    return strcmp(name, "response_cycles.mean") == 0 ? "response_cycles.mean_95_half_width" : NULL;
}

bool metric_needs_steady(const char *name)
{
    return strstr(name, "response_cycles") || strstr(name, "source_queueing_cycles") ||
           strstr(name, "network_cycles");
}
