/*
 * Several workloads at once, as short forms of the pattern `parts`:
 *
 *   -w alltoall --on 0-63 -s workload.bytes_per_pair=4096 -w uniform --on 64-511 -s
 * workload.load=0.3
 *
 * What is set of workload.* after a -w is that workload's own; what is set before the first one, or
 * what is the same for all (as workload.cycles), is the run's. And what each of them does alone.
 */
#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text/text.h"
#include "engine/ranks.h"
#include "workload/parts/parts.h"

bool several_given(const struct cli_options *o)
{
    for (unsigned i = 0; i < o->sets; i++)
        if (strcmp(o->set[i].option, "--on") == 0)
            return true;
    return false;
}

/* What is set of one workload: "load=0.3" of "workload.load=0.3"; NULL: the setting is of the run.
 */
static const char *own_setting(const struct cli_setting *s)
{
    static const char *const common[] = {
        "warmup_cycles=", "cycles=", "most_cycles=", "precision=", "drain_cycles=", "as="};
    const char *own = s->key ? NULL : text_behind(s->value, "workload.");
    for (size_t i = 0; own && i < sizeof(common) / sizeof(common[0]); i++)
        if (text_behind(own, common[i]))
            return NULL;
    return own && strchr(own, '=') ? own : NULL;
}

/* The workload that begins with a setting, with the nodes that follow it. */
static weft_status begin_workload(const struct cli_options *o, unsigned at, char text[CONFIG_TEXT])
{
    const char *pattern = o->set[at].value;
    for (unsigned i = at + 1; i < o->sets && strcmp(o->set[i].option, "-w") != 0; i++)
        if (strcmp(o->set[i].option, "--on") == 0)
            return parts_append(text, o->set[i].value, pattern);
    return BAD_INPUT(NULL, ("-w %.60s has no --on", pattern),
                     ("name the nodes of each of several workloads"));
}

static weft_status apply_one(const struct cli_options *o, unsigned at, bool *begun, bool *has_nodes,
                             char text[CONFIG_TEXT], struct config *c)
{
    const struct cli_setting *s = &o->set[at];
    char name[64];
    if (strcmp(s->option, "-w") == 0) {
        *begun = true;
        *has_nodes = false;
        return begin_workload(o, at, text);
    }
    if (strcmp(s->option, "--on") == 0) {
        if (!*begun || *has_nodes)
            return BAD_INPUT(NULL, ("--on %.60s has no workload", s->value),
                             ("write -w PATTERN --on NODES for each"));
        *has_nodes = true;
        return WEFT_OK;
    }
    const char *own = *begun ? own_setting(s) : NULL;
    if (!own)
        return cli_set(s, c);
    size_t length = strcspn(own, "=");
    snprintf(name, sizeof(name), "%.*s", (int)(length < 60 ? length : 60), own);
    return parts_append_setting(text, name, own + length + 1);
}

weft_status several_apply(const struct cli_options *o, struct config *c)
{
    char text[CONFIG_TEXT] = "";
    bool begun = false, has_nodes = false;
    for (unsigned i = 0; i < o->sets; i++)
        TRY(apply_one(o, i, &begun, &has_nodes, text, c));
    TRY(config_set(c, "workload.pattern", "parts", "--on"));
    return config_set(c, "workload.parts", text, "--on");
}

/* ---- each alone ---- */

/* The same settings, with one of the workloads. */
static weft_status configure_alone(const struct config *from, const char *workload,
                                   struct config *to)
{
    char text[CONFIG_TEXT];
    TRY(config_machine(to, from->machine));
    for (size_t i = 0; i < from->entries; i++)
        if (from->entry[i].given)
            TRY(config_set(to, from->entry[i].key->name, config_text(from, i, text),
                           from->entry[i].place));
    TRY(config_set(to, "workload.parts", workload, "--alone"));
    return config_locate(to, machine_finish(to));
}

/* Runs one of the workloads. */
static weft_status run_alone(const struct config *c, const char *workload,
                             const struct cli_options *o, struct run_result *r)
{
    struct config own;
    struct run_options options = cli_run_options(o, "alone");
    options.checkpoint = NULL;
    options.print = NULL;
    machine_init(&own);
    weft_status status = configure_alone(c, workload, &own);
    if (status == WEFT_OK)
        status = run_config(&own, &options, r);
    cli_progress_end();
    config_fini(&own);
    return status;
}

weft_status several_alone(const struct config *c, const struct cli_options *o,
                          struct run_result **apart)
{
    const struct part_list *list;
    if (config_workload(c)->pattern->kind != PATTERN_PARTS)
        return BAD_INPUT(NULL, ("--alone is for several workloads at once"),
                         ("name them by -w PATTERN --on NODES, or leave it out"));
    if (o->checkpoint || ranks_count() > 1)
        return BAD_INPUT(NULL, ("--alone makes several runs"),
                         ("use it without --checkpoint and mpirun"));
    TRY(parts_list(c, &list));
    *apart = memory_alloc(list->count, sizeof(**apart));
    for (uint32_t i = 0; i < list->count; i++)
        TRY(run_alone(c, list->part[i].text, o, &(*apart)[i]));
    return WEFT_OK;
}
