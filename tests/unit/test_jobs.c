/* A machine that is shared: schedules worked out by hand; and of random logs on small machines,
 * that nobody shares a cell or a wire, promises are kept, accounts are whole, and what is dead is
 * used by nobody. */
#include "group.h"
#include "schedules.h"

#define COUNT(ARRAY) (sizeof(ARRAY) / sizeof((ARRAY)[0]))

/* ---- by hand ---- */

/*
 * Ten cells in a row. Job 1 has six of them until 10; job 2 needs eight then, job 3 all. Job 4
 * needs two for long, job 5 two until 10.
 *
 *              0         10        20        30
 *   FCFS       111111111122222222223333333333444444...   4 and 5 wait for all before them
 *   EASY       1111111111222222222244444444444443333333  4 keeps out of 2's way, and in that of 3
 *   conservative: 4 would be in the way of 3, 5 is in nobody's
 */
static const struct job by_hand[] = {
    {.number = 1, .submit = 0, .run = 10, .estimate = 10, .nodes = 6},
    {.number = 2, .submit = 1, .run = 10, .estimate = 10, .nodes = 8},
    {.number = 3, .submit = 2, .run = 10, .estimate = 10, .nodes = 10},
    {.number = 4, .submit = 3, .run = 30, .estimate = 30, .nodes = 2},
    {.number = 5, .submit = 4, .run = 6, .estimate = 6, .nodes = 2},
};

static struct schedule_result run_jobs(const struct ground *g, enum policy policy,
                                       const struct job *job, uint32_t jobs)
{
    struct schedule_options o = {
        .ground = g, .shapes = {.choice = SHAPES_VIEW}, .policy = policy, .check = true};
    struct job *copy = malloc(jobs * sizeof(*copy));
    memcpy(copy, job, jobs * sizeof(*copy));
    return scheduled(&o, copy, jobs);
}

static void assert_starts(const struct schedule_result *r, const int64_t *start)
{
    for (uint32_t i = 0; i < r->jobs; i++)
        if (r->job[i].start != start[i])
            fail_msg("job %u starts at %lld, not %lld", i + 1, (long long)r->job[i].start,
                     (long long)start[i]);
}

static void fcfs_keeps_the_order(void **state)
{
    (void)state;
    struct ground g = ground_line(10);
    struct schedule_result r = run_jobs(&g, POLICY_FCFS, by_hand, COUNT(by_hand));
    assert_starts(&r, (int64_t[]){0, 10, 20, 30, 30});
    assert_int_equal(r.count[JOB_FINISHED], 5);
    assert_int_equal(r.last, 60);
    /* To 4 seconds: job 1 has six cells; in the first nobody waits, then job 2 does, for more than
     * is free. */
    assert_near(r.share[SHARE_USED], 0.6, 1e-12);
    assert_near(r.share[SHARE_IDLE], 0.1, 1e-12);
    assert_near(r.share[SHARE_STARVED], 0.3, 1e-12);
    schedule_result_fini(&r);
}

static void easy_delays_all_but_the_first(void **state)
{
    (void)state;
    struct ground g = ground_line(10);
    struct schedule_result r = run_jobs(&g, POLICY_EASY, by_hand, COUNT(by_hand));
    assert_starts(&r, (int64_t[]){0, 10, 33, 3, 4});
    assert_int_equal(r.job[1].first_promise, 10);
    assert_int_equal(r.job[2].first_promise, 33); /* when it became the first */
    assert_int_equal(r.job[3].first_promise, NO_TIME);
    assert_near(r.share[SHARE_USED], 0.65, 1e-12);
    assert_near(r.share[SHARE_STARVED], 0.25, 1e-12);
    schedule_result_fini(&r);
}

static void conservative_delays_nobody(void **state)
{
    (void)state;
    static const int64_t starts[] = {0, 10, 20, 30, 4};
    struct ground g = ground_line(10);
    struct schedule_result r = run_jobs(&g, POLICY_CONSERVATIVE, by_hand, COUNT(by_hand));
    assert_starts(&r, starts);
    for (uint32_t i = 0; i < r.jobs; i++)
        assert_int_equal(r.job[i].first_promise, starts[i]);
    schedule_result_fini(&r);
}

