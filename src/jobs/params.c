/* Keys, and logs scaled to a machine. */
#include "jobs/params.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/random.h"

#define AT(field) offsetof(struct jobs_params, field)

static const char *const policies[] = {"fcfs", "easy", "conservative", NULL};
static const char *const whose[] = {"user", "perfect", NULL};
static const char *const choices[] = {"single", "rotations", "view", "any", "scattered", NULL};

static const struct key rows[] = {
    {"jobs.log", KEY_TEXT, AT(log), "", "",
     .help = "log of jobs in the Standard Workload Format, packed by gzip or not; empty: jobs are "
             "generated"},
    {"jobs.processors", KEY_OTHER, AT(processors), "", "auto", 1, KEY_U32_TOP,
     .format = &key_auto_format,
     .help = "processors that the log's sizes are shares of; auto: as its head says"},
    {"jobs.load", KEY_REAL, AT(load), "", "0", 0, 100,
     .help =
         "share of the machine that jobs ask for, from the first submission to the last; submit "
         "times are scaled to that. 0: the log's own"},
    {"jobs.shake_seconds", KEY_U64, AT(shake_seconds), "s", "0", 0, KEY_U64_TOP,
     .help =
         "each job is submitted up to this much earlier or later, drawn by run.seed: other logs "
         "like this one"},
    {"jobs.policy", KEY_CHOICE, AT(policy), "", "easy", .choices = policies,
     .help = "first come, first served; EASY or conservative backfill"},
    {"jobs.estimates", KEY_CHOICE, AT(estimates), "", "user", .choices = whose,
     .help = "run times that the scheduler reckons with: the users' or the true ones"},
    {"jobs.shapes", KEY_CHOICE, AT(shapes), "", "view", .choices = choices,
     .help =
         "boxes that are tried for a job: one; also turned; all with its torus view; all with no "
         "more cells; or any cells, wherever they are"},
    {"jobs.waste", KEY_REAL, AT(waste), "", "0.1", 0, 10,
     .help = "nodes beyond those asked for that a more compact box may have, as a share"},
    {"jobs.large_nodes", KEY_U32, AT(large_nodes), "", "0", 0, KEY_U32_TOP,
     .help = "jobs of that many nodes get spare nodes; 0: none do"},
    {"jobs.spares", KEY_U32, AT(spares), "", "1", 0, 1000,
     .help = "dead nodes that the box of a large job may have"},
    {"jobs.mtbf_hours", KEY_REAL, AT(mtbf_hours), "h", "0", 0, 1e15,
     .help = "mean time between failures of a node; 0: none fails"},
    {"jobs.repair_hours", KEY_REAL, AT(repair_hours), "h", "24", 0, 1e9,
     .help = "for which a node that has failed closes its cell"},
    {"jobs.most_lost", KEY_U32, AT(most_lost), "", "10", 0, 1000000,
     .help = "times that a job is started again after a node of it has failed"},
    {"jobs.count", KEY_U32, AT(model.jobs), "", "10000", 1, 1e8, .help = "generated jobs"},
    {"jobs.model.processors", KEY_U32, AT(model.processors), "", "128", 2, 1 << 30,
     .help = "of the machine that jobs are generated for"},
    {"jobs.model.serial_share", KEY_REAL, AT(model.serial_share), "", "0.244", 0, 1,
     .help = "of jobs: one processor"},
    {"jobs.model.power_share", KEY_REAL, AT(model.power_share), "", "0.576", 0, 1,
     .help = "of jobs: a power of two"},
    {"jobs.model.low", KEY_REAL, AT(model.low), "", "0.8", 0, 30,
     .help = "log2 of sizes: the smallest"},
    {"jobs.model.middle_below", KEY_REAL, AT(model.middle_below), "", "2.5", 0, 30,
     .help = "log2 of sizes: how far the bend lies below the largest"},
    {"jobs.model.first", KEY_REAL, AT(model.first), "", "0.86", 0, 1,
     .help = "of parallel jobs: below the bend"},
    {"jobs.model.brief_alpha", KEY_REAL, AT(model.brief.alpha), "", "4.2", 1e-3, 1e6,
     .help = "gamma distribution of ln(seconds) of brief jobs"},
    {"jobs.model.brief_beta", KEY_REAL, AT(model.brief.beta), "", "0.94", 1e-6, 1e3,
     .help = "the same"},
    {"jobs.model.lasting_alpha", KEY_REAL, AT(model.lasting.alpha), "", "312", 1e-3, 1e6,
     .help = "of those that last"},
    {"jobs.model.lasting_beta", KEY_REAL, AT(model.lasting.beta), "", "0.03", 1e-6, 1e3,
     .help = "the same"},
    {"jobs.model.brief_slope", KEY_REAL, AT(model.brief_slope), "", "-0.0054", -1, 1,
     .help = "share of brief jobs, per processor"},
    {"jobs.model.brief_share", KEY_REAL, AT(model.brief_share), "", "0.78", 0, 1,
     .help = "the same, of jobs of no processor"},
    {"jobs.model.apart_alpha", KEY_REAL, AT(model.apart.alpha), "", "10.46048", 1e-3, 1e6,
     .help = "gamma distribution of ln(seconds) between submissions"},
    {"jobs.model.apart_beta", KEY_REAL, AT(model.apart.beta), "", "0.4871", 1e-6, 1e3,
     .help = "the same"},
    {"jobs.model.day_alpha", KEY_REAL, AT(model.day.alpha), "", "8.1737", 1e-3, 1e6,
     .help = "gamma distribution of submissions over the half hours of a day"},
    {"jobs.model.day_beta", KEY_REAL, AT(model.day.beta), "", "3.9631", 1e-6, 1e3,
     .help = "the same"},
    {"jobs.model.overestimate", KEY_REAL, AT(model.overestimate), "", "5", 1, 1e6,
     .help = "the most that a user asks for, in run times; from 1 on, evenly"},
    {"jobs.box", KEY_TEXT, AT(box), "", "all",
     .help = "cells whose view the pattern `view` shows, as 3x3x2@0/4/1 (sizes, first cell); all"},
    {"jobs.axes", KEY_U32, AT(axes), "", "3", 1, VIEW_MOST_AXES, .help = "of that view"},
    {"jobs.planes", KEY_TEXT, AT(planes), "", "auto",
     .help = "of the machine's axes that make the view's axes, as xb,ya,zc; auto: so that the view "
             "is most like a cube"},
    {"jobs.coordinate", KEY_U32, AT(coordinate), "", "0", 0, KEY_U32_TOP,
     .help = "along the view's first axis: the node there is named"},
    {"jobs.cell", KEY_OTHER, AT(cell), "", "auto", .format = &torus_dims_format,
     .help = "nodes of a cell, which jobs are given whole; auto: a node group or a midplane"},
};

