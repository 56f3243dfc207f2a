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
#ifndef WEFT_JOBS_SCHEDULE_H
#define WEFT_JOBS_SCHEDULE_H

#include "jobs/finder.h"
#include "jobs/swf.h"
#include "machine/jobs_params.h"

enum job_state { JOB_TO_COME, JOB_WAITING, JOB_RUNNING, JOB_FINISHED, JOB_FAILED, JOB_STATES };

#define NO_TIME INT64_MAX

struct job {
    int64_t number;
    int64_t submit, run, estimate; /* seconds; what it runs, and what the scheduler thinks */
    uint32_t nodes, kind;
    enum job_state state;
    uint32_t lost;      /* times that it was */
    int64_t start, end; /* of its last run */
    int64_t promised;   /* the start that it is promised, as long as no node dies; NO_TIME: none */
    uint32_t deaths;    /* of nodes, when it was */
    int64_t first_promise;
};

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
    bool check; /* the accounts, at every step */
    void (*progress)(void *arg, double share);
    bool (*interrupted)(void *arg);
    void *arg;
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

#endif