/* Job 1 asks for 20 seconds and ends after 5: whoever was promised 20 starts then. */
static void an_early_end_moves_jobs_up(void **state)
{
    (void)state;
    static const struct job jobs[] = {
        {.number = 1, .submit = 0, .run = 5, .estimate = 20, .nodes = 6},
        {.number = 2, .submit = 1, .run = 10, .estimate = 10, .nodes = 6},
        {.number = 3, .submit = 2, .run = 10, .estimate = 10, .nodes = 10},
    };
    struct ground g = ground_line(10);
    for (enum policy policy = POLICY_FCFS; policy <= POLICY_CONSERVATIVE; policy++) {
        struct schedule_result r = run_jobs(&g, policy, jobs, COUNT(jobs));
        assert_starts(&r, (int64_t[]){0, 5, 15});
        assert_int_equal(r.job[1].first_promise, policy == POLICY_FCFS ? NO_TIME : 20);
        if (policy == POLICY_CONSERVATIVE)
            assert_int_equal(r.job[2].first_promise, 30);
        schedule_result_fini(&r);
    }
}

/* Two midplanes of a row of eight are a ring over the row's wire: there is no second one, however
 * many are free. What a job has beyond what it asked for is internal. */
static void rings_wait_for_wires(void **state)
{
    (void)state;
    static const struct job jobs[] = {
        {.number = 1, .submit = 0, .run = 10, .estimate = 10, .nodes = 1000},
        {.number = 2, .submit = 0, .run = 10, .estimate = 10, .nodes = 1024},
        {.number = 3, .submit = 0, .run = 10, .estimate = 10, .nodes = 512},
        {.number = 4, .submit = 20, .run = 1, .estimate = 1, .nodes = 4096},
    };
    struct ground g = ground_midplanes(8, 1, 1);
    struct schedule_result r = run_jobs(&g, POLICY_EASY, jobs, COUNT(jobs));
    double all = 20.0 * 4096;
    assert_starts(&r, (int64_t[]){0, 10, 0, 20});
    assert_near(r.share[SHARE_INTERNAL], 24 * 10 / all, 1e-12);
    assert_near(r.share[SHARE_EXTERNAL], 5 * 512 * 10 / all, 1e-12);
    assert_near(r.share[SHARE_IDLE], 6 * 512 * 10 / all, 1e-12);
    assert_near(r.share[SHARE_USED], (1000 + 512 + 1024) * 10 / all, 1e-12);
    schedule_result_fini(&r);
}

static void what_never_fits_fails(void **state)
{
    (void)state;
    static const struct job jobs[] = {
        {.number = 1, .submit = 0, .run = 1, .estimate = 1, .nodes = 11},
        {.number = 2, .submit = 0, .run = 1, .estimate = 1, .nodes = 8},
        {.number = 3, .submit = 1, .run = 1, .estimate = 1, .nodes = 7},
    };
    bool dead[10] = {[2] = true};
    struct ground g = ground_line(10);
    g.dead = dead; /* cells 3 to 9 are left, and the first two */
    for (enum policy policy = POLICY_FCFS; policy <= POLICY_CONSERVATIVE; policy++) {
        struct schedule_result r = run_jobs(&g, policy, jobs, COUNT(jobs));
        assert_int_equal(r.count[JOB_FAILED], 2);
        assert_int_equal(r.unplaceable, 2);
        assert_int_equal(r.runs, 1);
        assert_int_equal(r.run[0].job, 2);
        assert_int_equal(r.run[0].place.at[0], 3);
        assert_near(r.share[SHARE_CLOSED], 0.1, 1e-12);
        schedule_result_fini(&r);
    }
}

/* ---- what must be true of every schedule ---- */

