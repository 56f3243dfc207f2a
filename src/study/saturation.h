/*
 * Where curves of a sweep saturate: the largest load at which a run is still steady, found by
 * bisection between the largest x of the sweep that is and the smallest that is not. A run counts
 * as steady if it is with every seed.
 *
 *   saturation_init(&f, &sweep, 0.01)
 *   while (saturation_next(&f))          adds runs to the sweep, from f.first on
 *       run them, and sweep_take()       at the end f.curve has what was found
 */
#ifndef WEFT_STUDY_SATURATION_H
#define WEFT_STUDY_SATURATION_H

#include "study/sweep.h"

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
