/* Sweeps: means and intervals over seeds, names of figures, configurations on their way to other
 * ranks, axes and combinations. */
#include "group.h"
#include "testing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/statistics/interval.h"
#include "config/config.h"
#include "machine/machine.h"
#include "machine/figures.h"
#include "study/study.h"
#include "study/sweep.h"

/* ---- intervals ---- */

static void intervals_are_those_of_students_distribution(void **state)
{
    (void)state;
    struct interval i = {0};
    assert_true(isnan(interval_mean(&i)));
    interval_add(&i, 1e9 + 1);
    assert_true(interval_half_width(&i) == 0);
    interval_add(&i, 1e9 + 2);
    interval_add(&i, 1e9 + 3);
    /* s = 1, n = 3: 4.303 / sqrt(3), though the values are large */
    assert_true(interval_mean(&i) == 1e9 + 2);
    assert_true(fabs(interval_half_width(&i) - 4.303 / sqrt(3)) < 1e-6);
}

static void quantiles_are_those_of_tables(void **state)
{
    static const struct {
        size_t degrees;
        double t;
    } table[] = {{1, 12.706}, {9, 2.262}, {20, 2.086}, {21, 2.080}, {30, 2.042}, {99, 1.984}};
    (void)state;
    for (size_t k = 0; k < sizeof(table) / sizeof(table[0]); k++)
        assert_true(fabs(interval_quantile(table[k].degrees) - table[k].t) < 0.0006);
}

/* ---- names ---- */

static void assert_labels(const char *name, const char *words, const char *label)
{
    struct metric_text text;
    metric_describe(name, &text);
    assert_string_equal(text.phrase, words);
    assert_string_equal(text.label, label);
}

static void figures_have_words_and_units(void **state)
{
    struct metric_text text;
    (void)state;
    assert_labels("response_cycles.mean", "mean response time", "mean response time (cycles)");
    assert_labels("one_way_cycles", "one way", "one way (cycles)");
    assert_labels("detour_share", "packets that take a detour",
                  "packets that take a detour (share)");
    assert_labels("parts.part_12.response_cycles.p99", "99 % response time of part 12",
                  "99 % response time of part 12 (cycles)");
    assert_labels("my_own_seconds", "my own", "my own (s)");
    metric_describe_key("workload.load", "", &text);
    assert_string_equal(text.label, "offered load (share of the bound)");
    metric_describe_key("workload.drain_cycles", "cycles", &text);
    assert_string_equal(text.label, "drain (cycles)");
    metric_describe_key("machine.router.paths", "", &text);
    assert_string_equal(text.label, "paths");
}

static void misspelt_figures_are_refused(void **state)
{
    (void)state;
    assert_int_equal(metric_check("fraction_of_peek", RUNS_TRAFFIC), WEFT_BAD_INPUT);
    assert_non_null(strstr(weft_last_error(), "did you mean 'fraction_of_peak'?"));
    assert_int_equal(metric_check("fraction_of_peek", RUNS_TRAFFIC | RUNS_PROGRAM), WEFT_BAD_INPUT);
    assert_int_equal(metric_check("exchange_mb_per_s", RUNS_PROGRAM), WEFT_OK);
    assert_int_equal(metric_check("exchange_mb_per_s", 0), WEFT_BAD_INPUT);
    assert_null(strstr(weft_last_error(), "did you mean"));
    assert_int_equal(metric_check("slowdown_mean", RUNS_MESSAGES | RUNS_PROGRAM), WEFT_BAD_INPUT);
    assert_int_equal(metric_check("slowdown_mean", RUNS_SURVEY | RUNS_JOBS), WEFT_OK);
    assert_int_equal(metric_check("parts.part_1.nodes", RUNS_PARTS), WEFT_OK);
    assert_int_equal(metric_check("utilization", 0), WEFT_BAD_INPUT);
    assert_null(strstr(weft_last_error(), "did you mean")); /* it is of jobs */
    assert_int_equal(metric_check("utilization", RUNS_JOBS), WEFT_BAD_INPUT);
    assert_non_null(strstr(weft_last_error(), "did you mean 'utilisation'?"));
    assert_false(metric_is_known("parts.part_1.nonsense"));
    assert_false(metric_is_known("vc_share."));
    assert_true(metric_is_known("vc_share.D0"));
}

