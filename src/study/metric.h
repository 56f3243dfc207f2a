/*
 * The figures of a result, by their names: what they are called on an axis, and whether there is
 * such a one at all. A sweep asks before hours are spent on runs that lack what it is to show.
 */
#ifndef WEFT_STUDY_METRIC_H
#define WEFT_STUDY_METRIC_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

enum { METRIC_LABEL = 96 };

/* The names that are known, one by one; NULL behind the last. Those of families, as vc_share.*, are
 * left out. */
const char *metric_name(size_t *at);

/* Whether results can have a figure of this name. */
bool metric_is_known(const char *name);

/* WEFT_BAD_INPUT: runs of these kinds (enum run_kind, as bits) cannot have such a figure; the one
 * that was meant is named if it is near. Of what programs call their own figures, only what is
 * nearly another is refused. */
weft_status metric_check(const char *name, unsigned kinds);

/* "mean response time (cycles)" */
void metric_label(const char *name, char label[METRIC_LABEL]);

/* The same for a key: "offered load (share of the bound)", "drain (cycles)". */
void metric_key_label(const char *key, const char *unit, char label[METRIC_LABEL]);

/* "mean response time": the same without the unit, for titles. */
void metric_words(const char *name, char words[METRIC_LABEL]);
void metric_key_words(const char *key, char words[METRIC_LABEL]);

/* Half the width of a run's own 95 % interval of a figure has this name; NULL: none has. */
const char *metric_interval(const char *name);

/* Whether a figure means little where a run is not steady: it grows with the length of the run. */
bool metric_needs_steady(const char *name);

#endif