static uint32_t cells_at(const struct space *s, const struct place *p, uint32_t i)
{
    uint32_t x = p->at[0] + i % p->size[0], y = p->at[1] + i / p->size[0] % p->size[1],
             z = p->at[2] + i / p->size[0] / p->size[1];
    return x % s->size[0] + s->size[0] * (y % s->size[1] + s->size[1] * (z % s->size[2]));
}

static uint32_t volume(const uint32_t size[SPACE_AXES])
{
    return size[0] * size[1] * size[2];
}

enum { MOST_CELLS = 64 };

/* Marks the cells of a place, and in other marks those whose wires along an axis it has. */
static void mark(const struct space *s, const struct place *p, uint8_t marks[MOST_CELLS])
{
    for (uint32_t i = 0; i < volume(p->size); i++)
        marks[cells_at(s, p, i)] |= 1;
    for (unsigned d = 0; d < SPACE_AXES && s->wired; d++) {
        struct place row = *p;
        row.size[d] = s->size[d];
        for (uint32_t i = 0; p->size[d] > 1 && p->size[d] < s->size[d] && i < volume(row.size); i++)
            marks[cells_at(s, &row, i)] |= (uint8_t)(2u << d);
    }
}

static bool has_cell(const struct space *s, const struct place *p, uint32_t cell)
{
    for (uint32_t i = 0; i < volume(p->size); i++)
        if (cells_at(s, p, i) == cell)
            return true;
    return false;
}

/* At the start of each run: all that run then, cell by cell. Of scattered ones there are only
 * sums. */
static void assert_nobody_shares(const struct schedule_result *r, const struct space *s)
{
    for (uint32_t i = 0; i < r->runs; i++) {
        uint8_t taken[MOST_CELLS] = {0};
        uint32_t cells = 0;
        for (uint32_t k = 0; k < r->runs; k++) {
            const struct job_run *run = &r->run[k];
            uint8_t marks[MOST_CELLS] = {0};
            if (run->start > r->run[i].start || run->end <= r->run[i].start)
                continue;
            cells += (r->job[run->job].nodes + r->cell_nodes - 1) / r->cell_nodes;
            mark(s, &run->place, marks);
            for (uint32_t cell = 0; cell < s->cells; cell++) {
                assert_int_equal(taken[cell] & marks[cell], 0);
                taken[cell] |= marks[cell];
            }
        }
        assert_true(cells <= s->cells);
    }
}

static void assert_places_are_large_enough(const struct schedule_result *r, const struct space *s,
                                           bool scattered)
{
    for (uint32_t i = 0; i < r->runs; i++) {
        const struct place *p = &r->run[i].place;
        assert_int_equal(volume(p->size) == 0, scattered);
        assert_int_equal(r->run[i].scattered != 0, scattered); /* so that digests differ */
        assert_true(scattered || volume(p->size) * r->cell_nodes >= r->job[r->run[i].job].nodes);
        for (unsigned d = 0; d < SPACE_AXES; d++)
            assert_true(p->size[d] <= s->size[d] && p->at[d] < s->size[d] &&
                        (s->wrap[d] || p->at[d] + p->size[d] <= s->size[d]));
    }
}

/* Every job ends well once, or fails; and runs no longer than it should. */
static void assert_all_end(const struct schedule_options *o, const struct schedule_result *r)
{
    assert_int_equal(r->count[JOB_FINISHED] + r->count[JOB_FAILED], r->jobs);
    for (uint32_t i = 0; i < r->jobs; i++) {
        const struct job *j = &r->job[i];
        uint32_t well = 0, lost = 0;
        int64_t last = j->submit;
        for (uint32_t k = 0; k < r->runs; k++) {
            const struct job_run *run = &r->run[k];
            if (run->job != i)
                continue;
            assert_true(run->start >= last);
            assert_true(run->lost ? run->end <= run->start + j->run
                                  : run->end == run->start + j->run);
            last = run->end;
            lost += run->lost;
            well += !run->lost;
        }
        assert_int_equal(well, j->state == JOB_FINISHED);
        assert_int_equal(lost, j->lost);
        assert_true(lost <= o->most_lost + 1);
        if (j->state == JOB_FAILED && lost)
            assert_int_equal(lost, o->most_lost + 1);
    }
    for (uint32_t k = 1; k < r->runs; k++)
        assert_true(r->run[k].end >= r->run[k - 1].end);
}

