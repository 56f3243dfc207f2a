/* Keys: each value that is printed reads back the same; wrong ones are refused with a remedy. */
#include "testing.h"

#include "machine/machine.h"

static const char *const machines[] = {"bluegene-l", "sc5832"};
enum { MACHINES = sizeof(machines) / sizeof(machines[0]) };

static void load_machine(struct config *c, const char *name)
{
    setenv("WEFT_DATA", WEFT_TEST_DATA, 1);
    machine_init(c);
    if (config_machine(c, name) != WEFT_OK)
        fail_msg("%s", weft_last_error());
}

static void load(struct config *c)
{
    load_machine(c, "bluegene-l");
}

static void read_back(const char *machine)
{
    struct config c, again;
    char text[CONFIG_TEXT], same[CONFIG_TEXT];
    load_machine(&c, machine);
    machine_init(&again);
    again.fabric = c.fabric;
    for (size_t i = 0; i < config_key_count; i++) {
        if (!config_has(&c, &config_keys[i]))
            continue;
        config_text(&c, &config_keys[i], text);
        if (config_set(&again, config_keys[i].name, text, "here") != WEFT_OK)
            fail_msg("%s", weft_last_error());
    }
    for (size_t i = 0; i < config_key_count; i++)
        if (config_has(&c, &config_keys[i]))
            assert_string_equal(config_text(&c, &config_keys[i], text),
                                config_text(&again, &config_keys[i], same));
    config_fini(&c);
    config_fini(&again);
}

static void every_value_reads_back(void **state)
{
    (void)state;
    for (unsigned m = 0; m < MACHINES; m++)
        read_back(machines[m]);
}

static void every_machine_key_has_a_source(void **state)
{
    (void)state;
    for (unsigned m = 0; m < MACHINES; m++) {
        struct config c;
        load_machine(&c, machines[m]);
        for (size_t i = 0; i < config_key_count; i++) {
            const struct key *key = &config_keys[i];
            if (config_has(&c, key) && !key->default_value &&
                (!c.source[i] || strlen(c.source[i]) < 10))
                fail_msg("%s has no source in %s", key->name, machines[m]);
        }
        config_fini(&c);
    }
}

/* A name stands for one key in each fabric, and a machine's file leaves its other keys alone. */
static void a_fabric_has_each_key_once(void **state)
{
    (void)state;
    struct config c;
    for (unsigned m = 0; m < MACHINES; m++) {
        load_machine(&c, machines[m]);
        for (size_t i = 0; i < config_key_count; i++) {
            assert_true(config_keys[i].fabrics != 0);
            assert_true(config_has(&c, &config_keys[i]) || !c.given[i]);
            for (size_t k = 0; k < i; k++)
                if (config_keys[i].fabrics & config_keys[k].fabrics)
                    assert_string_not_equal(config_keys[i].name, config_keys[k].name);
        }
        config_fini(&c);
    }
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

static void a_key_of_the_other_fabric_is_refused(void **state)
{
    (void)state;
    struct config c;
    load_machine(&c, "sc5832");
    assert_int_equal(config_override(&c, "machine.dims=8x8x8"), WEFT_BAD_INPUT);
    assert_string_equal(weft_last_error(),
                        "-s machine.dims=8x8x8: 'machine.dims' is no key of a machine with a "
                        "crosspoint fabric; `weft keys` lists those of each");
    assert_int_equal(config_override(&c, "machine.router.vcs=9"), WEFT_BAD_INPUT);
    assert_string_equal(
        weft_last_error(),
        "-s machine.router.vcs=9: machine.router.vcs = 9 is out of range; use 1 to 8");
    config_fini(&c);
    load(&c);
    assert_int_equal(config_override(&c, "machine.graph=kautz:2:2"), WEFT_BAD_INPUT);
    assert_string_equal(weft_last_error(),
                        "-s machine.graph=kautz:2:2: 'machine.graph' is no key of a machine with a "
                        "torus fabric; `weft keys` lists those of each");
    config_fini(&c);
}

static void refuse(const char *machine, const char *setting)
{
    struct config c;
    load_machine(&c, machine);
    assert_int_equal(config_override(&c, setting), WEFT_OK);
    if (machine_finish(&c) != WEFT_BAD_INPUT)
        fail_msg("%s accepts %s", machine, setting);
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
    static const char *const wrong_graphs[] = {
        "machine.graph=kautz:0:1",      "machine.dead_nodes=972",
        "machine.dead_links=0>0",       "machine.router.buffer_packets=3",
        "machine.dma.packet_bytes=144", "workload.packet_bytes=136",
        "workload.pattern=hotregion",   "machine.link.bad_links=0>0@1-2",
    };
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
        refuse("bluegene-l", wrong[i]);
    for (size_t i = 0; i < sizeof(wrong_graphs) / sizeof(wrong_graphs[0]); i++)
        refuse("sc5832", wrong_graphs[i]);
}

static void lists_and_shorthands_of_studies(void **state)
{
    (void)state;
    struct yaml y;
    struct config c;
    const char *text =
        "machine: bluegene-l\nworkload:\n  pattern: uniform\n  packet_bytes: [32, 96]\n";
    setenv("WEFT_DATA", WEFT_TEST_DATA, 1);
    machine_init(&c);
    assert_int_equal(yaml_parse("s.yaml", (const unsigned char *)text, strlen(text), &y), WEFT_OK);
    if (study_apply(&c, &y, NULL) != WEFT_OK)
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
        cmocka_unit_test(a_fabric_has_each_key_once),
        cmocka_unit_test(wrong_settings_are_refused),
        cmocka_unit_test(a_key_of_the_other_fabric_is_refused),
        cmocka_unit_test(what_does_not_fit_together_is_refused),
        cmocka_unit_test(lists_and_shorthands_of_studies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
