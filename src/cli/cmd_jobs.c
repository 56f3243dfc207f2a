/* weft jobs: a machine that is shared. */
#include <string.h>

#include "cli/cli.h"
#include "machine/jobs_params.h"
#include "machine/family.h"
#include "report/picture/picture.h"
#include "report/sections.h"

/* The command's own pattern and log stand; settings that say otherwise are refused. */
static weft_status check_settings(const struct config *c, const struct cli_options *o)
{
    const struct jobs_params *p = config_section(c, &jobs_section);
    if (config_workload(c)->pattern->kind != PATTERN_JOBS)
        return BAD_INPUT("workload.pattern", ("`weft jobs` runs no other pattern than jobs"),
                         ("use `weft run`"));
    if (o->names && strcmp(p->log, o->name[0]) != 0)
        return BAD_INPUT("jobs.log", ("the log is '%s' already", o->name[0]), ("name one log"));
    return WEFT_OK;
}

static weft_status configure(struct config *c, const struct cli_options *o)
{
    if (!family_of(c)->ground)
        return BAD_INPUT(NULL, ("machine %s has no cells to give to jobs", o->machine),
                         ("use one that is a torus or a Tofu network, as k-computer"));
    TRY(config_set(c, "workload.pattern", "jobs", "jobs"));
    if (o->names)
        TRY(config_set(c, "jobs.log", o->name[0], o->name[0]));
    TRY(cli_apply(o, c));
    return config_locate(c, check_settings(c, o));
}

/* Whether all output files can be written, before anything is computed: none may be the log. */
static weft_status try_files(const struct cli_options *o)
{
    const struct cli_file file[] = {{"the log", o->names ? o->name[0] : NULL, true},
                                    {"-o", o->output, false},
                                    {"--csv", o->csv, false},
                                    {"--gantt", o->gantt, false},
                                    {"--frames", o->frames, false}};
    return cli_try_files(file, sizeof(file) / sizeof(file[0]));
}

/* "k-computer, 24x18x17x2x3x2: KTH.swf, easy, view". */
static void write_title(const struct config *c, char *title, size_t size)
{
    const struct jobs_params *p = config_section(c, &jobs_section);
    char dims[CONFIG_TEXT], policy[CONFIG_TEXT], shapes[CONFIG_TEXT];
    const char *name = strrchr(p->log, '/');
    snprintf(title, size, "%.80s %.80s: %.200s, %.40s, %.40s", config_name(c),
             machine_size_text(c, dims),
             !p->log[0] ? "generated jobs"
             : name     ? name + 1
                        : p->log,
             config_text(c, config_find(c, "jobs.policy"), policy),
             config_text(c, config_find(c, "jobs.shapes"), shapes));
}

static weft_status write_files(const struct cli_options *o, const struct config *c,
                               const struct jobs_report *report)
{
    char title[512];
    write_title(c, title, sizeof(title));
    if (o->csv)
        TRY(jobs_write_csv(o->csv, report));
    if (o->gantt)
        TRY(gantt_write(o->gantt, report, title));
    return o->frames ? frames_write(o->frames, report, title) : WEFT_OK;
}

static weft_status share_machine(struct cli_options *o, weft_run *run)
{
    TRY(configure(&run->config, o));
    TRY(try_files(o));
    TRY(cli_execute(run, o, NULL));
    return run->result.jobs ? write_files(o, &run->config, run->result.jobs) : WEFT_OK;
}

weft_status cmd_jobs(struct cli_options *o)
{
    return cli_with_run(o, o->machine, NULL, share_machine);
}
