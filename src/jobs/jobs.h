/*
 * A machine that is shared: jobs are submitted, wait, run and end; nodes die and are repaired. Time
 * is in whole seconds. At each second that anything happens in, jobs end first, then nodes come
 * back, nodes die, jobs are submitted, and at last the policy starts what it can, jobs in the order
 * of their submit times, then of their numbers.
 *
 *   first come, first served   a job starts when it is the first that waits and there is a place
 *   EASY                       the first that waits has a reservation: the earliest time, by the
 *                              estimates of those that run, at which there is a place for it, and
 *                              that place. Others may start before it if they end by then, or keep
 *                              out of that place
 *   conservative               every job that waits has a reservation, which is never moved to a
 *                              later time: when a job ends early, all are tried again in order
 *
 * A job that runs where a node dies is lost, and waits again at its place in the queue; the cell is
 * closed until the node is repaired. A job that was lost too often fails, and so does one that has
 * no place in the empty machine. Where nodes fail so often that those that wait never find one, the
 * schedule ends when nothing has run for 30 repair times, of a day at least, or 10,000 failures.
 */
#ifndef WEFT_JOBS_JOBS_H
#define WEFT_JOBS_JOBS_H

#include "config/config.h"
#include "jobs/log.h"
#include "machine/result.h"
#include "topology/places/places.h"

#define NO_TIME INT64_MAX

/* A job on the machine, from its start to its end. */
struct job_run {
    uint32_t job;
    int64_t start, end;
    struct place place; /* size 0: scattered */
    uint64_t scattered; /* a hash of its cells; 0: a box */
    bool lost;
};

/* Where the machine's time went, in node seconds between the first submission and the last;
 * together all of it. */
enum time_share {
    SHARE_USED,     /* nodes that jobs asked for */
    SHARE_INTERNAL, /* nodes allocated beyond that */
    SHARE_EXTERNAL, /* free while the first job waits for no more than is free */
    SHARE_STARVED,  /* free while the first job waits for more */
    SHARE_IDLE,     /* free while nobody waits */
    SHARE_CLOSED,   /* for repair */
    SHARES,
};

struct schedule_options {
    const struct ground *ground;
    struct shapes_options shapes;
    enum policy policy;
    double mtbf_seconds; /* of a node; 0: none dies */
    int64_t repair_seconds;
    uint32_t most_lost; /* a job that is lost more often fails */
    uint64_t seed;
    bool check;                    /* the accounts, at every step */
    const struct run_options *run; /* is told of its progress, and may interrupt; NULL: nobody */
};

struct schedule_result {
    struct job *job;
    uint32_t jobs, count[JOB_STATES];
    uint32_t unplaceable; /* failed, because there was no place in the empty machine */
    struct job_run *run;  /* in the order of their ends */
    uint32_t runs, run_room;
    uint32_t deaths; /* of nodes */
    double share[SHARES];
    double lost_share;      /* of all: used by runs that were lost; a part of SHARE_USED */
    int64_t from, to, last; /* first and last submission, last end */
    uint64_t digest;        /* of all runs */
    struct space space;     /* that places are in */
    uint32_t nodes, cell_nodes;
};

/* `job`: number to nodes are set, by submit time; the result keeps the array. WEFT_FAILED: it was
 * interrupted, or accounts are wrong. */
weft_status schedule_run(const struct schedule_options *options, struct job *job, uint32_t jobs,
                         struct schedule_result *result);
void schedule_result_fini(struct schedule_result *result);

/* ---- run.c: a run, and what it says of its jobs, all of them and by their size ---- */

/* Jobs of a size: 1 cell, 2 to 4, 5 to 16, and so on; the last has all that are larger. */
enum { SIZE_CLASSES = 8 };

/* Of some values. */
struct spread {
    double mean, median, most_95; /* 95 of a hundred are no larger */
    double most;
};

struct job_figures {
    uint32_t from_cells, to_cells; /* to: UINT32_MAX: any */
    uint32_t jobs, finished, failed;
    double node_seconds;            /* of finished jobs: asked for and run */
    struct spread wait;             /* seconds from its submission to the start of its last run */
    struct spread slowdown;         /* (wait + run) / run */
    struct spread bounded_slowdown; /* jobs under ten seconds count as ten; at least 1 */
};

struct jobs_figures {
    struct job_figures all, by_size[SIZE_CLASSES];
};

/* All that is known after a run. */
struct jobs_report {
    struct swf_log log; /* what was found in it; its jobs are in the schedule */
    double own_load;    /* of the log */
    double load;        /* as it was scaled */
    struct schedule_result schedule;
    struct jobs_figures figures;
};

void jobs_report_free(struct jobs_report *report);

/* A run of any pattern. Of `jobs` and `view`, parts of the machine are given to jobs, and nothing
 * is sent; all others are the machine's own (machine/run.h). */
weft_status jobs_run_config(const struct config *config, const struct run_options *options,
                            struct run_result *result);

/* ---- view.c: a run of the pattern `view`, a box of the machine as a torus ---- */

/* Adds what the keys ask for to a result. */
weft_status view_show(const struct config *config, const struct ground *ground,
                      struct run_result *result);

#endif
