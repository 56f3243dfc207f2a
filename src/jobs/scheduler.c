/* What happens when, and the accounts. */
#include "jobs/jobs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "base/memory.h"
#include "base/random.h"
#include "jobs/scheduler.h"

/* ---- those that wait ---- */

/* Makes one job follow another; NOBODY: the queue's end on that side. */
static void link_jobs(struct scheduler *s, uint32_t before, uint32_t next)
{
    *(before == NOBODY ? &s->first : &s->next[before]) = next;
    *(next == NOBODY ? &s->last : &s->before[next]) = before;
}

static void enqueue(struct scheduler *s, uint32_t job)
{
    uint32_t next = s->last != NOBODY && s->last < job ? NOBODY : s->first;
    while (next != NOBODY && next < job)
        next = s->next[next];
    link_jobs(s, next == NOBODY ? s->last : s->before[next], job);
    link_jobs(s, job, next);
}

static void set_state(struct scheduler *s, uint32_t job, enum job_state state)
{
    s->moved = s->now;
    s->draws_before = s->death_draws;
    s->r->count[s->r->job[job].state]--;
    s->r->job[job].state = state;
    s->r->count[state]++;
}

/* A death voids all promises: reservations are made anew. Until the next, none may be broken. */
static void check_promise(const struct scheduler *s, const struct job *j, int64_t start)
{
    WEFT_CHECK(!s->o->check || j->deaths != s->r->deaths || start <= j->promised,
               "job %lld was promised to start at %lld, now it is %lld", (long long)j->number,
               (long long)j->promised, (long long)start);
}

void scheduler_promise(struct scheduler *s, uint32_t job, int64_t time)
{
    struct job *j = &s->r->job[job];
    if (j->first_promise == NO_TIME)
        j->first_promise = time;
    check_promise(s, j, time);
    j->promised = time;
    j->deaths = s->r->deaths;
}

/* ---- those that run ---- */

/* The one that ends first, of several then the one with the lowest number; NULL: nothing runs. */
static const struct running *ends_next(const struct scheduler *s)
{
    const struct running *first = NULL;
    for (uint32_t i = 0; i < s->runnings; i++) {
        const struct running *r = &s->running[i];
        if (!first || r->end < first->end || (r->end == first->end && r->job < first->job))
            first = r;
    }
    return first;
}

void scheduler_start(struct scheduler *s, uint32_t job, struct spot *spot)
{
    struct job *j = &s->r->job[job];
    check_promise(s, j, s->now);
    link_jobs(s, s->before[job], s->next[job]);
    if (s->fresh == job)
        s->fresh = s->next[job];
    set_state(s, job, JOB_RUNNING);
    j->start = s->now;
    LIST_RESERVE(s->running, s->runnings + 1, s->running_room);
    struct running run = {job, s->now + j->estimate, s->now + j->run, *spot};
    struct running *at = s->running + s->runnings++;
    for (; at > s->running && (run.expected < at[-1].expected ||
                               (run.expected == at[-1].expected && job < at[-1].job));
         at--)
        *at = at[-1];
    *at = run;
    *spot = (struct spot){.scattered = NULL};
    spot_take(&s->finder, s->map, &run.spot, true);
    s->free = space_free(&s->finder.space, s->map);
    s->used_nodes += j->nodes;
}

static void record(struct scheduler *s, const struct running *run, bool lost)
{
    struct schedule_result *r = s->r;
    const space_row *cells = run->spot.scattered;
    uint64_t hash = 0;
    for (uint32_t i = 0; cells && i < s->finder.space.rows; i++)
        hash = random_mix(hash ^ cells[i]);
    *LIST_ADD(r->run, r->runs, r->run_room) = (struct job_run){.job = run->job,
                                                               .start = r->job[run->job].start,
                                                               .end = s->now,
                                                               .place = run->spot.place,
                                                               .scattered = hash,
                                                               .lost = lost};
}

