/* weft run: one simulation. */
#include "cli/cli.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file/output.h"
#include "base/text/text.h"
#include "config/data.h"
#include "engine/ranks.h"
#include "machine/family.h"
#include "report/result/result.h"
#include "report/text/tables.h"
#include "workload/parts/parts.h"

/* Seconds between checkpoints, if nobody says. */
enum { DEFAULT_EVERY = 60 };

static const char checkpoint_advice[] = "with --checkpoint FILE (--every 600: every ten minutes), "
                                        "`weft resume FILE` goes on from there";

/* The place of a result from wherever the run is resumed; there must be room for the name that it
 * has while it is written. */
static weft_status full_path(const char *path, char full[PATH_MAX])
{
    enum { MOST = PATH_MAX - 16 };
    bool whole = path[0] == '/' || strcmp(path, "-") == 0;
    char folder[PATH_MAX] = "";
    if (!whole && !getcwd(folder, MOST) && errno != ERANGE)
        return BAD_PLACE(("-o %.200s", path), ("the current folder: %s", strerror(errno)),
                         ("give the full path"));
    bool known = whole || folder[0];
    if (known && snprintf(full, MOST, "%s%s%s", folder, whole ? "" : "/", path) < MOST)
        return WEFT_OK;
    return BAD_PLACE(("-o %.200s", path),
                     ("the full path, which the checkpoint keeps, is over %d bytes long", MOST - 1),
                     ("use a shorter one, or start in another folder"));
}

/* What an MPI program's run writes is beside its result; and who asks for a table is not given
 * something else under its name. */
static weft_status check_names(const struct config *c, const struct cli_options *o)
{
    char stem[200];
    if (text_ends(o->output, ".csv"))
        return BAD_INPUT(NULL, ("-o %.200s: a result is JSON", o->output),
                         ("name it %.190s.json%s", text_stem(o->output, stem, sizeof(stem)),
                          pattern_is_jobs(config_workload(c)->pattern)
                              ? ", or use --csv for a table of jobs"
                              : ", or use --links or --nodes for a table"));
    if (workload_writes(c, o->output))
        return BAD_INPUT(NULL, ("-o and a trace or matrix name the same file"), ("use two"));
    return WEFT_OK;
}

/* Whether tables of links and nodes can be written, which an option asks for. */
static weft_status check_tables(const struct config *c, const char *option, bool resumes)
{
    const struct workload_params *w = config_workload(c);
    const struct run_params *run = config_section(c, &run_section);
    if (pattern_is_silent(w->pattern))
        return BAD_INPUT(
            "workload.pattern",
            ("%s: workload.pattern = %s sends nothing over links", option, w->pattern->name),
            ("leave %s out", option));
    if (run->detail)
        return WEFT_OK;
    if (resumes)
        return BAD_INPUT(NULL, ("%s: each link and node must be measured from the start", option),
                         ("begin the run anew with %s", option));
    return BAD_INPUT("run.detail", ("%s needs run.detail, which is set to false", option),
                     ("leave run.detail out"));
}

weft_status cli_try_files(const struct cli_file *file, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < i; k++)
            if (file[i].path && file[k].path && output_is_same(file[i].path, file[k].path))
                return BAD_INPUT(NULL, ("%s and %s name the same file", file[k].name, file[i].name),
                                 ("use different ones"));
        if (file[i].path && !file[i].is_input)
            TRY(output_try(file[i].path));
    }
    return WEFT_OK;
}

/* full: the path of the result, if a checkpoint keeps it. */
static weft_status try_outputs(const struct config *c, const struct cli_options *o, bool resumes,
                               char full[PATH_MAX])
{
    const struct cli_file file[] = {{"-o", o->output, false},
                                    {"--checkpoint", o->checkpoint, false},
                                    {"--links", o->links, false},
                                    {"--nodes", o->nodes, false}};
    if (o->output)
        TRY(check_names(c, o));
    if (o->links || o->nodes)
        TRY(check_tables(c, o->links ? "--links" : "--nodes", resumes));
    if (o->output && o->checkpoint)
        TRY(full_path(o->output, full));
    return ranks_me() == 0 ? cli_try_files(file, sizeof(file) / sizeof(file[0])) : WEFT_OK;
}

static weft_status write_files(weft_run *run, const struct cli_options *o)
{
    struct output_file file;
    if (o->output) {
        TRY(output_open(&file, o->output));
        output_write(&file, weft_run_json(run), strlen(weft_run_json(run)));
        TRY(output_commit_text(&file, "\n"));
    }
    if (o->links)
        TRY(links_write_csv(o->links, &run->result));
    return o->nodes ? nodes_write_csv(o->nodes, &run->config, &run->result) : WEFT_OK;
}

