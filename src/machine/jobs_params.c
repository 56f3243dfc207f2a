/* The table of keys. */
#include "machine/jobs_params.h"

#define AT(field) offsetof(struct jobs_params, field)

static const char *const policies[] = {"fcfs", "easy", "conservative", NULL};
static const char *const whose[] = {"user", "perfect", NULL};
static const char *const choices[] = {"single", "rotations", "view", "any", "scattered", NULL};

static const struct key rows[] = {
    {"jobs.log", KEY_TEXT, AT(log), "", "",
     .help = "log of jobs in the Standard Workload Format, plain or gzip-compressed; empty: jobs "
             "are generated"},
    {"jobs.processors", KEY_AUTO_U32, AT(processors), "", "auto", 1, KEY_U32_TOP - 1,
     .help = "size of the machine that the log is from, in processors: jobs are scaled from it; "
             "auto: as the log says"},
    {"jobs.load", KEY_REAL, AT(load), "", "0", 0, 100,
     .help = "share of the machine that jobs ask for, from the first submission to the last; "
             "submit times are scaled to that. 0: the log's own"},
    {"jobs.shake_seconds", KEY_U64, AT(shake_seconds), "s", "0", 0, JOBS_MOST_SECONDS,
     .help = "each job is submitted up to this much earlier or later, at random by run.seed, which "
             "makes other logs like this one"},
    {"jobs.policy", KEY_CHOICE, AT(policy), "", "easy", .choices = policies,
     .help = "first come, first served; EASY or conservative backfill"},
    {"jobs.estimates", KEY_CHOICE, AT(estimates), "", "user", .choices = whose,
     .help = "run times that the scheduler plans with: the users' estimates or the true ones"},
    {"jobs.shapes", KEY_CHOICE, AT(shapes), "", "view", .choices = choices,
     .help = "boxes that are tried for a job: one; also turned; all with its torus view; all with "
             "no more cells; or any cells, wherever they are"},
    {"jobs.waste", KEY_REAL, AT(waste), "", "0.1", 0, 10,
     .help =
         "share of nodes, on top of those a job asks for, that a box may have to be more compact"},
    {"jobs.large_nodes", KEY_U32, AT(large_nodes), "", "0", 0, KEY_U32_TOP,
     .help = "jobs of at least this many nodes get spare nodes; 0: no job does"},
    {"jobs.spares", KEY_U32, AT(spares), "", "1", 0, 1000,
     .help = "dead nodes that the box of a job with spare nodes may have"},
    {"jobs.mtbf_hours", KEY_REAL, AT(mtbf_hours), "h", "0", 0, 1e15,
     .help = "mean time between failures of one node; 0: nodes do not fail"},
    {"jobs.repair_hours", KEY_REAL, AT(repair_hours), "h", "24", 0, 1e9,
     .help = "time to repair a failed node, during which its cell is closed"},
    {"jobs.most_lost", KEY_U32, AT(most_lost), "", "10", 0, 1000000,
     .help = "how often a job is restarted after a failure of one of its nodes"},
    {"jobs.count", KEY_U32, AT(model.jobs), "", "10000", 1, 1e8,
     .help = "number of jobs to generate"},
    {"jobs.model.processors", KEY_U32, AT(model.processors), "", "128", 2, 1 << 30,
     .help = "processors of the machine that jobs are generated for"},
    {"jobs.model.serial_share", KEY_REAL, AT(model.serial_share), "", "0.244", 0, 1,
     .help = "share of jobs that ask for one processor"},
    {"jobs.model.power_share", KEY_REAL, AT(model.power_share), "", "0.576", 0, 1,
     .help = "share of jobs that ask for a power of two"},
    {"jobs.model.low", KEY_REAL, AT(model.low), "", "0.8", 0, 30,
     .help = "log2 of the smallest parallel size"},
    {"jobs.model.middle_below", KEY_REAL, AT(model.middle_below), "", "2.5", 0, 30,
     .help = "log2 of the largest size over the size at which the distribution bends"},
    {"jobs.model.first", KEY_REAL, AT(model.first), "", "0.86", 0, 1,
     .help = "share of parallel jobs with sizes below the bend"},
    {"jobs.model.brief_alpha", KEY_REAL, AT(model.brief.alpha), "", "4.2", 1e-3, 1e6,
     .help = "ln(seconds) of a brief job is gamma distributed: shape"},
    {"jobs.model.brief_beta", KEY_REAL, AT(model.brief.beta), "", "0.94", 1e-6, 1e3,
     .help = "scale of that distribution"},
    {"jobs.model.lasting_alpha", KEY_REAL, AT(model.lasting.alpha), "", "312", 1e-3, 1e6,
     .help = "ln(seconds) of a long job is gamma distributed: shape"},
    {"jobs.model.lasting_beta", KEY_REAL, AT(model.lasting.beta), "", "0.03", 1e-6, 1e3,
     .help = "scale of that distribution"},
    {"jobs.model.brief_slope", KEY_REAL, AT(model.brief_slope), "", "-0.0054", -1, 1,
     .help = "share of brief jobs: change per processor"},
    {"jobs.model.brief_share", KEY_REAL, AT(model.brief_share), "", "0.78", 0, 1,
     .help = "share of brief jobs: its value at 0 processors"},
    {"jobs.model.apart_alpha", KEY_REAL, AT(model.apart.alpha), "", "10.46048", 1e-3, 1e6,
     .help = "ln(seconds) between submissions is gamma distributed: shape"},
    {"jobs.model.apart_beta", KEY_REAL, AT(model.apart.beta), "", "0.4871", 1e-6, 1e3,
     .help = "scale of that distribution"},
    {"jobs.model.day_alpha", KEY_REAL, AT(model.day.alpha), "", "8.1737", 1e-3, 1e6,
     .help = "submissions over the half hours of a day are gamma distributed: shape"},
    {"jobs.model.day_beta", KEY_REAL, AT(model.day.beta), "", "3.9631", 1e-6, 1e3,
     .help = "scale of that distribution"},
    {"jobs.model.overestimate", KEY_REAL, AT(model.overestimate), "", "5", 1, 1e6,
     .help = "estimates are uniform between the run time and this many times it"},
    {"jobs.box", KEY_TEXT, AT(box), "", "all",
     .help = "cells whose view the pattern `view` shows, as 3x3x2@0/4/1 (sizes, first cell by the "
             "machine's coordinates); all"},
    {"jobs.axes", KEY_U32, AT(axes), "", "3", 1, VIEW_MOST_AXES,
     .help = "number of axes of that view, in machines of six axes"},
    {"jobs.planes", KEY_TEXT, AT(planes), "", "auto",
     .help = "which axes of the machine make each axis of that view, as xb,ya,zc; auto: those that "
             "make it most like a cube"},
    {"jobs.coordinate", KEY_U32, AT(coordinate), "", "0", 0, KEY_U32_TOP,
     .help = "position along the view's first axis whose node is named"},
    {"jobs.cell", KEY_OTHER, AT(cell), "", "auto", .format = &torus_dims_format,
     .help =
         "size of a cell, the smallest part that a job is given; auto: a node group or a midplane"},
};

const struct key_section jobs_section = {sizeof(struct jobs_params)};
const struct key_table jobs_keys = {rows, sizeof(rows) / sizeof(rows[0]), &jobs_section};