static void assert_accounts_are_whole(const struct schedule_result *r)
{
    double sum = 0;
    for (unsigned i = 0; i < SHARES; i++) {
        assert_true(r->share[i] >= 0);
        sum += r->share[i];
    }
    assert_near(sum, r->to > r->from ? 1 : 0, 1e-9);
    double used = 0, lost = 0;
    for (uint32_t i = 0; i < r->runs; i++) {
        const struct job_run *run = &r->run[i];
        int64_t end = run->end < r->to ? run->end : r->to;
        double share = end > run->start ? (double)(end - run->start) * r->job[run->job].nodes : 0;
        used += share;
        lost += run->lost ? share : 0;
    }
    double all = (double)r->nodes * (double)(r->to - r->from);
    assert_near(r->share[SHARE_USED] * all, used, 1e-6 * all);
    assert_near(r->lost_share * all, lost, 1e-6 * all);
}

/* Without deaths only. */
static void assert_promises_are_kept(const struct schedule_result *r, enum policy policy)
{
    int64_t before = 0;
    for (uint32_t i = 0; i < r->jobs; i++) {
        const struct job *j = &r->job[i];
        if (j->state != JOB_FINISHED)
            continue;
        assert_true(policy != POLICY_FCFS || j->start >= before);
        before = j->start;
        assert_true(j->start <= j->first_promise);
        assert_true(policy != POLICY_CONSERVATIVE || j->first_promise != NO_TIME);
        assert_true(policy != POLICY_FCFS || j->first_promise == NO_TIME);
    }
}

static void assert_schedule(const struct schedule_options *o, const struct schedule_result *r)
{
    struct space s;
    ground_space(o->ground, &s);
    bool scattered = o->shapes.choice == SHAPES_SCATTERED;
    assert_true(s.cells <= MOST_CELLS);
    assert_all_end(o, r);
    assert_places_are_large_enough(r, &s, scattered);
    assert_nobody_shares(r, &s);
    assert_accounts_are_whole(r);
    if (!r->deaths)
        assert_promises_are_kept(r, o->policy);
    space_fini(&s);
}

/* ---- random logs ---- */

/* Which machine, which boxes, what log: by a number. */
static struct ground random_ground(uint64_t seed)
{
    return seed % 4 == 0   ? ground_line(16)
           : seed % 4 == 1 ? ground_midplanes(4, 2, 2)
                           : ground_tofu();
}

static struct log_kind random_kind(const struct ground *g, uint64_t seed)
{
    return (struct log_kind){.jobs = 10 + seed % 50,
                             .most_nodes = ground_nodes(g) + 5, /* some never fit */
                             .apart = 2 + seed % 30,
                             .longest = 40,
                             .times = 1 + seed % 3};
}

static void schedules_of_random_logs_are_sound(void **state)
{
    (void)state;
    uint32_t jobs = 0, waited = 0, unplaceable = 0;
    for (uint64_t seed = 0; seed < 250; seed++)
        for (enum policy policy = POLICY_FCFS; policy <= POLICY_CONSERVATIVE; policy++) {
            struct ground g = random_ground(seed);
            struct log_kind kind = random_kind(&g, seed);
            struct schedule_options o = {
                .ground = &g,
                .shapes = {.choice = (enum shapes_choice)(seed / 4 % 5), .waste = 0.3},
                .policy = policy,
                .check = true};
            struct schedule_result r = scheduled(&o, random_jobs(&kind, seed), kind.jobs);
            assert_schedule(&o, &r);
            assert_int_equal(r.count[JOB_FAILED], r.unplaceable);
            jobs += r.jobs;
            unplaceable += r.unplaceable;
            for (uint32_t i = 0; i < r.jobs; i++)
                waited += r.job[i].start > r.job[i].submit;
            schedule_result_fini(&r);
        }
    assert_true(waited > jobs / 2 && unplaceable > 50 && unplaceable < jobs / 10);
}