/* At the first rank: writes and prints the result of a run that ended so. */
static weft_status report(weft_run *run, const struct cli_options *o, weft_status end)
{
    const struct run_result *r = &run->result;
    for (uint32_t i = 0; run->executed && o->apart && i < r->parts; i++)
        run_part_compare(&r->part[i], &o->apart[i].part[0]);
    weft_status status = run->executed ? write_files(run, o) : WEFT_OK;
    if (!o->quiet)
        cli_end_line();
    if (run->executed && !r->deadlock && !o->quiet)
        summary_run(stdout, &run->config, r);
    if (status == WEFT_OK && end == WEFT_OK && r->link_report.differing)
        return RUN_FAILED(("the CRCs of %llu links differ at their ends: packets were corrupted "
                           "and no check saw it",
                           (unsigned long long)r->link_report.differing),
                          ("their data are not to be trusted"));
    return status != WEFT_OK ? status : end;
}

weft_status cli_execute(weft_run *run, const struct cli_options *o, struct checkpoint *resume)
{
    char full[PATH_MAX];
    TRY(ranks_agree(try_outputs(&run->config, o, resume != NULL, full), 0));
    struct run_options options = cli_run_options(o, config_workload(&run->config)->pattern->name);
    options.resume = resume;
    options.output = o->output && o->checkpoint ? full : NULL;
    options.advice = o->apart ? NULL : checkpoint_advice;
    weft_status end = library_execute(run, &options);
    cli_progress_end();
    return ranks_me() == 0 ? report(run, o, end) : end;
}

weft_status cli_with_run(struct cli_options *o, const char *machine, const char *study,
                         weft_status (*body)(struct cli_options *o, weft_run *run))
{
    weft_run *run;
    if (!machine && !study)
        return BAD_INPUT(NULL, ("no machine"), ("name one with -m; `weft machines` lists them"));
    TRY(weft_run_create(machine, study, &run));
    weft_status status = body(o, run);
    weft_run_destroy(run);
    return status;
}

static bool is_data(const char *folder, const char *name)
{
    char path[4200];
    data_find(folder, name, path, sizeof(path));
    return strcmp(path, name) != 0 && access(path, F_OK) == 0;
}

/* The name of a study, a machine or a pattern where a file is meant. */
static weft_status check_study(const char *name)
{
    const char *what = NULL, *command = "";
    if (access(name, F_OK) == 0)
        return WEFT_OK;
    if (is_data("studies", name))
        what = "a study", command = "weft study run ";
    else if (is_data("machines", name))
        what = "a machine", command = "weft run -m ";
    for (size_t i = 0; i < pattern_count && !what; i++)
        if (strcmp(patterns[i]->name, name) == 0)
            what = "a pattern", command = "weft run -m MACHINE -w ";
    return !what ? WEFT_OK
                 : BAD_INPUT(NULL, ("'%s' is not a file, but the name of %s", name, what),
                             ("use `%s%s`", command, name));
}

static weft_status configure(const struct cli_options *o, weft_run **run)
{
    if (o->names)
        TRY(check_study(o->name[0]));
    TRY(weft_run_create(o->machine, o->names ? o->name[0] : NULL, run));
    return cli_apply(o, &(*run)->config);
}

/* Each of the workloads alone, too. */
static weft_status execute_alone(weft_run *run, struct cli_options *o)
{
    struct run_result *apart = NULL;
    /* what is wrong with the whole is told before a part runs */
    TRY(config_locate(&run->config, machine_finish(&run->config)));
    weft_status status = several_alone(&run->config, o, &apart);
    o->apart = apart;
    if (status == WEFT_OK)
        status = cli_execute(run, o, NULL);
    for (uint32_t i = 0; apart && i < parts_count(&run->config); i++)
        run_result_fini(&apart[i]);
    free(apart);
    return status;
}

weft_status cmd_run(struct cli_options *o)
{
    weft_run *run = NULL;
    weft_status status = configure(o, &run);
    status = ranks_agree(status, status == WEFT_OK ? machine_hash(&run->config) : 0);
    if (status == WEFT_OK && o->every > 0 && !o->checkpoint)
        status = BAD_INPUT(NULL, ("--every without --checkpoint"), ("name a file for it"));
    if (o->every <= 0)
        o->every = DEFAULT_EVERY;
    if (status == WEFT_OK)
        status = o->alone ? execute_alone(run, o) : cli_execute(run, o, NULL);
    weft_run_destroy(run);
    return status;
}

static weft_status resume(struct cli_options *o, struct checkpoint *checkpoint, weft_run **run)
{
    TRY(library_resume(checkpoint, run));
    o->checkpoint = o->checkpoint ? o->checkpoint : o->name[0];
    o->every = o->every > 0 ? o->every : checkpoint->head.every;
    if (!o->output && checkpoint->head.output[0])
        o->output = checkpoint->head.output;
    if (o->output && strcmp(o->output, "-") == 0)
        TRY(output_take_standard());
    return cli_execute(*run, o, checkpoint);
}

weft_status cmd_resume(struct cli_options *o)
{
    struct checkpoint *checkpoint;
    weft_run *run = NULL;
    TRY(checkpoint_load(o->name[0], &checkpoint));
    weft_status status = resume(o, checkpoint, &run);
    weft_run_destroy(run);
    checkpoint_free(checkpoint);
    return status;
}