const struct key_section jobs_section = {sizeof(struct jobs_params)};
const struct key_table jobs_keys = {rows, sizeof(rows) / sizeof(rows[0]), &jobs_section};

/* ---- logs ---- */

static double work_of(const struct swf_log *log)
{
    double work = 0;
    for (uint32_t i = 0; i < log->jobs; i++)
        work += (double)log->job[i].run * (double)log->job[i].processors;
    return work;
}

static int compare(const void *a, const void *b)
{
    const struct job *p = a, *q = b;
    if (p->submit != q->submit)
        return p->submit < q->submit ? -1 : 1;
    if (p->number != q->number)
        return p->number < q->number ? -1 : 1;
    if (p->nodes != q->nodes)
        return p->nodes < q->nodes ? -1 : 1;
    return p->run != q->run ? (p->run < q->run ? -1 : 1) : 0;
}

/* Submit times: scaled, and shaken. */
static void set_times(const struct jobs_params *p, uint64_t seed, struct jobs_input *in)
{
    const struct swf_log *log = &in->log;
    int64_t first = log->job[0].submit;
    double scale = p->load > 0 && in->own_load > 0 ? in->own_load / p->load : 1;
    for (uint32_t i = 0; i < log->jobs; i++) {
        uint64_t draw = random_draw(random_key(seed, 2, RANDOM_JOB), i);
        double shift = (double)p->shake_seconds * ((double)(draw >> 11) * 0x1p-52 - 1);
        double time = (double)(log->job[i].submit - first) * scale + shift;
        in->job[i].submit = time > 0 ? (int64_t)time : 0;
    }
}

/* Sizes: the same share of the machine, up to a whole node. */
static void set_sizes(const struct jobs_params *p, uint32_t nodes, struct jobs_input *in)
{
    const struct swf_log *log = &in->log;
    double scale = (double)nodes / (double)log->processors;
    for (uint32_t i = 0; i < log->jobs; i++) {
        const struct swf_job *j = &log->job[i];
        double size = ceil((double)j->processors * scale - 1e-9);
        in->job[i].number = j->number;
        in->job[i].nodes = size < 1 ? 1 : size > nodes ? nodes : (uint32_t)size;
        in->job[i].run = j->run;
        in->job[i].estimate = p->estimates == ESTIMATES_PERFECT ? j->run : j->estimate;
    }
}

weft_status jobs_input(const struct jobs_params *p, uint32_t nodes, uint64_t seed,
                       struct jobs_input *in)
{
    weft_status status = WEFT_OK;
    *in = (struct jobs_input){.job = NULL};
    if (p->log[0])
        status = swf_read(p->log, &in->log);
    else
        generate_log(&p->model, seed, &in->log);
    if (status != WEFT_OK)
        return status;
    struct swf_log *log = &in->log;
    if (p->processors != KEY_AUTO)
        log->processors = p->processors;
    double span = (double)(log->job[log->jobs - 1].submit - log->job[0].submit);
    in->own_load = span > 0 ? work_of(log) / span / (double)log->processors : 0;
    in->jobs = log->jobs;
    in->job = memory_alloc(log->jobs, sizeof(*in->job));
    set_sizes(p, nodes, in);
    set_times(p, seed, in);
    qsort(in->job, in->jobs, sizeof(*in->job), compare);
    free(log->job);
    log->job = NULL;
    return WEFT_OK;
}
