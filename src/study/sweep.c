/* Axes, combinations, and their configurations. */
#include "study/sweep.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text/number.h"
#include "base/text/text.h"
#include "workload/workload.h"

/* Between the least and the largest value: the axis is logarithmic. */
enum { LOG_FROM = 30 };

/* What is swept over where a load is to be x, if nobody says. */
static const char usual_loads[] = "workload.load=0.1,0.2,0.3,0.4,0.5,0.6,0.7,0.8,0.9,1";

/* ---- the file, and what is x ---- */

static void put_first(struct sweep_request *r, unsigned which)
{
    const char *first = r->over[which];
    memmove(&r->over[1], &r->over[0], which * sizeof(first));
    r->over[0] = first;
}

/* Whether a key says how much is offered. */
static bool is_load(const char *key, size_t length)
{
    static const char end[] = ".load";
    size_t letters = sizeof(end) - 1;
    return length > letters && strncmp(key + length - letters, end, letters) == 0;
}

/* The first load that is swept over, or else workload.load. */
static weft_status put_load_first(struct sweep_request *r)
{
    unsigned load = 0;
    while (load < r->overs && !is_load(r->over[load], strcspn(r->over[load], "=")))
        load++;
    if (load == SWEEP_AXES_MAX)
        return BAD_INPUT(NULL, ("too many keys to sweep over"), ("use one fewer"));
    if (load == r->overs)
        r->over[r->overs++] = usual_loads;
    put_first(r, load);
    return WEFT_OK;
}

/* An option overrides the file: it has the values of that key, which stays x. */
static weft_status choose_x(struct sweep *s)
{
    struct sweep_request *r = &s->request;
    struct study *file = &s->file;
    const char *rest;
    for (unsigned i = 0; i < r->overs; i++)
        if (file->over[0] && (rest = text_behind(r->over[i], file->over)) && *rest == '=') {
            put_first(r, i);
            file->over[0] = '\0';
            file->points = 0;
        }
    s->x_of_file = file->points > 0;
    if (!r->x_is_load || (s->x_of_file && is_load(file->over, strlen(file->over))))
        return WEFT_OK;
    if (!s->x_of_file)
        return put_load_first(r);
    if (file->over[0])
        return BAD_INPUT(
            NULL,
            ("--find-saturation: %.300s sweeps over %s, not over a load", r->file, file->over),
            ("sweep a load: remove 'over' from the file, or name a load there"));
    return BAD_INPUT(NULL, ("--find-saturation: the runs of a study are not loads"),
                     ("sweep a load: remove 'runs' from the file, or write 'over'"));
}

/* ---- axes ---- */

/* Values that are one, as 0.1 and 0.10. */
static weft_status refuse_twice(const struct sweep_axis *a)
{
    double x, y;
    for (size_t i = 0; i < a->values; i++)
        for (size_t k = 0; k < i; k++)
            if (strcmp(a->value[i], a->value[k]) == 0 ||
                (number_real(a->value[i], &x) && number_real(a->value[k], &y) && x == y))
                return BAD_INPUT(NULL,
                                 ("--over %.60s has the value %.60s twice", a->key, a->value[i]),
                                 ("name each once"));
    return WEFT_OK;
}

static weft_status read_axis(const char *assignment, struct sweep_axis *a)
{
    char *at, *word;
    if (snprintf(a->text, sizeof(a->text), "%s", assignment) >= (int)sizeof(a->text))
        return BAD_INPUT(NULL, ("--over %.40s... is too long", assignment), ("use fewer values"));
    at = strchr(a->text, '=');
    *at++ = '\0';
    a->key = a->text;
    if (!a->key[0])
        return BAD_INPUT(NULL, ("--over %.60s has no key", assignment),
                         ("write --over KEY=V1,V2,... (`weft keys` lists keys)"));
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
    return refuse_twice(a);
}

