/* Partitions are shared out so that no member needs much longer than the others. */
#include "group.h"
#include "testing.h"

#include "engine/sharing.h"

static uint64_t heaviest(const uint64_t *work, const uint32_t *member, uint32_t parts,
                         uint32_t members)
{
    uint64_t load[16] = {0}, most = 0;
    for (uint32_t p = 0; p < parts; p++) {
        assert_true(member[p] < members);
        load[member[p]] += work[p];
    }
    for (uint32_t m = 0; m < members; m++)
        most = load[m] > most ? load[m] : most;
    return most;
}

static uint32_t count(const uint32_t *member, uint32_t parts, uint32_t m)
{
    uint32_t sum = 0;
    for (uint32_t p = 0; p < parts; p++)
        sum += member[p] == m;
    return sum;
}

static bool rebalance(const uint64_t *work, uint32_t parts, const uint64_t *time, double *pace,
                      uint32_t members, uint32_t *member)
{
    struct balance_room room;
    balance_room_init(&room, parts, members);
    bool moved = balance(&room, work, time, pace, member);
    balance_room_fini(&room);
    return moved;
}

static void even_shares_are_rows(void **state)
{
    (void)state;
    uint32_t member[7];
    balance_evenly(7, 3, member);
    static const uint32_t expected[7] = {0, 0, 1, 1, 2, 2, 2};
    assert_memory_equal(member, expected, sizeof(expected));
    balance_evenly(2, 4, member); /* more members than partitions: some have none */
    assert_true(member[0] != member[1]);
}

static void a_hot_corner_is_shared(void **state)
{
    (void)state;
    uint64_t work[32], total = 0;
    uint32_t member[32];
    for (uint32_t p = 0; p < 32; p++)
        total += work[p] = p < 4 ? 800 : 100;
    balance_evenly(32, 8, member);
    assert_int_equal(heaviest(work, member, 32, 8), 3200);
    assert_true(rebalance(work, 32, NULL, (double[16]){0}, 8, member));
    assert_true(heaviest(work, member, 32, 8) <= total / 8 + 100);
}

static void what_is_even_stays(void **state)
{
    (void)state;
    uint64_t work[8] = {100, 101, 99, 100, 100, 102, 100, 100};
    uint32_t member[8], before[8];
    balance_evenly(8, 4, member);
    memcpy(before, member, sizeof(before));
    assert_false(rebalance(work, 8, NULL, (double[16]){0}, 4, member));
    assert_memory_equal(member, before, sizeof(before));
}

static void no_work_is_no_reason(void **state)
{
    (void)state;
    uint64_t work[4] = {0, 0, 0, 0};
    uint32_t member[4];
    balance_evenly(4, 2, member);
    assert_false(rebalance(work, 4, NULL, (double[16]){0}, 2, member));
}

static void a_slow_core_gets_less(void **state)
{
    (void)state;
    uint64_t work[64], time[8];
    double pace[8] = {0};
    uint32_t member[64], before[64], moved = 0;
    for (uint32_t p = 0; p < 64; p++)
        work[p] = 1000;
    balance_evenly(64, 8, member);
    memcpy(before, member, sizeof(before));
    for (uint32_t m = 0; m < 8; m++)
        time[m] = m == 3 ? 16000 : 8000; /* 8 partitions each: half as fast as the others */
    assert_true(rebalance(work, 64, time, pace, 8, member));
    assert_in_range(count(member, 64, 3), 4, 5);
    for (uint32_t p = 0; p < 64; p++) {
        moved += member[p] != before[p];
        assert_true(member[p] == before[p] || before[p] == 3); /* nobody else's */
    }
    assert_in_range(moved, 3, 4);
    /* With what that leads to, all are content. */
    for (uint32_t m = 0; m < 8; m++)
        time[m] = count(member, 64, m) * (m == 3 ? 2000 : 1000);
    assert_false(rebalance(work, 64, time, pace, 8, member));
    /* Once the core is as fast as the others, it gets its share back. */
    time[3] /= 2;
    assert_true(rebalance(work, 64, time, pace, 8, member));
    assert_in_range(count(member, 64, 3), 7, 8);
}

/* A core so slow that it is left with nothing is not loaded again at the next look. */
static void a_very_slow_core_stays_idle_for_a_while(void **state)
{
    (void)state;
    uint64_t work[4] = {1000, 1000, 1000, 1000}, time[4];
    double pace[4] = {0};
    uint32_t member[4], loaded = 0;
    balance_evenly(4, 4, member);
    for (uint32_t look = 0; look < 50; look++) {
        for (uint32_t m = 0; m < 4; m++)
            time[m] = 10 + count(member, 4, m) * (m == 2 ? 5000 : 1000);
        rebalance(work, 4, time, pace, 4, member);
        loaded += count(member, 4, 2);
    }
    assert_in_range(loaded, 1, 5); /* now and then it is tried */
}

static void who_had_nothing_to_do_is_not_slow(void **state)
{
    (void)state;
    uint64_t work[8] = {900, 900, 900, 900, 1, 0, 0, 0}, time[2] = {3600, 500};
    uint32_t member[8];
    balance_evenly(8, 2, member);
    assert_true(rebalance(work, 8, time, (double[16]){0}, 2, member));
    assert_int_equal(heaviest(work, member, 8, 2), 1801);
}

static void one_heavy_partition_is_left_alone_with_it(void **state)
{
    (void)state;
    uint64_t work[6] = {900, 100, 100, 10, 10, 10}, time[3] = {1000, 110, 20};
    uint32_t member[6];
    balance_evenly(6, 3, member);
    assert_true(rebalance(work, 6, time, (double[16]){0}, 3, member));
    assert_int_equal(heaviest(work, member, 6, 3), 900);
}

GROUP(balance)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(even_shares_are_rows),
        cmocka_unit_test(a_hot_corner_is_shared),
        cmocka_unit_test(what_is_even_stays),
        cmocka_unit_test(no_work_is_no_reason),
        cmocka_unit_test(a_slow_core_gets_less),
        cmocka_unit_test(a_very_slow_core_stays_idle_for_a_while),
        cmocka_unit_test(who_had_nothing_to_do_is_not_slow),
        cmocka_unit_test(one_heavy_partition_is_left_alone_with_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
