/* Generated logs have the published distributions: sizes, run times, the day's cycle. */
#include "group.h"
#include "testing.h"

#include <math.h>

#include "jobs/log.h"
#include "machine/machine.h"

enum { JOBS = 200000, DAY = 86400 };

/* The published values, which are the keys' defaults; users estimate exactly. */
static struct generate_params published(void)
{
    struct config c;
    machine_init(&c);
    assert_int_equal(config_choose(&c, "torus", NULL), WEFT_OK);
    struct generate_params p =
        ((const struct jobs_params *)config_section(&c, &jobs_section))->model;
    config_fini(&c);
    p.overestimate = 1;
    return p;
}

/* A log of the published model, by its seed. */
static struct swf_log made(uint32_t jobs, uint64_t seed)
{
    struct generate_params p = published();
    struct swf_log log;
    p.jobs = jobs;
    assert_int_equal(generate_log(&p, seed, &log), WEFT_OK);
    assert_int_equal(log.jobs, jobs);
    assert_int_equal(log.processors, 128);
    return log;
}

static bool is_power(int64_t n)
{
    return (n & (n - 1)) == 0;
}

/* ---- gamma distributions ---- */

static void gamma_below_is_the_cumulative_probability(void **state)
{
    (void)state;
    for (double x = 0.1; x < 40; x *= 1.3) {
        double erlang = 0, term = exp(-x / 2);
        for (unsigned k = 0; k < 5; term *= x / 2 / ++k)
            erlang += term;
        assert_near(gamma_below(x, (struct gamma_shape){1, 3}), 1 - exp(-x / 3), 1e-12);
        assert_near(gamma_below(x, (struct gamma_shape){5, 2}), 1 - erlang, 1e-12);
        assert_near(gamma_below(x, (struct gamma_shape){0.5, 1}), erf(sqrt(x)), 1e-12);
    }
    assert_near(gamma_below(0, (struct gamma_shape){2, 1}), 0, 0);
    assert_near(gamma_below(312 * 0.03, (struct gamma_shape){312, 0.03}), 0.5075, 1e-3);
    assert_near(gamma_below(1e4, (struct gamma_shape){4.2, 0.94}), 1, 1e-12);
}

/* ---- sizes ---- */

/* The share of a uniform log2 between two values whose size rounds to a power of two. */
static double rounds_to_power(double from, double to)
{
    double share = 0;
    for (int k = 0; k <= 8; k++) {
        double low = log2(exp2(k) - 0.5), high = log2(exp2(k) + 0.5);
        low = low < from ? from : low;
        high = high > to ? to : high;
        share += high > low ? (high - low) / (to - from) : 0;
    }
    return share;
}

/* Lublin and Feitelson: .244 are serial, .576 are powers of two; of the others, some are
 * so by chance. log2 is from .8 to 4.5 with probability .86, else up to 7. */
static void sizes_are_as_published(void **state)
{
    (void)state;
    struct swf_log log = made(JOBS, 1);
    double serial = 0, powers = 0, sum = 0, parallel = 0, above = 0;
    for (uint32_t i = 0; i < JOBS; i++) {
        int64_t n = log.job[i].processors;
        assert_true(n >= 1 && n <= 128);
        serial += n == 1;
        powers += n > 1 && is_power(n);
        parallel += n > 1;
        sum += n > 1 ? log2((double)n) : 0;
        above += n > 23; /* 2 to the power of 4.5 is 22.6 */
    }
    double other = 1 - 0.244 - 0.576;
    double chance = 0.86 * rounds_to_power(0.8, 4.5) + 0.14 * rounds_to_power(4.5, 7);
    double log2_of_powers = 0.86 * (0.7 * 1 + 2 + 3 + 4) / 3.7 + 0.14 * (5 + 6 + 0.5 * 7) / 2.5;
    double log2_of_others = 0.86 * (0.8 + 4.5) / 2 + 0.14 * (4.5 + 7) / 2;
    double log2_mean = (0.576 * log2_of_powers + other * log2_of_others) / (0.576 + other);
    assert_near(serial / JOBS, 0.244, 0.004);
    assert_near(powers / JOBS, 0.576 + other * chance, 0.004);
    assert_near(sum / parallel, log2_mean, 0.02);
    assert_near(above / parallel, 0.14, 0.005);
    swf_fini(&log);
}

