/* weft sweep: one run for every combination of some keys' values; a table, a CSV and a plot. */
#define _GNU_SOURCE
#include "cli/cli.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "report/summary.h"

enum {
    SWEEP_VALUES_MAX = 64,
    LOG_FROM = 30, /* between the least and the largest value: the plot's axis is logarithmic */
};

/* One --over: a key and its values. */
struct axis {
    char text[1024]; /* cut into the words below */
    const char *key, *value[SWEEP_VALUES_MAX];
    size_t values;
};

static weft_status read_axis(const char *assignment, struct axis *a)
{
    char *at, *word;
    if (snprintf(a->text, sizeof(a->text), "%s", assignment) >= (int)sizeof(a->text))
        return BAD_INPUT(NULL, ("--over %.40s... is too long", assignment), ("use fewer values"));
    at = strchr(a->text, '=');
    *at++ = '\0';
    a->key = a->text;
    a->values = 0;
    if (strcmp(a->key, "workload.parts") == 0)
        return BAD_INPUT(NULL, ("--over workload.parts: its values have semicolons themselves"),
                         ("sweep what parts have in common, as workload.load, or write a study"));
    const char *between = strchr(at, ';') ? ";" : ","; /* some values have commas themselves */
    while ((word = strsep(&at, between))) {
        if (!*word || a->values == SWEEP_VALUES_MAX)
            return BAD_INPUT(NULL, ("--over %.60s is not a list of values", assignment),
                             ("use 1 to %d values, joined by commas, or by semicolons if they have "
                              "commas, without spaces",
                              SWEEP_VALUES_MAX));
        a->value[a->values++] = word;
    }
    return WEFT_OK;
}

/* The first axis is x; every combination of the others is a curve. */
static weft_status shape(struct study *s, const struct axis *axis, unsigned axes)
{
    s->curves = 1;
    for (unsigned a = 1; a < axes; a++)
        s->curves *= axis[a].values;
    if (s->curves > STUDY_CURVES_MAX)
        return BAD_INPUT(NULL, ("%zu curves are too many for one plot", s->curves),
                         ("use at most %d", STUDY_CURVES_MAX));
    for (size_t c = 0; c < s->curves; c++) {
        char *name = s->curve[c].name;
        size_t rest = c, length = 0;
        for (unsigned a = 1; a < axes; rest /= axis[a++].values) {
            const char *key = strrchr(axis[a].key, '.');
            int more = snprintf(name + length, sizeof(s->curve[c].name) - length, "%s%s %s",
                                a > 1 ? ", " : "", key ? key + 1 : axis[a].key,
                                axis[a].value[rest % axis[a].values]);
            length += more > 0 ? (size_t)more : 0;
            if (length >= sizeof(s->curve[c].name))
                length = sizeof(s->curve[c].name) - 1;
        }
        if (axes == 1)
            snprintf(name, sizeof(s->curve[c].name), "Weft");
    }
    s->points = axis[0].values;
    s->point = memory_alloc(s->points, sizeof(*s->point));
    double least = INFINITY, most = 0;
    for (size_t p = 0; p < s->points; p++) {
        snprintf(s->point[p].name, sizeof(s->point[p].name), "%s", axis[0].value[p]);
        s->words |= !number_real(axis[0].value[p], &s->point[p].x);
        least = fmin(least, s->point[p].x);
        most = fmax(most, s->point[p].x);
    }
    for (size_t p = 0; p < s->points && s->words; p++)
        s->point[p].x = (double)p;
    s->log_x = !s->words && least > 0 && most >= LOG_FROM * least;
    s->result = memory_alloc(s->curves * s->points, sizeof(*s->result));
    return WEFT_OK;
}

static weft_status set(struct config *c, const char *key, const char *value)
{
    char place[300];
    snprintf(place, sizeof(place), "--over %.100s=%.100s", key, value);
    return config_set(c, key, value, place);
}

