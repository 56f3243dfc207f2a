/*
 * Policies against themselves written the slow way, on a row of cells: every second all is tried
 * again, from tables of who has which cell in which second. Starts and places are the same, job by
 * job; so is every promise that is the first.
 */
#include "group.h"
#include "sanitizers.h"
#include "schedules.h"

enum { CELLS = 12, JOBS = 24, SECONDS = 4000, FIRST_SECOND = 1000, SEEDS = SANITIZED ? 300 : 1500 };

struct slow_job {
    int64_t start, promise;
    uint32_t at;
};

/* Who has a cell in a second, by what is known: job + 1, or 0. */
struct slow {
    const struct job *job;
    struct slow_job out[JOBS];
    uint8_t has[SECONDS][CELLS];
};

static struct slow slow;

/* The lowest cell from which a job has all its cells in all seconds; CELLS: there is none. */
static uint32_t find(uint32_t job, int64_t from, int64_t to)
{
    uint32_t nodes = slow.job[job].nodes;
    for (uint32_t at = 0; at + nodes <= CELLS; at++) {
        bool is_free = true;
        for (int64_t t = from; t < to && is_free; t++)
            for (uint32_t c = at; c < at + nodes; c++)
                is_free &= !slow.has[t][c] || slow.has[t][c] == job + 1;
        if (is_free)
            return at;
    }
    return CELLS;
}

static void set(uint32_t job, uint32_t at, int64_t from, int64_t to, bool has)
{
    for (int64_t t = from; t < to; t++)
        for (uint32_t c = at; c < at + slow.job[job].nodes; c++) {
            assert_int_equal(slow.has[t][c], has ? 0 : job + 1);
            slow.has[t][c] = has ? (uint8_t)(job + 1) : 0;
        }
}

static void begin(const struct job *job)
{
    memset(&slow, 0, sizeof(slow));
    slow.job = job;
    for (uint32_t i = 0; i < JOBS; i++)
        slow.out[i].start = slow.out[i].promise = NO_TIME;
}

static bool waits(uint32_t job, int64_t now)
{
    return slow.job[job].submit <= now && slow.out[job].start == NO_TIME;
}

static bool ends(uint32_t job, int64_t now)
{
    return slow.out[job].start != NO_TIME && slow.out[job].start + slow.job[job].run == now;
}

/* Jobs that end leave the rest of what they had asked for. */
static void end_jobs(int64_t now)
{
    for (uint32_t i = 0; i < JOBS; i++)
        if (ends(i, now))
            set(i, slow.out[i].at, now, slow.out[i].start + slow.job[i].estimate, false);
}

static void start(uint32_t job, uint32_t at, int64_t now)
{
    slow.out[job].start = now;
    slow.out[job].at = at;
    set(job, at, now, now + slow.job[job].estimate, true);
}

/* ---- first come, first served; EASY ---- */

static uint32_t start_first(int64_t now)
{
    uint32_t i = 0;
    for (; i < JOBS; i++) {
        if (!waits(i, now))
            continue;
        uint32_t at = find(i, now, now + 1);
        if (at == CELLS)
            break;
        start(i, at, now);
    }
    return i;
}

static void slow_fcfs(void)
{
    for (int64_t now = FIRST_SECOND; now < SECONDS / 2; now++) {
        end_jobs(now);
        start_first(now);
    }
}

/* Others may start if they end by the time of the reservation, or keep out of its cells. */
static void slow_backfill(uint32_t first, int64_t now)
{
    int64_t time = now;
    uint32_t at = CELLS;
    for (; at == CELLS; time += at == CELLS)
        at = find(first, time, time + 1);
    if (slow.out[first].promise == NO_TIME)
        slow.out[first].promise = time;
    for (uint32_t i = first + 1; i < JOBS; i++) {
        if (!waits(i, now))
            continue;
        bool in_time = now + slow.job[i].estimate <= time;
        if (!in_time)
            for (uint32_t c = at; c < at + slow.job[first].nodes; c++)
                slow.has[now][c] += slow.has[now][c] ? 0 : UINT8_MAX;
        uint32_t spot = find(i, now, now + 1);
        for (uint32_t c = 0; c < CELLS; c++)
            slow.has[now][c] = slow.has[now][c] == UINT8_MAX ? 0 : slow.has[now][c];
        if (spot < CELLS)
            start(i, spot, now);
    }
}