/* ---- run times ---- */

/* The share of jobs that run for less than some seconds: of brief and lasting ones, whichever is
 * more likely for their size, without those over e to the power of 12. */
static double expected_below(const struct swf_log *log, double seconds)
{
    const struct generate_params all = published(), *p = &all;
    double sum = 0, at = log1p(seconds - 1);
    double brief = gamma_below(at, p->brief), lasting = gamma_below(at, p->lasting);
    double brief_all = gamma_below(12, p->brief), lasting_all = gamma_below(12, p->lasting);
    for (uint32_t i = 0; i < log->jobs; i++) {
        double share = 0.78 - 0.0054 * (double)log->job[i].processors;
        sum += (share * brief + (1 - share) * lasting) /
               (share * brief_all + (1 - share) * lasting_all);
    }
    return sum / log->jobs;
}

static void run_times_are_as_published(void **state)
{
    (void)state;
    static const int64_t seconds[] = {2, 10, 60, 300, 1800, 3600, 10000, 20000, 40000, 100000};
    struct swf_log log = made(JOBS, 2);
    for (unsigned k = 0; k < sizeof(seconds) / sizeof(seconds[0]); k++) {
        double below = 0;
        for (uint32_t i = 0; i < JOBS; i++)
            below += log.job[i].run < seconds[k];
        assert_near(below / JOBS, expected_below(&log, (double)seconds[k]), 0.005);
    }
    swf_fini(&log);
}

/* Means of the hyper-gamma distribution, by size: ln of seconds, 4.2 x 0.94 or 312 x 0.03. */
static void larger_jobs_run_longer(void **state)
{
    (void)state;
    static const int64_t sizes[] = {1, 4, 16, 64, 128};
    struct swf_log all = made(JOBS, 3);
    for (unsigned k = 0; k < sizeof(sizes) / sizeof(sizes[0]); k++) {
        double count = 0, sum = 0, share = 0.78 - 0.0054 * (double)sizes[k];
        for (uint32_t i = 0; i < JOBS; i++)
            if (all.job[i].processors == sizes[k]) {
                count++;
                sum += log((double)all.job[i].run + 0.5); /* seconds are cut */
            }
        assert_true(count > 2000);
        assert_near(sum / count, share * 4.2 * 0.94 + (1 - share) * 312 * 0.03,
                    0.03 + 4 * 3 / sqrt(count));
    }
    for (uint32_t i = 0; i < JOBS; i++)
        assert_true(all.job[i].run >= 1 && all.job[i].run <= (int64_t)exp(12));
    swf_fini(&all);
}

/* ---- arrivals ---- */

/* Gamma-distributed from the 11th half hour on; the peak is at (8.17 - 1) times 3.96 of them. */
static void the_day_has_its_cycle(void **state)
{
    (void)state;
    struct swf_log log = made(JOBS, 4);
    double weight[HALF_HOURS], count[HALF_HOURS] = {0}, sum = 0;
    unsigned peak = 0, low = 0;
    generate_weights(published().day, weight);
    for (unsigned i = 0; i < HALF_HOURS; i++) {
        sum += weight[i];
        peak = weight[i] > weight[peak] ? i : peak;
        low = weight[i] < weight[low] ? i : low;
    }
    assert_near(sum, HALF_HOURS, 1e-9);
    assert_int_equal(peak, 27); /* the 28th: 13:30 */
    assert_int_equal(low, 10);  /* the 11th, where the distribution begins */
    for (unsigned i = 11; i < 11 + HALF_HOURS; i++) {
        struct gamma_shape day = published().day;
        double share = gamma_below(i + 0.5, day) - gamma_below(i - 0.5, day);
        double all = gamma_below(58.5, day) - gamma_below(10.5, day);
        assert_near(weight[(i - 1) % HALF_HOURS], share / all * HALF_HOURS, 1e-9);
    }
    for (uint32_t i = 0; i < JOBS; i++)
        count[log.job[i].submit % DAY / (DAY / HALF_HOURS)]++;
    for (unsigned i = 0; i < HALF_HOURS; i++)
        assert_near(count[i] * HALF_HOURS / JOBS, weight[i], 0.05 + 0.06 * weight[i]);
    swf_fini(&log);
}

