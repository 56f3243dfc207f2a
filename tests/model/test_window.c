/*
 * The window of an open loop, found from the run: it is packet by packet the run in which that
 * window is given, on any number of threads; and it is long enough.
 */
#include "group.h"
#include "models.h"
#include "sanitizers.h"
#include "testing.h"

#include <math.h>

/* Windows end at many lengths. */
#define QUICK "workload.cycles=10000 workload.most_cycles=60000 "

static const struct {
    const char *machine, *settings;
} runs[] = {
    {"bluegene-l", "machine.dims=4x4x2 workload.load=0.6 run.detail=true"},
    {"bluegene-l", "machine.dims=4x4x2 workload.load=0.9"},
    {"bluegene-l", "machine.dims=4x3x2 workload.load=1.5"},
    {"bluegene-l", "machine.dims=4x4x2 workload.load=0.02 machine.dead_nodes=1/1/1"},
    {"bluegene-l", "machine.dims=3x5x2 workload.load=0.3 workload.burst=geometric"},
    {"bluegene-l", "machine.dims=3x5x2 workload.load=0.3 workload.burst=pareto"},
    {"bluegene-l", "machine.dims=4x4x2 workload.load=0.5 machine.node.injection_fifo_bytes=1024"},
    {"bluegene-l", "machine.dims=4x4x2 workload.load=0.5 workload.high_share=0.3"},
    {"bluegene-l", "machine.dims=4x4x2 workload.load=0.5 machine.link.bit_error_rate=1e-6"},
    {"bluegene-p", "machine.dims=4x3x2 workload.load=0.5"},
    {"sc5832", "machine.graph=kautz:2:3 workload.load=0.5 run.detail=true"},
    {"dragonfly", "machine.graph=dragonfly:2:2:1 workload.load=0.4 run.detail=true"},
    {"fat-tree", "machine.graph=fattree:4:2 workload.load=0.6"},
    {"ideal", "machine.nodes=16 workload.load=0.8 run.detail=true"},
};

static void assert_same(const struct run_result *a, const struct run_result *b, const char *what)
{
    if (a->measure.digest != b->measure.digest || a->cycles != b->cycles ||
        a->response_mean != b->response_mean || a->response_interval != b->response_interval ||
        a->throughput != b->throughput || a->link_utilisation != b->link_utilisation ||
        a->waiting_mean != b->waiting_mean || a->fraction_of_peak != b->fraction_of_peak ||
        a->warmup_cycles != b->warmup_cycles || a->measured_cycles != b->measured_cycles ||
        a->steady != b->steady ||
        memcmp(a->measure.occupied, b->measure.occupied, sizeof(a->measure.occupied)) != 0 ||
        memcmp(a->measure.unavailable, b->measure.unavailable, sizeof(a->measure.unavailable)) != 0)
        fail_msg("%s: not the same: %g +- %g and %g +- %g", what, a->response_mean,
                 a->response_interval, b->response_mean, b->response_interval);
}

static void run(const char *machine, const char *settings, uint32_t threads, struct run_result *r)
{
    if (run_on(machine, settings, threads, false, r) != WEFT_OK)
        fail_msg("%s: %s", settings, weft_last_error());
}

static void a_window_that_is_found_is_as_one_that_is_given(void **state)
{
    (void)state;
    for (unsigned i = 0; i < sizeof(runs) / sizeof(runs[0]); i++) {
        struct run_result found, cut, given;
        char settings[500];
        snprintf(settings, sizeof(settings),
                 "workload.pattern=uniform workload.as=packets " QUICK "%s", runs[i].settings);
        run(runs[i].machine, settings, 1, &found);
        run(runs[i].machine, settings, 3, &cut);
        assert_true(found.searched && found.warmup_cycles > 0 && found.measured_cycles >= 10000);
        assert_same(&found, &cut, settings);
        assert_int_equal(found.settled, cut.settled);
        snprintf(settings + strlen(settings), sizeof(settings) - strlen(settings),
                 " workload.warmup_cycles=%.0f workload.cycles=%.0f", found.warmup_cycles,
                 found.measured_cycles);
        run(runs[i].machine, settings, 1, &given);
        assert_false(given.searched);
        assert_same(&found, &given, settings);
        run_result_fini(&found);
        run_result_fini(&cut);
        run_result_fini(&given);
    }
}

#define SLOW "workload.pattern=uniform machine.dims=8x4x4 workload.load=0.9 "

/* Responses there grow for 100,000 cycles, and fluctuate for as long. */
static void near_saturation_it_takes_long(void **state)
{
    (void)state;
    struct run_result found, given, whole;
    run("bluegene-l", SLOW "workload.precision=0.05", 2, &found);
    run("bluegene-l", SLOW "workload.warmup_cycles=10000 workload.cycles=50000", 2, &given);
    run("bluegene-l", SLOW "workload.warmup_cycles=100000 workload.cycles=800000", 2, &whole);
    double best = whole.response_mean, known = whole.response_interval;
    assert_true(found.measured_cycles > 100000);
    assert_true(fabs(found.response_mean - best) < found.response_interval + known);
    assert_true(given.response_mean < 0.9 * best);
    run_result_fini(&found);
    run_result_fini(&given);
    run_result_fini(&whole);
}

static void the_limit_is_kept_and_reported(void **state)
{
    (void)state;
    struct run_result r;
    run("bluegene-l", SLOW "workload.most_cycles=150000", 2, &r);
    assert_false(r.settled);
    assert_true(r.warmup_cycles + r.measured_cycles <= 150000);
    run_result_fini(&r);
    /* A window that was asked for is measured, however small the limit. */
    run("bluegene-l", SLOW "workload.most_cycles=1 workload.cycles=20000", 2, &r);
    assert_false(r.settled);
    assert_true(r.measured_cycles == 20000);
    run_result_fini(&r);
    run("bluegene-l", SLOW "workload.cycles=1", 2, &r);
    assert_true(r.measured_cycles == 1);
    run_result_fini(&r);
}

static void overload_is_measured_once_it_is_seen(void **state)
{
    (void)state;
    struct run_result r;
    run("bluegene-l", "workload.pattern=uniform machine.dims=4x4x4 workload.load=1.5", 2, &r);
    assert_false(r.steady);
    assert_true(r.settled && r.measured_cycles == 50000 && r.warmup_cycles < 100000);
    run_result_fini(&r);
}

static void where_nothing_is_sent_nothing_is_waited_for(void **state)
{
    (void)state;
    static const char *const settings[] = {
        "workload.pattern=uniform machine.dims=1x1x1",
        "workload.pattern=uniform machine.dims=2x1x1 workload.load=0",
    };
    for (unsigned i = 0; i < 2; i++) {
        struct run_result r;
        run("bluegene-l", settings[i], 1, &r);
        assert_int_equal(r.measure.delivered, 0);
        assert_true(r.settled && r.measured_cycles == 50000);
        run_result_fini(&r);
    }
}

GROUP(window)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_window_that_is_found_is_as_one_that_is_given),
        cmocka_unit_test(near_saturation_it_takes_long),
        cmocka_unit_test(the_limit_is_kept_and_reported),
        cmocka_unit_test(overload_is_measured_once_it_is_seen),
        cmocka_unit_test(where_nothing_is_sent_nothing_is_waited_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