static void slow_easy(void)
{
    for (int64_t now = FIRST_SECOND; now < SECONDS / 2; now++) {
        end_jobs(now);
        uint32_t first = start_first(now);
        if (first < JOBS)
            slow_backfill(first, now);
    }
}

/* ---- conservative ---- */

static struct {
    int64_t time;
    uint32_t at;
} reserved[JOBS];

/* Gives a job the earliest reservation before a time, in place of the one that it has. */
static void reserve(uint32_t job, int64_t now, int64_t before)
{
    int64_t estimate = slow.job[job].estimate;
    for (int64_t time = now; time < before; time++) {
        uint32_t at = find(job, time, time + estimate);
        if (at == CELLS)
            continue;
        if (reserved[job].time != NO_TIME)
            set(job, reserved[job].at, reserved[job].time, reserved[job].time + estimate, false);
        else
            slow.out[job].promise = time;
        reserved[job].time = time;
        reserved[job].at = at;
        set(job, at, time, time + estimate, true);
        return;
    }
}

static void slow_conservative(void)
{
    for (uint32_t i = 0; i < JOBS; i++)
        reserved[i].time = NO_TIME;
    for (int64_t now = FIRST_SECOND; now < SECONDS / 2; now++) {
        bool early = false;
        for (uint32_t i = 0; i < JOBS; i++)
            early |= ends(i, now) && slow.job[i].run < slow.job[i].estimate;
        end_jobs(now);
        for (uint32_t i = 0; i < JOBS; i++)
            if (waits(i, now) && (early || reserved[i].time == NO_TIME))
                reserve(i, now, reserved[i].time == NO_TIME ? SECONDS : reserved[i].time);
        for (uint32_t i = 0; i < JOBS; i++)
            if (waits(i, now) && reserved[i].time == now) {
                slow.out[i].start = now;
                slow.out[i].at = reserved[i].at;
            }
    }
}

/* ---- conservative, for jobs that take any cells: only how many are taken counts ---- */

static uint32_t taken[SECONDS];

static void take(uint32_t job, int64_t from, int64_t to, bool takes)
{
    for (int64_t t = from; t < to; t++)
        taken[t] += takes ? slow.job[job].nodes : -slow.job[job].nodes;
}

static bool is_room(uint32_t job, int64_t from, int64_t to)
{
    for (int64_t t = from; t < to; t++)
        if (taken[t] + slow.job[job].nodes > CELLS)
            return false;
    return true;
}

static void reserve_any(uint32_t job, int64_t now, int64_t before)
{
    int64_t estimate = slow.job[job].estimate, had = reserved[job].time;
    if (had != NO_TIME)
        take(job, had, had + estimate, false);
    for (int64_t time = now; time < before; time++)
        if (is_room(job, time, time + estimate)) {
            if (had == NO_TIME)
                slow.out[job].promise = time;
            reserved[job].time = time;
            break;
        }
    take(job, reserved[job].time, reserved[job].time + estimate, true);
}

static void slow_scattered(void)
{
    memset(taken, 0, sizeof(taken));
    for (uint32_t i = 0; i < JOBS; i++)
        reserved[i].time = NO_TIME;
    for (int64_t now = FIRST_SECOND; now < SECONDS / 2; now++) {
        bool early = false;
        for (uint32_t i = 0; i < JOBS; i++)
            if (ends(i, now) && slow.job[i].run < slow.job[i].estimate) {
                early = true;
                take(i, now, slow.out[i].start + slow.job[i].estimate, false);
            }
        for (uint32_t i = 0; i < JOBS; i++)
            if (waits(i, now) && (early || reserved[i].time == NO_TIME))
                reserve_any(i, now, reserved[i].time == NO_TIME ? SECONDS : reserved[i].time);
        for (uint32_t i = 0; i < JOBS; i++)
            if (waits(i, now) && reserved[i].time == now)
                slow.out[i].start = now;
    }
}

