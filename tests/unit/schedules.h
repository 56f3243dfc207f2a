/* Small machines and random logs for tests of the scheduler. */
#ifndef WEFT_TESTS_SCHEDULES_H
#define WEFT_TESTS_SCHEDULES_H

#include "testing.h"

#include "base/random.h"
#include "jobs/jobs.h"

/* A row of cells of one node each. */
static inline struct ground ground_line(uint32_t cells)
{
    struct ground g = {.box = {{0}, {cells, 1, 1}}, .cell = {1, 1, 1}};
    char text[32];
    snprintf(text, sizeof(text), "%ux1x1", cells);
    assert_int_equal(torus_parse(text, &g.torus), WEFT_OK);
    memset(g.torus.wrap, 0, sizeof(g.torus.wrap));
    return g;
}

/* 4x3x3 node groups of Tofu, without a plane of I/O nodes at z = 0. */
static inline struct ground ground_tofu(void)
{
    struct ground g = {.box = {{0, 0, 1, 0, 0, 0}, {4, 3, 3, 2, 3, 2}}, .cell = {1, 1, 1, 2, 3, 2}};
    assert_int_equal(torus_parse("4x3x4x2x3x2", &g.torus), WEFT_OK);
    g.torus.wrap[3] = g.torus.wrap[5] = false;
    return g;
}

/* Midplanes of Blue Gene/L, each 8x8x8 nodes. */
static inline struct ground ground_midplanes(uint32_t x, uint32_t y, uint32_t z)
{
    struct ground g = {.box = {{0}, {8 * x, 8 * y, 8 * z}}, .cell = {8, 8, 8}, .wired = true};
    char text[64];
    snprintf(text, sizeof(text), "%ux%ux%u", 8 * x, 8 * y, 8 * z);
    assert_int_equal(torus_parse(text, &g.torus), WEFT_OK);
    return g;
}

static inline uint32_t below(uint64_t *random, uint32_t bound)
{
    return random_below(random_next(random), bound);
}

/* What a random log is like. */
struct log_kind {
    uint32_t jobs, most_nodes;
    uint32_t apart, longest; /* seconds between submissions, and of a run, at most */
    uint32_t times;          /* the most that a user asks for, in run times */
};

/* The caller's; schedule_run() makes it its result's. Every fourth job is as large as can be. */
static inline struct job *random_jobs(const struct log_kind *k, uint64_t seed)
{
    struct job *job = calloc(k->jobs, sizeof(*job));
    uint64_t random = random_key(seed, 0, RANDOM_JOB);
    int64_t now = 1000;
    for (uint32_t i = 0; i < k->jobs; i++) {
        uint32_t most = below(&random, 4) ? (k->most_nodes + 3) / 4 : k->most_nodes;
        now += below(&random, 3) ? below(&random, k->apart + 1) : 0;
        job[i].number = i + 1;
        job[i].submit = now;
        job[i].run = 1 + below(&random, k->longest);
        job[i].estimate = job[i].run * (1 + below(&random, k->times));
        job[i].nodes = 1 + below(&random, most);
    }
    return job;
}

static inline struct schedule_result scheduled(const struct schedule_options *o, struct job *job,
                                               uint32_t jobs)
{
    struct schedule_result r;
    if (schedule_run(o, job, jobs, &r) != WEFT_OK)
        fail_msg("%s", weft_last_error());
    return r;
}

#endif
