/* weft sweep: one run for every combination of some keys' values; a table, a CSV and plots. */
#include "cli/cli.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/text.h"
#include "engine/ranks.h"
#include "report/picture/picture.h"
#include "report/result/result.h"
#include "report/text/tables.h"
#include "workload/workload.h"

/* How near the two runs between which a curve saturates shall be, if nobody says. */
static const double usual_precision = 0.01;

/* A sweep, and the names of what it writes. */
struct sweep_task {
    const struct cli_options *o;
    struct sweep sweep;
    struct saturation found;
    const char *metric[CLI_METRICS_MAX];
    unsigned metrics;
    char name[128], folder[128];
};

/* ---- what is asked for ---- */

static weft_status apply(const void *arg, struct config *c)
{
    return cli_apply(arg, c);
}

/* What is swept over is set by nothing else. */
static weft_status refuse(const void *sweep, const char *option, const char *key)
{
    const struct sweep *s = sweep;
    for (unsigned a = 0; a < s->axes; a++)
        if (strcmp(s->axis[a].key, key) == 0)
            return BAD_PLACE(("%s", option), ("%s is swept over", key),
                             ("give its values by --over alone"));
    return study_refuse(&s->file, option, key);
}

static weft_status plan(struct sweep_task *task)
{
    const struct cli_options *o = task->o;
    struct sweep_request r = {.machine = o->machine,
                              .file = o->names ? o->name[0] : NULL,
                              .size = o->full ? STUDY_FULL : STUDY_SMALL,
                              .overs = o->overs,
                              .x_is_load = o->find_saturation,
                              .seeds = o->seeds,
                              .apply = apply,
                              .arg = o};
    memcpy(r.over, o->over, sizeof(r.over));
    for (unsigned i = 0; i < o->overs && o->machine; i++)
        if (text_behind(o->over[i], "machine="))
            return BAD_PLACE(("-m %.100s", o->machine), ("the machine is swept over"),
                             ("give its values by --over alone"));
    TRY(sweep_plan(&task->sweep, &r));
    return cli_refuse_settings(o, refuse, &task->sweep);
}

static weft_status choose_metrics(struct sweep_task *task)
{
    const struct cli_options *o = task->o;
    const struct study *file = &task->sweep.file;
    unsigned kinds = batch_kinds(task->sweep.item, task->sweep.items);
    memcpy(task->metric, o->metric, sizeof(task->metric));
    task->metrics = o->metrics ? o->metrics : 1;
    if (!o->metrics)
        task->metric[0] = file->metric[0] ? file->metric : "link_utilisation";
    if (!o->metrics && file->metric[0])
        return study_check_metric(file, kinds);
    for (unsigned m = 0; m < task->metrics; m++)
        TRY(metric_check(task->metric[m], kinds));
    return WEFT_OK;
}

/* Only open loops offer a load that may be too much. */
static weft_status check_open(const struct sweep *s)
{
    for (size_t i = 0; i < s->items; i++) {
        const struct workload_params *w = config_workload(&s->item[i].config);
        if (!s->item[i].failed && w->pattern->kind != PATTERN_OPEN &&
            w->pattern->kind != PATTERN_PARTS)
            return BAD_INPUT(
                NULL,
                ("--find-saturation: %s ends by itself, and is never saturated", w->pattern->name),
                ("use an open-loop pattern, such as uniform"));
    }
    return WEFT_OK;
}

static weft_status check_axes(const struct sweep_task *task)
{
    const struct study *t = &task->sweep.study;
    for (size_t p = 0; task->o->log_x && p < t->points; p++)
        if (t->categorical || !(t->point[p].x > 0))
            return BAD_INPUT(NULL, ("--log-x: '%.60s' has no logarithm", t->point[p].name),
                             ("use numbers above 0"));
    return task->o->find_saturation ? check_open(&task->sweep) : WEFT_OK;
}

/* ---- names ---- */

static uint64_t hash_word(uint64_t hash, const char *word)
{
    return text_hash(hash, word ? word : "", word ? strlen(word) + 1 : 1);
}

/* Four digits for all that the rest of the name does not say. */
static unsigned hash_rest(const struct cli_options *o)
{
    uint64_t hash = TEXT_HASH;
    char numbers[96];
    hash = hash_word(hash_word(hash, o->machine), o->names ? o->name[0] : NULL);
    for (unsigned i = 0; i < o->sets; i++)
        hash = hash_word(hash_word(hash, o->set[i].key), o->set[i].value);
    for (unsigned i = 0; i < o->overs; i++)
        hash = hash_word(hash, o->over[i]);
    for (unsigned i = 0; i < o->metrics; i++)
        hash = hash_word(hash, o->metric[i]);
    snprintf(numbers, sizeof(numbers), "%u %d %d %g", o->seeds, o->full, o->find_saturation,
             o->precision);
    hash = hash_word(hash, numbers);
    return (unsigned)((hash ^ hash >> 16 ^ hash >> 32 ^ hash >> 48) & 0xffff);
}

