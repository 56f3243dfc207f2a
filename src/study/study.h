/* clang-format off */
/*
 * A study: curves of runs, and what a paper says about them.
 *
 *   title: Response time in light traffic
 *   source: TORUS, Figure 4
 *   machine: bluegene-l
 *   workload: {pattern: uniform}            # keys that all runs share
 *   workloads:                              # several at once: the pattern `parts` (workload/parts/parts.h)
 *     - {pattern: uniform, on: 0-63, load: 0.3}
 *   small: {machine.dims: 8x8x8}            # ... in its small size, run by default and by `make test`
 *   full: {machine.dims: 32x32x32}          # ... and in the paper's (--full)
 *   curves:                                 # none: one, named "Weft"
 *     - {name: base, set: {machine.router.vc_choice: random}}
 *     - {name: jsq}
 *   over: {workload.load: [0.5, 0.8, 0.95]} # one run per curve and value; the value is x;
 *   runs:                                   # or list the runs one by one
 *     - {name: ten packets, x: 2400, set: {workload.packets_per_pair: 10}, size: full} # in this size
 *   seeds: 5                                # each run with run.seed 1 to 5; also in small and full
 *   plot: {metric: response_cycles.mean, x: load, y: cycles, log_x: false, per: 1}
 *   plot: {timeline: "link_utilisation", ...} # over time instead, one or several fields
 *   claims:                                 # expressions over the curves (expression.h)
 *     - {id: T059, says: JSQ cuts the mean response by about 20 % at 95 % load,
 *        of: "at(jsq, response_cycles.mean, 0.95) / at(base, response_cycles.mean, 0.95) - 1",
 *        value: -0.2, tolerance: 0.07,      # or above: / below:
 *        size: full,                        # judged in this size only
 *        kind: calibrated,                  # a parameter was chosen to give it; formula: the paper's
 *                                           # own arithmetic; words: the paper gives no number, so
 *                                           # the limits are ours; both: it contradicts itself,
 *        weft: 5.46,                        # and this is what must come out here, to 1 %
 *        known: full,                       # known to be missed in this size (small, full, both),
 *        note: why it is missed}            # for this reason; or what else a reader should know
 *
 * Figures and series have the same names as in a result file. With several seeds a claim is worked
 * out for each, and judged by the mean and its 95 % interval. Response times of a run that is not
 * steady are not judged.
 */
/* clang-format on */
#ifndef WEFT_STUDY_STUDY_H
#define WEFT_STUDY_STUDY_H

#include "study/batch.h"

enum {
    STUDY_RUNS_MAX = 256,
    STUDY_CLAIMS_MAX = 64,
    STUDY_CURVES_MAX = 16,
    STUDY_SERIES_MAX = 8,
    STUDY_SEEDS_MAX = 10,
};

enum study_size { STUDY_SMALL, STUDY_FULL };

struct study_curve {
    char name[64];
};

/* A place on the x axis: one run per curve and seed. */
struct study_point {
    char name[96];
    char over[64]; /* the key's value, if the point comes from `over` */
    double x;
    size_t item;   /* of the list `runs` */
    bool left_out; /* it is of the other size */
};

/* What sort of statement a claim is. */
enum claim_kind {
    CLAIM_MEASURED,
    CLAIM_CALIBRATED, /* a parameter was chosen to give it */
    CLAIM_FORMULA,    /* the paper's own arithmetic, repeated */
    CLAIM_WORDS,      /* the paper gives no number: the limits are ours */
    CLAIM_BOTH,       /* the paper contradicts itself: both numbers are shown */
};

enum verdict {
    VERDICT_NONE, /* of the other size */
    VERDICT_OK,
    VERDICT_CALIBRATED,
    VERDICT_FORMULA,
    VERDICT_WORDS,
    VERDICT_UNCERTAIN, /* the mean is right, but its interval reaches beyond what the paper says */
    VERDICT_BOTH,
    VERDICT_KNOWN,    /* missed, as its study says, which explains it */
    VERDICT_MISSED,   /* which nobody knew */
    VERDICT_UNSTEADY, /* not judged: it rests on a run that is not steady */
    VERDICTS,
};
extern const char *const verdict_names[VERDICTS];

struct study_claim {
    char id[32], says[200], of[400], note[600];
    bool judged_in[2], known_in[2]; /* by size: where it is judged, and known to be missed */
    enum claim_kind kind;
    double value, tolerance, above, below; /* NAN: not given */
    double weft;                           /* of CLAIM_BOTH: what must come out here; else NAN */
    unsigned line, column;

    enum verdict verdict;
    double measured, interval; /* mean over the seeds, half width of its 95 % interval */
    char unsteady[200];        /* why it cannot be judged, and what would help */
};

/* A run's result, read back. */
struct study_result {
    struct yaml yaml;
    bool there;      /* false: it is not read, or its run failed */
    double measured; /* of the study's metric; NAN: it has none */
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
    bool log_x, log_y;
    bool categorical; /* points are not numbers: they are side by side */
    enum study_size size;
    uint32_t seeds;   /* 0: one, whichever the configuration says */
    bool seeds_sized; /* they are those of this size */
    struct yaml yaml;
    struct study_curve curve[STUDY_CURVES_MAX];
    size_t curves;
    struct study_point *point;
    size_t points;
    struct study_claim *claim;
    size_t claims;
    struct study_result *result; /* [(seed * curves + curve) * points + point], and, of a sweep,
                                    those of runs that were added */
    size_t results;
    bool has_saturation;
    double saturation[STUDY_CURVES_MAX]; /* [curve]: x from which runs are not steady; NAN: none */
};

