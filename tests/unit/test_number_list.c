/* Lists of nodes: numbers, ranges, steps, files; and what is none. */
#include "group.h"
#include "testing.h"

#include "workload/names.h"

static const bool dead[12] = {[4] = true};
static const struct torus torus = {.dims = 2, .size = {4, 3}, .nodes = 12};
static const struct site site = {.nodes = 12, .endpoints = 12, .dead = dead, .torus = &torus};

static void expect(struct number_list *l, const uint32_t *numbers, uint32_t count)
{
    assert_int_equal(l->count, count);
    assert_memory_equal(l->number, numbers, count * sizeof(*numbers));
    number_list_fini(l);
}

static void lists_keep_their_order(void **state)
{
    (void)state;
    struct number_list l = {.what = "node", .most = 12};
    assert_int_equal(number_list_read(&l, "8,0-2,11,3-10:3,5-6:9"), WEFT_OK);
    expect(&l, (const uint32_t[]){8, 0, 1, 2, 11, 3, 6, 9, 5}, 9);
}

static void files_name_nodes(void **state)
{
    (void)state;
    const char text[] = "3 1/2 # both\n\n  0\n0/1\n";
    struct number_list l = {.what = "node", .most = 12};
    assert_int_equal(number_list_lines(&l, &site, "f", text, strlen(text)), WEFT_BAD_INPUT);
    assert_string_equal(weft_last_error(), "f:4:1: node 0/1 is dead; leave it out");
    number_list_fini(&l);
    l = (struct number_list){.what = "node", .most = 12};
    assert_int_equal(number_list_lines(&l, &site, "f", text, strlen(text) - 4), WEFT_OK);
    expect(&l, (const uint32_t[]){3, 9, 0}, 3);
}

static void what_is_none_is_refused(void **state)
{
    (void)state;
    static const char *const lists[] = {"",    ",",     "1,", "-1",    "3-1",   "0-12",   "12",
                                        "1,1", "0-3,2", "a",  "1:2",   "0-3:0", "0-3:",   "0-3:-1",
                                        "0--", "0-3:x", "-",  "0-3-5", "1 2",   "0-3:1:1"};
    static const char *const files[] = {"", "# none\n", "1 1", "12", "9/9", "1-2", "\x01"};
    for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
        struct number_list l = {.what = "node", .most = 12};
        if (number_list_read(&l, lists[i]) != WEFT_BAD_INPUT)
            fail_msg("'%s' is read as a list", lists[i]);
        number_list_fini(&l);
    }
    for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
        struct number_list l = {.what = "node", .most = 12};
        if (number_list_lines(&l, &site, "f", files[i], strlen(files[i])) != WEFT_BAD_INPUT)
            fail_msg("'%s' is read as a file", files[i]);
        number_list_fini(&l);
    }
}

GROUP(number_list)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists_keep_their_order),
        cmocka_unit_test(files_name_nodes),
        cmocka_unit_test(what_is_none_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
