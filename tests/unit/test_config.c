/* Keys: each value that is printed reads back the same; wrong ones are refused with a remedy. */
#include "group.h"
#include "testing.h"

#include "fabric/crosspoint/network.h"
#include "fabric/torus/network.h"
#include "machine/family.h"
#include "machine/machine.h"
#include "study/study.h"

static const char *const machines[] = {"bluegene-l", "bluegene-p", "sc5832",    "k-computer",
                                       "dragonfly",  "fat-tree",   "torus-pod", "ideal"};
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
    assert_int_equal(config_choose(&again, c.schema->fabric, c.schema->nic), WEFT_OK);
    assert_int_equal(again.entries, c.entries);
    for (size_t i = 0; i < c.entries; i++) {
        config_text(&c, i, text);
        if (config_set(&again, c.entry[i].key->name, text, "here") != WEFT_OK)
            fail_msg("%s", weft_last_error());
    }
    for (size_t i = 0; i < c.entries; i++)
        assert_string_equal(config_text(&c, i, text), config_text(&again, i, same));
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
        for (size_t i = 0; i < c.entries; i++) {
            const struct config_entry *e = &c.entry[i];
            if (!e->key->default_value && (!e->source || strlen(e->source) < 10))
                fail_msg("%s has no source in %s", e->key->name, machines[m]);
        }
        config_fini(&c);
    }
}

/* A name stands for one key in each fabric, every key belongs to a section that the machine has,
 * and a machine's file gives exactly the keys without a default. */
static void a_fabric_has_each_key_once(void **state)
{
    (void)state;
    for (unsigned m = 0; m < MACHINES; m++) {
        struct config c;
        char text[CONFIG_TEXT];
        load_machine(&c, machines[m]);
        assert_true(c.entries > 20);
        for (size_t i = 0; i < c.entries; i++) {
            const struct config_entry *e = &c.entry[i];
            assert_int_equal(config_find(&c, e->key->name), i);
            assert_non_null(config_section(&c, e->section));
            assert_true(e->key->offset < e->section->size);
            assert_int_equal(e->given != 0, !e->key->default_value);
            assert_int_equal(strncmp(e->key->name, "machine.", 8) == 0, !e->key->default_value);
            assert_true(e->key->help && key_help(e->key, text)[0] && e->key->unit);
        }
        assert_int_equal(config_find(&c, "machine.nothing"), c.entries);
        config_fini(&c);
    }
}

/* Sections are those of the machine's own fabric; a machine that is chosen anew forgets the old. */
static void sections_follow_the_fabric(void **state)
{
    (void)state;
    struct config c;
    load_machine(&c, "bluegene-l");
    assert_non_null(config_section(&c, &torus_section));
    assert_null(config_section(&c, &crosspoint_section));
    const struct torus_config *t = config_section(&c, &torus_section);
    assert_int_equal(t->torus.nodes, 512);
    assert_int_equal(config_override(&c, "workload.load=0.25"), WEFT_OK);
    assert_near(config_workload(&c)->load, 0.25, 0);
    assert_int_equal(config_machine(&c, "sc5832"), WEFT_OK);
    assert_null(config_section(&c, &torus_section));
    assert_non_null(config_section(&c, &crosspoint_section));
    assert_near(config_workload(&c)->load, 0.5, 0);
    config_fini(&c);
    machine_init(&c);
    assert_int_equal(config_choose(&c, "tree", NULL), WEFT_BAD_INPUT);
    assert_string_equal(weft_last_error(), "its fabric is 'tree'; use 'fabric: torus', 'fabric: "
                                           "crosspoint', 'fabric: tofu', 'fabric: switches' or "
                                           "'fabric: ideal'");
    assert_int_equal(config_override(&c, "run.seed=1"), WEFT_BAD_INPUT);
    assert_string_equal(weft_last_error(),
                        "-s run.seed=1: no machine has been named yet; name one first (-m)");
    config_fini(&c);
}

/* A family of which there is no machine would be tested by nothing. */
static void every_family_has_a_machine(void **state)
{
    (void)state;
    for (unsigned i = 0; families[i]; i++) {
        bool found = false;
        for (unsigned m = 0; m < MACHINES; m++) {
            struct config c;
            load_machine(&c, machines[m]);
            assert_int_equal(machine_finish(&c), WEFT_OK);
            found |= family_of(&c) == families[i];
            config_fini(&c);
        }
        if (!found)
            fail_msg("no machine has a %s fabric", families[i]->schema.fabric);
    }
}

/* What changes a result changes the hash; how a machine is cut does not. */
static void the_hash_is_of_what_changes_results(void **state)
{
    (void)state;
    static const struct {
        const char *machine, *setting;
        bool differs;
    } cases[] = {
        {"bluegene-l", "run.seed=2", true},         {"bluegene-l", "run.bricks=2x2x2", false},
        {"bluegene-l", "workload.load=0.6", true},  {"bluegene-l", "run.seed=1", false},
        {"sc5832", "run.partitions=7", false},      {"sc5832", "machine.router.vcs=5", true},
        {"sc5832", "machine.graph=kautz:3:5", true}};
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct config c;
        load_machine(&c, cases[i].machine);
        assert_int_equal(machine_finish(&c), WEFT_OK);
        uint64_t before = machine_hash(&c);
        assert_int_equal(config_override(&c, cases[i].setting), WEFT_OK);
        assert_int_equal(machine_finish(&c), WEFT_OK);
        if ((machine_hash(&c) != before) != cases[i].differs)
            fail_msg("%s %s", cases[i].machine, cases[i].setting);
        config_fini(&c);
    }
}