/* Runs: one per seed, curve and point; of seeds there is at least one. */
size_t study_runs(const struct study *study);
size_t study_seeds(const struct study *study);

/* Where a run of study_runs() belongs. */
struct study_run {
    size_t seed, curve, point;
};
struct study_run study_run_at(const struct study *study, size_t index);
struct study_result *study_result_at(const struct study *study, struct study_run run);

/* Makes room for the results of all runs. */
void study_make_results(struct study *study);

/* Loads a study by name (studies/NAME.yaml) or path, in one of its sizes. */
weft_status study_load(const char *name, enum study_size size, struct study *study);

/* Reads a file that is a study, or describes a single run: then it has no curves and no points. */
weft_status study_read(const char *path, enum study_size size, struct study *study);
void study_fini(struct study *study);

/* Applies the keys of a study file or result file; without `machine`, the file must name one. */
weft_status study_apply(struct config *config, const struct yaml *yaml, const char *machine);

/* The configuration of a run. */
weft_status study_config(const struct study *study, struct study_run run, const char *machine,
                         struct config *config);

/* Whether results can have the figure that the file says is shown; `kinds` as in metric_check(). */
weft_status study_check_metric(const struct study *study, unsigned kinds);

/* Whether rows of a timeline have a value of this name. */
weft_status study_check_series(const char *name);

/* Refuses what would set a key that differs between the runs of the study, such as "-s KEY=VALUE".
 */
weft_status study_refuse(const struct study *study, const char *option, const char *key);

/* ---- outcome.c: results ---- */

/* Reads a result from its file. */
weft_status study_result_read(const char *path, struct study_result *result);

/* Reads the result of a run, and its figure of the study's metric. */
weft_status study_take(struct study *study, size_t run, const char *path);

/* Makes another figure of the results the study's metric. WEFT_BAD_INPUT: no result has it. */
weft_status study_choose(struct study *study, const char *metric);

/* A number of a result. */
weft_status study_result_figure(const struct yaml *result, const char *figure, double *value);

/* Half the 95 % interval of a figure that a run itself knows; NAN: it knows none. */
double study_result_half_width(const struct yaml *result, const char *figure);

/* Open loops are steady or not; other runs end. */
enum steady { STEADY_UNKNOWN, STEADY, STEADY_NOT };
enum steady study_result_steady(const struct study_result *result);

/* The study's metric on a curve at a point, over the seeds. */
struct study_figure {
    size_t runs;        /* that have it */
    double mean;        /* NAN: none has */
    double half_width;  /* of the 95 % interval: over the seeds, or the run's own; 0: unknown */
    enum steady steady; /* of all of them */
};
struct study_figure study_figure(const struct study *study, size_t curve, size_t point);

/* Whether a run of it failed, or was not made. */
bool study_failed(const struct study *study, size_t curve, size_t point);

/* ---- claims.c: what the paper says ---- */

/* Whether a study's runs, one item each, will have what it shows and what its claims are of; before
 * anything runs. */
weft_status study_check(const struct study *study, const struct batch_item *item);

/* Judges the claims; call it once all results have been read. */
weft_status study_judge(struct study *study);

/* Judges one claim by its measured figure. */
void study_judge_claim(struct study_claim *claim, enum study_size size);

/* The paper's value of the study's metric on a curve at a point, if there is a claim about exactly
 * this, "at(CURVE, METRIC, X)". */
bool study_paper_value(const struct study *study, size_t curve, size_t point, double *value);

/* A hash of what defines its runs: every value of their configurations, machine files included,
 * that is not the key's default. */
weft_status study_settings(const struct study *study, uint64_t *hash);

/* ---- metric.c: the figures of a result, by their names ---- */

/* What titles and axes call a figure or a key. */
enum { METRIC_LABEL = 96 };
struct metric_text {
    char phrase[METRIC_LABEL]; /* "mean response time" */
    char label[METRIC_LABEL];  /* "mean response time (cycles)" */
};

/* The names that are known, one by one; NULL behind the last. Those of families, as vc_share.*, are
 * left out. */
const char *metric_name(size_t *at);

/* Whether results can have a figure of this name. */
bool metric_is_known(const char *name);

/* WEFT_BAD_INPUT: runs of these kinds (enum run_kind, as bits) cannot have such a figure; the one
 * that was meant is named if it is near. Of what programs call their own figures, only what is
 * nearly another is refused. */
weft_status metric_check(const char *name, unsigned kinds);

void metric_describe(const char *name, struct metric_text *text);
void metric_describe_key(const char *key, const char *unit, struct metric_text *text);

/* Half the width of a run's own 95 % interval of a figure has this name; NULL: none has. */
const char *metric_interval(const char *name);

/* Whether a figure means little where a run is not steady: it grows with the length of the run. */
bool metric_needs_steady(const char *name);

#endif