static weft_status read_axes(struct sweep *s)
{
    char option[128];
    s->axes = s->request.overs;
    for (unsigned i = 0; i < s->axes; i++) {
        TRY(read_axis(s->request.over[i], &s->axis[i]));
        for (unsigned k = 0; k < i; k++)
            if (strcmp(s->axis[i].key, s->axis[k].key) == 0)
                return BAD_INPUT(NULL, ("--over %.60s is given twice", s->axis[i].key),
                                 ("join its values by commas"));
        snprintf(option, sizeof(option), "--over %.100s", s->axis[i].key);
        TRY(study_refuse(&s->file, option, s->axis[i].key));
    }
    if (!s->axes && !s->x_of_file && !s->file.curves && !s->file.seeds)
        return BAD_INPUT(NULL, ("nothing to sweep over"),
                         ("add --over KEY=V1,V2,... (`weft keys` lists keys)"));
    return WEFT_OK;
}

/* ---- the shape ---- */

/* Whether the first axis is x; the others make curves. */
static bool has_own_x(const struct sweep *s)
{
    return !s->x_of_file && s->axes;
}

/* "base, paths 1, vcs 2" */
static void name_curve(const struct sweep *s, size_t curve, char name[64])
{
    size_t length = 0, files = s->file.curves ? s->file.curves : 1, rest = curve / files;
    name[0] = '\0';
    if (s->file.curves)
        length = text_append(name, 64, 0, "%s", s->file.curve[curve % files].name);
    for (unsigned a = has_own_x(s); a < s->axes; rest /= s->axis[a++].values) {
        const char *dot = strrchr(s->axis[a].key, '.');
        length =
            text_append(name, 64, length, "%s%s %s", length ? ", " : "",
                        dot ? dot + 1 : s->axis[a].key, s->axis[a].value[rest % s->axis[a].values]);
    }
    if (!length)
        snprintf(name, 64, "Weft");
}

static weft_status shape_curves(struct sweep *s)
{
    struct study *t = &s->study;
    t->curves = s->file.curves ? s->file.curves : 1;
    for (unsigned a = has_own_x(s); a < s->axes; a++)
        t->curves *= s->axis[a].values;
    if (t->curves > STUDY_CURVES_MAX)
        return BAD_INPUT(NULL, ("%zu curves are too many for one plot", t->curves),
                         ("use at most %d", STUDY_CURVES_MAX));
    for (size_t c = 0; c < t->curves; c++) {
        name_curve(s, c, t->curve[c].name);
        t->saturation[c] = NAN;
    }
    return WEFT_OK;
}

static void shape_points(struct sweep *s)
{
    struct study *t = &s->study;
    bool own = has_own_x(s);
    t->points = s->x_of_file ? s->file.points : own ? s->axis[0].values : 1;
    t->point = memory_alloc(t->points, sizeof(*t->point));
    snprintf(t->over, sizeof(t->over), "%s", own ? s->axis[0].key : s->file.over);
    for (size_t p = 0; p < t->points; p++) {
        if (s->x_of_file)
            t->point[p] = s->file.point[p];
        else if (own)
            snprintf(t->point[p].name, sizeof(t->point[p].name), "%s", s->axis[0].value[p]);
    }
}

/* What a key's value is on the x axis: as it was written or, with a unit or in words, as it is
 * read. */
static bool number_of(const struct sweep *s, size_t point, double *x)
{
    char text[CONFIG_TEXT];
    const struct config *c = &s->item[point].config;
    if (number_real(s->study.point[point].name, x))
        return true;
    size_t entry = config_find(c, s->study.over);
    return entry < c->entries && number_real(config_text(c, entry, text), x);
}

/* Places the points once their configurations are there. */
static void spread_points(struct sweep *s)
{
    struct study *t = &s->study;
    double least = INFINITY, most = 0;
    bool given = false; /* runs of a study may say where they are */
    for (size_t p = 0; p < t->points; p++)
        given |= !t->over[0] && t->point[p].x != 0;
    t->categorical = !given && t->points > 1 && !t->over[0];
    for (size_t p = 0; p < t->points && t->over[0] && !t->categorical; p++)
        t->categorical = !number_of(s, p, &t->point[p].x);
    for (size_t p = 0; p < t->points; p++) {
        if (t->categorical)
            t->point[p].x = (double)p;
        least = fmin(least, t->point[p].x);
        most = fmax(most, t->point[p].x);
    }
    t->log_x = (s->file.log_x && s->x_of_file) || (least > 0 && most >= LOG_FROM * least);
    t->log_x &= !t->categorical && least > 0;
}

