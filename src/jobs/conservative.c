/* Conservative backfill: all that wait have reservations, which never move to a later time. */
#include <stdlib.h>

#include "base/memory.h"
#include "jobs/scheduler.h"

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

static void take(struct scheduler *s, uint32_t job, bool take)
{
    const struct reservation *r = &s->reserved[job];
    plan_take(&s->plan, r->time, r->time + s->r->job[job].estimate, &r->spot, take);
}

/* Gives a job that has no reservation the earliest one. */
static void reserve(struct scheduler *s, uint32_t job)
{
    const struct job *j = &s->r->job[job];
    struct reservation *r = &s->reserved[job];
    r->gives = s->plan.gives;
    r->time = plan_earliest(&s->plan, j->kind, j->estimate, NULL, &r->spot);
    WEFT_CHECK(r->time < NO_TIME, "job %lld never fits", (long long)j->number);
    take(s, job, true);
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
        take(s, job, false);
        spot_fini(&r->spot);
        r->time = now.time;
        r->spot = now.spot;
        take(s, job, true);
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
        reserve(s, job);
    }
}

static void start_due(struct scheduler *s)
{
    uint32_t before = NOBODY;
    for (uint32_t job = s->first; job != NOBODY;) {
        uint32_t next = s->next[job];
        if (s->reserved[job].time <= s->now)
            scheduler_start(s, job, before, &s->reserved[job].spot);
        else
            before = job;
        job = next;
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
            reserve(s, job);
    }
    s->early = false;
    start_due(s);
}

int64_t conservative_next(const struct scheduler *s)
{
    int64_t time = NO_TIME;
    for (uint32_t job = s->first; job != NOBODY; job = s->next[job])
        time = s->reserved[job].time < time ? s->reserved[job].time : time;
    return time;
}
