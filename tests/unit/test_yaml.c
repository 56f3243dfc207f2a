/* YAML into paths and values; every complaint names file, line and column. */
#include "testing.h"

#include "config/yaml.h"

static weft_status parse(const char *text, struct yaml *y)
{
    return yaml_parse("t.yaml", (const unsigned char *)text, strlen(text), y);
}

static void assert_refused(const char *text, const char *complaint)
{
    struct yaml y;
    assert_int_equal(parse(text, &y), WEFT_BAD_INPUT);
    assert_string_equal(weft_last_error(), complaint);
}

static void paths_values_and_places(void **state)
{
    (void)state;
    struct yaml y;
    assert_int_equal(parse("a: 1\nb:\n  c: {value: x y, unit: B}\n  d: [32, 64]\n", &y), WEFT_OK);
    assert_string_equal(yaml_get(&y, "a"), "1");
    assert_string_equal(yaml_get(&y, "b.c.value"), "x y");
    assert_string_equal(yaml_get(&y, "b.c.unit"), "B");
    assert_string_equal(yaml_get(&y, "b.d.0"), "32");
    assert_string_equal(yaml_get(&y, "b.d.1"), "64");
    assert_null(yaml_get(&y, "b.d.2"));
    assert_null(yaml_get(&y, "b"));
    assert_int_equal(y.entry[1].line, 3);
    assert_int_equal(y.entry[1].column, 14);
    yaml_fini(&y);
}

static void json_is_yaml(void **state)
{
    (void)state;
    struct yaml y;
    assert_int_equal(
        parse("{\"config\": {\"machine\": {\"dims\": \"8x8x8\"}}, \"n\": [1, {\"k\": 2}]}", &y),
        WEFT_OK);
    assert_string_equal(yaml_get(&y, "config.machine.dims"), "8x8x8");
    assert_string_equal(yaml_get(&y, "n.1.k"), "2");
    yaml_fini(&y);
}

static void an_empty_file_has_no_entries(void **state)
{
    (void)state;
    struct yaml y;
    assert_int_equal(parse("", &y), WEFT_OK);
    assert_int_equal(y.entries, 0);
    yaml_fini(&y);
}

static void wrong_files_are_refused_with_their_place(void **state)
{
    (void)state;
    assert_refused("a: 1\na: 2\n", "t.yaml:2:4: 'a' is given twice; remove one");
    assert_refused("- a\n", "t.yaml:1:1: the file is a list; write 'key: value'");
    assert_refused("word\n", "t.yaml:1:1: the file is no list of keys; write 'key: value'");
    assert_refused("a: &x 1\nb: *x\n",
                   "t.yaml:2:4: aliases are not read here; write the value out");
    assert_refused("a: [1, 2\n", "t.yaml:2:1: did not find expected ',' or ']'; mend the YAML");
    assert_refused("? [a]\n: 1\n", "t.yaml:1:3: a key must be a word; write 'key: value'");
    assert_refused(
        "a: {b: {c: {d: {e: {f: {g: {h: {i: {j: {k: {l: {m: {n: {o: {p: {q: 1}}}}}}}}}}}}}}}}\n",
        "t.yaml:1:64: the file is nested too deeply; use fewer levels");
}

static void a_missing_file_is_named(void **state)
{
    (void)state;
    struct yaml y;
    assert_int_equal(yaml_load("/nowhere/x.yaml", &y), WEFT_BAD_INPUT);
    assert_string_equal(weft_last_error(),
                        "/nowhere/x.yaml: No such file or directory; name a file "
                        "that can be read");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(paths_values_and_places),
        cmocka_unit_test(json_is_yaml),
        cmocka_unit_test(an_empty_file_has_no_entries),
        cmocka_unit_test(wrong_files_are_refused_with_their_place),
        cmocka_unit_test(a_missing_file_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