/* Takes a job off the machine. */
static void stop(struct scheduler *s, uint32_t at, bool lost)
{
    struct running run = s->running[at];
    struct job *j = &s->r->job[run.job];
    if (s->o->policy == POLICY_CONSERVATIVE)
        conservative_ended(s, &run);
    record(s, &run, lost);
    s->used_nodes -= j->nodes;
    spot_take(&s->finder, s->map, &run.spot, false);
    s->free = space_free(&s->finder.space, s->map);
    s->runnings--;
    memmove(s->running + at, s->running + at + 1, (s->runnings - at) * sizeof(*s->running));
    spot_fini(&run.spot);
    s->more_room = true;
}

/* ---- what happens ---- */

static void repair_nodes(struct scheduler *s)
{
    struct finder *f = &s->finder;
    s->repaireds = 0;
    for (uint32_t i = f->for_good; i < f->outages && f->outage[i].until <= s->now; i++)
        *LIST_ADD(s->repaired, s->repaireds, s->repaired_room) = f->outage[i].cell;
    if (!s->repaireds)
        return;
    finder_repair(f, s->now);
    finder_close(f, s->map, s->now);
    s->free = space_free(&f->space, s->map);
}

static void draw_death(struct scheduler *s)
{
    double rate = ground_nodes(s->o->ground) / s->o->mtbf_seconds;
    uint64_t draw = random_draw(random_key(s->o->seed, 0, RANDOM_DEATH), s->death_draws++);
    s->next_death += random_exponential(draw) / rate;
}

/* The job that runs in a cell is lost. */
static void lose_job(struct scheduler *s, uint32_t cell)
{
    for (uint32_t i = 0; i < s->runnings; i++) {
        if (!spot_has(&s->finder, &s->running[i].spot, cell))
            continue;
        uint32_t job = s->running[i].job;
        struct job *j = &s->r->job[job];
        stop(s, i, true);
        bool fails = j->lost++ >= s->o->most_lost;
        set_state(s, job, fails ? JOB_FAILED : JOB_WAITING);
        if (!fails)
            enqueue(s, job);
        return;
    }
}

static int64_t next_death(const struct scheduler *s)
{
    return s->o->mtbf_seconds > 0 && s->next_death < 1e15 ? (int64_t)ceil(s->next_death) : NO_TIME;
}

static void kill_nodes(struct scheduler *s)
{
    for (; next_death(s) == s->now; draw_death(s)) {
        uint64_t draw = random_draw(random_key(s->o->seed, 1, RANDOM_DEATH), s->death_draws);
        uint32_t node = ground_node(s->o->ground, random_below(draw, ground_nodes(s->o->ground)));
        if (!finder_break(&s->finder, node, s->now + s->o->repair_seconds))
            continue;
        uint32_t cell = ground_cell(s->o->ground, node);
        s->r->deaths++;
        lose_job(s, cell);
        easy_broken(s, cell);
        finder_close(&s->finder, s->map, s->now);
        s->free = space_free(&s->finder.space, s->map);
        s->less_room = true;
    }
}

static void submit_jobs(struct scheduler *s)
{
    for (; s->coming < s->r->jobs && s->r->job[s->coming].submit == s->now; s->coming++) {
        bool fits = s->finder.kind[s->r->job[s->coming].kind].placeable;
        set_state(s, s->coming, fits ? JOB_WAITING : JOB_FAILED);
        s->r->unplaceable += !fits;
        if (!fits)
            continue;
        enqueue(s, s->coming);
        if (s->fresh == NOBODY)
            s->fresh = s->coming;
    }
}

static void (*const passes[])(struct scheduler *s) = {fcfs_pass, easy_pass, conservative_pass};

/* ---- accounts ---- */

static uint32_t taken_cells(const struct scheduler *s)
{
    uint32_t taken = 0;
    for (uint32_t i = 0; i < s->finder.space.rows; i++)
        taken += (uint32_t)__builtin_popcountll(s->map[i]);
    return taken;
}

