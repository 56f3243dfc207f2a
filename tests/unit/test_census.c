/* A census finds each item once, and ends however the lists are linked. */
#include "testing.h"

#include "base/census.h"

struct item {
    uint64_t other;
    uint32_t next;
};

static struct census_items items_of(const struct item *array)
{
    return (struct census_items){array, sizeof(*array), offsetof(struct item, next)};
}

static void lists_and_rings_that_share_nothing_are_found(void **unused)
{
    struct item item[] = {{0, 2}, {0, 3}, {0, CENSUS_NONE}, {0, 4}, {0, 1}};
    struct census c;
    uint32_t last;
    (void)unused;
    census_init(&c, 5);
    assert_true(census_list(&c, items_of(item), 0, &last));
    assert_int_equal(last, 2);
    assert_false(census_is_full(&c));
    assert_true(census_ring(&c, items_of(item), 3));
    assert_true(census_is_full(&c));
    assert_true(census_list(&c, items_of(item), CENSUS_NONE, &last));
    assert_int_equal(last, CENSUS_NONE);
    census_fini(&c);
}

static void what_leads_astray_is_refused(void **unused)
{
    struct item outside[] = {{0, 7}}, cycle[] = {{0, 1}, {0, 0}}, open[] = {{0, CENSUS_NONE}};
    struct census c;
    uint32_t last;
    (void)unused;
    census_init(&c, 1);
    assert_false(census_list(&c, items_of(outside), 0, &last));
    census_fini(&c);
    census_init(&c, 2);
    assert_false(census_list(&c, items_of(cycle), 0, &last));
    census_fini(&c);
    census_init(&c, 1);
    assert_false(census_ring(&c, items_of(open), 0)); /* it does not come back */
    census_fini(&c);
}

static void an_item_in_two_lists_is_refused(void **unused)
{
    struct item item[] = {{0, 2}, {0, 2}, {0, CENSUS_NONE}};
    struct census c;
    uint32_t last;
    (void)unused;
    census_init(&c, 3);
    assert_true(census_list(&c, items_of(item), 0, &last));
    assert_false(census_list(&c, items_of(item), 1, &last));
    assert_false(census_take(&c, 0));
    assert_false(census_take(&c, 3));
    census_fini(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists_and_rings_that_share_nothing_are_found),
        cmocka_unit_test(what_leads_astray_is_refused),
        cmocka_unit_test(an_item_in_two_lists_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
