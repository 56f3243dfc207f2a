/* Runs of studies and sweeps: what is shown while they go on, and where their files are. */
#include "cli/cli.h"

#include <string.h>

#include "engine/ranks.h"
#include "report/picture/picture.h"
#include "report/result/result.h"

static void show_batch(size_t done, size_t items, double share)
{
    char where[64];
    snprintf(where, sizeof(where), "%zu of %zu runs", done, items);
    cli_bar_show(share, where);
}

/* A line in a log that nobody watches. */
static void say_ended(const struct batch_item *item, size_t done, size_t items)
{
    if (item->failed)
        cli_log_line("%zu of %zu: %s: failed: %s", done, items, item->name, item->why);
    else
        cli_log_line("%zu of %zu: %s: done in %.1f s", done, items, item->name, item->seconds);
}

weft_status cli_refuse_settings(const struct cli_options *o,
                                weft_status (*refuse)(const void *arg, const char *option,
                                                      const char *key),
                                const void *arg)
{
    char key[128], option[128];
    weft_status status = WEFT_OK;
    for (unsigned i = 0; i < o->sets && status == WEFT_OK; i++) {
        const struct cli_setting *s = &o->set[i];
        const char *text = s->key ? s->key : s->value;
        snprintf(key, sizeof(key), "%.*s", (int)strcspn(text, "="), text);
        if (!key[0])
            continue; /* cli_apply() complains of it */
        snprintf(option, sizeof(option), "%s %.80s", s->option, s->value);
        status = refuse(arg, option, key);
    }
    return status;
}

weft_status cli_batch(const struct cli_options *o, const char *label, struct batch_options batch,
                      struct batch_item *item, size_t items, size_t *resumed)
{
    /* Ranks are looked after every few milliseconds: a bar would be drawn as often. */
    bool bar = cli_bar_start(o, label) && ranks_count() == 1;
    batch.workers = o->threads;
    batch.text = result_json;
    batch.ended = bar || o->quiet ? NULL : say_ended;
    batch.progress = bar ? show_batch : NULL;
    batch.interrupted = cli_interrupted;
    weft_status status = batch_run(item, items, &batch, resumed);
    cli_progress_end();
    return status;
}

void cli_say_files(const struct plot *plot, unsigned plots, const char *csv, const char *folder)
{
    const char *joint = "\nplot: ";
    unsigned without = 0;
    for (unsigned i = 0; i < plots; i++)
        if (plot[i].svg[0]) {
            printf("%s%s%s", joint, plot[i].svg, plot[i].png[0] ? " and .png" : "");
            joint = ", ";
        }
    printf("%sdata: %s, results: %s/\n", joint[0] == ',' ? joint : "\n", csv, folder);
    while (without < plots && plot[without].png[0])
        without++;
    if (without < plots)
        printf("no %s: %s\n", plot[without].svg[0] ? ".png" : "plot", plot[without].why);
}
