/* weft jobs: a machine that is shared. */
#include <stdio.h>
#include <string.h>

#include "base/file/output.h"
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
    weft_status status = config_set(c, "workload.pattern", "jobs", "jobs");
    if (status == WEFT_OK && o->names)
        status = config_set(c, "jobs.log", o->name[0], o->name[0]);
    if (status == WEFT_OK)
        status = cli_apply(o, c);
    return status == WEFT_OK ? config_locate(c, check_settings(c, o)) : status;
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
    weft_status status = o->csv ? jobs_write_csv(o->csv, report) : WEFT_OK;
    if (status == WEFT_OK && o->gantt)
        status = gantt_write(o->gantt, report, title);
    if (status == WEFT_OK && o->frames)
        status = frames_write(o->frames, report, title);
    return status;
}

int cmd_jobs(int argc, char **argv)
{
    struct cli_options o;
    weft_run *run = NULL;
    weft_status status = cli_parse(argc, argv, "jobs", &o);
    if (status == WEFT_OK && o.names > 1)
        status = BAD_INPUT(NULL, ("more than one log"), ("name one, or none to generate jobs"));
    if (status == WEFT_OK && !o.machine)
        status = BAD_INPUT(NULL, ("no machine"), ("name one with -m; `weft machines` lists them"));
    if (status == WEFT_OK)
        status = weft_run_create(o.machine, NULL, &run);
    if (status == WEFT_OK)
        status = configure(&run->config, &o);
    if (status == WEFT_OK)
        status = try_files(&o);
    if (status == WEFT_OK)
        status = cli_execute(run, &o, NULL);
    if (status == WEFT_OK && run->result.jobs)
        status = write_files(&o, &run->config, run->result.jobs);
    weft_run_destroy(run);
    return status == WEFT_OK ? 0 : cli_fail(status);
}