/* The order of jobs of one submit time is by number, whatever the order in the log. */
static void jobs_of_one_time_are_in_the_order_of_their_numbers(void **state)
{
    (void)state;
    enum { JOBS = 30 };
    for (uint64_t seed = 0; seed < 60; seed++) {
        struct ground g = ground_tofu();
        struct schedule_options o = {.ground = &g,
                                     .shapes = {.choice = SHAPES_VIEW},
                                     .policy = (enum policy)(seed % 3),
                                     .check = true};
        struct log_kind kind = {JOBS, 300, 10, 40, 2};
        struct job *job = random_jobs(&kind, seed);
        uint64_t random = seed, digest[3];
        uint32_t order[JOBS];
        for (uint32_t i = 0; i < JOBS; i++) {
            job[i].submit = i / 6 * 20; /* five times, six jobs each */
            order[i] = i;
        }
        for (unsigned again = 0; again < 3; again++) {
            char text[JOBS * 100];
            size_t size = 0;
            struct swf_log log;
            for (uint32_t i = JOBS; again && i-- > 1;) {
                uint32_t k = below(&random, i + 1), swap = order[i];
                order[i] = order[k];
                order[k] = swap;
            }
            for (uint32_t i = 0; i < JOBS; i++) {
                const struct job *j = &job[order[i]];
                size += (size_t)snprintf(text + size, sizeof(text) - size,
                                         "%u %u -1 %u -1 -1 -1 %u %u -1 1 1 1 1 1 1 -1 -1\n",
                                         (unsigned)j->number, (unsigned)j->submit, (unsigned)j->run,
                                         j->nodes, (unsigned)j->estimate);
            }
            assert_int_equal(swf_read_text("log", text, size, &log), WEFT_OK);
            struct job *read = calloc(JOBS, sizeof(*read));
            for (uint32_t i = 0; i < JOBS; i++) {
                assert_int_equal(log.job[i].number, i + 1);
                read[i] = (struct job){.number = log.job[i].number,
                                       .submit = log.job[i].submit,
                                       .run = log.job[i].run,
                                       .estimate = log.job[i].estimate,
                                       .nodes = (uint32_t)log.job[i].processors};
            }
            swf_fini(&log);
            struct schedule_result r = scheduled(&o, read, JOBS);
            digest[again] = r.digest;
            schedule_result_fini(&r);
        }
        assert_true(digest[0] == digest[1] && digest[0] == digest[2]);
        free(job);
    }
}

/* ---- dead nodes ---- */

enum { MOST_DEATHS = 4000 };

struct death {
    int64_t time;
    uint32_t node, cell;
};

/* Deaths up to a time, drawn as the scheduler draws them; a node that is dead does not die. */
static uint32_t draw_deaths(const struct schedule_options *o, int64_t from, int64_t to,
                            struct death *death)
{
    const struct ground *g = o->ground;
    uint32_t nodes = ground_nodes(g), count = 0;
    double time = (double)from;
    for (uint64_t draw = 0;;) {
        time += random_exponential(random_draw(random_key(o->seed, 0, RANDOM_DEATH), draw++)) /
                (nodes / o->mtbf_seconds);
        struct death d = {.time = (int64_t)time + (time > (double)(int64_t)time)};
        if (d.time > to)
            return count;
        uint64_t which = random_draw(random_key(o->seed, 1, RANDOM_DEATH), draw);
        d.node = ground_node(g, random_below(which, nodes));
        d.cell = ground_cell(g, d.node);
        bool dead = g->dead && g->dead[d.node];
        for (uint32_t i = 0; i < count; i++)
            dead |= death[i].node == d.node && d.time < death[i].time + o->repair_seconds;
        if (dead)
            continue;
        assert_true(count < MOST_DEATHS);
        death[count++] = d;
    }
}

