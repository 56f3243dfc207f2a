/*
 * Logs of jobs: read, or generated, and scaled to a machine.
 *
 * ---- swf.c ----
 * Logs of jobs in the Standard Workload Format (Feitelson's Parallel Workloads Archive, version
 * 2.2): a line of 18 numbers per job, -1 for what is not known; lines that begin with ';' are
 * comments, and those at the head of a log say what machine it is of ("; MaxProcs: 100").
 *
 * Real logs have gaps. A job without a run time or without processors is left out, one without a
 * submit time counts as submitted at 0, a run time of 0 counts as a second, and a job that was
 * submitted before its predecessor is put where it belongs; each is counted. A line that is not of
 * the format is refused.
 *
 * ---- generate.c ----
 * Logs of jobs that nobody ran: the model of Lublin and Feitelson ("The workload on parallel
 * supercomputers: modeling the characteristics of rigid jobs", JPDC 2003), all jobs of one kind.
 *
 *   processors   1 with some probability; else 2 to the power of a number from one of two uniform
 *                distributions, rounded for those that ask for powers of two
 *   run time     e to the power of a number from one of two gamma distributions: the first for
 *                short jobs; the more processors, the more often the second
 *   arrivals     e to the power of a gamma-distributed number of seconds apart, at the pace of the
 *                hour: half hours have weights by another gamma distribution, the day's cycle
 *
 * The model has no estimates: a user asks for the run time times a number between 1 and a most
 * (Mu'alem and Feitelson 2001).
 */
#ifndef WEFT_JOBS_LOG_H
#define WEFT_JOBS_LOG_H

#include "machine/jobs_params.h"

enum job_state { JOB_TO_COME, JOB_WAITING, JOB_RUNNING, JOB_FINISHED, JOB_FAILED, JOB_STATES };

struct job {
    int64_t number;
    int64_t submit;     /* seconds since the log's start */
    int64_t run;        /* seconds, at least 1 */
    int64_t estimate;   /* of the user, at least 1; without one, the run time */
    int64_t processors; /* asked for; where that is not known, used */
    uint32_t order;     /* in the log, while it is sorted */

    /* On a machine (jobs.h). */
    uint32_t nodes, kind;
    enum job_state state;
    uint32_t lost;    /* times that it was */
    int64_t start;    /* of its last run */
    int64_t promised; /* the start that it is promised, as long as no node dies; NO_TIME: none */
    uint32_t deaths;  /* of nodes, when it was */
    int64_t first_promise;
};

struct swf_log {
    struct job *job; /* by submit time, then number, then position in the log */
    uint32_t jobs;
    int64_t processors; /* of the machine, by its head; 0: it does not say. At least the largest
                           job's */
    uint32_t lines;     /* of jobs, those left out included */
    uint32_t no_run, no_processors; /* jobs left out */
    uint32_t no_submit;             /* taken as submitted at 0 */
    uint32_t zero_run;              /* taken as a second */
    uint32_t unsorted;              /* submitted before their predecessor */
    uint32_t no_estimate;           /* the run time stands in */
    uint32_t overrun;               /* ran longer than estimated: the estimate is raised */
};

/* Reads a log, plain or gzip-compressed. */
weft_status swf_read(const char *path, struct swf_log *log);

/* The same, of a text; `name` is what complaints call it. */
weft_status swf_read_text(const char *name, const char *text, size_t size, struct swf_log *log);

/* Sorts jobs by submit time, then number; equals stay in their order. */
void swf_sort(struct swf_log *log);

void swf_fini(struct swf_log *log);

/* Makes a log; the same seed makes the same one. The keys' defaults are the published values, of a
 * machine of 128 processors, but for estimates. WEFT_BAD_INPUT: hardly any time could be drawn. */
weft_status generate_log(const struct generate_params *params, uint64_t seed, struct swf_log *log);

/* For tests: the weight of each half hour of a day, 1 on average; a number from a gamma
 * distribution, and its cumulative probability. */
enum { HALF_HOURS = 48 };
void generate_weights(struct gamma_shape day, double weight[HALF_HOURS]);
double gamma_below(double x, struct gamma_shape shape);

#endif