static bool is_swept(const struct sweep *s, const char *key)
{
    for (unsigned a = 0; a < s->axes; a++)
        if (strcmp(s->axis[a].key, key) == 0)
            return true;
    return strcmp(s->study.over, key) == 0;
}

static weft_status count_seeds(struct sweep *s)
{
    const struct sweep_request *r = &s->request;
    s->study.seeds = r->seeds ? r->seeds : s->file.seeds;
    s->file.seeds = 0; /* they are counted here */
    if (!s->study.seeds || !is_swept(s, "run.seed"))
        return WEFT_OK;
    return BAD_INPUT(NULL,
                     ("%s%.300s and --over run.seed both choose seeds",
                      r->seeds ? "--seeds" : "the seeds of ", r->seeds ? "" : r->file),
                     ("use one of them"));
}

/* ---- configurations ---- */

static weft_status set_swept(struct config *c, const char *key, const char *value)
{
    char place[300];
    snprintf(place, sizeof(place), "--over %.100s=%.100s", key, value);
    return config_set(c, key, value, place);
}

/* The axis of machines; s->axes: there is none. */
static unsigned machine_axis(const struct sweep *s)
{
    unsigned a = 0;
    while (a < s->axes && strcmp(s->axis[a].key, "machine") != 0)
        a++;
    return a;
}

/* The value of an axis in a combination. */
static size_t axis_value(const struct sweep *s, unsigned axis, struct study_run run)
{
    size_t rest = run.curve / (s->file.curves ? s->file.curves : 1);
    if (has_own_x(s) && axis == 0)
        return run.point;
    for (unsigned a = has_own_x(s); a < axis; a++)
        rest /= s->axis[a].values;
    return rest % s->axis[axis].values;
}

/* The configuration of one combination, up to machine_finish(). x: NULL: the point's own. */
static weft_status assemble(const struct sweep *s, struct study_run run, const char *x,
                            struct config *c)
{
    const struct sweep_request *r = &s->request;
    size_t files = s->file.curves ? s->file.curves : 1;
    struct study_run of = {0, run.curve % files, run.point};
    unsigned machines = machine_axis(s);
    const char *machine =
        machines < s->axes ? s->axis[machines].value[axis_value(s, machines, run)] : r->machine;
    char seed[32];
    machine_init(c);
    TRY(r->file ? study_config(&s->file, of, machine, c) : config_machine(c, machine));
    if (r->apply)
        TRY(r->apply(r->arg, c));
    for (unsigned a = 0; a < s->axes; a++) {
        bool is_x = has_own_x(s) && a == 0;
        if (a != machines)
            TRY(set_swept(c, s->axis[a].key,
                          is_x && x ? x : s->axis[a].value[axis_value(s, a, run)]));
    }
    if (x && !has_own_x(s))
        TRY(set_swept(c, s->study.over, x));
    const struct run_params *params = config_section(c, &run_section);
    snprintf(seed, sizeof(seed), "%llu", (unsigned long long)(params->seed + run.seed));
    return run.seed ? config_set(c, "run.seed", seed, "--seeds") : WEFT_OK;
}

static void name_item(const struct sweep *s, struct study_run run, const char *x,
                      struct batch_item *item)
{
    const struct study *t = &s->study;
    const char *point = x ? x : t->point[run.point].name;
    size_t at = 0, size = sizeof(item->name);
    item->name[0] = '\0';
    if (t->over[0])
        at = text_append(item->name, size, 0, "%s = %s", t->over, point);
    else if (point[0])
        at = text_append(item->name, size, 0, "%s", point);
    if (t->curves > 1)
        at = text_append(item->name, size, at, "%s%s", at ? ", " : "", t->curve[run.curve].name);
    const struct run_params *params = config_section(&item->config, &run_section);
    if (t->seeds > 1 && params)
        text_append(item->name, size, at, "%sseed %llu", at ? ", " : "",
                    (unsigned long long)params->seed);
}

