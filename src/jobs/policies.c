/* The policies: first come, first served; EASY backfill; conservative backfill. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "jobs/scheduler.h"

/* ---- first come, first served ---- */

/* Starts jobs from the first on; returns whether any did. */
static bool start_first(struct scheduler *s)
{
    bool any = false;
    struct spot spot;
    while (s->first != NOBODY &&
           finder_find(&s->finder, s->map, s->r->job[s->first].kind, s->now, &spot)) {
        scheduler_start(s, s->first, &spot);
        any = true;
    }
    return any;
}

void fcfs_pass(struct scheduler *s)
{
    if (s->more_room || s->repaireds || s->fresh == s->first)
        start_first(s);
}

/* ---- EASY: the first that waits has a reservation ---- */

void easy_init(struct scheduler *s)
{
    struct easy *e = &s->easy;
    *e = (struct easy){.job = NOBODY,
                       .avoid = space_map(&s->finder.space),
                       .none = memory_alloc(s->finder.kinds + 1, sizeof(*e->none)),
                       .beside = memory_alloc(s->finder.kinds + 1, sizeof(*e->beside))};
}

void easy_fini(struct scheduler *s)
{
    struct easy *e = &s->easy;
    spot_fini(&e->spot);
    free(e->avoid);
    free(e->none);
    free(e->beside);
}

/* ---- EASY's reservation ---- */

/* Of scattered cells, those that are not free yet: what is free now is left to others. */
static void prefer_later(const struct scheduler *s, const space_row *later, struct spot *spot)
{
    const struct space *space = &s->finder.space;
    const struct kind *k = &s->finder.kind[s->r->job[s->first].kind];
    space_row *map = space_map(space), *cells = space_map(space);
    memcpy(map, later, space->words * sizeof(*map));
    for (uint32_t i = 0; i < space->rows; i++)
        map[i] |= ~(s->map[i] | s->map[i + space->rows]);
    uint32_t found = space_free(space, map);
    space_scatter(space, map, found < k->cells ? found : k->cells, cells);
    if (found < k->cells) {
        memcpy(map, later, space->words * sizeof(*map));
        space_add(space, map, cells);
        space_scatter(space, map, k->cells - found, cells);
    }
    free(spot->scattered);
    spot->scattered = cells;
    free(map);
}

/* In the map of a later time: jobs have ended by their estimates, nodes are repaired. */
static bool fits_later(struct scheduler *s, int64_t time, space_row *map, struct spot *spot)
{
    uint32_t kind = s->r->job[s->first].kind;
    memcpy(map, s->map, s->finder.space.words * sizeof(*map));
    for (uint32_t i = 0; i < s->runnings && s->running[i].expected <= time; i++)
        spot_take(&s->finder, map, &s->running[i].spot, false);
    finder_close(&s->finder, map, time);
    return finder_may_fit(&s->finder, kind, space_free(&s->finder.space, map)) &&
           finder_find(&s->finder, map, kind, time, spot);
}

