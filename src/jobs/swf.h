/*
 * Logs of jobs in the Standard Workload Format (Feitelson's Parallel Workloads Archive, version
 * 2.2): a line of 18 numbers per job, -1 for what is not known; lines that begin with ';' are
 * comments, and those at the head of a log say what machine it is of ("; MaxProcs: 100").
 *
 * Real logs have gaps. A job without a run time or without processors is left out, one without a
 * submit time counts as submitted at 0, a run time of 0 counts as a second, and a job that was
 * submitted before its predecessor is put where it belongs; each is counted. A line that is not of
 * the format is refused.
 */
#ifndef WEFT_JOBS_SWF_H
#define WEFT_JOBS_SWF_H

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

struct swf_job {
    int64_t number;
    int64_t submit;     /* seconds since the log's start */
    int64_t run;        /* seconds, at least 1 */
    int64_t estimate;   /* of the user, at least 1; without one, the run time */
    int64_t processors; /* asked for; where that is not known, used */
};

struct swf_log {
    struct swf_job *job; /* by submit time, then number, then place in the log */
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

#endif
