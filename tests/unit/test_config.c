/* Keys: each value that is printed reads back the same; wrong ones are refused with a remedy. */
#include "testing.h"

#include "study/config.h"

static void load(struct config *c)
{
    setenv("WEFT_DATA", WEFT_TEST_DATA, 1);
    config_init(c);
    assert_int_equal(config_machine(c, "bluegene-l"), WEFT_OK);
}

static void every_value_reads_back(void **state)
{
    (void)state;
    struct config c, again;
    char text[CONFIG_TEXT], same[CONFIG_TEXT];
    load(&c);
    config_init(&again);
    for (size_t i = 0; i < config_key_count; i++) {
        config_text(&c, &config_keys[i], text);
        if (config_set(&again, config_keys[i].name, text, "here") != WEFT_OK)
            fail_msg("%s", weft_last_error());
    }
    for (size_t i = 0; i < config_key_count; i++)
        assert_string_equal(config_text(&c, &config_keys[i], text),
                            config_text(&again, &config_keys[i], same));
    config_fini(&c);
    config_fini(&again);
}

static void every_machine_key_has_a_source(void **state)
{
    (void)state;
    struct config c;
    load(&c);
    for (size_t i = 0; i < config_key_count; i++)
        if (!config_keys[i].default_value && (!c.source[i] || strlen(c.source[i]) < 10))
            fail_msg("%s has no source", config_keys[i].name);
    config_fini(&c);
}

static void wrong_settings_are_refused(void **state)
{
    (void)state;
    static const char *const wrong[][2] = {
        {"machine.dim=8x8x8", "-s machine.dim=8x8x8: unknown key 'machine.dim'; did you mean "
                              "'machine.dims'?"},
        {"machine.dims=0x8x8",
         "-s machine.dims=0x8x8: machine.dims = '0x8x8' is no machine size; use "
         "positive sizes joined by x, as 8x8x8"},
        {"workload.packet_bytes=33", "-s workload.packet_bytes=33: workload.packet_bytes = '33' is "
                                     "no packet size; use a multiple "
                                     "of 32 from 32 to 256, or several joined by commas"},
        {"workload.load=nan",
         "-s workload.load=nan: workload.load = 'nan' is no number; use one from "
         "0 to 1000"},
        {"workload.load=-1",
         "-s workload.load=-1: workload.load = -1 is out of range; use 0 to 1000"},
        {"workload.cycles=many",
         "-s workload.cycles=many: workload.cycles = 'many' is no whole number; "
         "use one from 1 to 70000000000000"},
        {"machine.router.escape=hope",
         "-s machine.router.escape=hope: machine.router.escape = 'hope' is "
         "not known; use one of bubble, dateline, none"},
        {"workload.deposit=1", "-s workload.deposit=1: workload.deposit = '1' is neither true nor "
                               "false; use one of them"},
        {"nothing", "-s nothing: is no assignment; use -s KEY=VALUE"},
        {"=1", "-s =1: is no assignment; use -s KEY=VALUE"},
    };
    struct config c;
    load(&c);
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        assert_int_equal(config_override(&c, wrong[i][0]), WEFT_BAD_INPUT);
        assert_string_equal(weft_last_error(), wrong[i][1]);
    }
    config_fini(&c);
}

static void what_does_not_fit_together_is_refused(void **state)
{
    (void)state;
    static const char *const wrong[] = {
        "machine.dims=2x2x2x2",
        "machine.dims=70000x1x1",
        "machine.router.escape_vc_bytes=256",
        "machine.router.dynamic_vc_bytes=100",
        "machine.node.injection_fifo_bytes=100",
        "machine.node.reception_watermark_bytes=512",
    };
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        struct config c;
        load(&c);
        assert_int_equal(config_override(&c, wrong[i]), WEFT_OK);
        assert_int_equal(config_finish(&c), WEFT_BAD_INPUT);
        config_fini(&c);
    }
}

static void lists_and_shorthands_of_studies(void **state)
{
    (void)state;
    struct yaml y;
    struct config c;
    const char *text =
        "machine: bluegene-l\nworkload:\n  pattern: uniform\n  packet_bytes: [32, 96]\n";
    setenv("WEFT_DATA", WEFT_TEST_DATA, 1);
    config_init(&c);
    assert_int_equal(yaml_parse("s.yaml", (const unsigned char *)text, strlen(text), &y), WEFT_OK);
    if (config_study(&c, &y, NULL) != WEFT_OK)
        fail_msg("%s", weft_last_error());
    assert_int_equal(c.workload.pattern, PATTERN_UNIFORM);
    assert_int_equal(c.workload.sizes, 2);
    assert_int_equal(c.workload.chunks[1], 3);
    yaml_fini(&y);
    config_fini(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_value_reads_back),
        cmocka_unit_test(every_machine_key_has_a_source),
        cmocka_unit_test(wrong_settings_are_refused),
        cmocka_unit_test(what_does_not_fit_together_is_refused),
        cmocka_unit_test(lists_and_shorthands_of_studies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