/* Results of all sweeps of a machine are in one folder, since they are found by what they are of;
 * tables and plots of two sweeps have different names. */
static void name_files(struct sweep_task *task)
{
    const struct cli_options *o = task->o;
    char stem[48];
    size_t at, size = sizeof(task->name);
    if (o->output) {
        snprintf(task->name, size, "%s", o->output);
        snprintf(task->folder, sizeof(task->folder), "weft-%s", o->output);
        return;
    }
    text_stem(o->names ? o->name[0] : o->machine ? o->machine : "machines", stem, sizeof(stem));
    snprintf(task->folder, sizeof(task->folder), "weft-sweep-%s", stem);
    at = text_append(task->name, size, 0, "sweep-%s", stem);
    for (unsigned a = 0; a < task->sweep.axes && at < 90; a++) {
        const char *dot = strrchr(task->sweep.axis[a].key, '.');
        at = text_append(task->name, size, at, "-%.24s", dot ? dot + 1 : task->sweep.axis[a].key);
    }
    text_append(task->name, size, at < size - 6 ? at : size - 6, "-%04x", hash_rest(o));
}

/* Of several metrics, each has a picture. */
static void picture_name(const struct sweep_task *task, unsigned metric, char *name, size_t size)
{
    snprintf(name, size, task->metrics > 1 ? "%s-%s" : "%s", task->name, task->metric[metric]);
}

/* Whether tables and plots can be written, before anything runs; batch_run() sees to the folder. */
static weft_status try_files(const struct sweep_task *task)
{
    char name[200];
    TRY(plot_try_csv(task->name));
    for (unsigned m = 0; m < task->metrics; m++) {
        picture_name(task, m, name, sizeof(name));
        TRY(plot_try_picture(name));
    }
    return WEFT_OK;
}

/* ---- running ---- */

static weft_status run_from(struct sweep_task *task, size_t first, size_t *resumed)
{
    struct batch_options batch = {.folder = task->folder, .go_on = true};
    TRY(cli_batch(task->o, task->name, batch, task->sweep.item + first, task->sweep.items - first,
                  resumed));
    return sweep_take(&task->sweep, first);
}

static weft_status run(struct sweep_task *task)
{
    size_t resumed = 0, more;
    TRY(run_from(task, 0, &resumed));
    if (resumed && !task->o->quiet)
        printf("%zu of %zu results were in %s already\n\n", resumed, task->sweep.items,
               task->folder);
    if (!task->o->find_saturation)
        return WEFT_OK;
    saturation_init(&task->found, &task->sweep,
                    task->o->precision > 0 ? task->o->precision : usual_precision);
    while (saturation_next(&task->found))
        TRY(run_from(task, task->found.first, &more));
    return WEFT_OK;
}

/* ---- reporting ---- */

static void say_saturation(const struct sweep_task *task)
{
    const struct study *t = &task->sweep.study;
    printf("\nsaturation: the largest %s that is steady\n", t->over);
    for (size_t c = 0; c < t->curves; c++) {
        const struct saturation_curve *s = &task->found.curve[c];
        bool has_results = false;
        for (size_t i = 0; i < task->sweep.items; i++)
            has_results |= task->sweep.curve[i] == c && t->result[i].there;
        printf("  %-24s ", t->curve[c].name);
        if (s->state == SATURATION_FOUND)
            printf("%.4g (%.4g is not)\n", s->steady, s->unsteady);
        else if (s->state == SATURATION_ABOVE)
            printf("not reached: steady up to %.4g\n", s->steady);
        else if (s->state == SATURATION_BELOW)
            printf("below %.4g: no run is steady\n", s->unsteady);
        else if (!isfinite(s->steady))
            printf("not found: %s\n", has_results ? "the runs have no packets" : "all runs failed");
        else
            printf("not found: a run between %.4g and %.4g failed\n", s->steady, s->unsteady);
    }
}

/* How many of some runs failed for the reason that an item did. */
static size_t same_failures(const struct sweep *s, size_t item, size_t from, size_t to)
{
    size_t same = 0;
    for (size_t i = from; i < to && s->item[item].failed; i++)
        same += s->item[i].failed && strcmp(s->item[i].why, s->item[item].why) == 0;
    return same;
}