/* The nodes that were dead when a run started are no more than its spares, and leave a view that is
 * large enough. */
static void assert_view_is_enough(const struct schedule_options *o, const struct schedule_result *r,
                                  const struct space *s, const struct job_run *run,
                                  const struct death *death, uint32_t deaths)
{
    const struct ground *g = o->ground;
    struct box box = ground_box(g, &run->place);
    struct view_plan plan = ground_plan(g, &run->place, SPACE_AXES);
    struct view v;
    bool *dead = calloc(g->torus.nodes, sizeof(*dead));
    uint32_t inside = 0;
    for (uint32_t i = 0; i < deaths; i++)
        if (death[i].time <= run->start && run->start < death[i].time + o->repair_seconds) {
            dead[death[i].node] = true;
            inside += has_cell(s, &run->place, death[i].cell);
        }
    assert_true(inside <= o->shapes.spares);
    assert_int_equal(view_create(&g->torus, &box, &plan, dead, &v), WEFT_OK);
    assert_true(v.shape.nodes >= r->job[run->job].nodes);
    view_fini(&v);
    free(dead);
}

/* No run goes on where a node dies. None starts where one is dead, but for those with spares. Every
 * run that was lost was so by a death. Returns how many started among dead nodes. */
static uint32_t assert_dead_are_avoided(const struct schedule_options *o,
                                        const struct schedule_result *r)
{
    static struct death death[MOST_DEATHS];
    struct space s;
    uint32_t deaths = draw_deaths(o, r->from, r->last, death), spared = 0;
    ground_space(o->ground, &s);
    assert_int_equal(r->deaths, deaths);
    for (uint32_t k = 0; k < r->runs; k++) {
        const struct job_run *run = &r->run[k];
        bool spares = shapes_spares(&o->shapes, r->job[run->job].nodes), killed = false;
        bool among = false;
        for (uint32_t i = 0; i < deaths; i++) {
            if (!has_cell(&s, &run->place, death[i].cell))
                continue;
            assert_false(run->start < death[i].time && death[i].time < run->end);
            among |= death[i].time <= run->start && run->start < death[i].time + o->repair_seconds;
            killed |= death[i].time == run->end;
        }
        assert_true(!among || spares);
        assert_true(!run->lost || killed);
        if (among)
            assert_view_is_enough(o, r, &s, run, death, deaths);
        spared += among;
    }
    space_fini(&s);
    return spared;
}

static void nobody_runs_among_dead_nodes(void **state)
{
    (void)state;
    uint32_t lost = 0, failed = 0, finished = 0;
    for (uint64_t seed = 0; seed < 200; seed++)
        for (enum policy policy = POLICY_FCFS; policy <= POLICY_CONSERVATIVE; policy++) {
            struct ground g = random_ground(seed);
            struct log_kind kind = random_kind(&g, seed);
            struct schedule_options o = {.ground = &g,
                                         .shapes = {.choice = (enum shapes_choice)(seed / 4 % 4)},
                                         .policy = policy,
                                         .mtbf_seconds = ground_nodes(&g) * (20.0 + seed % 60),
                                         .repair_seconds = 1 + (int64_t)(seed % 100),
                                         .most_lost = seed % 4,
                                         .seed = seed,
                                         .check = true};
            struct schedule_result r = scheduled(&o, random_jobs(&kind, seed), kind.jobs);
            assert_schedule(&o, &r);
            assert_int_equal(assert_dead_are_avoided(&o, &r), 0);
            for (uint32_t i = 0; i < r.jobs; i++)
                lost += r.job[i].lost;
            failed += r.count[JOB_FAILED] - r.unplaceable;
            finished += r.count[JOB_FINISHED];
            schedule_result_fini(&r);
        }
    assert_true(lost > 1000 && failed > 100 && finished > 5000);
}

