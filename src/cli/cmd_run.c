/* weft run: one simulation. */
#include "cli/cli.h"

#include <stdio.h>

#include "base/output.h"
#include "engine/ranks.h"
#include "report/summary.h"

static weft_status apply_settings(weft_run *run, const struct cli_options *o)
{
    weft_status status = WEFT_OK;
    for (unsigned i = 0; i < o->sets && status == WEFT_OK; i++)
        status = weft_run_set(run, o->set[i]);
    return status;
}

/* Opens the result file at the first rank, and lets all know how it went. */
static weft_status open_output(struct output_file *file, const char *name)
{
    return ranks_agree(ranks_me() == 0 ? output_open(file, name) : WEFT_OK, 0);
}

static weft_status execute(weft_run *run, const struct cli_options *o)
{
    struct output_file file;
    weft_status status = WEFT_OK;
    if (o->output && (status = open_output(&file, o->output)) != WEFT_OK)
        return status;
    struct run_options options = cli_run_options(o, pattern_name(run->config.workload.pattern));
    weft_status end = weft_run_execute_with(run, &options);
    cli_progress_end();
    if (ranks_me() != 0)
        return end; /* what there is to say is at the first rank */
    if (run->executed && o->output)
        status = output_commit_text(&file, weft_run_json(run));
    else if (o->output)
        output_abandon(&file);
    if (run->executed && !run->result.deadlock && !o->quiet)
        summary_run(stdout, &run->config, &run->result);
    return status != WEFT_OK ? status : end;
}

int cmd_run(int argc, char **argv)
{
    struct cli_options o;
    weft_run *run = NULL;
    weft_status status = cli_parse(argc, argv, &o);
    if (status == WEFT_OK)
        status = cli_refuse_batch_options(&o);
    if (status == WEFT_OK && o.names > 1)
        status = weft_fail(WEFT_BAD_INPUT, "more than one study; `weft run` takes one");
    if (status == WEFT_OK)
        status = weft_run_create(o.machine, o.names ? o.name[0] : NULL, &run);
    if (status == WEFT_OK)
        status = apply_settings(run, &o);
    status = ranks_agree(status, status == WEFT_OK ? config_hash(&run->config) : 0);
    if (status == WEFT_OK)
        status = execute(run, &o);
    weft_run_destroy(run);
    return status == WEFT_OK ? 0 : cli_fail(status);
}