/* ---- both ways ---- */

static void assert_same(enum policy policy, uint64_t seed)
{
    static void (*const slowly[])(void) = {slow_fcfs, slow_easy, slow_conservative};
    struct log_kind kind = {JOBS, CELLS, 1 + seed % 12, 15, 1 + seed / 12 % 3};
    struct ground g = ground_line(CELLS);
    struct schedule_options o = {
        .ground = &g, .shapes = {.choice = SHAPES_SINGLE}, .policy = policy, .check = true};
    struct job *job = random_jobs(&kind, seed), *same = random_jobs(&kind, seed);
    begin(same);
    slowly[policy]();
    struct schedule_result r = scheduled(&o, job, JOBS);
    assert_int_equal(r.runs, JOBS);
    for (uint32_t i = 0; i < JOBS; i++) {
        const struct job_run *run = &r.run[i];
        if (run->start != slow.out[run->job].start || run->place.at[0] != slow.out[run->job].at)
            fail_msg("policy %d, seed %llu: job %u starts at %lld on %u, not at %lld on %u", policy,
                     (unsigned long long)seed, run->job, (long long)run->start, run->place.at[0],
                     (long long)slow.out[run->job].start, slow.out[run->job].at);
        assert_int_equal(run->place.size[0], r.job[run->job].nodes);
        assert_int_equal(run->end, run->start + r.job[run->job].run);
        assert_int_equal(r.job[run->job].first_promise, slow.out[run->job].promise);
    }
    schedule_result_fini(&r);
    free(same);
}

static void fcfs_is_itself_written_slowly(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < SEEDS; seed++)
        assert_same(POLICY_FCFS, seed);
}

static void easy_is_itself_written_slowly(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < SEEDS; seed++)
        assert_same(POLICY_EASY, seed);
}

static void conservative_is_itself_written_slowly(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < SEEDS; seed++)
        assert_same(POLICY_CONSERVATIVE, seed);
}

/* A reservation of particular cells would keep jobs waiting that any cells serve. */
static void scattered_jobs_reserve_no_cells(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        struct log_kind kind = {JOBS, CELLS, 1 + seed % 12, 15, 1 + seed / 12 % 3};
        struct ground g = ground_line(CELLS);
        struct schedule_options o = {.ground = &g,
                                     .shapes = {.choice = SHAPES_SCATTERED},
                                     .policy = POLICY_CONSERVATIVE,
                                     .check = true};
        struct job *job = random_jobs(&kind, seed), *same = random_jobs(&kind, seed);
        begin(same);
        slow_scattered();
        struct schedule_result r = scheduled(&o, job, JOBS);
        for (uint32_t i = 0; i < JOBS; i++)
            if (r.run[i].start != slow.out[r.run[i].job].start)
                fail_msg("seed %llu: job %u starts at %lld, not at %lld", (unsigned long long)seed,
                         r.run[i].job, (long long)r.run[i].start,
                         (long long)slow.out[r.run[i].job].start);
        for (uint32_t i = 0; i < JOBS; i++)
            assert_int_equal(r.job[i].first_promise, slow.out[i].promise);
        schedule_result_fini(&r);
        free(same);
    }
}

GROUP(backfill)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fcfs_is_itself_written_slowly),
        cmocka_unit_test(easy_is_itself_written_slowly),
        cmocka_unit_test(conservative_is_itself_written_slowly),
        cmocka_unit_test(scattered_jobs_reserve_no_cells),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
