/*
 * What a scheduler knows of the future: which cells are taken when, as maps of the times between
 * one change and the next. Asked for the earliest time at which a job has a spot until it ends.
 */
#ifndef WEFT_JOBS_PLAN_H
#define WEFT_JOBS_PLAN_H

#include "jobs/finder.h"

struct plan_stage {
    int64_t from;  /* to the next one's; the last one's never ends */
    uint32_t free; /* cells */
    space_row *map;
    int64_t *fails; /* [kind]: seconds for which, from here on, there is known to be no spot;
                       INT64_MAX: nothing is known */
    bool *starts;   /* [kind]: there is known to be one, at first */
    uint64_t given; /* the number of the last thing given back in it */
};

struct plan {
    struct finder *finder;
    struct plan_stage *stage;
    uint32_t stages, room;
    uint64_t gives;            /* things given back so far */
    space_row *together, *own; /* scratch */
};

/* What a job that asks holds itself: it may use that. Before it there was no spot when so many
 * things had been given back, so that one must reach into what was given back since. */
struct plan_held {
    int64_t from, to;
    const struct spot *spot;
    uint64_t gives;
};

void plan_init(struct plan *p, struct finder *finder);
void plan_fini(struct plan *p);

/* Starts over: at a time, a map, of which nothing changes but that nodes are repaired. */
void plan_reset(struct plan *p, int64_t now, const space_row *map);

/* Forgets what was before a time. */
void plan_advance(struct plan *p, int64_t now);

/* Takes a spot from a time to another, or gives it back. */
void plan_take(struct plan *p, int64_t from, int64_t to, const struct spot *spot, bool take);

/* The earliest time from which a job has a spot for some seconds; if it holds one, before that
 * one's. INT64_MAX: there is none. The caller must free the spot. */
int64_t plan_earliest(struct plan *p, uint32_t kind, int64_t seconds, const struct plan_held *held,
                      struct spot *spot);

#endif