/* What is wrong with a key or a value is wrong with the sweep; what does not fit together is a
 * combination that fails. */
static weft_status configure(const struct sweep *s, struct study_run run, const char *x,
                             struct batch_item *item)
{
    weft_status status = assemble(s, run, x, &item->config);
    name_item(s, run, x, item);
    if (status == WEFT_OK && machine_finish(&item->config) != WEFT_OK)
        batch_fail(item);
    return status;
}

/* All of them; if none fits together, that is an error. */
static weft_status configure_all(struct sweep *s)
{
    struct error error;
    size_t runs = study_runs(&s->study), failed = 0;
    s->item = memory_alloc(runs, sizeof(*s->item));
    s->curve = memory_alloc(runs, sizeof(*s->curve));
    for (size_t i = 0; i < runs; i++) {
        struct study_run run = study_run_at(&s->study, i);
        s->curve[s->items++] = run.curve;
        TRY(configure(s, run, NULL, &s->item[i]));
        if (s->item[i].failed && failed++ == 0)
            error = *error_last();
    }
    return failed == runs ? error_restore(&error) : WEFT_OK;
}

/* The first combination that differs from one in its machine alone; the item itself: it is that.
 * Those that have failed do not count. */
static size_t first_machine(const struct sweep *s, size_t item)
{
    unsigned machines = machine_axis(s);
    struct study_run run = study_run_at(&s->study, item);
    for (size_t i = 0; i < item; i++) {
        struct study_run other = study_run_at(&s->study, i);
        bool same = !s->item[i].failed && other.seed == run.seed &&
                    (has_own_x(s) || other.point == run.point) &&
                    (!s->file.curves || other.curve % s->file.curves == run.curve % s->file.curves);
        for (unsigned a = 0; a < s->axes && same; a++)
            same = a == machines || axis_value(s, a, other) == axis_value(s, a, run);
        if (same)
            return i;
    }
    return item;
}

/* Machines are put side by side, so they do the same work. */
static weft_status check_work(const struct sweep *s)
{
    for (size_t i = 0; i < s->items && machine_axis(s) < s->axes; i++)
        if (!s->item[i].failed)
            TRY(machine_check_same_work(&s->item[first_machine(s, i)].config, &s->item[i].config));
    return WEFT_OK;
}

bool sweep_work(const struct sweep *s, size_t *item, const char **machine, struct work *work)
{
    unsigned machines = machine_axis(s);
    size_t value = *item;
    if (machines == s->axes || value == s->axis[machines].values)
        return false;
    ++*item;
    *machine = s->axis[machines].value[value];
    for (size_t i = 0; i < s->items; i++)
        if (!s->item[i].failed && axis_value(s, machines, study_run_at(&s->study, i)) == value)
            return machine_work(&s->item[i].config, work);
    return sweep_work(s, item, machine, work);
}

weft_status sweep_plan(struct sweep *s, const struct sweep_request *request)
{
    *s = (struct sweep){.request = *request};
    bool machines = false;
    for (unsigned i = 0; i < request->overs; i++)
        machines |= text_behind(request->over[i], "machine=") != NULL;
    if (!request->file && !request->machine && !machines)
        return BAD_INPUT(NULL, ("nothing to sweep"), ("name a study or a machine (-m)"));
    if (request->file)
        TRY(study_read(request->file, request->size, &s->file));
    TRY(choose_x(s));
    TRY(read_axes(s));
    TRY(shape_curves(s));
    shape_points(s);
    TRY(count_seeds(s));
    study_make_results(&s->study);
    TRY(configure_all(s));
    TRY(check_work(s));
    spread_points(s);
    return WEFT_OK;
}