static void wrong_settings_are_refused(void **state)
{
    (void)state;
    static const char *const wrong[][2] = {
        {"machine.dim=8x8x8", "-s machine.dim=8x8x8: unknown key 'machine.dim'; did you mean "
                              "'machine.dims'?"},
        {"machine.tree.packet_bytes=64",
         "-s machine.tree.packet_bytes=64: unknown key 'machine.tree.packet_bytes'; use "
         "'machine.tree.payload_bytes'"},
        {"machine.message.in_cycles=60",
         "-s machine.message.in_cycles=60: unknown key 'machine.message.in_cycles'; use "
         "'machine.node.packet_in_cycles'"},
        {"machine.dims=0x8x8",
         "-s machine.dims=0x8x8: machine.dims = '0x8x8' is not a machine size; use "
         "positive sizes joined by x, as 8x8x8"},
        {"workload.packet_bytes=33,",
         "-s workload.packet_bytes=33,: workload.packet_bytes = '33,' "
         "is not a size in bytes; use 0 to 65536 bytes, or up to 8 such sizes "
         "joined by commas"},
        {"workload.load=nan",
         "-s workload.load=nan: workload.load = 'nan' is not a number; use one from "
         "0 to 1000"},
        {"workload.load=-1",
         "-s workload.load=-1: workload.load = -1 is out of range; use 0 to 1000"},
        {"workload.cycles=many",
         "-s workload.cycles=many: workload.cycles = 'many' is not a whole number of cycles; "
         "use one from 1 to 70000000000000"},
        {"machine.router.escape=hope",
         "-s machine.router.escape=hope: machine.router.escape = 'hope' is "
         "not known; use one of bubble, dateline, none"},
        {"workload.deposit=1", "-s workload.deposit=1: workload.deposit = '1' is neither true nor "
                               "false; use one of them"},
        {"nothing", "-s nothing: is not an assignment; use -s KEY=VALUE"},
        {"=1", "-s =1: is not an assignment; use -s KEY=VALUE"},
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
                        "-s machine.dims=8x8x8: 'machine.dims' is not a key of machines whose "
                        "fabric is crosspoint; `weft keys` lists the keys of each");
    assert_int_equal(config_override(&c, "machine.router.vcs=9"), WEFT_BAD_INPUT);
    assert_string_equal(
        weft_last_error(),
        "-s machine.router.vcs=9: machine.router.vcs = 9 is out of range; use 1 to 8");
    config_fini(&c);
    load(&c);
    assert_int_equal(config_override(&c, "machine.graph=kautz:2:2"), WEFT_BAD_INPUT);
    assert_string_equal(
        weft_last_error(),
        "-s machine.graph=kautz:2:2: 'machine.graph' is not a key of machines whose "
        "fabric is torus; `weft keys` lists the keys of each");
    config_fini(&c);
}

static void refuse(const char *machine, const char *setting)
{
    struct config c;
    char place[128];
    load_machine(&c, machine);
    assert_int_equal(config_override(&c, setting), WEFT_OK);
    if (machine_finish(&c) != WEFT_BAD_INPUT)
        fail_msg("%s accepts %s", machine, setting);
    snprintf(place, sizeof(place), "-s %s: ", setting);
    if (strncmp(weft_last_error(), place, strlen(place)) != 0)
        fail_msg("%s has no place: %s", setting, weft_last_error());
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
        "machine.node.reception_watermark_bytes=2048",
        "workload.packet_bytes=33",
        "workload.packet_bytes=0",
        "workload.packet_bytes=32,288",
        "workload.pattern=survey",
    };
    static const char *const wrong_graphs[] = {
        "machine.graph=kautz:0:1",        "machine.dead_nodes=972",
        "machine.dead_links=0>0",         "machine.router.crosspoint_packets=3",
        "workload.packet_bytes=136",      "workload.pattern=hotregion",
        "machine.link.bad_links=0>0@1-2",
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
    const struct workload_params *w = config_workload(&c);
    assert_string_equal(w->pattern->name, "uniform");
    assert_int_equal(w->packet_bytes.count, 2);
    assert_int_equal(w->packet_bytes.value[0], 32);
    assert_int_equal(w->packet_bytes.value[1], 96);
    yaml_fini(&y);
    config_fini(&c);
}

GROUP(config)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_value_reads_back),
        cmocka_unit_test(every_machine_key_has_a_source),
        cmocka_unit_test(a_fabric_has_each_key_once),
        cmocka_unit_test(sections_follow_the_fabric),
        cmocka_unit_test(every_family_has_a_machine),
        cmocka_unit_test(the_hash_is_of_what_changes_results),
        cmocka_unit_test(wrong_settings_are_refused),
        cmocka_unit_test(a_key_of_the_other_fabric_is_refused),
        cmocka_unit_test(what_does_not_fit_together_is_refused),
        cmocka_unit_test(lists_and_shorthands_of_studies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
