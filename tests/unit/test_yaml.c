/* YAML into paths and values; every complaint names file, line and column. */
#include "group.h"
#include "testing.h"

#include <time.h>

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
    assert_refused("word\n", "t.yaml:1:1: the file is not a list of keys; write 'key: value'");
    assert_refused("a: &x 1\nb: *x\n",
                   "t.yaml:2:4: aliases are not supported; write the value out");
    assert_refused("a: [1, 2\n", "t.yaml:2:1: did not find expected ',' or ']'; fix the YAML");
    assert_refused("? [a]\n: 1\n", "t.yaml:1:3: a key must be a word; write 'key: value'");
    assert_refused(
        "a: {b: {c: {d: {e: {f: {g: {h: {i: {j: {k: {l: {m: {n: {o: {p: {q: 1}}}}}}}}}}}}}}}}\n",
        "t.yaml:1:64: the file is nested too deeply; use fewer levels");
}

static void a_path_is_given_once_whatever_way_it_is_written(void **state)
{
    (void)state;
    assert_refused("a: {b: 1, c: 2, b: 3}\n", "t.yaml:1:20: 'a.b' is given twice; remove one");
    assert_refused("a.b: 1\nc: 2\na: {b: 3}\n", "t.yaml:3:8: 'a.b' is given twice; remove one");
    assert_refused("a.0: 1\na: [2]\n", "t.yaml:2:5: 'a.0' is given twice; remove one");
}

/* 41 s when each key was compared with all before it. */
static void many_keys_are_read_and_found_in_no_time(void **state)
{
    (void)state;
    enum { KEYS = 100000 };
    struct yaml y;
    char *text = malloc(32 * KEYS), path[32], value[32];
    size_t size = 0;
    assert_non_null(text);
    for (int i = 0; i < KEYS; i++)
        size += (size_t)sprintf(text + size, "key_%d: %d\n", i, i);
    clock_t start = clock();
    assert_int_equal(yaml_parse("t.yaml", (unsigned char *)text, size, &y), WEFT_OK);
    assert_int_equal(y.entries, KEYS);
    for (int i = 0; i < KEYS; i++) {
        sprintf(path, "key_%d", i);
        sprintf(value, "%d", i);
        assert_string_equal(yaml_get(&y, path), value);
    }
    assert_null(yaml_get(&y, "key_100000"));
    assert_true((double)(clock() - start) / CLOCKS_PER_SEC < 5);
    yaml_fini(&y);
    free(text);
}

static void bytes_that_are_no_text_are_named_with_their_place(void **state)
{
    (void)state;
    assert_refused("\xff: 1\n", "t.yaml:1:1: byte 0xff is not UTF-8; save the file as UTF-8");
    assert_refused("a: 1\nb: x\xffy\n",
                   "t.yaml:2:5: byte 0xff is not UTF-8; save the file as UTF-8");
    assert_refused("a: 1\r\nb: \xe9t\xe9\r\n",
                   "t.yaml:2:4: byte 0xe9 is not UTF-8; save the file as UTF-8");
    assert_refused("\xef\xbb\xbf"
                   "a: \xc3\xa9\xff\n",
                   "t.yaml:1:5: byte 0xff is not UTF-8; save the file as UTF-8");
    assert_refused("a: \xc3\xc3\xa9\n",
                   "t.yaml:1:4: byte 0xc3 is not UTF-8; save the file as UTF-8");
    assert_refused("a: \xe2\x82\xc3\n",
                   "t.yaml:1:4: byte 0xe2 is not UTF-8; save the file as UTF-8");
    assert_refused("a: 1\n\n# \xc3", "t.yaml:3:3: byte 0xc3 is not UTF-8; save the file as UTF-8");
    assert_refused("a: \xed\xa0\x80\n", "t.yaml:1:4: character U+D800 is not allowed; remove it");
    assert_refused("a: 1\nb: \a\n", "t.yaml:2:4: character U+0007 is not allowed; remove it");
    assert_refused("a: \xc2\x80\n", "t.yaml:1:4: character U+0080 is not allowed; remove it");
    struct yaml y;
    static const unsigned char wide[] = {0xff, 0xfe, 'a', 0, ':', 0, ' ', 0, 0x00, 0xdc, '\n', 0};
    assert_int_equal(yaml_parse("t.yaml", wide, sizeof(wide), &y), WEFT_BAD_INPUT);
    assert_string_equal(weft_last_error(),
                        "t.yaml: unexpected low surrogate area at byte 8; save the file as UTF-8");
}

/* Far behind what the parser reads at once. */
static void a_wrong_byte_is_found_in_a_long_file(void **state)
{
    (void)state;
    enum { LINES = 20000 };
    struct yaml y;
    char *text = malloc(16 * LINES + 16);
    size_t size = 0;
    assert_non_null(text);
    for (int i = 0; i < LINES; i++)
        size += (size_t)sprintf(text + size, "k%d: 1\n", i);
    size += (size_t)sprintf(text + size, "last: \x80\n");
    assert_int_equal(yaml_parse("t.yaml", (unsigned char *)text, size, &y), WEFT_BAD_INPUT);
    assert_string_equal(weft_last_error(),
                        "t.yaml:20001:7: byte 0x80 is not UTF-8; save the file as UTF-8");
    free(text);
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

GROUP(yaml)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(paths_values_and_places),
        cmocka_unit_test(json_is_yaml),
        cmocka_unit_test(an_empty_file_has_no_entries),
        cmocka_unit_test(wrong_files_are_refused_with_their_place),
        cmocka_unit_test(a_path_is_given_once_whatever_way_it_is_written),
        cmocka_unit_test(many_keys_are_read_and_found_in_no_time),
        cmocka_unit_test(bytes_that_are_no_text_are_named_with_their_place),
        cmocka_unit_test(a_wrong_byte_is_found_in_a_long_file),
        cmocka_unit_test(a_missing_file_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