/* ---- configurations as bytes ---- */

static void a_packed_configuration_is_the_same(void **state)
{
    struct config a, b;
    char first[CONFIG_TEXT], second[CONFIG_TEXT];
    size_t size;
    (void)state;
    setenv("WEFT_DATA", WEFT_TEST_DATA, 1);
    machine_init(&a);
    assert_int_equal(config_machine(&a, "bluegene-l"), WEFT_OK);
    assert_int_equal(config_override(&a, "workload.pattern=uniform"), WEFT_OK);
    assert_int_equal(config_override(&a, "workload.cycles=2us"), WEFT_OK);
    assert_int_equal(machine_finish(&a), WEFT_OK);
    char *bytes = config_pack(&a, &size);
    machine_init(&b);
    assert_int_equal(config_unpack(&b, bytes, size), WEFT_OK);
    assert_int_equal(machine_finish(&b), WEFT_OK);
    assert_true(machine_hash(&a) == machine_hash(&b));
    assert_string_equal(a.root, b.root);
    assert_int_equal(a.entries, b.entries);
    for (size_t i = 0; i < a.entries; i++) {
        assert_string_equal(config_text(&a, i, first), config_text(&b, i, second));
        assert_int_equal(!a.entry[i].given, !b.entry[i].given);
        if (a.entry[i].given)
            assert_string_equal(a.entry[i].place, b.entry[i].place);
    }
    free(bytes);
    config_fini(&a);
    config_fini(&b);
}

/* ---- combinations ---- */

static const char *value_of(const struct batch_item *item, const char *key, char *text)
{
    return config_text(&item->config, config_find(&item->config, key), text);
}

static void the_first_key_is_x_and_the_others_make_curves(void **state)
{
    struct sweep s;
    char text[CONFIG_TEXT];
    (void)state;
    setenv("WEFT_DATA", WEFT_TEST_DATA, 1);
    struct sweep_request r = {.machine = "bluegene-l",
                              .over = {"workload.cycles=1us,1ms", "machine.router.paths=1,2",
                                       "machine.router.vc_choice=random,jsq"},
                              .overs = 3,
                              .seeds = 2};
    assert_int_equal(sweep_plan(&s, &r), WEFT_OK);
    assert_int_equal(s.items, 16);
    assert_int_equal(s.study.curves, 4);
    assert_string_equal(s.study.curve[3].name, "paths 2, vc_choice jsq");
    assert_false(s.study.categorical); /* times are numbers of cycles */
    assert_true(s.study.log_x && fabs(s.study.point[1].x / s.study.point[0].x - 1000) < 1);
    for (size_t i = 0; i < s.items; i++) {
        struct study_run run = study_run_at(&s.study, i);
        assert_string_equal(value_of(&s.item[i], "machine.router.paths", text),
                            run.curve % 2 ? "2" : "1");
        assert_string_equal(value_of(&s.item[i], "machine.router.vc_choice", text),
                            run.curve / 2 ? "jsq" : "random");
        assert_string_equal(value_of(&s.item[i], "run.seed", text), run.seed ? "2" : "1");
    }
    sweep_add(&s, 1, 2, "3us");
    assert_int_equal(s.items, 17);
    assert_int_equal(s.curve[16], 2);
    assert_string_equal(s.item[16].name, "workload.cycles = 3us, paths 1, vc_choice jsq, seed 2");
    sweep_fini(&s);
}

GROUP(sweep)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(intervals_are_those_of_students_distribution),
        cmocka_unit_test(quantiles_are_those_of_tables),
        cmocka_unit_test(figures_have_words_and_units),
        cmocka_unit_test(misspelt_figures_are_refused),
        cmocka_unit_test(a_packed_configuration_is_the_same),
        cmocka_unit_test(the_first_key_is_x_and_the_others_make_curves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
