/*
 * Orders of destinations: in each, everybody turns to each of the others once; what ascending,
 * staggered and by distance mean; random orders differ from one participant to the next.
 */
#include "group.h"
#include "testing.h"

#include <string.h>

#include "message/order.h"

enum { COUNT = 13 };

/* Along a ring. */
static uint32_t ring_hops(const void *ctx, uint32_t from, uint32_t to)
{
    uint32_t far = (to + COUNT - from) % COUNT;
    (void)ctx;
    return far < COUNT - far ? far : COUNT - far;
}

static struct send_order order_of(enum send_order_kind kind)
{
    struct send_order o;
    assert_int_equal(order_init(&o, kind, COUNT, 7, ring_hops, NULL), WEFT_OK);
    return o;
}

static void everybody_turns_to_each_other_once(void **state)
{
    (void)state;
    for (unsigned kind = ORDER_AUTO; kind < ORDERS; kind++) {
        struct send_order o = order_of((enum send_order_kind)kind);
        for (uint32_t me = 0; me < COUNT; me++) {
            bool seen[COUNT] = {false};
            for (uint32_t turn = 0; turn < COUNT - 1; turn++) {
                uint32_t to = order_other(&o, me, turn);
                assert_in_range(to, 0, COUNT - 1);
                assert_int_not_equal(to, me);
                assert_false(seen[to]);
                seen[to] = true;
            }
        }
        order_fini(&o);
    }
}

static void orders_are_what_they_are_called(void **state)
{
    (void)state;
    struct send_order up = order_of(ORDER_ASCENDING), around = order_of(ORDER_STAGGERED),
                      near = order_of(ORDER_DISTANCE);
    for (uint32_t me = 0; me < COUNT; me++)
        for (uint32_t turn = 0; turn + 2 < COUNT; turn++) {
            assert_true(order_other(&up, me, turn) < order_other(&up, me, turn + 1));
            assert_int_equal(order_other(&around, me, turn), (me + 1 + turn) % COUNT);
            assert_int_equal(ring_hops(NULL, me, order_other(&near, me, turn)), 1 + turn / 2);
        }
    assert_int_equal(order_other(&near, 4, 0), 5); /* of those as far away, the next one */
    order_fini(&near);
}

static void random_orders_differ(void **state)
{
    (void)state;
    struct send_order o = order_of(ORDER_RANDOM);
    unsigned same = 0;
    for (uint32_t me = 1; me < COUNT; me++)
        for (uint32_t turn = 0; turn < COUNT - 1; turn++)
            same += order_other(&o, me, turn) == order_other(&o, 0, turn);
    assert_in_range(same, 1, 40); /* of 144; 12 are to be expected */
}

static void tables_have_an_end(void **state)
{
    struct send_order o;
    (void)state;
    assert_int_equal(order_init(&o, ORDER_DISTANCE, ORDER_TABLE_MOST + 1, 0, ring_hops, NULL),
                     WEFT_BAD_INPUT);
    order_fini(&o);
    assert_int_equal(order_init(&o, ORDER_STAGGERED, ORDER_TABLE_MOST + 1, 0, ring_hops, NULL),
                     WEFT_OK);
}

GROUP(send_order)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(everybody_turns_to_each_other_once),
                                       cmocka_unit_test(orders_are_what_they_are_called),
                                       cmocka_unit_test(random_orders_differ),
                                       cmocka_unit_test(tables_have_an_end)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
