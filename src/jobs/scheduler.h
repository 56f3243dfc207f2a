/* The state of a machine that is shared, for the files of the scheduler. */
#ifndef WEFT_JOBS_SCHEDULER_H
#define WEFT_JOBS_SCHEDULER_H

#include "jobs/plan.h"
#include "jobs/schedule.h"

#define NOBODY UINT32_MAX

/* A job that runs. */
struct running {
    uint32_t job;
    int64_t expected; /* its end, by its estimate */
    struct spot spot;
};

struct due {
    int64_t time;
    uint32_t job;
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
    struct due *due; /* a heap of ends; those that are no longer true are passed over */
    uint32_t dues, due_room;
    uint64_t used_nodes; /* that running jobs asked for */

    uint32_t coming;      /* the next job to be submitted */
    uint32_t first, last; /* of those that wait, in order */
    uint32_t *next;       /* [job] */
    uint32_t fresh;       /* the first that was submitted since the last pass */

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
void scheduler_start(struct scheduler *s, uint32_t job, uint32_t before, struct spot *spot);

/* Promises a job a start. */
void scheduler_promise(struct scheduler *s, uint32_t job, int64_t time);

/* ---- policies: what can start, starts ---- */
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
