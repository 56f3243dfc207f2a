/*
 * A sweep: a run for every combination of some keys' values, and for each of some seeds.
 *
 *   --over workload.load=0.2,0.4,0.6      x: one point per value
 *   --over machine.router.paths=1,2       every combination of the others is a curve
 *   --seeds 3                             each of them with three seeds
 *
 * A file brings what it has: the `curves` of a study are curves, times those of the other keys; its
 * `over` or `runs` are x, before all keys, unless one of them is the key of its `over`; its `seeds`
 * count if none are asked for. So none of it is lost.
 *
 *   sweep_plan(&s, &request)         what there is to run: s.item
 *   batch_run(s.item, s.items, ...)
 *   sweep_take(&s)                   their results: s.study
 *   sweep_fini(&s)
 */
#ifndef WEFT_STUDY_SWEEP_H
#define WEFT_STUDY_SWEEP_H

#include "study/study.h"

enum { SWEEP_AXES_MAX = 8, SWEEP_VALUES_MAX = 64, SWEEP_SEEDS_MAX = 100 };

struct sweep_request {
    const char *machine; /* NULL: the file's */
    const char *file;    /* a study, or what describes a run; NULL: none */
    enum study_size size;
    const char *over[SWEEP_AXES_MAX]; /* KEY=V1,V2,... */
    unsigned overs;
    bool x_is_load; /* a load comes first; if none is swept over, workload.load is:
                       --find-saturation */
    uint32_t seeds; /* 0: the file's, or one */
    /* Settings of all runs, above those of the file. */
    weft_status (*apply)(const void *arg, struct config *config);
    const void *arg;
};

/* A key and its values. */
struct sweep_axis {
    char text[1024]; /* cut into the words below */
    const char *key, *value[SWEEP_VALUES_MAX];
    size_t values;
};

struct sweep {
    struct sweep_request request;
    struct sweep_axis axis[SWEEP_AXES_MAX]; /* the first is x, unless the file has x */
    unsigned axes;
    bool x_of_file;
    struct study file;  /* its curves and points; none: 0 */
    struct study study; /* all curves, points and seeds; and a result for each item */

    struct batch_item *item; /* [study_runs()], and those that were added */
    size_t *curve;           /* [item] */
    size_t items;
};

/* WEFT_BAD_INPUT: something is wrong with all of it. A combination that alone does not fit is one
 * that has failed (batch.h). */
weft_status sweep_plan(struct sweep *s, const struct sweep_request *request);
void sweep_fini(struct sweep *s);

/* Adds a run of a curve, at another x. */
void sweep_add(struct sweep *s, size_t seed, size_t curve, const char *x);

/* Reads the results of runs from `first` on; those that failed have none. */
weft_status sweep_take(struct sweep *s, size_t first);

/* How many have failed. */
size_t sweep_failures(const struct sweep *s);

/* What the machines that are swept over do, one after the other: *item is 0 at first; false: there
 * are no more. */
bool sweep_work(const struct sweep *s, size_t *item, const char **machine, struct work *work);

/* Makes a figure what is shown, with titles and labels for it. */
weft_status sweep_show(struct sweep *s, const char *metric, const char *title);

/*
 * ---- saturation.c ----
 *
 * Where curves of a sweep saturate: the largest load at which a run is still steady, found by
 * bisection between the largest x of the sweep that is and the smallest that is not. A run counts
 * as steady if it is with every seed.
 *
 *   saturation_init(&f, &sweep, 0.01)
 *   while (saturation_next(&f))          adds runs to the sweep, from f.first on
 *       run them, and sweep_take()       at the end f.curve has what was found
 */
enum saturation_state {
    SATURATION_OPEN, /* not yet as precise as it was to be */
    SATURATION_FOUND,
    SATURATION_ABOVE, /* all runs are steady */
    SATURATION_BELOW, /* none is */
    SATURATION_LOST,  /* runs in between failed */
};

struct saturation_curve {
    enum saturation_state state;
    double steady, unsteady; /* the largest that is, and the smallest that is not */
    double asked;            /* that is being run */
};

struct saturation {
    struct sweep *sweep;
    double precision; /* of the distance between the two, as a share of the larger */
    struct saturation_curve curve[STUDY_CURVES_MAX];
    size_t first; /* run that saturation_next() has added */
};

/* Looks at the runs that there are. */
void saturation_init(struct saturation *f, struct sweep *sweep, double precision);

/* Takes in the runs it added last, and adds the next ones; false: there are none. At the end the
 * study knows where its curves saturate. */
bool saturation_next(struct saturation *f);

#endif