/* Each reason once. */
static void say_failures(const struct sweep *s)
{
    size_t failed = sweep_failures(s);
    if (failed)
        printf("\n%zu of %zu runs failed\n", failed, s->items);
    for (size_t i = 0; i < s->items; i++) {
        size_t before = same_failures(s, i, 0, i), behind = same_failures(s, i, i + 1, s->items);
        if (!s->item[i].failed || before)
            continue;
        printf("  %s", s->item[i].name);
        if (behind)
            printf(" and %zu more", behind);
        printf(": %s\n", s->item[i].why);
    }
}

/* Machines side by side: what each of them did. */
static void say_work(const struct sweep *s)
{
    struct work work;
    const char *machine;
    for (size_t i = 0; sweep_work(s, &i, &machine, &work);)
        printf("%s  %-12s %s\n", i == 1 ? "\nwork of each machine's first run\n" : "", machine,
               work.text);
}

/* Tables and plots, one for each figure; then where everything is. */
static weft_status report(struct sweep_task *task)
{
    const struct cli_options *o = task->o;
    struct plot plot[CLI_METRICS_MAX] = {{.why = ""}};
    char csv[160], name[200];
    weft_status status = WEFT_OK;
    struct error error; /* a figure that no run has does not keep the others from being shown */
    bool before = false;
    task->sweep.study.log_x |= o->log_x;
    task->sweep.study.log_y = o->log_y;
    for (unsigned m = 0; m < task->metrics; m++) {
        if (sweep_show(&task->sweep, task->metric[m], o->title) != WEFT_OK) {
            if (status == WEFT_OK)
                error = *error_last();
            status = error.status;
            snprintf(plot[m].why, sizeof(plot[m].why), "no run has %.60s", task->metric[m]);
            continue;
        }
        if (!o->quiet && before)
            putchar('\n');
        if (!o->quiet)
            summary_study(stdout, &task->sweep.study);
        before = true;
        picture_name(task, m, name, sizeof(name));
        plot_picture(&task->sweep.study, name, &plot[m]);
    }
    snprintf(csv, sizeof(csv), "weft-%s.csv", task->name);
    weft_status written = tidy_write(csv, &task->sweep, task->metric, task->metrics);
    if (written != WEFT_OK)
        return written;
    if (!o->quiet && o->find_saturation)
        say_saturation(task);
    if (!o->quiet) {
        say_work(&task->sweep);
        say_failures(&task->sweep);
        cli_say_files(plot, task->metrics, csv, task->folder);
    }
    return status == WEFT_OK ? WEFT_OK : error_restore(&error);
}

static weft_status execute(struct sweep_task *task)
{
    TRY(plan(task));
    TRY(choose_metrics(task));
    TRY(check_axes(task));
    name_files(task);
    TRY(try_files(task));
    TRY(run(task));
    TRY(report(task));
    size_t failed = sweep_failures(&task->sweep);
    return failed ? RUN_FAILED(("%zu of %zu runs failed", failed, task->sweep.items),
                               ("weft-%s.csv has the reasons; the same command tries them again",
                                task->name))
                  : WEFT_OK;
}

static weft_status check_options(const struct cli_options *o)
{
    if (!o->names && !o->overs && !o->find_saturation)
        return BAD_INPUT(NULL, ("nothing to sweep over"),
                         ("add --over KEY=V1,V2,... (`weft keys` lists keys)"));
    if (o->precision > 0 && !o->find_saturation)
        return BAD_INPUT(NULL, ("--precision without --find-saturation"), ("add it, or remove it"));
    if (o->output && (!o->output[0] || strchr("-.", o->output[0]) || strchr(o->output, '/') ||
                      strlen(o->output) > 40 || text_ends(o->output, ".csv")))
        return BAD_INPUT(NULL,
                         ("-o %.60s: a sweep writes weft-NAME.csv and others here", o->output),
                         ("use a NAME of at most 40 letters without slashes and .csv, that begins "
                          "with neither - "
                          "nor a dot"));
    return WEFT_OK;
}

weft_status cmd_sweep(struct cli_options *o)
{
    static struct sweep_task task;
    if (ranks_me() != 0) { /* the first rank says what there is to do */
        station_serve(result_json);
        return WEFT_OK;
    }
    task.o = o;
    weft_status status = check_options(o);
    if (status == WEFT_OK)
        status = execute(&task);
    sweep_fini(&task.sweep);
    station_dismiss();
    return status;
}
