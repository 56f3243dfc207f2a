/* Partitions are shared out so that no member has much more to do than the others. */
#include "testing.h"

#include "engine/balance.h"

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
    assert_true(balance(work, 32, 8, member));
    assert_true(heaviest(work, member, 32, 8) <= total / 8 + 100);
}

static void what_is_even_stays(void **state)
{
    (void)state;
    uint64_t work[8] = {100, 101, 99, 100, 100, 102, 100, 100};
    uint32_t member[8], before[8];
    balance_evenly(8, 4, member);
    memcpy(before, member, sizeof(before));
    assert_false(balance(work, 8, 4, member));
    assert_memory_equal(member, before, sizeof(before));
}

static void no_work_is_no_reason(void **state)
{
    (void)state;
    uint64_t work[4] = {0, 0, 0, 0};
    uint32_t member[4];
    balance_evenly(4, 2, member);
    assert_false(balance(work, 4, 2, member));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(even_shares_are_rows),
        cmocka_unit_test(a_hot_corner_is_shared),
        cmocka_unit_test(what_is_even_stays),
        cmocka_unit_test(no_work_is_no_reason),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