/* Adds up what happened since the last time, within the window. */
static void account(struct scheduler *s, int64_t to)
{
    struct schedule_result *r = s->r;
    int64_t from = s->now > r->from ? s->now : r->from, until = to < r->to ? to : r->to;
    if (until <= from)
        return;
    uint32_t taken = taken_cells(s);
    double seconds = (double)(until - from), cell = r->cell_nodes;
    enum time_share free = s->first == NOBODY                                       ? SHARE_IDLE
                           : s->finder.kind[r->job[s->first].kind].cells <= s->free ? SHARE_EXTERNAL
                                                                                    : SHARE_STARVED;
    r->share[SHARE_USED] += seconds * (double)s->used_nodes;
    r->share[SHARE_INTERNAL] += seconds * (taken * cell - (double)s->used_nodes);
    r->share[free] += seconds * s->free * cell;
    r->share[SHARE_CLOSED] += seconds * (s->finder.space.cells - taken - s->free) * cell;
}

/* Nothing is lost: every job is in one state, and every cell belongs to one job at most. */
static void check(const struct scheduler *s)
{
    const struct schedule_result *r = s->r;
    uint32_t waiting = 0, cells = 0, taken = taken_cells(s);
    for (uint32_t job = s->first; job != NOBODY; job = s->next[job])
        waiting++;
    for (uint32_t i = 0; i < s->runnings; i++)
        cells += s->finder.kind[r->job[s->running[i].job].kind].cells;
    WEFT_CHECK(r->count[JOB_WAITING] == waiting && r->count[JOB_RUNNING] == s->runnings,
               "%u jobs wait and %u run, not %u and %u", waiting, s->runnings,
               r->count[JOB_WAITING], r->count[JOB_RUNNING]);
    WEFT_CHECK(s->coming == r->count[JOB_FINISHED] + r->count[JOB_RUNNING] + r->count[JOB_WAITING] +
                                r->count[JOB_FAILED],
               "%u jobs were submitted, not those that finished, run, wait or failed", s->coming);
    WEFT_CHECK(cells == taken || (cells < taken && s->o->shapes.choice == SHAPES_ANY),
               "%u cells are taken, not %u", taken, cells);
}

static uint64_t digest_of(const struct schedule_result *r)
{
    uint64_t digest = 0;
    for (uint32_t i = 0; i < r->runs; i++) {
        const struct job_run *run = &r->run[i];
        uint64_t x = random_mix(run->job * 2ull + run->lost);
        x = random_mix(x ^ (uint64_t)run->start);
        x = random_mix(x ^ (uint64_t)run->end);
        for (unsigned d = 0; d < SPACE_AXES; d++)
            x = random_mix(x ^ ((uint64_t)run->place.at[d] << 32 | run->place.size[d]));
        x ^= run->scattered;
        digest = random_mix(digest ^ x);
    }
    return digest;
}

static void finish(struct scheduler *s)
{
    struct schedule_result *r = s->r;
    double all = (double)r->nodes * (double)(r->to - r->from);
    for (unsigned i = 0; i < SHARES; i++)
        r->share[i] = all > 0 ? r->share[i] / all : 0;
    for (uint32_t i = 0; i < r->runs; i++) {
        const struct job_run *run = &r->run[i];
        int64_t from = run->start > r->from ? run->start : r->from;
        int64_t to = run->end < r->to ? run->end : r->to;
        r->last = run->end > r->last ? run->end : r->last;
        if (run->lost && to > from)
            r->lost_share += (double)(to - from) * r->job[run->job].nodes / all;
    }
    r->digest = digest_of(r);
}

/* ---- from the first submission to the last end ---- */