/* A job for all cells of a machine in which one is always closed: the schedule ends without it. */
static void a_job_that_never_finds_a_place_is_given_up(void **state)
{
    (void)state;
    for (enum policy policy = POLICY_FCFS; policy <= POLICY_CONSERVATIVE; policy++) {
        struct ground g = ground_line(8);
        struct job *job = calloc(2, sizeof(*job));
        job[0] = (struct job){.number = 1, .submit = 0, .run = 5, .estimate = 5, .nodes = 1};
        job[1] = (struct job){.number = 2, .submit = 200, .run = 5, .estimate = 5, .nodes = 8};
        struct schedule_options o = {.ground = &g,
                                     .shapes = {.choice = SHAPES_SINGLE},
                                     .policy = policy,
                                     .mtbf_seconds = 8 * 20.0,
                                     .repair_seconds = 10000,
                                     .most_lost = 5,
                                     .check = true};
        struct schedule_result r = scheduled(&o, job, 2);
        assert_int_equal(r.count[JOB_FINISHED], 1);
        assert_int_equal(r.count[JOB_WAITING], 1);
        schedule_result_fini(&r);
    }
}

static void scattered_jobs_survive_deaths(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 100; seed++)
        for (enum policy policy = POLICY_FCFS; policy <= POLICY_CONSERVATIVE; policy++) {
            struct ground g = random_ground(seed);
            struct log_kind kind = random_kind(&g, seed);
            struct schedule_options o = {.ground = &g,
                                         .shapes = {.choice = SHAPES_SCATTERED},
                                         .policy = policy,
                                         .mtbf_seconds = ground_nodes(&g) * 30.0,
                                         .repair_seconds = 25,
                                         .most_lost = 2,
                                         .seed = seed,
                                         .check = true};
            struct schedule_result r = scheduled(&o, random_jobs(&kind, seed), kind.jobs);
            assert_schedule(&o, &r);
            schedule_result_fini(&r);
        }
}

static void large_jobs_run_around_dead_nodes(void **state)
{
    (void)state;
    uint32_t spared = 0;
    for (uint64_t seed = 0; seed < 100; seed++)
        for (enum policy policy = POLICY_FCFS; policy <= POLICY_CONSERVATIVE; policy++) {
            struct ground g = ground_tofu();
            struct log_kind kind = random_kind(&g, seed);
            struct schedule_options o = {.ground = &g,
                                         .shapes = {.choice = (enum shapes_choice)(seed % 4),
                                                    .waste = 0.2,
                                                    .large_nodes = 60,
                                                    .spares = 1 + seed / 4 % 2},
                                         .policy = policy,
                                         .mtbf_seconds = ground_nodes(&g) * 40.0,
                                         .repair_seconds = 60,
                                         .most_lost = 3,
                                         .seed = seed,
                                         .check = true};
            struct schedule_result r = scheduled(&o, random_jobs(&kind, seed), kind.jobs);
            assert_schedule(&o, &r);
            spared += assert_dead_are_avoided(&o, &r);
            schedule_result_fini(&r);
        }
    assert_true(spared > 100);
}

/* Nodes that are dead for good: their cells are nobody's. */
static void cells_that_are_dead_for_good_are_never_used(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 150; seed++) {
        struct ground g = random_ground(seed);
        struct log_kind kind = random_kind(&g, seed);
        struct schedule_options o = {.ground = &g,
                                     .shapes = {.choice = (enum shapes_choice)(seed / 4 % 4)},
                                     .policy = (enum policy)(seed % 3),
                                     .check = true};
        struct space s;
        uint64_t random = seed;
        bool *dead = calloc(g.torus.nodes, sizeof(*dead));
        uint32_t node[2];
        for (unsigned i = 0; i < 2; i++) {
            node[i] = ground_node(&g, below(&random, ground_nodes(&g)));
            dead[node[i]] = true;
        }
        g.dead = dead;
        ground_space(&g, &s);
        struct schedule_result r = scheduled(&o, random_jobs(&kind, seed), kind.jobs);
        assert_schedule(&o, &r);
        for (uint32_t k = 0; k < r.runs; k++)
            for (unsigned i = 0; i < 2; i++)
                assert_false(has_cell(&s, &r.run[k].place, ground_cell(&g, node[i])));
        schedule_result_fini(&r);
        space_fini(&s);
        free(dead);
    }
}