/* What is free only grows with time: halving finds the earliest. */
static void reserve_first(struct scheduler *s)
{
    struct easy *e = &s->easy;
    struct finder *f = &s->finder;
    space_row *map = space_map(&f->space);
    int64_t *times = memory_alloc(s->runnings + f->outages + 1, sizeof(*times));
    uint32_t steps = 0, low = 0;
    for (uint32_t i = 0, k = f->for_good; i < s->runnings || k < f->outages;)
        times[steps++] =
            k == f->outages || (i < s->runnings && s->running[i].expected <= f->outage[k].until)
                ? s->running[i++].expected
                : f->outage[k++].until;
    /* The empty machine has a place, or the job would not wait. */
    WEFT_CHECK(steps, "job %lld waits for nothing", (long long)s->r->job[s->first].number);
    uint32_t high = steps - 1;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        struct spot spot;
        if (fits_later(s, times[middle], map, &spot)) {
            spot_fini(&spot);
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    spot_fini(&e->spot);
    bool fits = fits_later(s, times[low], map, &e->spot);
    WEFT_CHECK(fits, "job %lld never fits", (long long)s->r->job[s->first].number);
    e->job = s->first;
    e->time = times[low];
    if (e->spot.scattered)
        prefer_later(s, map, &e->spot);
    free(times);
    free(map);
    memcpy(e->avoid, s->map, f->space.words * sizeof(*e->avoid));
    spot_take(f, e->avoid, &e->spot, true);
    scheduler_promise(s, e->job, e->time);
    e->hit = false;
    e->reservation++;
}

/* ---- EASY: those behind the first ---- */

static void backfill(struct scheduler *s, uint32_t job)
{
    struct easy *e = &s->easy;
    struct finder *f = &s->finder;
    const struct job *j = &s->r->job[job];
    bool in_time = s->now + j->estimate <= e->time;
    struct spot spot;
    bool known_none =
        e->none[j->kind] == e->map || (!in_time && e->beside[j->kind] == e->reservation);
    if (known_none || !finder_may_fit(f, j->kind, s->free))
        return;
    if (finder_find(f, in_time ? s->map : e->avoid, j->kind, s->now, &spot)) {
        spot_take(f, e->avoid, &spot, true);
        scheduler_start(s, job, &spot);
        return;
    }
    if (!in_time)
        e->beside[j->kind] = e->reservation;
    if (!in_time && s->less_room && finder_find(f, s->map, j->kind, s->now, &spot))
        spot_fini(&spot);
    else if (in_time || s->less_room)
        e->none[j->kind] = e->map;
}

/* One of scattered cells depends on all that are free. */
void easy_broken(struct scheduler *s, uint32_t cell)
{
    struct easy *e = &s->easy;
    e->hit |= e->spot.scattered || spot_has(&s->finder, &e->spot, cell);
}

void easy_pass(struct scheduler *s)
{
    struct easy *e = &s->easy;
    bool all = s->more_room || s->first != e->job ||
               (s->repaireds && (e->time <= s->now || e->spot.scattered));
    if (all && start_first(s))
        e->job = NOBODY;
    if (s->first == NOBODY) {
        e->job = NOBODY;
        return;
    }
    bool anew = all || e->hit;
    e->map += all;
    if (anew)
        reserve_first(s);
    else if (s->less_room || s->repaireds)
        finder_close(&s->finder, e->avoid, s->now);
    if (!anew && s->less_room) /* elsewhere: the promise stands */
        scheduler_promise(s, e->job, e->time);
    /* Nodes came back as foreseen, so that the reservation stands: tries those that may fit now. */
    if (!all)
        for (uint32_t i = 0; i < s->repaireds; i++)
            for (uint32_t kind = 0; kind < s->finder.kinds; kind++)
                if (finder_may_gain(&s->finder, s->map, kind, s->repaired[i]))
                    e->none[kind] = e->beside[kind] = 0;
    uint32_t job = s->next[s->first];
    if (!anew && !s->repaireds) /* the others have been tried */
        while (job != NOBODY && job < s->fresh)
            job = s->next[job];
    for (uint32_t next; job != NOBODY; job = next) {
        next = s->next[job];
        backfill(s, job);
    }
}

/* ---- conservative: all that wait have reservations, which never move to a later time ---- */

void conservative_init(struct scheduler *s)
{
    plan_init(&s->plan, &s->finder);
    plan_reset(&s->plan, s->now, s->map);
    s->reserved = memory_alloc(s->r->jobs + 1, sizeof(*s->reserved));
}

void conservative_fini(struct scheduler *s)
{
    plan_fini(&s->plan);
    for (uint32_t i = 0; i < s->r->jobs; i++)
        spot_fini(&s->reserved[i].spot);
    free(s->reserved);
}

void conservative_ended(struct scheduler *s, const struct running *run)
{
    if (run->expected <= s->now)
        return;
    plan_take(&s->plan, s->now, run->expected, &run->spot, false);
    s->early = true;
}

static void plan_reservation(struct scheduler *s, uint32_t job, bool take)
{
    const struct reservation *r = &s->reserved[job];
    plan_take(&s->plan, r->time, r->time + s->r->job[job].estimate, &r->spot, take);
}

/* Gives a job that has no reservation the earliest one. */
static void reserve_earliest(struct scheduler *s, uint32_t job)
{
    const struct job *j = &s->r->job[job];
    struct reservation *r = &s->reserved[job];
    r->gives = s->plan.gives;
    r->time = plan_earliest(&s->plan, j->kind, j->estimate, NULL, &r->spot);
    WEFT_CHECK(r->time < NO_TIME, "job %lld never fits", (long long)j->number);
    plan_reservation(s, job, true);
    scheduler_promise(s, job, r->time);
}

/* Something ended early: every job in turn may move to an earlier time. */
static void move_up(struct scheduler *s)
{
    for (uint32_t job = s->first; job != NOBODY && job < s->fresh; job = s->next[job]) {
        const struct job *j = &s->r->job[job];
        struct reservation *r = &s->reserved[job], now;
        if (r->time <= s->now)
            continue;
        struct plan_held held = {r->time, r->time + j->estimate, &r->spot, r->gives};
        r->gives = s->plan.gives;
        now.time = plan_earliest(&s->plan, j->kind, j->estimate, &held, &now.spot);
        if (now.time >= r->time)
            continue;
        plan_reservation(s, job, false);
        spot_fini(&r->spot);
        r->time = now.time;
        r->spot = now.spot;
        plan_reservation(s, job, true);
        scheduler_promise(s, job, r->time);
    }
}

/* Something broke: all is planned anew. */
static void start_over(struct scheduler *s)
{
    space_row *empty = space_map(&s->finder.space);
    plan_reset(&s->plan, s->now, empty);
    free(empty);
    for (uint32_t i = 0; i < s->runnings; i++)
        plan_take(&s->plan, s->now, s->running[i].expected, &s->running[i].spot, true);
    for (uint32_t job = s->first; job != NOBODY; job = s->next[job]) {
        spot_fini(&s->reserved[job].spot);
        reserve_earliest(s, job);
    }
}

void conservative_pass(struct scheduler *s)
{
    plan_advance(&s->plan, s->now);
    if (s->less_room) {
        start_over(s);
    } else {
        if (s->early)
            move_up(s);
        for (uint32_t job = s->fresh; job != NOBODY; job = s->next[job])
            reserve_earliest(s, job);
    }
    s->early = false;
    for (uint32_t job = s->first, next; job != NOBODY; job = next) {
        next = s->next[job];
        struct spot *spot = &s->reserved[job].spot;
        if (s->reserved[job].time > s->now)
            continue;
        bool found =
            !s->plan.counts || finder_find(&s->finder, s->map, s->r->job[job].kind, s->now, spot);
        WEFT_CHECK(found, "job %lld has no cells", (long long)s->r->job[job].number);
        scheduler_start(s, job, spot);
    }
}

int64_t conservative_next(const struct scheduler *s)
{
    int64_t time = NO_TIME;
    for (uint32_t job = s->first; job != NOBODY; job = s->next[job])
        time = s->reserved[job].time < time ? s->reserved[job].time : time;
    return time;
}
