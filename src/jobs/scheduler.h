/*
 * The files of the scheduler: places for jobs (finder.c), what is known of the future (plan.c), the
 * state of a machine that is shared (scheduler.c), and the policies (policies.c).
 */
#ifndef WEFT_JOBS_SCHEDULER_H
#define WEFT_JOBS_SCHEDULER_H

#include "jobs/jobs.h"
#include "node/program.h"

/*
 * ---- finder.c ----
 *
 * Places for jobs: a job's size says which boxes can serve it, and a map of the machine at some
 * time where one of them is free. Jobs that can do without some nodes may be given a box with dead
 * nodes, if its view is still large enough.
 */

/* Jobs of one size. */
struct kind {
    uint32_t nodes;
    struct shapes shapes;
    uint32_t cells;  /* that a job takes, at least */
    uint32_t spares; /* dead nodes that it can do without */
    bool placeable;  /* it has a place in the empty machine, without what is dead for good */
};

/* A node that is dead, and until when. */
struct outage {
    uint32_t node, cell;
    uint32_t at[SPACE_AXES]; /* of the cell */
    int64_t until;           /* seconds; INT64_MAX: for good */
};

/* What a job is given. */
struct spot {
    struct place place;   /* a box; or, if it has none, */
    space_row *scattered; /* a map of cells; NULL in a plan that counts (plan.c): any */
    uint32_t count;       /* of scattered cells */
};

struct finder {
    const struct ground *ground;
    struct space space;
    struct shapes_options shapes;
    struct kind *kind; /* by size */
    uint32_t kinds;
    struct outage *outage; /* those for good first, then by their ends */
    uint32_t outages, outage_room;
    uint32_t for_good;  /* of them */
    bool *is_dead;      /* [node] */
    uint32_t *in_place; /* scratch: dead nodes of a place */
    struct tally tally; /* scratch: dead nodes at a time */
};

/* `nodes`: the sizes of all jobs, in any order. The ground's dead nodes are dead for good. */
void finder_init(struct finder *f, const struct ground *ground, const struct shapes_options *shapes,
                 const uint32_t *nodes, uint32_t jobs);
void finder_fini(struct finder *f);

uint32_t finder_kind(const struct finder *f, uint32_t nodes);

/* A node dies; false: it is dead already. No outage may end before one that began earlier. */
bool finder_break(struct finder *f, uint32_t node, int64_t until);

/* Nodes come back; when the next one will: INT64_MAX: none. */
void finder_repair(struct finder *f, int64_t now);
int64_t finder_next_repair(const struct finder *f);

/* Closes, in a map of some time, the cells of the nodes that are dead then. */
void finder_close(const struct finder *f, space_row *map, int64_t time);

/* Whether so many free cells can be enough. A job with spares may also use closed cells, each of
 * which has a dead node. */
static inline bool finder_may_fit(const struct finder *f, uint32_t kind, uint32_t free)
{
    const struct kind *k = &f->kind[kind];
    return k->cells <= free + (k->spares < f->outages ? k->spares : f->outages);
}

/* A spot in a map of some time; false: there is none. The caller must free it. */
bool finder_find(struct finder *f, const space_row *map, uint32_t kind, int64_t time,
                 struct spot *spot);
void spot_fini(struct spot *spot);

/* Whether there may be a spot for a kind, if there was none before a cell became free. */
bool finder_may_gain(const struct finder *f, const space_row *map, uint32_t kind, uint32_t cell);

/* Takes a spot in a map, or gives it back. */
void spot_take(const struct finder *f, space_row *map, const struct spot *spot, bool take);

/* Whether a spot has a cell. */
bool spot_has(const struct finder *f, const struct spot *spot, uint32_t cell);

/*
 * ---- plan.c ----
 *
 * What a scheduler knows of the future: which cells are taken when, as maps of the times between
 * one change and the next. Asked for the earliest time at which a job has a spot until it ends.
 * Where jobs take any cells, none is reserved before its job starts: the plan only counts.
 */

struct plan_stage {
    int64_t from;   /* to the next one's; the last one's never ends */
    uint32_t free;  /* cells */
    space_row *map; /* in a plan that counts: without jobs */
    int64_t *fails; /* [kind]: seconds for which, from here on, there is known to be no spot;
                       INT64_MAX: nothing is known */
    bool *starts;   /* [kind]: there is known to be one, at first */
    uint64_t given; /* the number of the last thing given back in it */
};

struct plan {
    struct finder *finder;
    bool counts;
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

/* ---- the state of a machine that is shared ---- */

/* A job that runs. */
struct running {
    uint32_t job;
    int64_t expected, end; /* by its estimate, and in truth */
    struct spot spot;
};

/* EASY's reservation of the first job that waits, and what it has tried since. */
struct easy {
    uint32_t job; /* NOBODY: there is none */
    int64_t time;
    struct spot spot;
    bool hit;         /* a node of the spot died since it was reserved */
    space_row *avoid; /* the map with that spot taken */
    /* [kind]: the number of the map, or of the reservation, for which it is known that there is no
     * spot at all, or none that keeps out of the reserved one. What breaks makes no spots. */
    uint32_t *none, *beside;
    uint32_t map, reservation;
};

/* Conservative backfill's. */
struct reservation {
    int64_t time;
    struct spot spot;
    uint64_t gives; /* things that the plan had been given back when it was last looked for */
};

struct scheduler {
    const struct schedule_options *o;
    struct schedule_result *r;
    struct finder finder;
    int64_t now;
    space_row *map; /* now */
    uint32_t free;  /* cells */

    struct running *running; /* by expected end, then number */
    uint32_t runnings, running_room;
    uint64_t used_nodes; /* that running jobs asked for */

    uint32_t coming;         /* the next job to be submitted */
    uint32_t first, last;    /* of those that wait, in order */
    uint32_t *next, *before; /* [job] */
    uint32_t fresh;          /* the first that was submitted since the last pass */

    int64_t moved;         /* when a job last started or ended */
    uint64_t draws_before; /* of deaths, by then */

    double next_death;
    uint64_t death_draws;
    bool more_room; /* a job gave something back since the last pass */
    uint32_t *repaired, repaireds, repaired_room; /* cells of nodes that came back since then */
    bool less_room;                               /* something broke */
    bool early;                                   /* a job ended before its estimate */

    struct easy easy;
    struct plan plan;
    struct reservation *reserved; /* [job] */
};

/* ---- scheduler.c ---- */

/* Starts a job that waits; the spot is then the schedule's. */
void scheduler_start(struct scheduler *s, uint32_t job, struct spot *spot);

/* Promises a job a start. */
void scheduler_promise(struct scheduler *s, uint32_t job, int64_t time);

/* ---- policies.c: what can start, starts ---- */
void fcfs_pass(struct scheduler *s);

void easy_init(struct scheduler *s);
void easy_fini(struct scheduler *s);
void easy_pass(struct scheduler *s);
void easy_broken(struct scheduler *s, uint32_t cell); /* a node of it died */

void conservative_init(struct scheduler *s);
void conservative_fini(struct scheduler *s);
void conservative_pass(struct scheduler *s);
void conservative_ended(struct scheduler *s,
                        const struct running *run);   /* before it is forgotten */
int64_t conservative_next(const struct scheduler *s); /* the next start; NO_TIME: none */

#endif