/* ---- the rest of its interface ---- */

static void the_same_log_makes_the_same_schedule(void **state)
{
    (void)state;
    struct ground g = ground_tofu();
    struct log_kind kind = random_kind(&g, 49);
    struct schedule_options o = {.ground = &g,
                                 .shapes = {.choice = SHAPES_VIEW},
                                 .policy = POLICY_EASY,
                                 .mtbf_seconds = ground_nodes(&g) * 50.0,
                                 .repair_seconds = 60,
                                 .most_lost = 1,
                                 .seed = 1};
    uint64_t digest[4];
    for (unsigned i = 0; i < 4; i++) {
        o.check = i == 1;
        o.seed = i == 2 ? 2 : 1;
        o.policy = i == 3 ? POLICY_FCFS : POLICY_EASY;
        struct schedule_result r = scheduled(&o, random_jobs(&kind, 3), kind.jobs);
        digest[i] = r.digest;
        schedule_result_fini(&r);
    }
    assert_true(digest[0] == digest[1]);
    assert_true(digest[0] != digest[2] && digest[0] != digest[3]);
}

struct watch {
    double share;
    uint32_t calls, most;
};

static void note(void *arg, const struct run_progress *p)
{
    struct watch *w = arg;
    assert_true(p->share >= w->share && p->share <= 1);
    w->share = p->share;
    w->calls++;
}

static bool is_over(void *arg)
{
    const struct watch *w = arg;
    return w->calls >= w->most;
}

static void a_run_can_be_watched_and_interrupted(void **state)
{
    (void)state;
    struct ground g = ground_tofu();
    struct log_kind kind = {40, 400, 10, 40, 2};
    struct watch w = {.most = UINT32_MAX};
    struct run_options run = {.progress = note, .interrupted = is_over, .arg = &w};
    struct schedule_options o = {.ground = &g, .shapes = {.choice = SHAPES_SCATTERED}, .run = &run};
    struct schedule_result r;
    for (o.policy = POLICY_FCFS; o.policy <= POLICY_CONSERVATIVE; o.policy++) {
        w = (struct watch){.most = UINT32_MAX};
        r = scheduled(&o, random_jobs(&kind, 1), kind.jobs);
        assert_true(w.share == 1 && w.calls > 40);
        schedule_result_fini(&r);
        w = (struct watch){.most = 20};
        assert_int_equal(schedule_run(&o, random_jobs(&kind, 1), kind.jobs, &r), WEFT_FAILED);
        assert_memory_equal(weft_last_error(), "interrupted when ", 17);
        assert_int_equal(w.calls, 20);
        schedule_result_fini(&r);
    }
}

GROUP(jobs)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fcfs_keeps_the_order),
        cmocka_unit_test(easy_delays_all_but_the_first),
        cmocka_unit_test(conservative_delays_nobody),
        cmocka_unit_test(an_early_end_moves_jobs_up),
        cmocka_unit_test(rings_wait_for_wires),
        cmocka_unit_test(what_never_fits_fails),
        cmocka_unit_test(schedules_of_random_logs_are_sound),
        cmocka_unit_test(jobs_of_one_time_are_in_the_order_of_their_numbers),
        cmocka_unit_test(nobody_runs_among_dead_nodes),
        cmocka_unit_test(a_job_that_never_finds_a_place_is_given_up),
        cmocka_unit_test(scattered_jobs_survive_deaths),
        cmocka_unit_test(large_jobs_run_around_dead_nodes),
        cmocka_unit_test(cells_that_are_dead_for_good_are_never_used),
        cmocka_unit_test(the_same_log_makes_the_same_schedule),
        cmocka_unit_test(a_run_can_be_watched_and_interrupted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