/* The configuration of one combination. */
static weft_status configure(const struct cli_options *o, const struct axis *axis, unsigned axes,
                             size_t curve, size_t point, struct config *c)
{
    struct yaml yaml;
    weft_status status = WEFT_OK;
    machine_init(c);
    if (o->names) {
        status = yaml_load(o->name[0], &yaml);
        if (status == WEFT_OK) {
            status = study_apply(c, &yaml, o->machine);
            yaml_fini(&yaml);
        }
    } else if (o->machine) {
        status = config_machine(c, o->machine);
    } else {
        status = BAD_INPUT(NULL, ("nothing to sweep"), ("name a study or a machine (-m)"));
    }
    if (status == WEFT_OK)
        status = cli_apply(o, c);
    if (status == WEFT_OK)
        status = set(c, axis[0].key, axis[0].value[point]);
    for (unsigned a = 1; a < axes && status == WEFT_OK; curve /= axis[a++].values)
        status = set(c, axis[a].key, axis[a].value[curve % axis[a].values]);
    return status == WEFT_OK ? machine_finish(c) : status;
}

static weft_status sweep(const struct cli_options *o, const struct axis *axis, struct study *s,
                         const char *folder)
{
    size_t items = s->curves * s->points, resumed = 0;
    struct batch_item *item = memory_alloc(items, sizeof(*item));
    weft_status status = WEFT_OK;
    for (size_t i = 0; i < items; i++) {
        size_t curve = i / s->points, point = i % s->points;
        snprintf(item[i].name, sizeof(item[i].name), "%s = %s%s%s", s->over, s->point[point].name,
                 o->overs > 1 ? ", " : "", o->overs > 1 ? s->curve[curve].name : "");
        if (status == WEFT_OK)
            status = configure(o, axis, o->overs, curve, point, &item[i].config);
        else
            machine_init(&item[i].config);
    }
    status = cli_batch(s, item, status, o, folder, false, &resumed);
    if (status == WEFT_OK && resumed && !o->quiet)
        printf("%zu of %zu results were in %s already\n\n", resumed, items, folder);
    return status;
}

static weft_status execute(const struct cli_options *o, const struct axis *axis)
{
    struct study s = {.curves = 0};
    char stem[48], folder[96];
    const char *of = o->names ? o->name[0] : o->machine ? o->machine : "";
    if (o->output)
        snprintf(s.name, sizeof(s.name), "%s", o->output);
    else
        snprintf(s.name, sizeof(s.name), "sweep-%s", text_stem(of, stem, sizeof(stem)));
    snprintf(folder, sizeof(folder), "weft-%s", s.name);
    snprintf(s.metric, sizeof(s.metric), "%s", o->metric ? o->metric : "link_utilisation");
    snprintf(s.title, sizeof(s.title), "%s over %s", s.metric, axis[0].key);
    snprintf(s.over, sizeof(s.over), "%s", axis[0].key);
    snprintf(s.x_label, sizeof(s.x_label), "%s", axis[0].key);
    snprintf(s.y_label, sizeof(s.y_label), "%s", s.metric);
    weft_status status = shape(&s, axis, o->overs);
    if (status == WEFT_OK)
        status = sweep(o, axis, &s, folder);
    if (status == WEFT_OK && !o->quiet)
        summary_study(stdout, &s);
    if (status == WEFT_OK)
        status = cli_plot(&s, o, folder);
    study_fini(&s);
    return status;
}

int cmd_sweep(int argc, char **argv)
{
    static struct axis axis[8];
    struct cli_options o;
    weft_status status = cli_parse(argc, argv, "sweep", &o);
    if (status == WEFT_OK && o.names > 1)
        status = BAD_INPUT(NULL, ("more than one study"), ("`weft sweep` takes one"));
    if (status == WEFT_OK && !o.overs)
        status = BAD_INPUT(NULL, ("nothing to sweep over"),
                           ("add --over KEY=V1,V2,... (`weft keys` lists keys)"));
    if (status == WEFT_OK && o.output &&
        (!o.output[0] || strchr(o.output, '/') || strlen(o.output) > 40))
        status =
            BAD_INPUT(NULL, ("-o %.60s: a sweep writes weft-NAME.csv and others here", o.output),
                      ("use a NAME of at most 40 letters without slashes"));
    for (unsigned i = 0; i < o.overs && status == WEFT_OK; i++)
        status = read_axis(o.over[i], &axis[i]);
    if (status == WEFT_OK)
        status = execute(&o, axis);
    return status == WEFT_OK ? 0 : cli_fail(status);
}