void sweep_add(struct sweep *s, size_t seed, size_t curve, const char *x)
{
    size_t items = s->items + 1;
    s->item = memory_grow(s->item, items, sizeof(*s->item));
    s->curve = memory_grow(s->curve, items, sizeof(*s->curve));
    s->study.result = memory_grow(s->study.result, items, sizeof(*s->study.result));
    struct batch_item *item = &s->item[s->items];
    memset(item, 0, sizeof(*item));
    s->study.result[s->study.results++] = (struct study_result){.there = false};
    s->curve[s->items++] = curve;
    if (configure(s, (struct study_run){seed, curve, 0}, x, item) != WEFT_OK)
        batch_fail(item);
}

void sweep_fini(struct sweep *s)
{
    for (size_t i = 0; i < s->items; i++)
        config_fini(&s->item[i].config);
    free(s->item);
    free(s->curve);
    study_fini(&s->study);
    study_fini(&s->file);
}

/* ---- results ---- */

weft_status sweep_take(struct sweep *s, size_t first)
{
    for (size_t i = first; i < s->items; i++)
        if (s->item[i].done)
            TRY(study_result_read(s->item[i].path, &s->study.result[i]));
    return WEFT_OK;
}

size_t sweep_failures(const struct sweep *s)
{
    size_t failed = 0;
    for (size_t i = 0; i < s->items; i++)
        failed += s->item[i].failed;
    return failed;
}

/* ---- titles ---- */

/* The first combination that fits together. */
static const struct config *example(const struct sweep *s)
{
    for (size_t i = 0; i < s->items; i++)
        if (!s->item[i].failed)
            return &s->item[i].config;
    return NULL;
}

/* "mean response time by offered load: bluegene-l 8x8x8, uniform" */
static void title_of(const struct sweep *s, const char *metric, char *title, size_t size)
{
    const struct config *c = example(s);
    struct metric_text words;
    char text[CONFIG_TEXT];
    metric_describe(metric, &words);
    size_t at = text_append(title, size, 0, "%s", words.phrase);
    if (s->study.over[0] && s->study.points > 1) {
        metric_describe_key(s->study.over, "", &words);
        at = text_append(title, size, at, " by %s", words.phrase);
    }
    if (!c)
        return;
    const struct workload_params *w = config_section(c, &workload_section);
    /* "dragonfly:2:4:2" says it all. */
    const char *name = config_name(c), *scale = machine_size_text(c, text);
    bool twice = text_behind(scale, name) != NULL;
    if (is_swept(s, "machine")) {
        if (!is_swept(s, "workload.pattern"))
            text_append(title, size, at, ": %s", w->pattern->name);
        return;
    }
    at = text_append(title, size, at, ":%s%.40s", twice ? "" : " ", twice ? "" : name);
    if (!is_swept(s, "machine.dims") && !is_swept(s, "machine.graph") &&
        !is_swept(s, "machine.nodes"))
        at = text_append(title, size, at, " %.30s", scale);
    else if (twice)
        at = text_append(title, size, at, " %.40s", name);
    if (!is_swept(s, "workload.pattern"))
        text_append(title, size, at, ", %s", w->pattern->name);
}

weft_status sweep_show(struct sweep *s, const char *metric, const char *title)
{
    struct study *t = &s->study;
    const struct config *c = example(s);
    bool of_file = strcmp(metric, s->file.metric) == 0; /* as the study shows it */
    struct metric_text text;
    t->per = of_file ? s->file.per : 0;
    weft_status status = study_choose(t, metric);
    if (title)
        snprintf(t->title, sizeof(t->title), "%s", title);
    else if (of_file && s->file.title[0])
        snprintf(t->title, sizeof(t->title), "%s", s->file.title);
    else
        title_of(s, metric, t->title, sizeof(t->title));
    metric_describe(metric, &text);
    snprintf(t->y_label, sizeof(t->y_label), "%s",
             of_file && s->file.y_label[0] ? s->file.y_label : text.label);
    size_t entry = c ? config_find(c, t->over) : 0;
    if (s->x_of_file && s->file.x_label[0])
        snprintf(t->x_label, sizeof(t->x_label), "%s", s->file.x_label);
    else if (c && entry < c->entries) {
        metric_describe_key(t->over, c->entry[entry].key->unit, &text);
        snprintf(t->x_label, sizeof(t->x_label), "%s", text.label);
    }
    return status;
}