/* At the usual pace: e to the power of a gamma-distributed number, without those over 13. The mean
 * is that of (1 - beta t) to the power of -alpha at t = 1, of which the tail beyond 13 is cut. */
static void jobs_arrive_at_the_published_pace(void **state)
{
    (void)state;
    struct swf_log log = made(JOBS, 5);
    struct gamma_shape apart = published().apart;
    struct gamma_shape tilted = {apart.alpha, apart.beta / (1 - apart.beta)};
    double mean =
        pow(1 - apart.beta, -apart.alpha) * gamma_below(13, tilted) / gamma_below(13, apart);
    double found = (double)log.job[JOBS - 1].submit / JOBS;
    assert_near(found, mean, 0.05 * mean);
    for (uint32_t i = 1; i < JOBS; i++)
        assert_true(log.job[i].submit >= log.job[i - 1].submit);
    swf_fini(&log);
}

/* ---- seeds, estimates ---- */

static void a_seed_makes_a_log(void **state)
{
    (void)state;
    struct swf_log log = made(5000, 7), same = made(5000, 7), other = made(5000, 8),
                   shorter = made(100, 7);
    uint32_t equal = 0;
    assert_memory_equal(log.job, same.job, log.jobs * sizeof(*log.job));
    assert_memory_equal(log.job, shorter.job, shorter.jobs * sizeof(*log.job));
    for (uint32_t i = 0; i < log.jobs; i++) {
        assert_int_equal(log.job[i].number, i + 1);
        equal += log.job[i].run == other.job[i].run;
        equal += log.job[i].submit == other.job[i].submit;
    }
    assert_true(equal < 500);
    swf_fini(&log);
    swf_fini(&same);
    swf_fini(&other);
    swf_fini(&shorter);
}

static void users_ask_for_up_to_a_multiple(void **state)
{
    (void)state;
    struct generate_params p = published();
    struct swf_log exact = made(20000, 9), log;
    double sum = 0, most = 0, count = 0;
    p.jobs = 20000;
    p.overestimate = 5;
    assert_int_equal(generate_log(&p, 9, &log), WEFT_OK);
    for (uint32_t i = 0; i < log.jobs; i++) {
        assert_int_equal(exact.job[i].estimate, exact.job[i].run);
        assert_int_equal(log.job[i].run, exact.job[i].run);
        assert_true(log.job[i].estimate >= log.job[i].run);
        assert_true(log.job[i].estimate <= 5 * log.job[i].run);
        if (log.job[i].run < 1000) /* seconds are whole */
            continue;
        double times = (double)log.job[i].estimate / (double)log.job[i].run;
        most = times > most ? times : most;
        sum += times;
        count++;
    }
    assert_near(sum / count, 3, 0.06);
    assert_near(most, 5, 0.01);
    swf_fini(&exact);
    swf_fini(&log);
}

/* Sizes grow with the machine: log2 up to that of its processors. */
static void larger_machines_have_larger_jobs(void **state)
{
    (void)state;
    struct generate_params p = published();
    p.jobs = 20000;
    for (uint32_t processors = 64; processors <= 65536; processors *= 32) {
        struct swf_log log;
        double above = 0, parallel = 0;
        int64_t largest = 0;
        p.processors = processors;
        assert_int_equal(generate_log(&p, 1, &log), WEFT_OK);
        for (uint32_t i = 0; i < log.jobs; i++) {
            int64_t n = log.job[i].processors;
            above += (double)n > exp2(log2(processors) - 2.5) + 0.5;
            parallel += n > 1;
            largest = n > largest ? n : largest;
        }
        assert_near(above / parallel, 0.14, 0.02);
        assert_int_equal(largest, processors);
        swf_fini(&log);
    }
}

GROUP(generate)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gamma_below_is_the_cumulative_probability),
        cmocka_unit_test(sizes_are_as_published),
        cmocka_unit_test(run_times_are_as_published),
        cmocka_unit_test(larger_jobs_run_longer),
        cmocka_unit_test(the_day_has_its_cycle),
        cmocka_unit_test(jobs_arrive_at_the_published_pace),
        cmocka_unit_test(a_seed_makes_a_log),
        cmocka_unit_test(users_ask_for_up_to_a_multiple),
        cmocka_unit_test(larger_machines_have_larger_jobs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