static int64_t earlier(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* Whether those that wait will wait for ever: nothing runs, and nodes fail faster than a place for
 * them can be repaired. After each repair time, other cells are closed than before. */
static bool is_stalled(const struct scheduler *s)
{
    enum { DAY = 86400, REPAIRS = 30, MOST_DRAWS = 10000 };
    int64_t repair = s->o->repair_seconds > DAY ? s->o->repair_seconds : DAY;
    return s->coming == s->r->jobs && !s->runnings &&
           ((s->now - s->moved) / REPAIRS >= repair ||
            s->death_draws - s->draws_before > MOST_DRAWS);
}

static int64_t next_time(struct scheduler *s)
{
    int64_t time = s->coming < s->r->jobs ? s->r->job[s->coming].submit : NO_TIME;
    if (s->runnings)
        time = earlier(time, ends_next(s)->end);
    if (s->o->policy == POLICY_CONSERVATIVE)
        time = earlier(time, conservative_next(s));
    if ((s->coming == s->r->jobs && s->first == NOBODY && !s->runnings) || is_stalled(s))
        return NO_TIME;
    return earlier(time, earlier(finder_next_repair(&s->finder), next_death(s)));
}

static weft_status simulate(struct scheduler *s)
{
    for (int64_t time; (time = next_time(s)) != NO_TIME;) {
        account(s, time);
        s->now = time;
        s->more_room = s->less_room = false;
        s->fresh = NOBODY;
        for (const struct running *r; (r = ends_next(s)) && r->end == time;) {
            uint32_t job = r->job;
            stop(s, (uint32_t)(r - s->running), false);
            set_state(s, job, JOB_FINISHED);
        }
        repair_nodes(s);
        kill_nodes(s);
        submit_jobs(s);
        passes[s->o->policy](s);
        if (s->o->check)
            check(s);
        uint32_t done = s->r->count[JOB_FINISHED] + s->r->count[JOB_FAILED];
        const struct run_options *run = s->o->run;
        if (run && run->progress)
            run->progress(run->arg, &(struct run_progress){.share = (double)done / s->r->jobs});
        if (run && run->interrupted && run->interrupted(run->arg))
            return RUN_FAILED(("interrupted when %u of %u jobs had ended", done, s->r->jobs),
                              NO_REMEDY);
    }
    return WEFT_OK;
}

static void begin(struct scheduler *s)
{
    struct schedule_result *r = s->r;
    uint32_t *nodes = memory_alloc(r->jobs, sizeof(*nodes));
    for (uint32_t i = 0; i < r->jobs; i++)
        nodes[i] = r->job[i].nodes;
    finder_init(&s->finder, s->o->ground, &s->o->shapes, nodes, r->jobs);
    free(nodes);
    r->space = s->finder.space;
    r->space.scratch = NULL;
    for (uint32_t i = 0; i < r->jobs; i++) {
        struct job *j = &r->job[i];
        j->kind = finder_kind(&s->finder, j->nodes);
        j->promised = j->first_promise = NO_TIME;
    }
    s->map = space_map(&s->finder.space);
    finder_close(&s->finder, s->map, s->now);
    s->free = space_free(&s->finder.space, s->map);
    s->next = memory_alloc(r->jobs, sizeof(*s->next));
    s->before = memory_alloc(r->jobs, sizeof(*s->before));
    s->next_death = (double)s->now;
    if (s->o->mtbf_seconds > 0)
        draw_death(s);
    easy_init(s);
    conservative_init(s);
}

static void end(struct scheduler *s)
{
    easy_fini(s);
    conservative_fini(s);
    for (uint32_t i = 0; i < s->runnings; i++)
        spot_fini(&s->running[i].spot);
    free(s->running);
    free(s->next);
    free(s->before);
    free(s->map);
    free(s->repaired);
    finder_fini(&s->finder);
}

weft_status schedule_run(const struct schedule_options *o, struct job *job, uint32_t jobs,
                         struct schedule_result *r)
{
    *r = (struct schedule_result){.job = job,
                                  .jobs = jobs,
                                  .count = {[JOB_TO_COME] = jobs},
                                  .from = job[0].submit,
                                  .to = job[jobs - 1].submit,
                                  .nodes = ground_nodes(o->ground),
                                  .cell_nodes = ground_cell_nodes(o->ground)};
    struct scheduler s = {
        .o = o, .r = r, .now = r->from, .first = NOBODY, .last = NOBODY, .fresh = NOBODY};
    begin(&s);
    weft_status status = simulate(&s);
    finish(&s);
    end(&s);
    return status;
}

void schedule_result_fini(struct schedule_result *r)
{
    free(r->job);
    free(r->run);
    *r = (struct schedule_result){.job = NULL};
}
