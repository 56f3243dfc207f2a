/* clang-format off */
/*
 * A study: curves of runs, and what a paper says about them.
 *
 *   title: Response time in light traffic
 *   source: TORUS, Figure 4
 *   machine: bluegene-l
 *   workload: {pattern: uniform}            # keys that all runs share
 *   small: {machine.dims: 8x8x8}            # ... in its small size, run by default and by `make test`
 *   full: {machine.dims: 32x32x32}          # ... and in the paper's (--full)
 *   curves:                                 # none: one, named "Weft"
 *     - {name: base, set: {machine.router.vc_choice: random}}
 *     - {name: jsq}
 *   over: {workload.load: "0.5, 0.8, 0.95"} # one run per curve and value; the value is x;
 *   runs:                                   # or list the runs one by one
 *     - {name: ten packets, x: 2400, set: {workload.packets_per_pair: 10},
 *        paper: {text: "0.95", value: 0.95, tolerance: 0.025, claim: T081}}
 *   plot: {metric: response_cycles.mean, x: load, y: cycles, log_x: false, per: 1}
 *   plot: {timeline: "link_utilisation", ...} # over time instead, one or several fields
 *   claims:                                 # expressions over the curves (expression.h)
 *     - {id: T059, says: JSQ cuts the mean response by about 20 % at 95 % load,
 *        of: "at(jsq, response_cycles.mean, 0.95) / at(base, response_cycles.mean, 0.95) - 1",
 *        value: -0.2, tolerance: 0.07,      # or above: / below:
 *        size: full,                        # judged in this size only
 *        note: why it is missed}            # or what else a reader should know
 *
 * Figures and series have the same names as in a result file.
 */
/* clang-format on */
#ifndef WEFT_STUDY_STUDY_H
#define WEFT_STUDY_STUDY_H

#include "study/batch.h"

enum { STUDY_RUNS_MAX = 256, STUDY_CLAIMS_MAX = 64, STUDY_CURVES_MAX = 16, STUDY_SERIES_MAX = 8 };

enum study_size { STUDY_SMALL, STUDY_FULL };

struct study_curve {
    char name[64];
};

/* A place on the x axis: one run per curve. */
struct study_point {
    char name[96];
    char over[64]; /* the key's value, if the point comes from `over` */
    double x;
    bool has_paper;
    char paper_text[32], claim[32];
    double paper_value, paper_tolerance;
};

struct study_claim {
    char id[32], says[200], of[400], note[600];
    bool has_value, has_above, has_below;
    bool small, full; /* the sizes in which it is judged */
    double value, tolerance, above, below;
    unsigned line, column;

    bool judged, ok;
    double measured;
};

/* A run's result, read back. */
struct study_result {
    struct yaml yaml;
    bool there;
    double measured; /* of the study's metric */
};

struct study {
    char name[64], title[160], source[96];
    char metric[64]; /* what is plotted; or, over time: */
    char timeline[STUDY_SERIES_MAX][64];
    size_t series;
    char x_label[96], y_label[96];
    char over[64];  /* key, or "" */
    bool has_sizes; /* its full size differs from its small one */
    double per;     /* unit in which the metric is shown; 0: 1 */
    char per_text[16];
    bool log_x;
    bool words; /* points are not numbers: they are placed side by side */
    enum study_size size;
    struct yaml yaml;
    struct study_curve curve[STUDY_CURVES_MAX];
    size_t curves;
    struct study_point *point;
    size_t points;
    struct study_claim *claim;
    size_t claims;
    struct study_result *result; /* [curve * points + point] */
};

/* Loads a study by name (studies/NAME.yaml) or path, in one of its sizes. */
weft_status study_load(const char *name, enum study_size size, struct study *study);
void study_fini(struct study *study);

/* Applies the keys of a study file or result file; without `machine`, the file must name one. */
weft_status study_apply(struct config *config, const struct yaml *yaml, const char *machine);

/* The configuration of the run of a curve at a point. */
weft_status study_config(const struct study *study, enum study_size size, size_t curve,
                         size_t point, const char *machine, struct config *config);

/* Reads the result of a run from its file. */
weft_status study_take(struct study *study, size_t curve, size_t point, const char *path);

/* Judges the claims; call it once all results have been read. */
weft_status study_judge(struct study *study);

/* Judges one claim by its measured figure. */
void study_judge_claim(struct study_claim *claim);

/* "ok", "MISSED", or "" if there is nothing to compare with. */
const char *study_point_verdict(const struct study *study, size_t curve, size_t point);
const char *study_claim_verdict(const struct study_claim *claim);

/* The paper's value of the study's metric on a curve at a point, if it gives one: the value of the
 * run, or of a claim about exactly this, "at(CURVE, METRIC, X)". */
bool study_paper_value(const struct study *study, size_t curve, size_t point, double *value);

/* A hash of what defines its runs in the paper's size: everything but claims, plot and texts. */
uint64_t study_settings(const struct study *study);

/* Whether anything was missed. */
bool study_missed(const struct study *study);

#endif
