/* A visited finds each item once, and ends however the lists are linked. */
#include "group.h"
#include "testing.h"

#include "base/slots.h"

struct item {
    uint64_t other;
    uint32_t next;
};

static struct visited_items items_of(const struct item *array)
{
    return (struct visited_items){array, sizeof(*array), offsetof(struct item, next)};
}

static void lists_and_rings_that_share_nothing_are_found(void **unused)
{
    struct item item[] = {{0, 2}, {0, 3}, {0, SLOT_NONE}, {0, 4}, {0, 1}};
    struct visited c;
    uint32_t last;
    (void)unused;
    visited_init(&c, 5);
    assert_true(visited_list(&c, items_of(item), 0, &last));
    assert_int_equal(last, 2);
    assert_false(visited_is_full(&c));
    assert_true(visited_ring(&c, items_of(item), 3));
    assert_true(visited_is_full(&c));
    assert_true(visited_list(&c, items_of(item), SLOT_NONE, &last));
    assert_int_equal(last, SLOT_NONE);
    visited_fini(&c);
}

static void what_leads_astray_is_refused(void **unused)
{
    struct item outside[] = {{0, 7}}, cycle[] = {{0, 1}, {0, 0}}, open[] = {{0, SLOT_NONE}};
    struct visited c;
    uint32_t last;
    (void)unused;
    visited_init(&c, 1);
    assert_false(visited_list(&c, items_of(outside), 0, &last));
    visited_fini(&c);
    visited_init(&c, 2);
    assert_false(visited_list(&c, items_of(cycle), 0, &last));
    visited_fini(&c);
    visited_init(&c, 1);
    assert_false(visited_ring(&c, items_of(open), 0)); /* it does not come back */
    visited_fini(&c);
}

static void an_item_in_two_lists_is_refused(void **unused)
{
    struct item item[] = {{0, 2}, {0, 2}, {0, SLOT_NONE}};
    struct visited c;
    uint32_t last;
    (void)unused;
    visited_init(&c, 3);
    assert_true(visited_list(&c, items_of(item), 0, &last));
    assert_false(visited_list(&c, items_of(item), 1, &last));
    assert_false(visited_mark(&c, 0));
    assert_false(visited_mark(&c, 3));
    visited_fini(&c);
}

GROUP(visited)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists_and_rings_that_share_nothing_are_found),
        cmocka_unit_test(what_leads_astray_is_refused),
        cmocka_unit_test(an_item_in_two_lists_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
