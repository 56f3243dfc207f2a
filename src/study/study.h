/*
 * A study: several runs of one machine and workload, each with the keys that differ and, where a
 * paper gives one, the value to compare with.
 *
 *   title: ...
 *   machine: bluegene-l
 *   workload: {pattern: alltoall}
 *   runs:
 *     - name: ten full packets
 *       x: 2400
 *       set: {workload.packets_per_pair: 10}
 *       paper: {text: "94-96 %", value: 0.95, tolerance: 0.025, claim: T081}
 *   plot: {metric: fraction_of_peak, x: payload bytes a pair, y: share of peak, log_x: true}
 */
#ifndef WEFT_STUDY_STUDY_H
#define WEFT_STUDY_STUDY_H

#include "study/run.h"

enum { STUDY_RUNS_MAX = 256 };

struct study_run {
    char name[96];
    double x;
    bool has_paper;
    char paper_text[32], claim[32];
    double paper_value, paper_tolerance;
    bool done;
    double measured; /* of the study's metric */
};

struct study {
    char name[64], title[160], metric[64];
    char x_label[96], y_label[96];
    bool log_x;
    struct yaml yaml;
    struct study_run *run;
    size_t runs;
};

/* By name (studies/NAME.yaml) or path. */
weft_status study_load(const char *name, struct study *study);
void study_fini(struct study *study);

/* The configuration of a run of the study, or (index past the last) of the study itself. */
weft_status study_config(const struct study *study, size_t index, const char *machine,
                         struct config *config);

/* Whether every run can be set up, before the first one starts. */
weft_status study_check(const struct study *study, const char *machine);

/* A figure of a result by the name it has in the result file; WEFT_BAD_INPUT: there is none. */
weft_status study_metric(const struct run_result *result, const char *name, double *value);

/* "ok", "MISSED", or "" where there is nothing to compare with. */
const char *study_verdict(const struct study_run *run);

#endif
